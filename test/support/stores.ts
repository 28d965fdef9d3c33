import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { ClassSchema } from '../../src/members/index.ts'
import type { Store, StoreOptions } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import { shared } from './databases.ts'
import { emptyPostgres, newPostgres } from './postgres.ts'
import { temporaryFolder } from './service.ts'
import { inSoak } from './soak.ts'

/** Opens a new, empty store, closed with the test. */
export type Open = (t: TestContext, shapes?: readonly ClassSchema[], options?: StoreOptions) => Promise<Store>

interface NamedStore {
  readonly name: string
  readonly open: Open
}

/** A database in memory differs from a file in bulk only in what searches it: the suites of searches have both. */
const IN_MEMORY: NamedStore = {
  name: 'SQLite in memory',
  open: (t, shapes, options) => openFor(t, 'sqlite::memory:', shapes, options),
}

/** Every store there is: each passes the same suites. */
export const STORES: readonly NamedStore[] = [
  {
    name: 'SQLite in a file',
    // As for bulk data, without a thread that writes, whose start takes longer than most tests (database/sqlite/write-thread.test.ts).
    open: (t, shapes, options) => openFor(t, newSqlite(t), shapes, { bulk: inSoak(false, true), ...options }),
  },
  ...inSoak([IN_MEMORY], []),
  {
    name: 'PostgreSQL',
    open: async (t, shapes = [], options = {}) => openFor(t, await emptyPostgres(t, shapes), shapes, options),
  },
]

/**
 * The same for suites of what no index answers, which a thread of its own searches in a file. The tests of `api/` search in
 * memory.
 */
export const SEARCHED_STORES: readonly NamedStore[] = [...new Set([...STORES, ...inSoak([IN_MEMORY], [])])]

/** Those that several processes can open at once, by the address of a database that is not there yet. */
export const SHARED_STORES: readonly {
  readonly name: string
  readonly newDatabase: (t: TestContext) => string
}[] = [
  { name: 'SQLite', newDatabase: newSqlite },
  { name: 'PostgreSQL', newDatabase: newPostgres },
]

/**
 * For suites of what src/members/migration/ does alike on every store; migrate, elsewhere, migrate-renamed, purge-member and
 * served/random have its statements on PostgreSQL too.
 */
export const MIGRATED_STORES: typeof SHARED_STORES = inSoak(SHARED_STORES, SHARED_STORES.slice(0, 1))

/** The address of a SQLite file that is not there yet. */
export function newSqlite(t: TestContext): string {
  return `sqlite:${join(temporaryFolder(t), 'test.db')}`
}

export const pathOf = (url: string): string => url.slice('sqlite:'.length)

export async function openFor(
  t: TestContext,
  url: string,
  shapes: readonly ClassSchema[] = [],
  options: StoreOptions = {},
): Promise<Store> {
  // A search without an index gets the time that it takes on a busy machine.
  const store = await openStore(url, shapes, { scanMs: 20_000, ...options })
  t.after(() => store.close())
  return store
}

/** A connection as another process has it. */
export function connect(t: TestContext, url: string): DatabaseSync {
  const connection = new DatabaseSync(pathOf(shared(url)))
  t.after(() => connection.isOpen && connection.close())
  return connection
}
