import { problemsOf } from '../../problem.ts'
import { KEYS_VERSION } from '../../vocabulary/keys.ts'
import { type ClassSchema, UNKNOWN_FINGERPRINT } from '../class-schema.ts'
import { extendedLayout, formNumber, incompatibleChanges, isKnownForm, type Layout } from '../layout.ts'
import type { Link } from '../member.ts'
import { defaultsText, newDefaults } from './defaults.ts'
import { type ClassCount, type MigrationChange, NotMigratedError } from './migration.ts'
import { likelyNames } from './renamed-classes.ts'

/** A class as it is stored. */
export interface StoredClass {
  /** The number of its tables. */
  readonly id: number
  readonly name: string
  readonly total: number
  /** The last version that was issued. */
  readonly version: number
  /** The fingerprint of the API file that its members are stored under, or UNKNOWN_FINGERPRINT. */
  readonly fingerprint: number
  /** The shapes of its keys, and the way in which they are computed, as JSON. */
  readonly shapes: string
  /** The address of its members, with `*` for the id; undefined if no API file has been opened yet. */
  readonly address: string | undefined
  /** The defaults that its members have been filled with (`defaultsText`); undefined where an earlier version wrote them. */
  readonly defaults: string | undefined
  /** Undefined where an earlier version, or a copy, has made its tables. */
  readonly layout: Layout | undefined
  /** The name of the table of its members. */
  readonly members: string
  /** Whether several processes may serve the class, each with its own API file. */
  readonly isShared: boolean
}

/** With one process, members beyond this many are converted while it serves; fewer are migrated before. */
const FEW_MEMBERS = 10_000

/** In SQL: the setting that has the address of a class. */
export const ADDRESS_SETTING = "'address of ' || classes.name"

export const addressSetting = (className: string): string => `address of ${className}`

export interface Renaming {
  readonly from: string
  readonly to: string
}

export interface RenamingProblems {
  /** It is not clear which members are meant, and guessing would hide the others. */
  BothClassesStored: Renaming
}

const renamingProblem = problemsOf<RenamingProblems>()

/** The steps after which all members are stored under the API file. */
export interface MigrationPlan {
  /** The stored classes by the names that they will have. */
  readonly byName: ReadonlyMap<string, StoredClass>
  /** In an order in which each new name is free. */
  readonly renamings: readonly Renaming[]
  /** Classes without members whose names others take. */
  readonly replaced: readonly StoredClass[]
  /** The classes of the file that are new (no `former`), have another name, or are stored under an incompatible file. */
  readonly classes: readonly { readonly shape: ClassSchema; readonly former: StoredClass | undefined }[]
  /** The classes that are stored under a compatible file: hosts with either serve side by side (hosts.md). */
  readonly joined: readonly JoinedClass[]
  /** Changes of whole classes that have members. */
  readonly changes: readonly MigrationChange[]
}

export const shapesText = ({ keys }: ClassSchema): string => JSON.stringify({ version: KEYS_VERSION, keys })

/** If rows have forms, a version of Hydrant that does not know them finds another text than its own, and migrates. */
export const formsText = ({ slots }: Layout): string =>
  JSON.stringify({ version: KEYS_VERSION, keys: slots, forms: true })

export const hasCurrentKeys = ({ shapes }: StoredClass): boolean =>
  shapes.startsWith(`{"version":${KEYS_VERSION},`)

/** Whether the members are stored under the API file, or under others beside which it is known. */
export const isMigrated = (stored: StoredClass, shape: ClassSchema): boolean => {
  if (stored.name !== shape.name) return false
  const { layout, isShared } = stored
  if (layout?.hasForms === true) {
    const isNewest = layout.forms.at(-1)?.fingerprint === formNumber(shape)
    return hasCurrentKeys(stored) && isKnownForm(layout, shape) && (isShared || isNewest)
  }
  return (
    stored.fingerprint === shape.fingerprint &&
    stored.shapes === shapesText(shape) &&
    newDefaults(stored, shape).size === 0
  )
}

/** The layout with which hosts with the API file can serve beside those with former ones; undefined if they cannot. */
function joinedLayout(
  stored: StoredClass,
  shape: ClassSchema,
  embedded: ReadonlySet<string>,
): Layout | undefined {
  const { layout, fingerprint, isShared, total } = stored
  if (!isShared && total <= FEW_MEMBERS) return undefined
  if (layout === undefined || fingerprint === UNKNOWN_FINGERPRINT || !hasCurrentKeys(stored)) return undefined
  if (embedded.has(shape.name) || isCrowded(stored, shape)) return undefined
  return incompatibleChanges(layout, shape).length > 0
    ? undefined
    : extendedLayout(layout, shape, { isShared })
}

/** The classes whose values are embedded in members of others. */
export const embeddedClasses = (shapes: readonly ClassSchema[]): ReadonlySet<string> =>
  new Set(shapes.flatMap(({ name, types }) => Object.keys(types).filter((one) => one !== name)))

