import { SCAN_MS } from '../../database/index.ts'
import { isTableUndefined } from '../../database/postgres/errors.ts'
import type { Pool, Pools } from '../../database/postgres/pool.ts'
import type { DatabasePools } from '../../database/postgres/pools.ts'
import type { Replicas } from '../../database/postgres/replicas.ts'
import { watchedWrites } from '../changes.ts'
import type { ClassSchema } from '../class-schema.ts'
import type { MemberStore, OpenMembers } from '../member-store.ts'
import { type ElsewhereWatch, watchOtherMigrations } from '../migration/elsewhere.ts'
import { isMigrated, type StoredClass } from '../migration/plan.ts'
import { openChangeLog } from './changes.ts'
import { type ClassStatements, createClassStatements } from './class-statements.ts'
import { openFollowers } from './followers.ts'
import { createHistory } from './history.ts'
import { createReads } from './read.ts'
import { createStandbyReads } from './standby-reads.ts'
import { createStatistics, type PostgresTables, tablesOf } from './tables.ts'
import { createWrites } from './writes.ts'

interface PostgresMembersOptions {
  readonly shapes: readonly ClassSchema[]
  /** The classes as they were at opening; a later migration gives them new tables. */
  readonly stored: readonly StoredClass[]
  readonly scanMs?: number | undefined
  readonly replicas?: Replicas | undefined
  /** Undefined for a command, which runs beside servers. */
  readonly onMigratedElsewhere?: (() => void) | undefined
}

/** The members, and the log of their changes. */
export function createMemberStore(pools: DatabasePools, options: PostgresMembersOptions): OpenMembers {
  const { onMigratedElsewhere } = options
  const elsewhere = watchOtherMigrations(isTableMissing, onMigratedElsewhere)
  const [quick, slow, writes] = [pools.quick, pools.slow, pools.writes].map((pool) =>
    withExplanations(pool, elsewhere),
  ) as [Pool, Pool, Pool]
  const isServer = onMigratedElsewhere !== undefined
  const { replicas } = options
  const used = { quick, slow, writes: replicas?.counted(writes) ?? writes }
  const classes = findClasses({ ...options, isServer }, elsewhere)
  const { members, watch } = watchedWrites(createMembers(used, classes, options))
  return {
    members,
    changes: { ...openChangeLog(pools.feed, options.shapes), watch },
    followers: openFollowers(pools.feed),
    history: createHistory(used, options.shapes, classes.tablesFor),
  }
}

/** Looks only for the name: the message is in the language of the server. */
const isTableMissing = (error: unknown): boolean =>
  isTableUndefined(error) && /\b(?:members|values|words|order|versions|history)_[0-9]+\b/.test(String(error))

function withExplanations(pool: Pool, { explain }: ElsewhereWatch): Pool {
  const explained = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => {
      throw explain(error)
    })
  return {
    run: (text, params) => explained(pool.run(text, params)),
    write: (text, params) => explained(pool.write(text, params)),
    transaction: (work, length) => explained(pool.transaction(work, length)),
    generation: pool.generation,
    close: pool.close,
  }
}

interface ClassesOptions extends PostgresMembersOptions {
  readonly isServer: boolean
}

/** The classes that the store was opened with. */
function findClasses(
  { shapes, stored: found, isServer }: ClassesOptions,
  { migratedElsewhere }: ElsewhereWatch,
) {
  const stored = new Map(found.map((one) => [one.name, one]))
  const numberOf = (name: string) => stored.get(name)?.id
  const classes = new Map(
    shapes.map((shape) => {
      const { name, keys } = shape
      const known = stored.get(name)
      // If nothing was migrated, a class without members may have no tables, or those of another API file.
      if (known === undefined || !isMigrated(known, shape)) return [name, undefined]
      return [name, createClassStatements(name, tablesOf(known.id, keys, shape), numberOf)]
    }),
  )

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): ClassStatements {
    const found = classes.get(name)
    if (found !== undefined) return found
    if (classes.has(name)) throw migratedElsewhere()
    throw new Error(`The store was not opened with a class ${name}.`)
  }

  return {
    classOf,
    /** Undefined if there are no members. While a server runs, another server with another API file may add some. */
    tablesFor: (name: string): PostgresTables | undefined =>
      classes.has(name) && !isServer ? classes.get(name)?.tables : classOf(name).tables,
  }
}

function createMembers(
  pools: Pools<'quick' | 'slow' | 'writes'>,
  { classOf, tablesFor }: ReturnType<typeof findClasses>,
  { scanMs = SCAN_MS, replicas }: Pick<PostgresMembersOptions, 'scanMs' | 'replicas'>,
): MemberStore {
  const reads = createReads(pools, scanMs, tablesFor)
  return {
    ...reads,
    ...(replicas && {
      standby: createStandbyReads(replicas, reads, (standby) => createReads(standby, scanMs, tablesFor)),
    }),
    ...createWrites(pools, createStatistics(pools), {
      classOf,
      listWithin: (within) => createReads({ quick: within, slow: within }, scanMs, tablesFor).list,
    }),
  }
}
