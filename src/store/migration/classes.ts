import { KEYS_VERSION } from '../../vocabulary/keys.ts'
import type { ClassShape, Counted, Link } from '../store.ts'

/** A class as the database knows it. */
export interface StoredClass {
  readonly id: number
  readonly name: string
  readonly total: number
  readonly version: number
  /** Of the API file that its members are stored under; 0 where it is not known. */
  readonly fingerprint: number
  /** Of its keys, and the way in which they are computed, as JSON. */
  readonly shapes: string
}

export const shapesText = ({ keys }: ClassShape): string => JSON.stringify({ version: KEYS_VERSION, keys })

/** Whether the members are stored as the API file has them now. */
export const isAdopted = (stored: StoredClass, shape: ClassShape): boolean =>
  stored.fingerprint === shape.fingerprint && stored.shapes === shapesText(shape)

export interface Renaming {
  readonly from: string
  readonly to: string
}

/**
 * Which classes get the name that the API file has for them now, in an order in which each name is free. A name that
 * the database has already was given to that class at an earlier start, unless that class is on its way to another name;
 * or unless nobody is in it and the file has no other use for the former name: then `was` was forgotten at first.
 */
export function renamings(stored: readonly StoredClass[], shapes: readonly ClassShape[]): Renaming[] {
  const totals = new Map(stored.map(({ name, total }) => [name, total]))
  const wanted = shapes.flatMap(({ name, was }) =>
    was !== undefined && was !== name && totals.has(was) ? [{ from: was, to: name }] : [],
  )
  const inFile = new Set(shapes.map(({ name }) => name))
  const accepted = new Map<string, Renaming>()
  const isFree = ({ from, to }: Renaming) =>
    !totals.has(to) || accepted.has(to) || (totals.get(to) === 0 && !inFile.has(from))
  for (let before = -1; before < accepted.size; ) {
    before = accepted.size
    for (const renaming of wanted) {
      if (!accepted.has(renaming.from) && isFree(renaming)) accepted.set(renaming.from, renaming)
    }
  }
  const hasMembers = (name: string) => (totals.get(name) ?? 0) > 0
  const doubtful = wanted.find(
    ({ from, to }) => !accepted.has(from) && !inFile.has(from) && hasMembers(from) && hasMembers(to),
  )
  if (doubtful !== undefined) throw bothThere(doubtful)
  return [...accepted.values()]
}

/** Whose members would be served under the name cannot be told, and guessing would hide the others. */
const bothThere = ({ from, to }: Renaming) =>
  new Error(
    `The database has members of ${to} and of ${from}, and the API file says that ${to} was ${from}. ` +
      `Leave the "was" out if the members of ${to} are the right ones; otherwise give the class another name.`,
  )

/** Classes by the names that they will have; without those that go, since another one gets their name. */
export function byPresentName(
  stored: readonly StoredClass[],
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, StoredClass> {
  const given = new Set(names.values())
  const staying = stored.filter(({ name }) => names.has(name) || !given.has(name))
  return new Map(staying.map((one) => [names.get(one.name) ?? one.name, one]))
}

/** Links as the database has them, with the names that their classes will have. */
export const withNames = (links: readonly Link[], names: ReadonlyMap<string, string>): Link[] =>
  links.map((link) => ({ ...link, className: names.get(link.className) ?? link.className }))

/** Whether everything is stored under the present API file: at most starts nothing has changed. */
export function areAdopted(stored: readonly StoredClass[], shapes: readonly ClassShape[]): boolean {
  if (renamings(stored, shapes).length > 0) return false
  const byName = new Map(stored.map((one) => [one.name, one]))
  return shapes.every((shape) => {
    const found = byName.get(shape.name)
    return found !== undefined && isAdopted(found, shape)
  })
}

/** The classes that are stored under another API file, or under another name; with members or without. */
export function toTakeOver(stored: readonly StoredClass[], shapes: readonly ClassShape[]): Counted[] {
  const renamed = renamings(stored, shapes)
  return shapes.flatMap((shape) => {
    const { name } = shape
    const former = renamed.find(({ to }) => to === name)?.from
    const found = stored.find((one) => one.name === (former ?? name))
    const isStored = found !== undefined && former === undefined && isAdopted(found, shape)
    return found === undefined || isStored ? [] : [{ className: name, members: found.total }]
  })
}

/** Those of them that have members. */
export const unadopted = (stored: readonly StoredClass[], shapes: readonly ClassShape[]): string[] =>
  toTakeOver(stored, shapes).flatMap(({ className, members }) => (members === 0 ? [] : [className]))
