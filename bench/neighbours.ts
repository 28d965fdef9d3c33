// What others do to those who read: clients that exchange, writers on a disk whose sync is slow, a flood of wrong
// exchanges; and how long a start takes, which others wait for.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, headerOf, load, median, type Question } from './load.ts'
import type { Report, Table } from './report.ts'
import { flags, measureBeside, ROUND_MS, ROUNDS } from './rounds.ts'
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

const EXCHANGING = 16
const WRITERS = 4
const FLOOD_MS = flags.short ? 1_000 : 12_000
const FLOOD_CONNECTIONS = 600
const ADDRESSES = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`)

/** `folder`: that of the hand-written server. */
export async function measureNeighbours(hydrant: BenchServer, folder: string): Promise<Report> {
  const reports = [await besideExchanges(hydrant), await besideWriters(folder), await measureStart()]
  const tables = [...reports.flatMap((report) => report.tables), await besideGuesses(hydrant)]
  return { tables, targets: reports.flatMap(({ targets }) => targets) }
}

async function besideExchanges(hydrant: BenchServer): Promise<Report> {
  let tokens = 0
  const onToken = () => {
    tokens += 1
  }
  const next = nextExchange(`1:${PARAPHRASE}`, [200, 401], onToken)
  const exchange = (milliseconds: number) =>
    load({ port: hydrant.port, connections: EXCHANGING, milliseconds, next })
  const { aloneP99, besideP99, p99 } = await measureBeside(hydrant.port, member(hydrant), exchange)
  const perSecond = Math.round(tokens / ROUNDS / (ROUND_MS / 1000))
  const name = `beside ${EXCHANGING} clients that exchange (${perSecond} exchanges a second)`
  const rows = [
    ['alone', aloneP99],
    [name, besideP99],
    ['ratio', p99],
  ]
  const target = {
    workload: `p99 of token requests beside ${EXCHANGING} exchanging clients, of alone`,
    measured: p99,
  }
  return {
    tables: [{ name: 'exchanges', columns: ['token requests', 'p99 ms'], rows }],
    targets: [{ ...target, target: 1.5, most: true }],
  }
}

/** On a disk whose sync takes 5 ms. */
async function besideWriters(folder: string): Promise<Report> {
  const can = canSlowSync()
  if (!can)
    console.error('Reads beside writers are not measured: strace is not there, or may not trace a process.')
  const rows: (string | number)[][] = []
  for (const name of can ? ['hand-written', 'Hydrant, SQLite'] : []) {
    const home = writeLibrary()
    copyFileSync(join(folder, 'frame.json'), join(home, 'frame.json'))
    if (name !== 'hand-written') await fill(home)
    const server = await (name === 'hand-written'
      ? startHandWritten(name, home, true)
      : startHydrant({ name, folder: home, slowSync: true }))
    const next = nextCreate(server)
    const write = (milliseconds: number) =>
      load({ port: server.port, connections: WRITERS, milliseconds, next })
    const { rate, aloneP99, besideP99, p99 } = await measureBeside(
      server.port,
      member(server),
      write,
      CONNECTIONS,
    )
    rows.push([name, rate, aloneP99, besideP99, p99])
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
    {
      workload: 'hydrant serve: start to first answer, ms',
      measured: median(starts),
      target: 250,
      most: true,
    },
    { workload: 'hydrant --help, ms', measured: median(helps), target: 120, most: true },
  ]
  const rows = targets.map(({ workload, measured }) => [workload, measured])
  return { tables: [{ name: 'start', columns: ['command', 'ms'], rows }], targets }
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

const member = ({ authorized }: BenchServer): Question => request('/api/books/book-1', authorized)

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
