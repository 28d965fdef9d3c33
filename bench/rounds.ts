// How long everything is measured, and what is measured in one round.
import { constants, getPriority, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import type { Responses } from './bare-server.ts'
import { type Load, load, median, percentile, type Question } from './load.ts'
import { processorTimeOf } from './processes.ts'
import type { Table } from './report.ts'
import type { BenchServer } from './servers.ts'
import { CONNECTIONS, prepareReads, request, type Workload } from './workloads.ts'

export const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
export const ROUNDS = flags.short ? 1 : 9
export const ROUND_MS = flags.short ? 100 : 1_000
const WARM_UP_MS = ROUND_MS / 2
/** Of what needs longer until all code that it runs is compiled: writes, and what is measured beside others. */
const WARM_UP_ROUNDS = flags.short ? 0 : 4

/** Of one workload on one server in one round. Costs are microseconds of processor time for a request. */
export interface Sample {
  readonly rate: number
  readonly cost: number
  /** Of the database's processes; 0 where there are none. */
  readonly databaseCost: number
  readonly p50: number
  readonly p99: number
}

export interface Measured {
  readonly workload: string
  readonly server: string
  readonly samples: readonly Sample[]
}

export interface Comparison {
  readonly servers: readonly BenchServer[]
  readonly workloads: readonly Workload[]
  readonly expected?: Responses
  /** The process of the database. It works for one server at a time: what it uses meanwhile, it uses for that one. */
  readonly database?: number
  /** Whether all other servers are halted while one is measured, since they work without requests, too. */
  readonly isAlone?: boolean
  /** Whether a single client's requests are too few to compile all code in the usual time. */
  readonly isSlow?: boolean
}

interface Run {
  readonly workload: Workload
  readonly server: BenchServer
  readonly next: () => Question
  readonly samples: Sample[]
}

/** Every round measures every workload on every server in turn, so that a noisy second harms all alike. */
export async function compare(comparison: Comparison): Promise<Measured[]> {
  const { servers, workloads, expected = {}, database, isAlone = false, isSlow = false } = comparison
  const runs: Run[] = []
  for (const workload of workloads)
    for (const server of servers)
      runs.push({ workload, server, next: await workload.prepare(server, expected), samples: [] })
  const measure = async (run: Run, milliseconds: number) => {
    const others = isAlone ? servers.filter((one) => one !== run.server) : []
    for (const { pid } of others) process.kill(pid, 'SIGSTOP')
    try {
      return await sample(run, milliseconds, database)
    } finally {
      for (const { pid } of others) process.kill(pid, 'SIGCONT')
    }
  }
  for (const run of runs) await measure(run, isSlow ? WARM_UP_ROUNDS * ROUND_MS : WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round += 1)
    for (const run of runs) run.samples.push(await measure(run, ROUND_MS))
  return runs.map(({ workload, server, samples }) => ({
    workload: workload.name,
    server: server.name,
    samples,
  }))
}

async function sample(
  { workload, server, next }: Run,
  milliseconds: number,
  database?: number,
): Promise<Sample> {
  const used = (pid?: number) => (pid === undefined ? 0 : processorTimeOf(pid))
  const before = [used(server.pid), used(database)] as const
  const parts = { port: server.port, connections: workload.clients, milliseconds, next }
  const { requests, seconds, latencies } = await load(parts)
  return {
    rate: requests / seconds,
    cost: (used(server.pid) - before[0]) / requests,
    databaseCost: (used(database) - before[1]) / requests,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

export const find = (all: readonly Measured[], workload: string, server: string): Measured | undefined =>
  all.find((one) => one.workload === workload && one.server === server)

export const figure = (measured: Measured | undefined, name: keyof Sample): number =>
  median(measured?.samples.map((one) => one[name]) ?? [])

/** The median of the rounds' ratios. */
const ratio = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, round) => value / (other[round] ?? Number.NaN)))

export const ratioOf = (
  one: Measured | undefined,
  other: Measured | undefined,
  name: keyof Sample,
): number =>
  one === undefined || other === undefined
    ? Number.NaN
    : ratio(
        one.samples.map((sample) => sample[name]),
        other.samples.map((sample) => sample[name]),
      )

export interface BesideParts {
  readonly server: BenchServer
  /** One with the same members to compare with, and what is done to it meanwhile; the same one and nothing without it. */
  readonly base?: { readonly server: BenchServer; readonly others: Others }
  readonly path: string
  readonly connections?: number
  readonly pauseMs?: number
  readonly others: Others
}

type Others = (milliseconds: number) => Promise<unknown>

export interface Beside {
  readonly baseP99: number
  readonly besideP99: number
  /** Beside others, as a share of the base. */
  readonly rate: number
  readonly p99: number
}

/** Reads of one member, beside what others do meanwhile and without it. */
export async function measureBeside(parts: BesideParts): Promise<Beside> {
  const { server, path, connections = 4, pauseMs = 0, others } = parts
  const { base = { server, others: async () => {} } } = parts
  const reader = async (read: BenchServer) => {
    const next = await prepareReads(read, [request(path, read.authorized)])
    return () => load({ port: read.port, connections, pauseMs, milliseconds: ROUND_MS, next })
  }
  const [readBase, read] = [await reader(base.server), await reader(server)]
  const [atBase, beside]: [Load[], Load[]] = [[], []]
  await beforeOthers(async () => {
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      const [first] = await Promise.all([readBase(), base.others(ROUND_MS)])
      atBase.push(first)
      const [second] = await Promise.all([read(), others(ROUND_MS)])
      beside.push(second)
    }
  })
  for (const loads of [atBase, beside]) loads.splice(0, WARM_UP_ROUNDS)
  const p99 = (loads: readonly Load[]) => loads.map(({ latencies }) => percentile(latencies, 0.99))
  const rate = (loads: readonly Load[]) => loads.map(({ requests, seconds }) => requests / seconds)
  return {
    baseP99: median(p99(atBase)),
    besideP99: median(p99(beside)),
    rate: ratio(rate(beside), rate(atBase)),
    p99: ratio(p99(beside), p99(atBase)),
  }
}

/**
 * Lets this process read an answer as soon as it is there, as a client on another machine would: it shares two cores with
 * the server here, and would measure its own wait for one of them. Only root may do so.
 */
async function beforeOthers(measure: () => Promise<void>): Promise<void> {
  const usual = getPriority()
  try {
    setPriority(constants.priority.PRIORITY_HIGHEST)
  } catch {
    process.stderr.write('Run as root, this would not measure its own wait for a processor.\n')
  }
  await measure().finally(() => setPriority(usual))
}

export const besideTable = (
  name: string,
  [title, others]: readonly [string, string],
  beside: Beside,
): Table => ({
  name,
  columns: [title, 'p99 ms'],
  rows: [
    ['alone', beside.baseP99],
    [others, beside.besideP99],
    ['ratio', beside.p99],
  ],
})

export const HOW = `${CONNECTIONS} connections where no other number is named, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`
