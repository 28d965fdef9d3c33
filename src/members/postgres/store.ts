import { type Awaitable, SCAN_MS } from '../../database/index.ts'
import { isTableUndefined } from '../../database/postgres/errors.ts'
import type { Pool, Pools } from '../../database/postgres/pool.ts'
import type { DatabasePools } from '../../database/postgres/pools.ts'
import type { Replicas } from '../../database/postgres/replicas.ts'
import { isNewest } from '../catch-up.ts'
import { watchedWrites } from '../changes.ts'
import type { ClassSchema } from '../class-schema.ts'
import { type ClassForms, createClassForms, UnknownForm, withConvertedEntries, withForms } from '../forms.ts'
import { ownFormOf, slotsFor } from '../layout.ts'
import { type MemberStore, type OpenMembers, readOtherwise } from '../member-store.ts'
import { type ElsewhereWatch, retriedWhereOutdated, watchOtherMigrations } from '../migration/elsewhere.ts'
import { isMigrated, type StoredClass } from '../migration/plan.ts'
import { createCatchUp, readProgress } from './catch-up.ts'
import { openChangeLog } from './changes/changes.ts'
import { openFollowers } from './changes/followers.ts'
import { type ClassStatements, createClassStatements } from './class-statements.ts'
import { createHistory } from './history/history.ts'
import { listClasses } from './migrate.ts'
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
  /** Runs work on a connection of its own, whose statements may take any time. */
  readonly withUnlimited: <T>(work: (pool: Pool) => Promise<T>) => Promise<T>
  /** Undefined for a command, which runs beside servers. */
  readonly onMigratedElsewhere?: (() => void) | undefined
}

/** The members, and the log of their changes. */
export function createMemberStore(pools: DatabasePools, options: PostgresMembersOptions): OpenMembers {
  const { shapes, onMigratedElsewhere, replicas } = options
  const elsewhere = watchOtherMigrations(isTableMissing, onMigratedElsewhere)
  const classes = openClasses({ ...options, isServer: onMigratedElsewhere !== undefined }, elsewhere)
  let percents: ReadonlyMap<string, number> = new Map()
  const reload = memoizeRunning(async () => {
    classes.reload(await listClasses(pools.quick.run))
    percents = await readProgress(pools.quick.run)
  })
  const retried = <Args extends unknown[], Result>(call: (...args: Args) => Awaitable<Result>) =>
    retriedWhereOutdated({ isOutdated, reload, explain: elsewhere.explain }, call)
  const used = { ...pools, writes: replicas?.counted(pools.writes) ?? pools.writes }
  // Within what is tried again: after a reload, keys and words are arranged for the changed tables.
  const stored = withForms(
    createMembers(used, classes, options),
    classes.formsOf,
    (className) => percents.get(className) ?? 0,
  )
  const { standby } = stored
  const history = createHistory(used, shapes, classes.tablesFor)
  const retriedStore: MemberStore = {
    state: stored.state,
    ...(standby && {
      standby() {
        const reads = standby()
        return (
          reads &&
          readOtherwise(reads, {
            find: retried((...asked) => reads.find(...asked)),
            list: retried((...asked) => reads.list(...asked)),
          })
        )
      },
    }),
    find: retried(stored.find),
    findWithHidden: retried(stored.findWithHidden),
    findAll: retried(stored.findAll),
    linksTo: retried(stored.linksTo),
    findHeads: retried(stored.findHeads),
    list: retried(stored.list),
    summarize: retried(stored.summarize),
    add: retried(stored.add),
    addAll: retried(stored.addAll),
    change: retried(stored.change),
    remove: retried(stored.remove),
    writeAll: retried(stored.writeAll),
    writeAllLocked: retried(stored.writeAllLocked),
    listAfter: retried(stored.listAfter),
  }
  const { members, watch } = watchedWrites(retriedStore)
  const catchUp = createCatchUp({
    pools,
    withUnlimited: options.withUnlimited,
    async reload() {
      await reload()
      return classes.converted()
    },
  })
  return {
    members,
    catchUp,
    changes: { ...openChangeLog(pools.feed, shapes), watch },
    followers: openFollowers(pools.feed),
    history: withConvertedEntries(
      {
        list: retried(history.list),
        heads: retried(history.heads),
        find: retried(history.find),
        findAt: retried(history.findAt),
        removalFrom: retried(history.removalFrom),
        first: retried(history.first),
        removed: retried(history.removed),
        add: retried(history.add),
        remove: retried(history.remove),
        sweep: retried(history.sweep),
      },
      classes.formsOf,
    ),
  }
}

