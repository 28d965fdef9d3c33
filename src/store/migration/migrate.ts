import type { Awaitable, ClassShape, Converted, IncompatibleMember, Link, Migration } from '../store.ts'
import { type ChangeCounter, createChangeCounter } from './changes.ts'
import {
  createNameCheck,
  type Duplicate,
  danglingIn,
  duplicateMember,
  incompatibleMember,
} from './incompatible.ts'
import { MOST_NAMED } from './migration.ts'
import { type MigrationPlan, migratedClasses, planMigration, type StoredClass } from './plan.ts'

/**
 * What a store brings to a migration: its statements, within one transaction in which nobody else migrates. Nothing
 * that others read changes before `finish`; a dry run ends there and is rolled back. It takes no lock that others wait
 * for, and its new tables are temporary.
 */
export interface MigrationStatements {
  readonly isDryRun: boolean
  listClasses(): Awaitable<readonly StoredClass[]>
  /** The greatest number that a class was ever given. */
  lastNumber(): Awaitable<number>
  /** Until the transaction ends. Absent where no other process can write anyway. */
  keepWritersOut?(classes: readonly StoredClass[]): Promise<void>
  /** Of one state, in the order of creation; few enough for memory. */
  batches(former: StoredClass): AsyncIterable<readonly MemberRow[]> | Iterable<readonly MemberRow[]>
  /** Those of these ids that the class has. */
  listIds(cls: StoredClass, ids: readonly string[]): Awaitable<readonly string[]>
  /** Creates tables under the new number, without indexes; returns what writes members into them. */
  createTables(cls: MigratedClass): Awaitable<(members: readonly ConvertedMember[]) => Awaitable<void>>
  /** `className`: of the members that have them. */
  changeLinks(
    className: string,
    removed: readonly MemberLink[],
    added: readonly MemberLink[],
  ): Awaitable<void>
  /** Of a unique property, by its place among the keys. */
  listDuplicates(cls: MigratedClass, key: number, most: number): Awaitable<readonly Duplicate[]>
  /** Puts the new tables into the place of the former ones, under the names of the API file. */
  finish(plan: MigrationPlan, classes: readonly FinishedClass[]): Awaitable<void>
}

/** A member as it is stored, and its links as JSON: an array of `[property, className, id]`. */
export interface MemberRow {
  readonly sequence: number
  readonly id: string
  readonly version: number
  readonly body: string
  readonly holes: string
  readonly hidden: string
  readonly links: string
}

export interface ConvertedMember extends Converted {
  readonly row: MemberRow
  /** Another one than that of the row where the text is another. */
  readonly version: number
}

export interface MemberLink {
  /** The id of the member that has it. */
  readonly from: string
  readonly link: Link
}

/** A class that gets another number and tables of that number: a process with the former API file finds its own no more. */
export interface FinishedClass {
  readonly shape: ClassShape
  /** Undefined where the class is new. */
  readonly former: StoredClass | undefined
  readonly number: number
  /** The last one that was given out. */
  version: number
}

export interface MigratedClass extends FinishedClass {
  readonly former: StoredClass
}

/** Told before the members of a class are gone through. */
export type OnMigrate = (className: string, total: number) => void

/**
 * Brings what is stored under the API file: classes that are new or have another name, and members that were written
 * under another file. Where members are incompatible, the caller has to roll back.
 */
export async function migrate(
  statements: MigrationStatements,
  shapes: readonly ClassShape[],
  onMigrate: OnMigrate = () => {},
): Promise<Migration> {
  const plan = await readPlan(statements, shapes)
  const classes = await numbered(statements, plan)
  const changes = [...plan.changes]
  const incompatible: IncompatibleMember[] = []
  for (const cls of classes) {
    if (!isStored(cls)) continue
    if (cls.former.total > 0) onMigrate(cls.shape.name, cls.former.total)
    const counter = createChangeCounter(cls.shape)
    incompatible.push(...(await migrateClass({ statements, plan, cls, counter })))
    changes.push(...counter.changes())
    if (incompatible.length >= MOST_NAMED) break
  }
  if (incompatible.length > 0)
    return { incompatible: incompatible.slice(0, MOST_NAMED), changes: [], migrated: [] }
  if (!statements.isDryRun) await statements.finish(plan, classes)
  return { incompatible, changes, migrated: migratedClasses(plan) }
}

/** Classes that are merely new concern nobody who writes. */
async function readPlan(
  statements: MigrationStatements,
  shapes: readonly ClassShape[],
): Promise<MigrationPlan> {
  const plan = planMigration(await statements.listClasses(), shapes)
  if (statements.keepWritersOut === undefined || migratedClasses(plan).length === 0) return plan
  // Also from classes that stay as they are: a member that another one links to must not go meanwhile.
  await statements.keepWritersOut(plan.stored)
  return planMigration(await statements.listClasses(), shapes)
}