/** Whether a single resource would have several members, of which only one could be reached. */
export const isCrowded = ({ total }: StoredClass, { isSingle }: ClassSchema): boolean => isSingle && total > 1

export interface JoinedClass {
  readonly shape: ClassSchema
  readonly former: StoredClass
  /** The layout after the change. */
  readonly layout: Layout
}

export function planMigration(stored: readonly StoredClass[], shapes: readonly ClassSchema[]): MigrationPlan {
  const renamings = renamingsOf(stored, shapes)
  const names = new Map(renamings.map(({ from, to }) => [from, to]))
  const given = new Set(names.values())
  const isReplaced = ({ name }: StoredClass) => given.has(name) && !names.has(name)
  const byName = new Map(
    stored.filter((one) => !isReplaced(one)).map((one) => [names.get(one.name) ?? one.name, one]),
  )
  const inFile = new Set(shapes.map(({ name }) => name))
  const embedded = embeddedClasses(shapes)
  const changed = shapes.flatMap((shape) => {
    const former = byName.get(shape.name)
    const isReady = former !== undefined && isMigrated(former, shape) && !isCrowded(former, shape)
    if (isReady) return []
    // A renamed class changes links in all others.
    const layout = renamings.length > 0 ? undefined : former && joinedLayout(former, shape, embedded)
    return [{ shape, former, layout }]
  })
  return {
    byName,
    renamings,
    replaced: stored.filter(isReplaced),
    classes: changed.flatMap(({ shape, former, layout }) => (layout === undefined ? { shape, former } : [])),
    joined: changed.flatMap(({ shape, former, layout }) =>
      former === undefined || layout === undefined ? [] : { shape, former, layout },
    ),
    changes: [
      ...[...byName].flatMap(([className, one]): MigrationChange[] => {
        const { name: from, total: members } = one
        if (members === 0) return []
        if (from !== className) return [{ change: 'class renamed', className, from, members }]
        if (inFile.has(className)) return []
        return [{ change: 'class hidden', className, members, likely: likelyNames(one, shapes, byName) }]
      }),
      ...shapes.flatMap(({ name: className, was: from }): MigrationChange[] =>
        from === undefined || byName.has(className) || stored.length === 0
          ? []
          : [{ change: 'nothing renamed', className, from, members: 0 }],
      ),
    ],
  }
}

export const withPresentNames = (links: readonly Link[], { renamings }: MigrationPlan): Link[] =>
  links.map((link) => {
    const name = renamings.find(({ from }) => from === link.className)?.to
    return name === undefined ? link : { ...link, className: name }
  })

/** The classes of the database that get new tables, by their current names. */
export const migratedClasses = (classes: MigrationPlan['classes']): ClassCount[] =>
  classes.flatMap(({ shape, former }) =>
    former === undefined ? [] : [{ className: shape.name, members: former.total }],
  )

/**
 * The stored classes that must not be written to during the migration. Renaming a class changes the links of all classes
 * to it.
 */
export function changedClasses(
  { classes, replaced, renamings }: MigrationPlan,
  stored: readonly StoredClass[],
): readonly StoredClass[] {
  return renamings.length > 0 ? stored : [...classes.flatMap(({ former }) => former ?? []), ...replaced]
}

/**
 * The changes to report if nothing has to be migrated; undefined if a migration is needed. Throws if members would have to
 * be migrated that must not be.
 */
export function changesWithoutMigration(
  stored: readonly StoredClass[],
  shapes: readonly ClassSchema[],
  which: 'all' | 'empty' | 'none',
): readonly MigrationChange[] | undefined {
  const plan = planMigration(stored, shapes)
  const isRecorded = (shape: ClassSchema) => {
    const found = plan.byName.get(shape.name)
    if (found?.layout === undefined || found.address !== shape.addressOf('*')) return false
    return found.layout.hasForms || found.defaults === defaultsText(shape)
  }
  const changed = [...plan.joined, ...plan.classes]
  if (changed.length === 0 && (which !== 'all' || shapes.every(isRecorded))) return plan.changes
  if (which === 'all') return undefined
  // No server has opened copied members that are not migrated yet.
  const isCopied = ({ former }: (typeof plan.classes)[number]) => former?.fingerprint === UNKNOWN_FINGERPRINT
  const served = migratedClasses(changed.filter((one) => !isCopied(one)))
  const names = served.flatMap(({ className, members }) => (members > 0 ? [className] : []))
  if (names.length > 0) throw new NotMigratedError(names)
  return which === 'none' && !plan.classes.some(isCopied) ? [] : undefined
}

/**
 * Which classes are renamed. If a class with the new name is stored, the renaming was made at an earlier start, unless
 * that class is renamed itself, or has no members and the file does not use the former name: then `was` was added only
 * after a start without it.
 */
function renamingsOf(stored: readonly StoredClass[], shapes: readonly ClassSchema[]): Renaming[] {
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
  if (doubtful !== undefined) throw renamingProblem('BothClassesStored', doubtful)
  return [...accepted.values()]
}
