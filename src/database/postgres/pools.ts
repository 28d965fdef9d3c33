import { MAX_SCANS, SCAN_MS } from '../index.ts'
import type { SessionSettings } from './connection.ts'
import { watchReachability } from './errors.ts'
import { createPool, MARGIN_MS, type Pools } from './pool.ts'

/** The pools of a process, each for one kind of statements. */
export type DatabasePools = Pools<'tokens' | 'quick' | 'slow' | 'writes' | 'feed'>

export interface PoolsOptions {
  /** How long a statement without an index may take. */
  readonly scanMs?: number | undefined
  /** For bulk data: large writes that no request waits for. */
  readonly bulk?: boolean
  /** Called when the database cannot be reached, and again each minute; and when it answers again. */
  readonly onUnreachable?: (reason: string) => void
  readonly onReachable?: () => void
}

/** The timeout of statements with an index. A request reads, then reads or writes, and must end within 3 s. */
const STATEMENT_MS = 1_000
/** Longer, since a write may index the words of a megabyte of text. */
const WRITE_MS = 1_500
/** For bulk data, for which no request waits. */
const BULK_STATEMENT_MS = 60_000
/** How long a write waits for a lock; short enough to leave time for another try. */
const LOCK_MS = 400

/** Rows are found by an index, however small the table seems, and plans are cached: planning takes as long as writing. */
export const WRITING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
}
/**
 * Reads a range of one index, in its order. By default PostgreSQL plans each time, which takes as long as reading a page,
 * or caches a plan that reads and sorts all matches, since it does not know how small the LIMIT is.
 */
export const READING: SessionSettings = {
  ...WRITING,
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
}
/**
 * Planned for the values of each query, without parallel workers, so that two scans use two cores. Random reads cost about
 * as much as sequential ones on SSDs: by PostgreSQL's default it would rather scan a table than use an index.
 */
export const SCANNING: SessionSettings = {
  random_page_cost: '1.1',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

/**
 * Five kinds of connections. Statements on one connection run in order, so a statement that may take long, or wait for a
 * lock, never shares a connection with statements that must be quick (test/hosts/connections.test.ts).
 */
export function openPools(url: string, options: PoolsOptions = {}): DatabasePools {
  const { scanMs = SCAN_MS, bulk, onUnreachable, onReachable } = options
  const reachability = onUnreachable && watchReachability(onUnreachable, onReachable ?? (() => {}))
  const limits = (ms: number, session: SessionSettings) => ({
    reachability,
    hasSchema: true,
    limitMs: ms + MARGIN_MS,
    session: { statement_timeout: String(ms), idle_in_transaction_session_timeout: '10000', ...session },
  })
  const reading = limits(bulk ? BULK_STATEMENT_MS : STATEMENT_MS, READING)
  const writing = bulk
    ? limits(BULK_STATEMENT_MS, WRITING)
    : limits(WRITE_MS, { ...WRITING, lock_timeout: String(LOCK_MS) })
  const scanning = limits(Math.max(1, scanMs), SCANNING)
  return {
    /** Checks of tokens: every request begins with one, even while the tables of members are locked. */
    tokens: createPool(url, { ...reading, connections: 1 }),
    /** Reads with an index: members, pages. */
    quick: createPool(url, { ...reading, connections: 2 }),
    /** Searches that may read every member; each statement has a connection to itself. */
    slow: createPool(url, { ...scanning, connections: MAX_SCANS, pipeline: 1, prepare: false }),
    /** Writes and attempts to sign in, which may wait for the locks of others. */
    writes: createPool(url, { ...writing, connections: 4, transactions: 2 }),
    /**
     * Polls of the change log. Not among the quick ones, since the processes that assign positions wait for each other;
     * and not among the writes, since a change must reach streams within 50 ms (live.md, The feed), however long writes
     * wait.
     */
    feed: createPool(url, { ...writing, connections: 1 }),
  }
}

export async function closePools(pools: DatabasePools): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.close()))
}
