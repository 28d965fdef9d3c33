import { namesInKey, wordStart } from '../../vocabulary/keys.ts'
import type { ClassSchema } from '../class-schema.ts'
import { hiddenPaths, writeHidden } from '../hidden-values.ts'
import { isOtherForm, ownFormOf } from '../layout.ts'
import { type Link, linkName, type WholeText } from '../member.ts'
import {
  filledIn,
  hiddenLinks,
  isObject,
  type MemberValues,
  readHidden,
  readText,
  withFilled,
} from '../stored-text.ts'
import { convertEntries, type EntryText } from './entries.ts'
import { type ClassCount, NotMigratedError } from './migration.ts'
import type { StoredClass } from './plan.ts'
import {
  batchesOf,
  changeLinks,
  type MigrationStore,
  PURGED_VERSION,
  purgedVersion,
  type StoredLinkRow,
  setSetting,
} from './statements.ts'

export * from './purge-history.ts'
export * from './purge-member.ts'
export type { MigrationStore } from './statements.ts'

/** Values that the API file does not show: of a property, or the members of a class (model.md). */
export interface HiddenData extends ClassCount {
  /** Its path, with dots; undefined where the whole class is hidden. */
  readonly property?: string
  /** How many entries of the history have such a value; undefined where none has. */
  readonly entries?: number | undefined
}

const isHidden = ({ name }: StoredClass, shapes: readonly ClassSchema[]): boolean =>
  shapes.every((shape) => shape.name !== name)

/** Throws NotMigratedError if the last API file of the database shows such a class: a server may have it. */
async function requireNotShown({ run }: MigrationStore, hidden: readonly StoredClass[]): Promise<void> {
  const rows = await run<[string]>('SELECT name FROM classes WHERE shown = 1')
  const shown = new Set(rows.map(([name]) => name))
  const names = hidden.flatMap(({ name }) => (shown.has(name) ? name : []))
  if (names.length > 0) throw new NotMigratedError(names)
}

export async function listHidden(
  store: MigrationStore,
  shapes: readonly ClassSchema[],
): Promise<readonly HiddenData[]> {
  const found: HiddenData[] = []
  const classes = await store.listClasses()
  const hidden = classes.filter((stored) => stored.total > 0 && isHidden(stored, shapes))
  await requireNotShown(store, hidden)
  for (const { name: className, total: members } of hidden) found.push({ className, members })
  for (const stored of classes.filter((one) => !isHidden(one, shapes))) {
    const { name: className } = stored
    const shape = shapes.find(({ name }) => name === className) as ClassSchema
    await requireConverted(store, stored, shape)
    const [members, entries] = [new Map<string, number>(), new Map<string, number>()]
    for await (const rows of batchesOf(store, stored)) for (const row of rows) countPaths(row, members)
    await convertEntries(store, stored, (entry) => {
      countPaths(inOwnForm(stored, shape, entry), entries)
      return entry
    })
    for (const path of new Set([...members.keys(), ...entries.keys()])) {
      const counted = { members: members.get(path) ?? 0, entries: entries.get(path) }
      found.push({ className, property: dotted(path), ...counted })
    }
  }
  return found
}

/** Adds 1 to the count of each path that has a hidden value. */
function countPaths({ body, hidden }: WholeText, counts: Map<string, number>): void {
  for (const path of hidden === '' ? [] : hiddenPaths(readText(body), readHidden(hidden)))
    counts.set(path, (counts.get(path) ?? 0) + 1)
}

const dotted = (path: string): string => path.replaceAll('/', '.')

/**
 * Removes what `listHidden` has found of one class. Returns the properties, as `Class.property`, whose hidden values link to
 * its members: nothing is removed where there are any, since they would be left with links to nothing.
 */
export async function purgeHidden(
  store: MigrationStore,
  className: string,
  hidden: readonly HiddenData[],
  shapes: readonly ClassSchema[] = [],
): Promise<readonly string[]> {
  const stored = (await store.listClasses()).find(({ name }) => name === className)
  if (stored === undefined) return []
  await store.lockOutWriters?.([stored])
  if (hidden.some(({ property }) => property === undefined)) return purgeClass(store, stored)
  const shape = shapes.find(({ name }) => name === className)
  if (shape !== undefined) await requireConverted(store, stored, shape)
  await purgeProperties(store, { stored, shape }, new Set(hidden.flatMap(({ property }) => property ?? [])))
  return []
}

