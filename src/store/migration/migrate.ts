import type { ClassShape, IncompatibleMember, Link, Migration } from '../store.ts'
import {
  type ChangeCounter,
  createChangeCounter,
  createNameCheck,
  danglingIn,
  duplicateMember,
  duplicatesText,
  incompatibleMember,
} from './findings.ts'
import { MOST_NAMED } from './migration.ts'
import { type MigrationPlan, migratedClasses, planMigration, type StoredClass } from './plan.ts'
import {
  batchesOf,
  type ConvertedMember,
  changeLinks,
  type LinkRow,
  listIds,
  type MigratedClass,
  type MigrationStore,
  readLastNumber,
  renameLinks,
  writeLastNumber,
} from './statements.ts'

/** Told before the members of a class are gone through. */
export type OnMigrate = (className: string, total: number) => void

/**
 * Brings what is stored under the API file: classes that are new or have another name, and members that were written
 * under another file. Where members are incompatible, the caller has to roll back.
 */
export async function migrate(
  store: MigrationStore,
  shapes: readonly ClassShape[],
  onMigrate: OnMigrate = () => {},
): Promise<Migration> {
  const plan = await readPlan(store, shapes)
  const classes = await numbered(store, plan)
  const changes = [...plan.changes]
  const incompatible: IncompatibleMember[] = []
  for (const cls of classes) {
    if (cls.former === undefined || incompatible.length >= MOST_NAMED) continue
    if (cls.former.total > 0) onMigrate(cls.shape.name, cls.former.total)
    const counter = createChangeCounter(cls.shape)
    incompatible.push(...(await migrateMembers({ store, plan, cls, former: cls.former, counter })))
    changes.push(...counter.changes())
  }
  if (incompatible.length > 0)
    return { incompatible: incompatible.slice(0, MOST_NAMED), changes: [], migrated: [] }
  if (!store.isDryRun) await finish(store, plan, classes)
  return { incompatible, changes, migrated: migratedClasses(plan) }
}

/** Classes that are merely new concern nobody who writes. */
async function readPlan(store: MigrationStore, shapes: readonly ClassShape[]): Promise<MigrationPlan> {
  const plan = planMigration(await store.listClasses(), shapes)
  if (store.keepWritersOut === undefined || migratedClasses(plan).length === 0) return plan
  // Also out of classes that stay as they are: a member that another one links to must not go meanwhile.
  await store.keepWritersOut(plan.stored)
  return planMigration(await store.listClasses(), shapes)
}

/** A class that takes the name of another one gives out none of its versions again. */
async function numbered(
  store: MigrationStore,
  { classes, replaced }: MigrationPlan,
): Promise<MigratedClass[]> {
  const last = await readLastNumber(store)
  return classes.map(({ shape, former }, index) => {
    const versions = [former, replaced.find(({ name }) => name === shape.name)].map(
      (one) => one?.version ?? 0,
    )
    return { shape, former, number: last + 1 + index, version: Math.max(...versions) }
  })
}

async function finish(
  store: MigrationStore,
  { classes, replaced, renamings }: MigrationPlan,
  numbered: readonly MigratedClass[],
): Promise<void> {
  for (const { id } of [...classes.flatMap(({ former }) => former ?? []), ...replaced])
    await store.run('DELETE FROM classes WHERE id = $1', [id])
  await store.finish(numbered, replaced)
  for (const renaming of renamings) await renameLinks(store, renaming)
  const last = numbered.at(-1)
  if (last !== undefined) await writeLastNumber(store, last.number)
}

interface ClassMigration {
  readonly store: MigrationStore
  readonly plan: MigrationPlan
  readonly cls: MigratedClass
  readonly former: StoredClass
  readonly counter: ChangeCounter
}

async function migrateMembers(migration: ClassMigration): Promise<IncompatibleMember[]> {
  const { store, plan, cls, former, counter } = migration
  const { shape } = cls
  const names = createNameCheck(shape)
  const incompatible: IncompatibleMember[] = []
  const tables = await store.createTables(cls, former)
  for await (const rows of batchesOf(store, former)) {
    const read = rows.map((row) => {
      const links = withPresentNames(row.links, plan)
      return { row, links, converted: shape.convert(row, () => links) }
    })
    const hasTarget = await findTargets(
      store,
      plan,
      read.flatMap(({ converted }) => ('violations' in converted ? [] : converted.links)),
    )
    const members: ConvertedMember[] = []
    const [removed, added]: [LinkRow[], LinkRow[]] = [[], []]
    for (const { row, links, converted } of read) {
      const violations =
        'violations' in converted ? converted.violations : danglingIn(converted.links, hasTarget)
      if ('violations' in converted || violations.length > 0) {
        incompatible.push(incompatibleMember(shape, row.id, violations))
        if (incompatible.length >= MOST_NAMED) return incompatible
        continue
      }
      names.see(row.id, converted)
      counter.count(converted)
      const isSame = converted.body === row.body && converted.holes === row.holes
      if (!isSame) cls.version += 1
      members.push({ ...converted, row, version: isSame ? row.version : cls.version })
      const toRow = linkRowOf(migration, row.id)
      removed.push(...without(links, converted.links).map(toRow))
      added.push(...without(converted.links, links).map(toRow))
    }
    await tables.write(members)
    if (!store.isDryRun) await changeLinks(store, removed, added)
  }
  incompatible.push(...names.incompatible())
  for (const [index, { property, unique }] of shape.keys.entries()) {
    if (!unique || incompatible.length >= MOST_NAMED) continue
    const text = duplicatesText(tables.keys, tables.members, `k${index}`)
    for (const row of await store.run<[string, string, string]>(text))
      incompatible.push(duplicateMember(shape, property, row))
  }
  return incompatible
}

/** Links are stored under the former names of classes until the end. */
const withPresentNames = (links: readonly Link[], { renamings }: MigrationPlan): Link[] =>
  links.map((link) => {
    const name = renamings.find(({ from }) => from === link.className)?.to
    return name === undefined ? link : { ...link, className: name }
  })

const linkRowOf =
  ({ plan, former }: ClassMigration, from: string) =>
  ({ className, id, property }: Link): LinkRow => [
    plan.byName.get(className)?.name ?? className,
    id,
    former.name,
    property,
    from,
  ]

function without(links: readonly Link[], others: readonly Link[]): readonly Link[] {
  if (links.length === 0) return links
  const textOf = ({ property, className, id }: Link) => `${property}\n${className}\n${id}`
  const known = new Set(others.map(textOf))
  return links.filter((link) => !known.has(textOf(link)))
}

/** Until the end, the targets are where they were before. */
async function findTargets(
  store: MigrationStore,
  { byName }: MigrationPlan,
  links: readonly Link[],
): Promise<(link: Link) => boolean> {
  const found = new Map<string, ReadonlySet<string>>()
  for (const [className, ofClass] of Map.groupBy(links, (link) => link.className)) {
    const stored = byName.get(className)
    const ids = [...new Set(ofClass.map(({ id }) => id))]
    if (stored !== undefined) found.set(className, new Set(await listIds(store, stored, ids)))
  }
  return ({ className, id }) => found.get(className)?.has(id) === true
}
