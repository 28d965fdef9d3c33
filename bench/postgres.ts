// What requests cost on PostgreSQL, with one and with two server processes, and on SQLite, in one interleaved run.
import postgres from 'postgres'
import { createPostgresServer } from '../test/support/postgres-server.ts'
import { load } from './load.ts'
import { KINDS, type Kind, type Measured, type Sample, type Setup } from './postgres-kinds.ts'
import { printCapacity, printCosts, printWrites } from './postgres-tables.ts'
import { parentOf, processorTimeOf } from './process-tree.ts'
import { signIn } from './requests.ts'
import { ROUND_MS, ROUNDS, WARM_UP_MS } from './rounds.ts'
import { startThings, type ThingServer } from './things.ts'

const MEMBERS = 10_000

export async function measurePostgres(): Promise<void> {
  // As it comes: a commit is on disk before it is acknowledged.
  const database = await createPostgresServer()
  const servers: [Setup, ThingServer][] = []
  try {
    const postmaster = await findPostmaster(database.url)
    servers.push([{ store: 'SQLite', processes: 1 }, await startThings(MEMBERS)])
    for (const processes of [1, 2]) {
      const db = `${database.url}?search_path=bench_${processes}`
      const server = await startThings(MEMBERS, { db, flags: ['--workers', String(processes)] })
      servers.push([{ store: 'PostgreSQL', processes }, server])
    }
    const measured = await measureInTurns(servers, postmaster)
    console.log(
      `\nMedian of ${ROUNDS} rounds of ${ROUND_MS / 1000} s, ${MEMBERS.toLocaleString('en')} members\n`,
    )
    printCosts(measured)
    printWrites(measured)
    printCapacity(measured)
  } finally {
    await Promise.all(servers.map(([, server]) => server.stop()))
    await database.remove()
  }
}

/** Every round measures every kind on every server, so that a noisy second harms all alike. */
async function measureInTurns(
  servers: readonly [Setup, ThingServer][],
  postmaster: number,
): Promise<Measured[]> {
  const runs: { one: Measured; run: (milliseconds: number) => Promise<Sample> }[] = []
  for (const [setup, server] of servers) {
    const authorized = await signIn(server)
    for (const kind of KINDS) {
      const next = await kind.prepare(server, authorized)
      const run = (milliseconds: number) => sample(kind, server, next, postmaster, milliseconds)
      runs.push({ one: { kind, setup, samples: [] }, run })
    }
  }
  // By kind, then by server: what is compared is measured next to each other.
  runs.sort((a, b) => KINDS.indexOf(a.one.kind) - KINDS.indexOf(b.one.kind))
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { one, run } of runs) {
      const result = await run(round < 0 ? WARM_UP_MS : ROUND_MS)
      if (round >= 0) one.samples.push(result)
    }
  }
  return runs.map(({ one }) => one)
}

/** PostgreSQL works for one server at a time: what it uses meanwhile, it uses for that one. */
async function sample(
  { clients, status }: Kind,
  { port, pid }: ThingServer,
  next: () => string,
  postmaster: number,
  milliseconds: number,
): Promise<Sample> {
  const [hydrant, database] = [processorTimeOf(pid), processorTimeOf(postmaster)]
  const { requests, seconds } = await load({
    port,
    connections: clients,
    milliseconds,
    next,
    expected: [status],
  })
  return {
    rate: requests / seconds,
    hydrantCost: (processorTimeOf(pid) - hydrant) / requests,
    postgresCost: (processorTimeOf(postmaster) - database) / requests,
  }
}

/** The process that has started all others of PostgreSQL. */
async function findPostmaster(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 })
  try {
    const [row] = await sql`SELECT pg_backend_pid() AS pid`
    return parentOf(row?.pid)
  } finally {
    await sql.end()
  }
}