/** Calls while one is running share its result. */
function memoizeRunning(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

/** Whether this host knows too little of the tables, or of the rows that it has found. */
const isOutdated = (error: unknown): boolean => isTableMissing(error) || error instanceof UnknownForm

/** Looks only for the name: the message is in the language of the server. */
const isTableMissing = (error: unknown): boolean =>
  isTableUndefined(error) &&
  /\b(?:members|forms|values|words|order|versions|history)_[0-9]+\b/.test(String(error))

interface ClassesOptions extends PostgresMembersOptions {
  readonly isServer: boolean
}

/** The classes that the store was opened with, as hosts with other API files may have changed their tables since. */
function openClasses({ shapes, stored, isServer }: ClassesOptions, { migratedElsewhere }: ElsewhereWatch) {
  let classes = resolveClasses(shapes, stored)
  let known = layoutsOf(stored)
  const hadTables = new Set([...classes].flatMap(([name, { statements }]) => (statements ? name : [])))

  /** The caller has the class from the same model that the store was opened with. */
  function classOf(name: string): ClassStatements {
    const found = classes.get(name)
    if (found?.statements !== undefined) return found.statements
    if (found !== undefined) throw migratedElsewhere()
    throw new Error(`The store was not opened with a class ${name}.`)
  }

  return {
    classOf,
    formsOf: (name: string): ClassForms | undefined => classes.get(name)?.forms,
    /** Statements are kept, and with them what PostgreSQL has planned, while nothing has changed. */
    reload(found: readonly StoredClass[]): void {
      const text = layoutsOf(found)
      if (text !== known) classes = resolveClasses(shapes, found)
      known = text
    },
    /** The classes whose newest file is that of this host. */
    converted: () =>
      [...classes.values()].flatMap(({ statements, forms, stored: one, shape }) =>
        statements === undefined ||
        forms === undefined ||
        one?.layout === undefined ||
        !isNewest(one.layout, shape)
          ? []
          : [{ tables: statements.tables, forms, stored: { ...one, layout: one.layout }, shape }],
      ),
    /**
     * Undefined if there are no members. While a server runs, another server with another API file may add some. A class
     * whose tables were replaced since the opening is not empty.
     */
    tablesFor: (name: string): PostgresTables | undefined =>
      classes.has(name) && !isServer && !hadTables.has(name)
        ? classes.get(name)?.statements?.tables
        : classOf(name).tables,
  }
}

/** Everything that decides by which statements members are read and written. */
const layoutsOf = (stored: readonly StoredClass[]): string =>
  JSON.stringify(stored.map(({ id, name, fingerprint, layout }) => [id, name, fingerprint, layout]))

interface ResolvedClass {
  readonly shape: ClassSchema
  readonly stored?: StoredClass
  /** Undefined if the class has no tables that this API file can use. */
  readonly statements?: ClassStatements
  readonly forms?: ClassForms
}

function resolveClasses(
  shapes: readonly ClassSchema[],
  found: readonly StoredClass[],
): ReadonlyMap<string, ResolvedClass> {
  const stored = new Map(found.map((one) => [one.name, one]))
  const inFile = new Set(shapes.map(({ name }) => name))
  const targets = { find: (name: string) => stored.get(name), isKnown: (name: string) => inFile.has(name) }
  return new Map(
    shapes.map((shape): [string, ResolvedClass] => {
      const { name } = shape
      const known = stored.get(name)
      // If nothing was migrated, a class without members may have no tables, or those of another API file.
      if (known === undefined || !isMigrated(known, shape)) return [name, { shape }]
      const { layout } = known
      if (layout?.hasForms !== true)
        return [
          name,
          { shape, statements: createClassStatements(name, tablesOf(known.id, shape.keys, shape), targets) },
        ]
      const slots = slotsFor(layout, shape, true) ?? []
      const hasWords = layout.forms.some(({ searched }) => searched.length > 0)
      const tables = tablesOf(known.id, slots, { ...shape, hasWords }, ownFormOf(layout, shape))
      const forms = createClassForms({ ...known, layout }, shape, slots)
      return [name, { shape, stored: known, statements: createClassStatements(name, tables, targets), forms }]
    }),
  )
}

function createMembers(
  pools: Pools<'quick' | 'slow' | 'writes'>,
  { classOf, tablesFor }: Pick<ReturnType<typeof openClasses>, 'classOf' | 'tablesFor'>,
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
