import type { Session } from './connection.ts'
import { createPool, type Pool } from './pool.ts'
import type { Reachability } from './reachability.ts'

/**
 * One pool for each kind of statement: on a connection they are answered in turn, so nothing that may take long, or
 * wait for others, stands before what is quick.
 */
export interface Connections {
  /** Whether somebody may come in, which never waits for what others read. */
  readonly tokens: Pool
  /** What an index answers: members, pages. */
  readonly reads: Pool
  /** Changes of members, users and tokens. */
  readonly writes: Pool
  /** Attempts, which wait for others of the same address. */
  readonly attempts: Pool
  /** What may look at every member; each statement has a connection for itself. */
  readonly scans: Pool
  /** Much is written, and nobody waits. */
  readonly bulk: boolean
  close(): Promise<void>
}

/** How long a statement may take that an index bounds. A request reads, then reads or writes, and is to end within 3 s. */
const STATEMENT_MS = 1_000
/** Longer, for the words of a megabyte of text. */
const WRITE_MS = 1_500
/** For bulk data: nobody waits. */
const BULK_STATEMENT_MS = 60_000
/** PostgreSQL gives up first: what is given up here would go on there, and hold its locks. */
const MARGIN_MS = 250
/** How long a write waits for another one: so that there is time left to make it again. */
const LOCK_MS = 400
/**
 * What is written is found by an index, however few rows the statistics know of, and always in the same way: planning
 * anew would take as long as writing.
 */
export const WRITING: Session = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' }

/**
 * What is read here is a stretch of one index, in its order. Left to itself, PostgreSQL plans anew each time, which takes
 * as long as reading a page; or settles for a plan that reads all that match and sorts them, since it does not know how
 * few are asked for.
 */
export const READING: Session = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  jit: 'off',
}
/**
 * Planned for what is asked, by what is known of the values. One process each: two scans at once are to be two. No disk
 * has a head to move any more; PostgreSQL would rather read all than a few here and there otherwise.
 */
export const SCANNING: Session = {
  random_page_cost: '1.1',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

const PIPELINE = 100
export const MOST_SCANS = 2

export function openConnections(
  url: string,
  scanMs: number,
  bulk: boolean,
  reachability?: Reachability,
): Connections {
  const statementMs = bulk ? BULK_STATEMENT_MS : STATEMENT_MS
  const open = (connections: number, pipeline: number, ms: number, session?: Session, prepare = true): Pool =>
    createPool(url, {
      connections,
      transactions: 2,
      pipeline,
      prepare,
      reachability,
      limitMs: ms + MARGIN_MS,
      session: { statement_timeout: String(ms), idle_in_transaction_session_timeout: '10000', ...session },
    })
  const tokens = open(1, PIPELINE, statementMs, READING)
  const reads = open(2, PIPELINE, statementMs, READING)
  const writes = open(4, PIPELINE, bulk ? BULK_STATEMENT_MS : WRITE_MS, {
    ...WRITING,
    ...(bulk ? {} : { lock_timeout: String(LOCK_MS) }),
  })
  const attempts = open(2, PIPELINE, statementMs)
  const scans = open(MOST_SCANS, 1, Math.max(1, scanMs), SCANNING, false)
  return {
    tokens,
    reads,
    writes,
    attempts,
    scans,
    bulk,
    async close() {
      await Promise.all([tokens, reads, writes, attempts, scans].map((pool) => pool.close()))
    },
  }
}
