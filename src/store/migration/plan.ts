import { KEYS_VERSION } from '../../vocabulary/keys.ts'
import type { ClassShape } from '../store.ts'
import { type Counted, type MigrationChange, NotMigratedError } from './migration.ts'

/** A class as the database knows it. */
export interface StoredClass {
  /** The number of its tables. */
  readonly id: number
  readonly name: string
  readonly total: number
  /** The last one that was given out. */
  readonly version: number
  /** Of the API file that its members are stored under; 0 where it is not known. */
  readonly fingerprint: number
  /** Of its keys, and the way in which they are computed, as JSON. */
  readonly shapes: string
}

export interface Renaming {
  readonly from: string
  readonly to: string
}

/** What must be done so that everything is stored under the API file. */
export interface MigrationPlan {
  /** As the database has them. */
  readonly stored: readonly StoredClass[]
  /** The same by the names that they will have. */
  readonly byName: ReadonlyMap<string, StoredClass>
  /** In an order in which each name is free. */
  readonly renamings: readonly Renaming[]
  /** Classes without members, whose names others get. */
  readonly replaced: readonly StoredClass[]
  /** The classes of the file that are new (no `former`), have another name, or are stored under another file. */
  readonly classes: readonly { readonly shape: ClassShape; readonly former: StoredClass | undefined }[]
  /** What becomes of whole classes that have members. */
  readonly changes: readonly MigrationChange[]
}

export const shapesText = ({ keys }: ClassShape): string => JSON.stringify({ version: KEYS_VERSION, keys })

/** Whether the members are stored as the API file has them. */
export const isMigrated = (stored: StoredClass, shape: ClassShape): boolean =>
  stored.name === shape.name &&
  stored.fingerprint === shape.fingerprint &&
  stored.shapes === shapesText(shape)

export function planMigration(stored: readonly StoredClass[], shapes: readonly ClassShape[]): MigrationPlan {
  const renamings = renamingsOf(stored, shapes)
  const names = new Map(renamings.map(({ from, to }) => [from, to]))
  const given = new Set(names.values())
  const isReplaced = ({ name }: StoredClass) => given.has(name) && !names.has(name)
  const byName = new Map(
    stored.filter((one) => !isReplaced(one)).map((one) => [names.get(one.name) ?? one.name, one]),
  )
  const inFile = new Set(shapes.map(({ name }) => name))
  return {
    stored,
    byName,
    renamings,
    replaced: stored.filter(isReplaced),
    classes: shapes.flatMap((shape) => {
      const former = byName.get(shape.name)
      return former !== undefined && isMigrated(former, shape) ? [] : [{ shape, former }]
    }),
    changes: [
      ...[...byName].flatMap(([className, { name: from, total: members }]): MigrationChange[] => {
        if (members === 0) return []
        if (from !== className) return [{ change: 'class renamed', className, from, members }]
        return inFile.has(className) ? [] : [{ change: 'class hidden', className, members }]
      }),
      ...shapes.flatMap(({ name: className, was: from }): MigrationChange[] =>
        from === undefined || byName.has(className) || stored.length === 0
          ? []
          : [{ change: 'nothing renamed', className, from, members: 0 }],
      ),
    ],
  }
}

/** The classes of the database that get other tables, by their present names. */
export const migratedClasses = ({ classes }: MigrationPlan): Counted[] =>
  classes.flatMap(({ shape, former }) =>
    former === undefined ? [] : [{ className: shape.name, members: former.total }],
  )

/**
 * What is told where nothing has to be migrated, or may be; undefined otherwise. Throws where there are members to
 * migrate, and only classes without members may be.
 */
export function changesWithoutMigration(
  stored: readonly StoredClass[],
  shapes: readonly ClassShape[],
  which: 'all' | 'empty' | 'none',
): readonly MigrationChange[] | undefined {
  const plan = planMigration(stored, shapes)
  if (plan.classes.length === 0) return plan.changes
  if (which === 'all') return undefined
  const names = migratedClasses(plan).flatMap(({ className, members }) => (members > 0 ? [className] : []))
  if (names.length > 0) throw new NotMigratedError(names)
  return which === 'none' ? [] : undefined
}

/**
 * Which classes get the name that the API file has for them now. A name that the database has already was given to that
 * class at an earlier start, unless that class gets another name itself; or unless it has no members and the file has
 * no other use for the former name: then `was` was forgotten at first.
 */
function renamingsOf(stored: readonly StoredClass[], shapes: readonly ClassShape[]): Renaming[] {
  const totals = new Map(stored.map(({ name, total }) => [name, total]))
  const inFile = new Set(shapes.map(({ name }) => name))
  const wanted = shapes.flatMap(({ name, was }) =>
    was !== undefined && was !== name && totals.has(was) ? [{ from: was, to: name }] : [],
  )
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
  if (doubtful !== undefined) throw bothStored(doubtful)
  return [...accepted.values()]
}

/** Which members are meant cannot be told, and guessing would hide the others. */
const bothStored = ({ from, to }: Renaming) =>
  new Error(
    `The database has members of ${to} and of ${from}, and the API file says that ${to} was ${from}. ` +
      `Leave the "was" out if the members of ${to} are the right ones; otherwise give the class another name.`,
  )