/** No number is ever given twice, and a class that takes the name of another one gives out none of its versions again. */
async function numbered(
  statements: MigrationStatements,
  { classes, replaced }: MigrationPlan,
): Promise<FinishedClass[]> {
  const last = await statements.lastNumber()
  return classes.map(({ shape, former }, index) => {
    const versions = [former, replaced.find(({ name }) => name === shape.name)].map(
      (one) => one?.version ?? 0,
    )
    return { shape, former, number: last + 1 + index, version: Math.max(...versions) }
  })
}

const isStored = (cls: FinishedClass): cls is MigratedClass => cls.former !== undefined

interface ClassMigration {
  readonly statements: MigrationStatements
  readonly plan: MigrationPlan
  readonly cls: MigratedClass
  readonly counter: ChangeCounter
}

async function migrateClass({
  statements,
  plan,
  cls,
  counter,
}: ClassMigration): Promise<IncompatibleMember[]> {
  const { shape, former } = cls
  const names = createNameCheck(shape)
  const incompatible: IncompatibleMember[] = []
  const write = await statements.createTables(cls)
  for await (const rows of statements.batches(former)) {
    const read = rows.map((row) => {
      const links = linksOf(row, plan)
      return { row, links, converted: shape.convert(row, () => links) }
    })
    const hasTarget = await findTargets(
      statements,
      plan,
      read.flatMap(({ converted }) => ('violations' in converted ? [] : converted.links)),
    )
    const [members, removed, added]: [ConvertedMember[], MemberLink[], MemberLink[]] = [[], [], []]
    for (const { row, links, converted } of read) {
      const violations =
        'violations' in converted ? converted.violations : danglingIn(converted.links, hasTarget)
      if ('violations' in converted || violations.length > 0) {
        if (incompatible.push(incompatibleMember(shape, row.id, violations)) >= MOST_NAMED)
          return incompatible
        continue
      }
      names.see(row.id, converted)
      counter.count(converted)
      const isSame = converted.body === row.body && converted.holes === row.holes
      if (!isSame) cls.version += 1
      members.push({ ...converted, row, version: isSame ? row.version : cls.version })
      removed.push(...difference(row.id, links, converted.links))
      added.push(...difference(row.id, converted.links, links))
    }
    await write(members)
    if (!statements.isDryRun && removed.length + added.length > 0)
      await statements.changeLinks(former.name, inFormerNames(removed, plan), inFormerNames(added, plan))
  }
  incompatible.push(...names.incompatible())
  for (const [index, { property, unique }] of shape.keys.entries()) {
    if (!unique || incompatible.length >= MOST_NAMED) continue
    for (const duplicate of await statements.listDuplicates(cls, index, MOST_NAMED))
      incompatible.push(duplicateMember(shape, property, duplicate))
  }
  return incompatible
}

/** Names of classes change in `finish`: until then links are stored under the former ones. */
function linksOf({ links }: MemberRow, { renamings }: MigrationPlan): Link[] {
  if (links === NO_LINKS) return []
  const stored = JSON.parse(links) as [property: string, className: string, id: string][]
  return stored.map(([property, className, id]) => ({
    property,
    className: renamings.find(({ from }) => from === className)?.to ?? className,
    id,
  }))
}

const NO_LINKS = '[]'

const inFormerNames = (links: readonly MemberLink[], { byName }: MigrationPlan): MemberLink[] =>
  links.map(({ from, link }) => ({
    from,
    link: { ...link, className: byName.get(link.className)?.name ?? link.className },
  }))

/** The links that only the first list has. */
function difference(from: string, links: readonly Link[], others: readonly Link[]): MemberLink[] {
  const known = new Set(others.map(linkText))
  return links.filter((link) => !known.has(linkText(link))).map((link) => ({ from, link }))
}

const linkText = ({ property, className, id }: Link): string => `${property}\n${className}\n${id}`

/** Until `finish`, the targets are where they were before. */
async function findTargets(
  statements: MigrationStatements,
  { byName }: MigrationPlan,
  links: readonly Link[],
): Promise<(link: Link) => boolean> {
  const found = new Map<string, ReadonlySet<string>>()
  for (const [className, ofClass] of Map.groupBy(links, (link) => link.className)) {
    const stored = byName.get(className)
    const ids = [...new Set(ofClass.map(({ id }) => id))]
    if (stored !== undefined) found.set(className, new Set(await statements.listIds(stored, ids)))
  }
  return ({ className, id }) => found.get(className)?.has(id) === true
}
