import type { ClassSchema, Filling } from '../class-schema.ts'
import {
  type BrokenConstraint,
  type IncompatibleMember,
  IncompatibleMembersError,
  type Link,
  MAX_REPORTED,
  type Migration,
} from '../index.ts'
import { hiddenTypesAfter, layoutSetting, plainLayout } from '../layout.ts'
import { linkName } from '../member.ts'
import { compareFiles } from './compare-files.ts'
import { defaultsSetting, defaultsText } from './defaults.ts'
import { migrateHistories } from './entries.ts'
import { createFilling } from './filling.ts'
import {
  createFindings,
  createViolationCounter,
  danglingIn,
  duplicateMember,
  duplicatesText,
  incompatibleMember,
  namedToday,
  severalMembers,
} from './findings.ts'
import { type MigrationOptions, NOTHING_CHANGED } from './migration.ts'
import {
  addressSetting,
  changedClasses,
  isCrowded,
  type MigrationPlan,
  migratedClasses,
  planMigration,
  type StoredClass,
  withPresentNames,
} from './plan.ts'
import {
  batchesOf,
  type ConvertedMember,
  changeLinks,
  type MemberRow,
  type MigratedClass,
  type MigrationStore,
  type NewTables,
  purgedVersion,
  type StoredLinkRow,
  setSetting,
} from './statements.ts'

/**
 * Migrates the database to the API file: creates and renames classes, and converts members that were written under another
 * file. The caller rolls back a dry run, and a migration that throws IncompatibleMembersError.
 */
export async function migrate(
  store: MigrationStore,
  shapes: readonly ClassSchema[],
  { onMigrate, onProgress, now = Date.now }: Pick<MigrationOptions, 'onMigrate' | 'onProgress' | 'now'> = {},
): Promise<Migration> {
  const time = now()
  const plan = await readPlan(store, shapes)
  // A dry run looks at the members of joined classes, too; otherwise they are converted later, in portions.
  const seen = store.isDryRun ? [...plan.classes, ...plan.joined] : plan.classes
  const classes = await numbered(store, { ...plan, classes: seen })
  const changes = [...plan.changes]
  const found: IncompatibleMember[] = []
  const broken: BrokenConstraint[] = []
  for (const cls of classes) {
    if (cls.former === undefined || found.length >= MAX_REPORTED) continue
    if (isCrowded(cls.former, cls.shape)) {
      const text = `SELECT id FROM ${cls.former.members} ORDER BY sequence LIMIT ${MAX_REPORTED}`
      const ids = (await store.run<[string]>(text)).map(([id]) => id)
      found.push(...severalMembers({ ...cls, former: cls.former }, ids))
      continue
    }
    const { total } = cls.former
    if (total > 0) onMigrate?.(cls.shape.name, total)
    const onDone = (done: number) => onProgress?.(cls.shape.name, done, total)
    const migrated = await migrateMembers(store, plan, { cls, former: cls.former, now: time, onDone })
    found.push(...migrated.incompatible)
    changes.push(...migrated.changes)
    broken.push(...migrated.broken)
  }
  const incompatible = found.slice(0, MAX_REPORTED)
  if (incompatible.length > 0) {
    if (!store.isDryRun) throw new IncompatibleMembersError(incompatible)
    return { ...NOTHING_CHANGED, ...(await compareFiles(store, shapes)), incompatible }
  }
  if (!store.isDryRun) {
    await migrateHistories(store, plan)
    await finish(store, plan, classes)
    for (const joined of plan.joined) await store.join(joined)
    await recordClasses(store, shapes, plan, time)
  }
  const [migrated, joined] = [migratedClasses(plan.classes), migratedClasses(plan.joined)]
  const done = { ...NOTHING_CHANGED, changes, migrated, joined, broken }
  if (!store.isDryRun) return done
  for (const shape of shapes) broken.push(...(await findBroken(store, plan, shape)))
  return { ...done, ...(await compareFiles(store, shapes)) }
}

/** Constraints that members break in a class that is not migrated. */
async function findBroken(
  store: MigrationStore,
  { byName, classes, joined }: MigrationPlan,
  shape: ClassSchema,
): Promise<BrokenConstraint[]> {
  const stored = byName.get(shape.name)
  if (stored === undefined || [...classes, ...joined].some((one) => one.shape === shape)) return []
  const counter = createViolationCounter(shape)
  for await (const rows of batchesOf(store, stored)) for (const { body } of rows) counter.count(body)
  return counter.broken()
}

