// What a request costs: bare node:http, a server written by hand, Hydrant on SQLite and on PostgreSQL, in one interleaved
// run; and Hydrant on SQLite and PostgreSQL, there with one and with two server processes, in another.
import postgres from 'postgres'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import { measureNeighbours } from './neighbours.ts'
import { parentOf, peakMegabytesOf } from './processes.ts'
import type { Report, Table, Target } from './report.ts'
import { type Comparison, compare, figure, find, type Measured, ratioOf } from './rounds.ts'
import { type BenchServer, fill, startBare, startHandWritten, startHydrant, stopAll } from './servers.ts'
import { capture, creates, reads, requireCreated, writeFrame, writeLibrary } from './workloads.ts'

const [SQLITE, POSTGRES, TWO] = ['Hydrant, SQLite', 'Hydrant, PostgreSQL', 'Hydrant, PostgreSQL, 2 processes']
const [BARE, HAND_WRITTEN] = ['bare node:http', 'hand-written']
/** A flood of exchanges is measured, not refused. */
const PATIENT = ['--user-failures', '100000/1s', '--address-failures', '100000/1s']

export const measureCosts = (): Promise<Report> =>
  withPostgres(async (postmaster, startOnPostgres) => {
    const folder = writeLibrary()
    await fill(folder)
    const hydrant = await startHydrant({ name: SQLITE, folder, flags: PATIENT })
    const responses = await capture(hydrant)
    writeFrame(folder, responses)
    const bare = await startBare(BARE, responses)
    const handWritten = await startHandWritten(HAND_WRITTEN, folder)
    const servers = [bare, handWritten, hydrant, await startOnPostgres(POSTGRES, folder, 1)]
    const measured = await compareAll({ servers, expected: responses, database: postmaster })
    const peak = { workload: `${SQLITE}: peak memory, MB`, measured: peakMegabytesOf(hydrant.pid) }
    const memory: Table = {
      name: 'memory',
      columns: ['server', 'peak memory, MB'],
      rows: servers.map(({ name, pid }) => [name, peakMegabytesOf(pid)]),
    }
    await Promise.all(servers.filter((server) => server !== hydrant).map((server) => server.stop()))
    const neighbours = await measureNeighbours(hydrant, folder)
    return {
      tables: [costTable(measured), memory, ...neighbours.tables],
      targets: [...targetsOf(measured), { ...peak, target: 250, most: true }, ...neighbours.targets],
    }
  })

export const measurePostgres = (): Promise<Report> =>
  withPostgres(async (postmaster, startOnPostgres) => {
    const folder = writeLibrary()
    await fill(folder)
    const sqlite = await startHydrant({ name: SQLITE, folder })
    const one = await startOnPostgres(POSTGRES, folder, 1)
    const servers = [sqlite, one, await startOnPostgres(TWO, folder, 2)]
    const measured = await compareAll({ servers, expected: await capture(sqlite), database: postmaster })
    const targets = OF_SQLITE.map(([workload, target]) => ({
      workload: `${workload}: Hydrant's processor time on PostgreSQL, of SQLite's`,
      measured: ratioOf(find(measured, workload, POSTGRES), find(measured, workload, SQLITE), 'cost'),
      target,
      most: true,
    }))
    return { tables: [storeTable(measured), createTable(measured), capacityTable(measured)], targets }
  })

type StartOnPostgres = (name: string, folder: string, processes: number) => Promise<BenchServer>

/** PostgreSQL as it comes: a commit is on disk before it is acknowledged. */
async function withPostgres(
  measure: (postmaster: number, start: StartOnPostgres) => Promise<Report>,
): Promise<Report> {
  const database = await createPostgresServer()
  const sql = postgres(database.url, { max: 1 })
  try {
    const [row] = await sql`SELECT pg_backend_pid() AS pid`
    return await measure(parentOf(row?.pid), async (name, folder, processes) => {
      const db = `${database.url}?search_path=bench_${processes}`
      await fill(folder, db)
      return startHydrant({ name, folder, db, flags: ['--workers', `${processes}`] })
    })
  } finally {
    await Promise.all([sql.end(), stopAll()])
    await database.remove()
  }
}

/**
 * Creates after all reads: what is read stays the same, and each answer can be checked. Those of many clients come last,
 * since a server that is quick then has more members than the others.
 */
