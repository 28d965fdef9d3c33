import { watchedWrites } from '../changes.ts'
import type { ClassSchema, MemberStore, Store, StoreOptions } from '../index.ts'
import { migratedElsewhere, watchOtherMigrations } from '../migration/migration.ts'
import { isMigrated, type StoredClass } from '../migration/plan.ts'
import { MAX_SCANS, SCAN_MS } from '../query/scans.ts'
import { openAuthStore } from './auth.ts'
import { openChangeLog } from './changes.ts'
import { type ClassStatements, createClassStatements } from './class-statements.ts'
import type { Session } from './connection.ts'
import { watchReachability } from './errors.ts'
import { bringUpToDate } from './migrate.ts'
import { createPool, MARGIN_MS, type Pools } from './pool.ts'
import { createReads } from './read.ts'
import { createStatistics, tablesOf } from './tables.ts'
import { createWrites } from './writes.ts'

/** `shapes`: the classes whose members are kept here. */
export async function openPostgresStore(
  url: string,
  shapes: readonly ClassSchema[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, onMigratedElsewhere } = options
  const { stored, changes } = await bringUpToDate(url, shapes, options)
  if (changes.length > 0) options.onMigrated?.(changes)
  const pools = openPools(url, scanMs, options)
  const isServer = onMigratedElsewhere !== undefined
  const { members, watch } = watchedWrites(openMemberStore(pools, stored, shapes, scanMs, isServer))
  return {
    auth: openAuthStore(pools),
    changes: { ...openChangeLog(pools.feed, shapes), watch },
    members: isServer ? watchOtherMigrations(members, onMigratedElsewhere) : members,
    async reachable() {
      await pools.tokens.run('SELECT 1')
    },
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.close()))
    },
  }
}

/** `found`: the classes as they were at opening; a later migration gives them other tables. */
function openMemberStore(
  pools: ReturnType<typeof openPools>,
  found: readonly StoredClass[],
  shapes: readonly ClassSchema[],
  scanMs: number,
  isServer: boolean,
): MemberStore {
  const stored = new Map(found.map((one) => [one.name, one]))
  const numberOf = (name: string) => stored.get(name)?.id
  const classes = new Map(
    shapes.map((shape) => {
      const { name, keys, hasWords } = shape
      const known = stored.get(name)
      // Where nothing was migrated, a class without members may have no tables, or those of another API file.
      if (known === undefined || !isMigrated(known, shape)) return [name, undefined]
      return [name, createClassStatements(name, tablesOf(known.id, keys, hasWords), numberOf)]
    }),
  )

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): ClassStatements {
    const found = classes.get(name)
    if (found !== undefined) return found
    if (classes.has(name)) throw migratedElsewhere(undefined)
    throw new Error(`The store was not opened with a class ${name}.`)
  }

  /** Undefined where there are no members. While a server runs, some may come under the API file of another one. */
  const tablesFor = (name: string) =>
    classes.has(name) && !isServer ? classes.get(name)?.tables : classOf(name).tables

  return {
    // To learn whether a class has changed would cost as much as reading it.
    state: () => undefined,
    ...createReads(pools, scanMs, tablesFor),
    ...createWrites(pools, createStatistics(pools), classOf),
  }
}

/** The timeout of statements that an index bounds. A request reads, then reads or writes, and must end within 3 s. */
const STATEMENT_MS = 1_000
/** Longer, since a write may index the words of a megabyte of text. */
const WRITE_MS = 1_500
/** For bulk data, for which no request waits. */
const BULK_STATEMENT_MS = 60_000
/** How long a write waits for a lock, so that there is time left for another try. */
const LOCK_MS = 400

/** Rows are found by an index, however small the table seems, and plans are cached: planning takes as long as writing. */
export const WRITING: Session = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' }
/**
 * Reads a range of one index, in its order. By default PostgreSQL plans each time, which takes as long as reading a page,
 * or caches a plan that reads and sorts all matches, since it does not know how small the LIMIT is.
 */
export const READING: Session = {
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
export const SCANNING: Session = {
  random_page_cost: '1.1',
  plan_cache_mode: 'force_custom_plan',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
}

/**
 * Five kinds of connections. The statements on one are answered in order: so none that may take long, or wait for a lock,
 * shares one with those that must not (test/hosts/connections.test.ts).
 */
function openPools(url: string, scanMs: number, { bulk, onUnreachable, onReachable }: StoreOptions) {
  const reachability = onUnreachable && watchReachability(onUnreachable, onReachable ?? (() => {}))
  const limits = (ms: number, session: Session) => ({
    reachability,
    limitMs: ms + MARGIN_MS,
    session: { statement_timeout: String(ms), idle_in_transaction_session_timeout: '10000', ...session },
  })
  const reading = limits(bulk ? BULK_STATEMENT_MS : STATEMENT_MS, READING)
  const writing = bulk
    ? limits(BULK_STATEMENT_MS, WRITING)
    : limits(WRITE_MS, { ...WRITING, lock_timeout: String(LOCK_MS) })
  const scanning = limits(Math.max(1, scanMs), SCANNING)
  return {
    /** Checks of tokens: every request begins with one, whatever the tables of members are locked for. */
    tokens: createPool(url, { ...reading, connections: 1 }),
    /** What an index answers: members, pages. */
    quick: createPool(url, { ...reading, connections: 2 }),
    /** Searches that may read every member; each statement has a connection for itself. */
    slow: createPool(url, { ...scanning, connections: MAX_SCANS, pipeline: 1, prepare: false }),
    /** Writes and attempts to sign in, which may wait for the locks of others. */
    writes: createPool(url, { ...writing, connections: 4, transactions: 2 }),
    /**
     * Polls of the change log. Not quick, since the processes that give out positions wait for each other; and not among
     * the writes, since a change must reach streams within 50 ms (live.md, The feed), however long those wait.
     */
    feed: createPool(url, { ...writing, connections: 1 }),
  } satisfies Pools<string>
}