/** Plans again once the writers of the changed classes are locked out: members may have been added or removed before. */
async function readPlan(store: MigrationStore, shapes: readonly ClassSchema[]): Promise<MigrationPlan> {
  const locked = new Set<number>()
  for (;;) {
    const stored = await store.listClasses()
    const plan = planMigration(stored, shapes)
    const open = changedClasses(plan, stored).filter(({ id }) => !locked.has(id))
    if (store.lockOutWriters === undefined || open.length === 0) return plan
    await store.lockOutWriters(open)
    for (const { id } of open) locked.add(id)
  }
}

/**
 * Numbers are never used again; a class that takes the name of another one continues the versions of both, and a new class
 * those of all that were purged.
 */
async function numbered(
  store: MigrationStore,
  { classes, replaced }: MigrationPlan,
): Promise<MigratedClass[]> {
  const [row] = await store.run<[number | null]>(`SELECT max(number) FROM (
    SELECT CAST(id AS bigint) AS number FROM classes
    UNION ALL SELECT CAST(value AS bigint) FROM settings WHERE name = 'class_number') AS numbers`)
  const last = row?.[0] ?? 0
  const purged = await purgedVersion(store)
  return classes.map(({ shape, former }, index) => {
    const versions = [former, replaced.find(({ name }) => name === shape.name)].map(
      (one) => one?.version ?? purged,
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
  for (const { from, to } of renamings) {
    await store.run('UPDATE links SET from_class = $1 WHERE from_class = $2', [to, from])
    await store.run('UPDATE links SET to_class = $1 WHERE to_class = $2', [to, from])
    for (const { table } of store.changeTables)
      await store.run(`UPDATE ${table} SET class = $1 WHERE class = $2`, [to, from])
    await store.run('DELETE FROM follower_waits WHERE class = $1', [to])
    await store.run('UPDATE follower_waits SET class = $1 WHERE class = $2', [to, from])
  }
  // A process with the former file would save members that wait under their former class.
  if (renamings.length > 0) await store.run('UPDATE followers SET holder = NULL')
  const last = numbered.at(-1)?.number
  if (last !== undefined) await setSetting(store, 'class_number', String(last))
}

/**
 * Records what later starts need: addresses, for messages about a later API file; the defaults that have been filled
 * in; and the layout, which tells whether hosts with a later file can serve beside those with this one.
 */
async function recordClasses(
  store: MigrationStore,
  shapes: readonly ClassSchema[],
  { byName, renamings }: MigrationPlan,
  time: number,
): Promise<void> {
  const stored = new Map((await store.listClasses()).map((one) => [one.name, one]))
  for (const shape of shapes) {
    const { id = 0, layout } = stored.get(shape.name) ?? {}
    await setSetting(store, addressSetting(shape.name), shape.addressOf('*'))
    await setSetting(store, defaultsSetting(shape.name), defaultsText(shape))
    if (layout !== undefined) continue
    const hidden = await hiddenNames(store, stored.get(shape.name))
    const before = byName.get(shape.name)?.layout
    // Types name classes.
    const hiddenTypes = before && renamings.length === 0 ? hiddenTypesAfter(before, shape) : undefined
    const plain = plainLayout(shape, { classId: id, hidden, hiddenTypes, since: time })
    await setSetting(store, layoutSetting(shape.name), JSON.stringify(plain))
  }
}

/** The properties whose values are hidden in some members, or have hidden values within them. */
async function hiddenNames(store: MigrationStore, stored: StoredClass | undefined): Promise<string[]> {
  if (stored === undefined || stored.total === 0) return []
  const [select, from] = store.hiddenNames
  const rows = await store.run<[string]>(`${select} FROM ${stored.members}${from} WHERE hidden <> ''`)
  return rows.map(([name]) => name)
}

interface ClassMigration {
  readonly cls: MigratedClass
  readonly former: StoredClass
  /** The time of the migration, for `default: now`. */
  readonly now: number
  /** Called with the number of members that are converted so far. */
  readonly onDone: (done: number) => void
}

/** Converts the members of one class, until too many are incompatible. */
async function migrateMembers(
  store: MigrationStore,
  plan: MigrationPlan,
  { cls, former, now, onDone }: ClassMigration,
): Promise<Pick<Migration, 'incompatible' | 'changes' | 'broken'>> {
  const { shape } = cls
  let done = 0
  const known = { shape, former }
  const fillingOf = createFilling(former, shape, now)
  const findings = createFindings(known)
  const constraints = createViolationCounter(shape)
  const incompatible: IncompatibleMember[] = []
  const tables = await store.createTables(cls, former)
  for await (const rows of batchesOf(store, former)) {
    const read = rows.map((row) => convertRow(row, { shape, plan, filling: fillingOf(row) }))
    const newLinks = read.flatMap(({ added }) => added)
    const hasTarget = await findTargets(store, plan, newLinks)
    const members: ConvertedMember[] = []
    const [removedLinks, addedLinks]: [StoredLinkRow[], StoredLinkRow[]] = [[], []]
    for (const { row, links, converted, added } of read) {
      const violations =
        'violations' in converted
          ? converted.violations
          : danglingIn(added, hasTarget).map((one) => namedToday(one, converted.moves ?? []))
      if ('violations' in converted || violations.length > 0) {
        incompatible.push(incompatibleMember(known, row.id, violations))
        if (incompatible.length >= MAX_REPORTED) return { incompatible, changes: [], broken: [] }
        continue
      }
      findings.add(row.id, converted)
      if (store.isDryRun) constraints.count(converted.body)
      const isSame = converted.body === row.body && converted.baseUrlOffsets === row.baseUrlOffsets
      if (!isSame) cls.version += 1
      members.push({ ...converted, row, version: isSame ? row.version : cls.version })
      // Until `finish`, links are stored under the former names of classes.
      const toRow = ({ className, id, property }: Link): StoredLinkRow => [
        plan.byName.get(className)?.name ?? className,
        id,
        former.name,
        property,
        row.id,
      ]
      removedLinks.push(...without(links, converted.links).map(toRow))
      addedLinks.push(...added.map(toRow))
    }
    await tables.write(members)
    if (!store.isDryRun) await changeLinks(store, removedLinks, addedLinks)
    done += rows.length
    onDone(done)
  }
  incompatible.push(...findings.incompatible())
  for (const [index, key] of shape.keys.entries()) {
    if (!key.unique || incompatible.length >= MAX_REPORTED) continue
    const rows = await findDuplicates(store, tables, index)
    incompatible.push(...rows.map((row) => duplicateMember(known, findings.moves(), key, row)))
  }
  return { incompatible, changes: findings.changes(), broken: constraints.broken() }
}

/** Members that have the same unique key as an earlier one. */
const findDuplicates = async (store: MigrationStore, { keys, members }: NewTables, index: number) =>
  store.run<[string, string, string]>(duplicatesText(keys, members, `k${index}`))

/** `links`: the member's links by the current names of their classes; `added`: the links that it did not have before. */
function convertRow(
  row: MemberRow,
  {
    shape,
    plan,
    filling,
  }: { readonly shape: ClassSchema; readonly plan: MigrationPlan; readonly filling: Filling | undefined },
) {
  const links = withPresentNames(row.links, plan)
  const converted = shape.convert(row, links, filling)
  return { row, links, converted, added: 'links' in converted ? without(converted.links, links) : [] }
}

function without(links: readonly Link[], others: readonly Link[]): readonly Link[] {
  if (links.length === 0) return links
  const known = new Set(others.map(linkName))
  return links.filter((link) => !known.has(linkName(link)))
}

/**
 * Until `finish`, the targets are in their former tables. They are locked against removal, as by any write of a link,
 * since other processes write to classes that are not migrated. The target of an existing link cannot be removed
 * anyway.
 */
async function findTargets(
  store: MigrationStore,
  { byName }: MigrationPlan,
  links: readonly Link[],
): Promise<(link: Link) => boolean> {
  const found = new Map<string, ReadonlySet<string>>()
  for (const [className, ofClass] of Map.groupBy(links, (link) => link.className)) {
    const stored = byName.get(className)
    if (stored === undefined) continue
    const rows = await store.run<[string]>(
      `SELECT id FROM ${stored.members} WHERE id IN (SELECT value ->> 0 FROM ${store.jsonRows}) ${store.keepRows}`,
      [JSON.stringify(ofClass.map(({ id }) => [id]))],
    )
    found.set(className, new Set(rows.map(([id]) => id)))
  }
  return ({ className, id }) => found.get(className)?.has(id) === true
}
