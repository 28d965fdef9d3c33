// What others do to those who read: clients that exchange, writers on a disk whose sync is slow, a flood of wrong
// exchanges; and how long a start takes, which others wait for.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, headerOf, load, median, type Question } from './load.ts'
import type { Report, Table } from './report.ts'
import { besideTable, flags, measureBeside, ROUND_MS, ROUNDS } from './rounds.ts'
import {
  type BenchServer,
  canSlowSync,
  fill,
  PARAPHRASE,
  runHydrant,
  signIn,
  startHandWritten,
  startHydrant,
} from './servers.ts'
import { CONNECTIONS, nextCreate, request, writeLibrary } from './workloads.ts'

const MEMBER = '/api/books/book-1'
const EXCHANGING = 16
const WRITERS = 4
const FLOOD_MS = flags.short ? 1_000 : 12_000
const FLOOD_CONNECTIONS = 600
const ADDRESSES = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`)

export async function measureNeighbours(hydrant: BenchServer, folder: string): Promise<Report> {
  const reports = [await besideExchanges(hydrant), await besideWriters(folder), await measureStart()]
  const tables = [...reports.flatMap((report) => report.tables), await besideGuesses(hydrant)]
  return { tables, targets: reports.flatMap(({ targets }) => targets) }
}

async function besideExchanges(server: BenchServer): Promise<Report> {
  let tokens = 0
  const onToken = () => {
    tokens += 1
  }
  const next = nextExchange(`1:${PARAPHRASE}`, [200, 401], onToken)
  const others = (milliseconds: number) =>
    load({ port: server.port, connections: EXCHANGING, milliseconds, next })
  const beside = await measureBeside({ server, path: MEMBER, others })
  const perSecond = Math.round(tokens / ROUNDS / (ROUND_MS / 1000))
  const name = `beside ${EXCHANGING} clients that exchange (${perSecond} exchanges a second)`
  const workload = `p99 of token requests beside ${EXCHANGING} exchanging clients, of alone`
  return {
    tables: [besideTable('exchanges', ['token requests', name], beside)],
    targets: [{ workload, measured: beside.p99, target: 2, most: true }],
  }
}

/** On a disk whose sync takes 5 ms; `folder` has the frame of the hand-written server. */
async function besideWriters(folder: string): Promise<Report> {
  const home = writeLibrary()
  copyFileSync(join(folder, 'frame.json'), join(home, 'frame.json'))
  await fill(home)
  const starts = [
    () => startHandWritten('hand-written', home, true),
    () => startHydrant({ name: 'Hydrant, SQLite', folder: home, slowSync: true }),
  ]
  if (!canSlowSync()) {
    console.error(
      'Reads beside writers are not measured: strace is not installed, or may not trace a process.',
    )
    starts.length = 0
  }
  const rows: (readonly [string, ...number[]])[] = []
  for (const start of starts) {
    const server = await start()
    const next = nextCreate(server)
    const others = (milliseconds: number) =>
      load({ port: server.port, connections: WRITERS, milliseconds, next })
    const beside = await measureBeside({ server, path: MEMBER, connections: CONNECTIONS, others })
    rows.push([server.name, beside.rate, beside.baseP99, beside.besideP99, beside.p99])
    await server.stop()
  }
  const [, kept = Number.NaN, , , p99 = Number.NaN] = rows[1] ?? []
  const workload = `reads beside ${WRITERS} writers on a disk whose sync takes 5 ms`
  const columns = ['server', 'throughput kept', 'p99 alone, ms', 'p99 beside, ms', 'ratio']
  return {
    tables: [{ name: 'writers', columns, rows }],
    targets: [
      { workload: `${workload}: throughput kept`, measured: Number(kept), target: 0.6 },
      { workload: `${workload}: p99, of alone`, measured: Number(p99), target: 2, most: true },
    ],
  }
}

/** Of a server whose database is there, and of the shortest command. */
async function measureStart(): Promise<Report> {
  const folder = writeLibrary()
  await fill(folder)
  const [starts, helps]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startHydrant({ name: 'Hydrant, SQLite', folder })
    starts.push(server.startMs)
    await server.stop()
    helps.push((await runHydrant(['--help'], folder)).seconds * 1000)
  }
  const targets = [
    { workload: 'start to first answer, ms', measured: median(starts), target: 250, most: true },
    { workload: '`hydrant --help`, ms', measured: median(helps), target: 120, most: true },
  ]
  const rows = targets.map(({ workload, measured }) => [workload.replace(', ms', ''), measured])
  return { tables: [{ name: 'start', columns: ['start', 'ms'], rows }], targets }
}

/** A sign-in beside more connections than can wait for a hash, each of which tries again at once. */
async function besideGuesses({ port }: BenchServer): Promise<Table> {
  const time = async () => {
    const started = performance.now()
    await signIn(port)
    return (performance.now() - started) / 1000
  }
  const alone = await time()
  const parts = { connections: FLOOD_CONNECTIONS, addresses: ADDRESSES, milliseconds: FLOOD_MS }
  const flood = load({ port, ...parts, next: nextExchange('999:a guess', [401, 429, 503]) })
  const beside: number[] = []
  await sleep(FLOOD_MS / 4)
  for (const until = performance.now() + FLOOD_MS / 2; performance.now() < until; ) beside.push(await time())
  await flood
  const name = `beside a flood of wrong exchanges from ${ADDRESSES.length} addresses`
  const rows = [
    ['alone', alone],
    [name, median(beside)],
  ]
  return { name: 'sign-in', columns: ['sign-in', 's'], rows }
}

/** Each client asks for a nonce, exchanges it, and asks again. */
function nextExchange(credentials: string, statuses: readonly number[], onToken = () => {}) {
  const authorization = `Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
  return (previous?: Answer): Question => {
    if (previous?.status === 200) onToken()
    const nonce = headerOf(previous?.head ?? '', 'x-authentication')
    const headers = nonce === undefined ? '' : `X-Authentication: ${nonce}\r\n${authorization}`
    return request('/api/books', headers, statuses)
  }
}
