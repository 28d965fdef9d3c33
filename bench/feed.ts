// What the feed costs: reads beside many streams, how late a change reaches them, and what the log adds to a create; and
// what a batch saves.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile, type Question } from './load.ts'
import { peakMegabytesOf, processorTimeOf } from './processes.ts'
import type { Report } from './report.ts'
import { compare, figure, find, flags, measureBeside, ROUND_MS, ratioOf } from './rounds.ts'
import { BASE, type BenchServer, fill, newFolder, startHydrant } from './servers.ts'
import type { Delays, StreamsParts, Task } from './streams.ts'
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

/** Two servers in turn, with the same changes: one without streams, one with them. */
async function besideStreams(): Promise<Report> {
  const without = await startClients(await newServer('without streams'), 0)
  const many = await startClients(
    await newServer('with streams', { flags: ['--max-user-streams', `${STREAMS}`] }),
    STREAMS,
  )
  const reads = { path: '/api/books/book-1', pauseMs: PAUSE_MS }
  const beside = await measureBeside({ ...reads, server: without.server, others: without.write })
  const delays: Delays = []
  const others = async (milliseconds: number) => delays.push(...(await many.write(milliseconds)))
  const base = { server: without.server, others: without.write }
  const besideMany = await measureBeside({ ...reads, server: many.server, base, others })
  const [withoutPid, pid] = [without.server.pid, many.server.pid]
  const before = [processorTimeOf(pid), delays.length] as const
  await others(3 * ROUND_MS)
  const written = (delays.length - before[1]) / LOOKED_AT
  const cost = (processorTimeOf(pid) - before[0]) / written / STREAMS
  delays.sort((a, b) => a - b)
  const [streams, changes] = [
    `${STREAMS.toLocaleString('en')} streams`,
    `${CHANGES_PER_SECOND} changes a second`,
  ]
  const rows = [
    ['a change on its way to a stream, p50 ms', percentile(delays, 0.5)],
    ['a change on its way to a stream, p99 ms', percentile(delays, 0.99)],
    ['reads of a member, nothing beside them, p99 ms', beside.baseP99],
    [`reads beside ${changes}, p99 ms`, besideMany.baseP99],
    [`reads beside ${changes} and ${streams}, p99 ms`, besideMany.besideP99],
    ['ratio of the last two', besideMany.p99],
    ['processor time of the server, µs a change and stream', cost],
    ['peak memory without streams, MB', peakMegabytesOf(withoutPid)],
    ['peak memory with them, MB', peakMegabytesOf(pid)],
  ]
  await Promise.all([without.stop(), many.stop()])
  const workload = `p99 of reads beside ${changes} and ${streams}, of those beside the changes alone`
  return {
    tables: [{ name: 'feed', columns: [`${streams}, ${changes}`, ''], rows }],
    targets: [{ workload, measured: besideMany.p99, target: 1.5, most: true }],
  }
}

async function startClients(server: BenchServer, count: number) {
  const { port, authorized } = server
  const [writer, crowd] = [false, true].map((isCrowd) => {
    const parts: StreamsParts = { port, authorized, isCrowd, changesPerSecond: CHANGES_PER_SECOND }
    const clients = fork(join(import.meta.dirname, 'streams.ts'))
    clients.send(parts)
    return clients
  }) as [ChildProcess, ChildProcess]
  const ask = async (clients: ChildProcess, task: Task): Promise<unknown> => {
    clients.send(task)
    return (await once(clients, 'message'))[0]
  }
  // Those that are looked at are spread over all: the server writes to them in the order in which they were opened.
  for (let opened = 0; opened < count; opened += count / LOOKED_AT) {
    await ask(writer, { streams: 1 })
    await ask(crowd, { streams: count / LOOKED_AT - 1 })
  }
  return {
    server,
    write: async (milliseconds: number) => (await ask(writer, { milliseconds })) as Delays,
    async stop(): Promise<void> {
      for (const clients of [writer, crowd]) clients.kill()
      await server.stop()
    },
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
  const file = join(folder, 'dist/members/sqlite/writes.js')
  const text = readFileSync(file, 'utf8')
  const cut = text.replace(/^ *statements\.log\.run\(.*\n/m, '')
  if (cut === text) throw new Error(`${file} writes no log.`)
  writeFileSync(file, cut)
  return join(folder, 'dist/cli/main.js')
}