async function compareAll(setup: Omit<Comparison, 'workloads'>): Promise<Measured[]> {
  const measured = await compare({ ...setup, workloads: reads })
  const servers = setup.servers.filter(({ name }) => name !== BARE)
  for (const workload of creates)
    measured.push(...(await compare({ ...setup, servers, workloads: [workload], isSlow: true })))
  for (const server of servers) await requireCreated(server)
  return measured
}

const FIGURES = [
  ['requests/s', 'rate'],
  ['CPU µs a request', 'cost'],
  ['p50 ms', 'p50'],
  ['p99 ms', 'p99'],
] as const

/** "Of bare" is what bare node:http costs, divided by what this costs: more is better. */
function costTable(all: readonly Measured[]): Table {
  const rows = all.map((one) => [
    ...[one.workload, one.server, ...FIGURES.map(([, name]) => figure(one, name))],
    ratioOf(find(all, one.workload, BARE), one, 'cost'),
    ratioOf(one, find(all, one.workload, HAND_WRITTEN), 'rate'),
  ])
  const figures = [...FIGURES.map(([title]) => title), 'CPU: of bare', 'requests/s: of hand-written']
  return { name: 'costs', columns: ['request', 'server', ...figures], rows }
}

type Goals = readonly (readonly [workload: string, target: number])[]

const OF_BARE: Goals = [
  ['challenge', 1.5],
  ['member', 1],
  ['304', 1.2],
  ['page of 20, unchanged', 1],
  ['page of 20, another each time', 0.65],
]
/** hosts.md, Reads on PostgreSQL. */
const OF_SQLITE: Goals = [
  ['member', 1.2],
  ['page of 20, unchanged', 1.5],
  ['page of 20, another each time', 2.5],
]
const OF_HAND_WRITTEN: Goals = [
  ['challenge', 1.5],
  ['member', 1.5],
  ['page of 20, unchanged', 2.5],
  ['durable create, 1 client', 0.8],
  ['durable create, 64 clients', 3.3],
]

function targetsOf(all: readonly Measured[]): Target[] {
  const of = (workload: string, server: string) => find(all, workload, server)
  return [
    ...OF_BARE.map(([workload, target]) => ({
      workload: `${workload}, of ${BARE}`,
      measured: ratioOf(of(workload, BARE), of(workload, SQLITE), 'cost'),
      target,
    })),
    ...OF_HAND_WRITTEN.map(([workload, target]) => ({
      workload: `${workload}, of ${HAND_WRITTEN}`,
      measured: ratioOf(of(workload, SQLITE), of(workload, HAND_WRITTEN), 'rate'),
      target,
    })),
  ]
}

function storeTable(all: readonly Measured[]): Table {
  const rows = all.map((one) => [
    ...[one.workload, one.server, figure(one, 'rate'), figure(one, 'cost')],
    one.server === SQLITE ? Number.NaN : figure(one, 'databaseCost'),
  ])
  const columns = ['request', 'server', 'requests/s', 'Hydrant: CPU µs', 'PostgreSQL: CPU µs']
  return { name: 'stores', columns, rows }
}

/** Whether writers wait for each other. */
function createTable(all: readonly Measured[]): Table {
  const [one = '', many = ''] = creates.map(({ name }) => name)
  const rows = [SQLITE, POSTGRES, TWO].map((server) => {
    const [alone, together] = [find(all, one, server), find(all, many, server)]
    return [server, figure(alone, 'rate'), figure(together, 'rate'), ratioOf(together, alone, 'rate')]
  })
  return { name: 'creates', columns: ['creates a second', '1 client', '64 clients', 'ratio'], rows }
}

/** What a core can do, computed from what a request costs. */
function capacityTable(all: readonly Measured[]): Table {
  const rows = all
    // PostgreSQL is not asked for a challenge, and one client keeps no core busy.
    .filter(({ server, workload }) => server === TWO && !/^challenge|1 client$/.test(workload))
    .map((one) => {
      const [ours, its] = [figure(one, 'cost'), figure(one, 'databaseCost')]
      return [one.workload, 1_000_000 / ours, 1_000_000 / its, ours / its]
    })
  const columns = ['a core of Hydrant: requests/s', 'a core of PostgreSQL: requests/s']
  return { name: 'capacity', columns: ['request', ...columns, 'cores of Hydrant to one of PostgreSQL'], rows }
}