async function purgeClass(store: MigrationStore, stored: StoredClass): Promise<readonly string[]> {
  await requireNotShown(store, [stored])
  const links = await store.run<[string, string]>(
    'SELECT DISTINCT from_class, property FROM links WHERE to_class = $1 AND from_class <> to_class',
    [stored.name],
  )
  if (links.length > 0) return links.map(([from, path]) => `${from}.${dotted(path)}`)
  await store.run('DELETE FROM links WHERE from_class = $1', [stored.name])
  await store.run('DELETE FROM classes WHERE id = $1', [stored.id])
  await setSetting(store, PURGED_VERSION, String(Math.max(stored.version, await purgedVersion(store))))
  await store.finish([], [stored])
  return []
}

/** Throws NotMigratedError where members have the form of another API file: it is not known what is hidden in them. */
async function requireConverted(
  store: MigrationStore,
  { name, members, layout }: StoredClass,
  shape: ClassSchema,
): Promise<void> {
  const form = layout && ownFormOf(layout, shape)
  if (form === undefined) return
  const rows = await store.run(`SELECT 1 FROM ${members} AS m WHERE ${isOtherForm(form, 'm')} LIMIT 1`)
  if (rows.length > 0) throw new NotMigratedError([name])
}

/** Entries are converted when they are read, if hosts with other API files may have written them. */
const inOwnForm = ({ layout }: StoredClass, shape: ClassSchema | undefined, entry: EntryText): EntryText =>
  layout?.hasForms && shape ? shape.convertEntry(entry, entry.links) : entry

interface PurgedClass {
  readonly stored: StoredClass
  /** Undefined where the API file does not have the class. */
  readonly shape: ClassSchema | undefined
}

async function purgeProperties(
  store: MigrationStore,
  { stored, shape }: PurgedClass,
  properties: ReadonlySet<string>,
): Promise<void> {
  for await (const rows of batchesOf(store, stored)) {
    const removed: StoredLinkRow[] = []
    for (const row of rows) {
      const { hidden, removedLinks } = purged(row, properties)
      if (hidden === row.hidden) continue
      await store.run(`UPDATE ${stored.members} SET hidden = $1 WHERE sequence = $2`, [hidden, row.sequence])
      for (const { className, id, property } of removedLinks)
        removed.push([className, id, stored.name, property, row.id])
    }
    await changeLinks(store, removed, [])
  }
  const slots = stored.layout?.hasForms ? stored.layout.slots : []
  const isPurged = (name: string) => [...properties].some((one) => `${name}.`.startsWith(`${one}.`))
  for (const [index, slot] of slots.entries())
    if (namesInKey(slot).some(isPurged)) await store.clearKeys(stored, index)
  // Other API files may have searched them (keys/kept.ts).
  if (slots.length > 0)
    for (const property of properties) await store.clearWords?.(stored, wordStart(property))
  await convertEntries(store, stored, (one) => {
    const entry = inOwnForm(stored, shape, one)
    const { hidden, removedLinks } = purged(entry, properties)
    const gone = new Set(removedLinks.map(linkName))
    return { ...entry, hidden, links: entry.links.filter((link) => !gone.has(linkName(link))) }
  })
}

/** The hidden values of a member, or of an entry of its history, without these properties. */
function purged(
  { body, hidden }: WholeText,
  properties: ReadonlySet<string>,
): { readonly hidden: string; readonly removedLinks: readonly Link[] } {
  if (hidden === '') return { hidden, removedLinks: [] }
  const left = writeHidden(without(readText(body), readHidden(hidden), properties))
  const kept = withFilled(left, filledIn(hidden))
  const still = new Set(hiddenLinks(kept).map(linkName))
  return { hidden: kept, removedLinks: hiddenLinks(hidden).filter((link) => !still.has(linkName(link))) }
}

/** The hidden values without these properties; an embedded value that is shown is looked into, as in `hiddenPaths`. */
function without(
  shown: MemberValues,
  hidden: MemberValues,
  properties: ReadonlySet<string>,
  path = '',
): MemberValues {
  const kept = Object.entries(hidden).flatMap(([name, part]): [string, unknown][] => {
    const value = shown[name]
    const keep = (one: unknown, of: unknown): unknown =>
      isObject(one) && isObject(of) ? without(of, one, properties, `${path}${name}.`) : one
    if (value === undefined) return properties.has(path + name) ? [] : [[name, part]]
    if (Array.isArray(part) && Array.isArray(value))
      return [[name, part.map((one, at) => keep(one, value[at]))]]
    return [[name, keep(part, value)]]
  })
  return Object.fromEntries(kept.filter(([, part]) => !isEmpty(part)))
}

/** What a purge leaves of an embedded value, or of a list of them. */
const isEmpty = (part: unknown): boolean =>
  Array.isArray(part)
    ? part.length > 0 && part.every(isEmpty)
    : isObject(part) && Object.keys(part).length === 0
