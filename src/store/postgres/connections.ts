import { MOST_SCANS } from '../query/scans.ts'
import type { Session } from './connection.ts'
import type { Reachability } from './errors.ts'
import { createPool, type Pool, type PoolOptions } from './pool.ts'

/**
 * A pool for each kind of statement: on a connection they are answered in turn, so nothing that may take long, or wait
 * for others, stands before what is quick. Beside them, `notifications.ts` has a connection that listens.
 */
export interface Connections {
  /** Checks of tokens, which never wait for what others read, nor for a connection that is being opened for that. */
  readonly tokens: Pool
  /** What an index answers: members, pages. */
  readonly quick: Pool
  /** Writes and attempts to sign in, which may wait for others. */
  readonly writes: Pool
  /** What may look at every member; each statement has a connection for itself. */
  readonly slow: Pool
  /** Much is written, and no request waits for it. */
  readonly bulk: boolean
  close(): Promise<void>
}

/** How long a statement may take that an index bounds. A request reads, then reads or writes, and is to end within 3 s. */
const STATEMENT_MS = 1_000
/** Longer, for the words of a megabyte of text. */
const WRITE_MS = 1_500
/** For bulk data, for which no request waits. */
const BULK_STATEMENT_MS = 60_000
/** PostgreSQL gives up first: what is given up here would go on there, and hold its locks. */
const MARGIN_MS = 250
/** How long a write waits for another one: so that there is time left to make it again. */
const LOCK_MS = 400
/** Found by an index, however few rows the statistics know of, and by one plan: planning takes as long as writing. */
export const WRITING: Session = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' }
/**
 * A range of one index, in its order. Left to itself, PostgreSQL plans anew each time, which takes as long as reading a
 * page; or decides on a plan that reads all that match and sorts them, since it does not know how few are asked for.
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
 * Planned for the values that are asked for. One process each, so that two scans at once are two. Random reads cost what
 * sequential ones do, on the disks of today: by default PostgreSQL would rather read all than a few here and there.
 */
export const SCANNING: Session = {
  random_page_cost: '1.1',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

export interface ConnectionsOptions {
  readonly scanMs: number
  readonly bulk: boolean
  readonly reachability?: Reachability | undefined
}

export function openConnections(
  url: string,
  { scanMs, bulk, reachability }: ConnectionsOptions,
): Connections {
  const open = (
    ms: number,
    session: Session,
    options: Pick<PoolOptions, 'connections'> & Partial<PoolOptions>,
  ) =>
    createPool(url, {
      pipeline: 100,
      reachability,
      limitMs: ms + MARGIN_MS,
      session: { statement_timeout: String(ms), idle_in_transaction_session_timeout: '10000', ...session },
      ...options,
    })
  const statementMs = bulk ? BULK_STATEMENT_MS : STATEMENT_MS
  const lockLimit: Session = bulk ? {} : { lock_timeout: String(LOCK_MS) }
  const tokens = open(statementMs, READING, { connections: 1 })
  const quick = open(statementMs, READING, { connections: 2 })
  const writes = open(
    bulk ? BULK_STATEMENT_MS : WRITE_MS,
    { ...WRITING, ...lockLimit },
    { connections: 4, transactions: 2 },
  )
  const slow = open(Math.max(1, scanMs), SCANNING, { connections: MOST_SCANS, pipeline: 1, prepare: false })
  return {
    tokens,
    quick,
    writes,
    slow,
    bulk,
    async close() {
      await Promise.all([tokens, quick, writes, slow].map((pool) => pool.close()))
    },
  }
}
