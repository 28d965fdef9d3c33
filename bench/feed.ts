// What the feed costs: reads beside many streams, how late a change reaches them, and what the log adds to a create; and
// what a batch saves.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile, type Question } from './load.ts'
import { peakMegabytesOf, processorTimeOf } from './processes.ts'
import type { Report } from './report.ts'
import { compare, figure, find, flags, measureBeside, ROUND_MS, ratioOf } from './rounds.ts'
import { BASE, type BenchServer, fill, newFolder, startHydrant } from './servers.ts'
import type { Delays, StreamsParts } from './streams.ts'
import { creates, nextCreate, writeLibrary } from './workloads.ts'

const STREAMS = flags.short ? 50 : 1_000
const CHANGES_PER_SECOND = 100
const LOOKED_AT = 10
/** Clients that read one member after the other leave half of two cores to the streams, those who read them and the writer. */
const PAUSE_MS = 4
const OPERATIONS = 1_000
const ROOT = join(import.meta.dirname, '..')

export async function measureFeed(): Promise<Report> {
  const reports = [await besideStreams(), await measureWrites()]
  return {
    tables: reports.flatMap(({ tables }) => tables),
    targets: reports.flatMap(({ targets }) => targets),
  }
}

async function newServer(name: string, more: object = {}): Promise<BenchServer> {
  const folder = writeLibrary()
  await fill(folder)
  return startHydrant({ name, folder, ...more })
}

/** Two servers in turn: one alone, one with streams and writes. */
async function besideStreams(): Promise<Report> {
  const alone = await newServer('alone')
  const server = await newServer('with streams', { flags: ['--max-user-streams', `${STREAMS}`] })
  const { port, authorized, pid } = server
  const delays: Delays = []
  const streams = fork(join(import.meta.dirname, 'streams.ts'))
  const parts: StreamsParts = {
    ...{ port, authorized, count: STREAMS, lookedAt: LOOKED_AT },
    changesPerSecond: CHANGES_PER_SECOND,
  }
  streams.send(parts)
  await once(streams, 'message')
  const others = async (milliseconds: number) => {
    streams.send(milliseconds)
    const [more] = (await once(streams, 'message')) as [Delays]
    delays.push(...more)
  }
  const beside = await measureBeside({ server, alone, path: '/api/books/book-1', pauseMs: PAUSE_MS, others })
  const before = [processorTimeOf(pid), delays.length] as const
  await others(3 * ROUND_MS)
  const written = (delays.length - before[1]) / LOOKED_AT
  const cost = (processorTimeOf(pid) - before[0]) / written / STREAMS
  streams.kill()
  delays.sort((a, b) => a - b)
  const name = `${STREAMS.toLocaleString('en')} streams, ${CHANGES_PER_SECOND} changes a second`
  const rows = [
    ['a change on its way to a stream, p50 ms', percentile(delays, 0.5)],
    ['a change on its way to a stream, p99 ms', percentile(delays, 0.99)],
    ['reads of a member alone, p99 ms', beside.aloneP99],
    ['reads of a member beside them, p99 ms', beside.besideP99],
    ['ratio', beside.p99],
    ['processor time of the server, µs a change and stream', cost],
    ['peak memory alone, MB', peakMegabytesOf(alone.pid)],
    ['peak memory with them, MB', peakMegabytesOf(pid)],
  ]
  await Promise.all([alone.stop(), server.stop()])
  const workload = `p99 of reads beside ${name}, of alone`
  return {
    tables: [{ name: 'feed', columns: [name, ''], rows }],
    targets: [{ workload, measured: beside.p99, target: 1.5, most: true }],
  }
}

const [WITH, WITHOUT] = ['with the log', 'without']
const BATCH = `batch of ${OPERATIONS.toLocaleString('en')} creates`

async function measureWrites(): Promise<Report> {
  const servers = [await newServer(WITH), await newServer(WITHOUT, { program: withoutLog() })]
  const [single] = creates.filter(({ clients }) => clients === 1)
  if (single === undefined) throw new Error('There is no create by one client.')
  const batch = { name: BATCH, clients: 1, prepare: async (server: BenchServer) => () => batchOf(server) }
  const measured = await compare({ servers, workloads: [single, batch] })
  const of = (workload: string, server: string) => find(measured, workload, server)
  const cost = (workload: string, server: string, members = 1) =>
    figure(of(workload, server), 'cost') / members
  const log = ratioOf(of(single.name, WITH), of(single.name, WITHOUT), 'cost')
  const saved = ratioOf(of(single.name, WITH), of(BATCH, WITH), 'cost') * OPERATIONS
  const rows = [
    ['create by one client, without the log', cost(single.name, WITHOUT)],
    ['create by one client', cost(single.name, WITH)],
    [BATCH, cost(BATCH, WITH, OPERATIONS)],
  ]
  const targets = [
    { workload: 'create with the log, of one without', measured: log, target: 1.15, most: true },
    { workload: `a member of a ${BATCH}, cheaper than a single create`, measured: saved, target: 4 },
  ]
  return { tables: [{ name: 'batch', columns: ['write', 'CPU µs a member'], rows }], targets }
}

function batchOf(server: BenchServer): Question {
  const next = nextCreate(server)
  const bodies = Array.from({ length: OPERATIONS }, () => next().text.split('\r\n\r\n')[1])
  const sent = `{"operation":[${bodies.map((body) => `{"method":"POST","target":"${BASE}/books","body":${body}}`)}]}`
  const headers = `${server.authorized}Content-Type: application/json\r\nContent-Length: ${sent.length}\r\n`
  return { text: `POST /api/batch HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${sent}`, statuses: [200] }
}

/** The program with the one line cut out that writes the log on SQLite; everything else is the same. */
function withoutLog(): string {
  const folder = newFolder()
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.includes('.compiled'),
  })
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'dist/store/sqlite/writes.js')
  const text = readFileSync(file, 'utf8')
  const cut = text.replace(/^ *statements\.log\.run\(.*\n/m, '')
  if (cut === text) throw new Error(`${file} writes no log.`)
  writeFileSync(file, cut)
  return join(folder, 'dist/cli/main.js')
}
