import { hash } from 'node:crypto'
import { type KeyShape, namesInKey } from '../vocabulary/keys.ts'
import { type ClassSchema, type PropertyTypes, propertyAt } from './class-schema.ts'
import { defaultsText } from './migration/defaults.ts'

// How a class is stored while hosts with different API files write to it (hosts.md, A changed API file). Each host writes
// members in the form of its own file and says so in their rows; a host that reads another form converts what it reads.

/** How the hosts with one API file store members: what they know, and which keys they keep. */
export interface Form {
  readonly fingerprint: number
  readonly types: PropertyTypes
  /** The names of its defaults (`defaultsText`). */
  readonly defaults: readonly string[]
  /** The properties that have keys, and those that `q` searches. */
  readonly keys: readonly string[]
  readonly searched: readonly string[]
  /** When a host first had the file: the value of `default: now` for members that lack one. */
  readonly since: number
  /** True while words of members that were stored before are being computed for it; absent otherwise. */
  readonly isSearchPending?: true
  /** The names of defaults that members which were stored before are being filled with; absent if there are none. */
  readonly unfilled?: readonly string[]
}

/** A key column, by its place: `k0`, `k1` … Columns are only added. */
export interface KeySlot extends KeyShape {
  /** True while the keys of members that were stored before are being computed; absent otherwise. */
  readonly isPending?: true
  /** True where the database itself keeps the totals of accounts, since hosts that do not know the slot write too. */
  readonly isCountedByTrigger?: true
  /** True for a column of other API files, which this host neither reads nor writes; never stored. */
  readonly isForeign?: true
  /**
   * True for a column of other API files whose property this host can change, as its file has it, or its embedded value:
   * the host writes the column (keys/kept.ts) and does not read it; never stored.
   */
  readonly isKept?: true
  /** True where the value is unique by this API file, and not by another one, so that no index says so; never stored. */
  readonly isRepeatable?: true
  /** The place of the key among those of the API file, if that is another one; never stored. */
  readonly source?: number
}

export interface Layout {
  /** The number of the class: under another one, it has been stored anew since. */
  readonly classId: number
  /** Whether rows say which form they have: since the first change of the API file that needed no migration. */
  readonly hasForms: boolean
  /** All forms in which members may be stored; the last one is that of the newest file. */
  readonly forms: readonly Form[]
  readonly slots: readonly KeySlot[]
  /** Properties of which members have hidden values, or within them. Absent if there are none. */
  readonly hidden?: readonly string[]
  /**
   * The types of these values, from the files that showed them. Absent if there are none, and where an earlier version
   * has hidden some of them, or classes were renamed since: then they are not known.
   */
  readonly hiddenTypes?: PropertyTypes
  /** Whether there is a table for entries; absent if not. */
  readonly hasHistory?: true
  /** True while members may be stored in another form than the newest one, and only one process writes; absent otherwise. */
  readonly isConverting?: true
}

/** In SQL: the setting that has the layout of a class. */
export const LAYOUT_SETTING = "'layout of ' || classes.name"

export const layoutSetting = (className: string): string => `layout of ${className}`

export const readLayout = (text: string | null | undefined, classId: number): Layout | undefined => {
  if (text == null) return undefined
  const layout = JSON.parse(text) as Layout
  return layout.classId === classId ? layout : undefined
}

export const formOf = (shape: ClassSchema, since: number): Form => ({
  fingerprint: formNumber(shape),
  types: shape.types,
  defaults: JSON.parse(defaultsText(shape)) as string[],
  keys: shape.keys.map(({ property }) => property),
  searched: shape.searched,
  since,
})

/** Depends only on the stored text, keys and words: whether there is a history changes no row. */
export const formNumber = ({ types, keys, searched, defaults }: ClassSchema): number =>
  hash('sha256', JSON.stringify([types, keys, searched, [...defaults.keys()]]), 'buffer').readUIntBE(0, 6)

/** The layout of a class whose members are all stored under one API file, in tables made for it. */
export const plainLayout = (
  shape: ClassSchema,
  {
    classId,
    hidden,
    hiddenTypes,
    since,
  }: {
    readonly classId: number
    readonly hidden: readonly string[]
    readonly hiddenTypes: PropertyTypes | undefined
    readonly since: number
  },
): Layout => ({
  classId,
  hasForms: false,
  forms: [formOf(shape, since)],
  slots: shape.keys,
  ...(hidden.length > 0 && { hidden, ...(hiddenTypes && { hiddenTypes }) }),
  ...(shape.history !== undefined && { hasHistory: true }),
})

/** The types of values that a migration to this file may hide, or has left hidden; undefined if some are not known. */
export function hiddenTypesAfter(
  { hidden, hiddenTypes, forms }: Layout,
  shape: ClassSchema,
): PropertyTypes | undefined {
  if (hidden !== undefined && hiddenTypes === undefined) return undefined
  const types: Record<string, Record<string, string>> = {}
  for (const known of [hiddenTypes ?? {}, ...forms.map((form) => form.types)])
    for (const [className, properties] of Object.entries(known))
      for (const [property, type] of Object.entries(properties))
        if (shape.types[className]?.[property] === undefined)
          types[className] = { ...types[className], [property]: type }
  return types
}

/** A form beyond this many makes the next change a migration, which leaves one. */
const MAX_FORMS = 20

/** Why a changed API file needs a migration: what has changed, by property; empty for the class itself. */
export interface IncompatibleChange {
  readonly property: string
  readonly kind: 'type' | 'renamed' | 'unique' | 'forms'
}

/** The changes that keep hosts with the file from serving beside those with the former ones; none if they can. */
export function incompatibleChanges(
  { forms, slots, hidden = [], hiddenTypes }: Layout,
  shape: ClassSchema,
): readonly IncompatibleChange[] {
  const found: IncompatibleChange[] = []
  const pathOf = (className: string, property: string) =>
    className === shape.name ? property : `${className}.${property}`
  /** Whether members may have hidden values of a property; of an embedded class, wherever it is embedded. */
  const hidesWithin = (className: string, property: string) =>
    className === shape.name ? hidden.includes(property) : hidden.length > 0
  const areTyped = hiddenTypes !== undefined
  const known = (className: string, property: string) =>
    [
      ...forms.map(({ types }) => types),
      ...(areTyped && hidesWithin(className, property) ? [hiddenTypes] : []),
    ].flatMap((types) => types[className]?.[property] ?? [])
  for (const [className, properties] of Object.entries(shape.types))
    for (const [property, type] of Object.entries(properties)) {
      const before = known(className, property)
      const isUnknown = before.length === 0 && !areTyped && hidesWithin(className, property)
      if (isUnknown || before.some((one) => one !== type))
        found.push({ property: pathOf(className, property), kind: 'type' })
    }
  // Where values may have either name, only a migration can tell which members have both.
  for (const { className, property, former } of shape.renamed)
    if (known(className, former).length > 0 || (!areTyped && hidesWithin(className, former)))
      found.push({ property: pathOf(className, property), kind: 'renamed' })
  for (const { property, unique } of shape.keys) {
    const slot = slots.find((one) => one.property === property)
    if (unique && slot?.unique !== true) found.push({ property, kind: 'unique' })
  }
  if (found.length === 0 && forms.length >= MAX_FORMS) found.push({ property: '', kind: 'forms' })
  return found
}

/** Whether hosts with this API file have joined before, and each of its keys has a column. */
export const isKnownForm = (layout: Layout, shape: ClassSchema): boolean =>
  layout.forms.some(({ fingerprint }) => fingerprint === formNumber(shape)) &&
  slotsFor(layout, shape) !== undefined &&
  (shape.history === undefined || layout.hasHistory === true)

/**
 * The key columns as a host with this API file uses them; undefined where one is missing. `isShared`: whether hosts with
 * other files may serve.
 */
export function slotsFor(
  { slots, forms }: Layout,
  shape: ClassSchema,
  isShared = false,
): readonly KeySlot[] | undefined {
  const own = new Map(shape.keys.map((key, source) => [key.property, { ...key, source }]))
  const arranged = slots.map((slot, index): KeySlot => {
    const key = own.get(slot.property)
    own.delete(slot.property)
    if (key === undefined)
      return isShared && (mayChange(shape, slot) || hasLink(forms, shape.name, slot))
        ? { ...slot, unique: false, isKept: true }
        : { ...slot, unique: false, isForeign: true }
    const { source, ...rest } = key
    const { isPending, isCountedByTrigger } = slot
    const isRepeatable = key.unique && !slot.unique
    return {
      ...{ ...rest, ...(source !== index && { source }) },
      ...(isPending && { isPending }),
      ...(isCountedByTrigger && { isCountedByTrigger }),
      ...(isRepeatable && { isRepeatable: true as const }),
    }
  })
  return own.size === 0 ? arranged : undefined
}

/** Whether the key has a link: where its target is removed, any host unsets it, also one whose file does not show it. */
const hasLink = (forms: readonly Form[], className: string, slot: KeyShape): boolean =>
  namesInKey(slot).some((name) =>
    forms.some(({ types }) => propertyAt(types, className, name)?.range.kind === 'link'),
  )

/** Whether a host with this API file can change what a key is made of. */
const mayChange = (shape: ClassSchema, slot: KeyShape): boolean =>
  namesInKey(slot).some((name) => shape.types[shape.name]?.[topOf(name)] !== undefined)

/** The properties that hosts search: those that the newest file searches for everyone, and others. */
export function searchOf(forms: readonly Form[]): {
  readonly plain: readonly string[]
  readonly others: readonly string[]
} {
  const plain = (forms.at(-1)?.searched ?? []).filter((name) => !name.endsWith('*'))
  const all = new Set(forms.flatMap(({ searched }) => searched.map(topOf)))
  return { plain, others: [...all].filter((name) => !plain.includes(name)) }
}

/** Whether files search a property that they share in different ways: then words are not stored as their form says. */
function isSearchMixed(forms: readonly Form[]): boolean {
  const found = new Map<string, string>()
  return forms.some(({ types, searched }) =>
    Object.keys(Object.values(types)[0] ?? {}).some((name) => {
      const how = searched.find((one) => topOf(one) === name) ?? ''
      const before = found.get(name) ?? how
      found.set(name, how)
      return before !== how
    }),
  )
}

/**
 * Whether members in the other form can be served and found as they are, if none of their values are hidden: their
 * properties are all known, their defaults the same, and their keys and words those that this form has for them.
 */
export function isReadable(other: Form, own: Form): boolean {
  const isKnown = ([className, properties]: [string, Readonly<Record<string, string>>]) =>
    Object.keys(properties).every((name) => own.types[className]?.[name] !== undefined)
  const hadTop = Object.keys(Object.values(other.types)[0] ?? {})
  const before = (names: readonly string[]) => names.filter((name) => hadTop.includes(topOf(name)))
  return (
    Object.entries(other.types).every(isKnown) &&
    own.defaults.join() === other.defaults.join() &&
    before(own.keys).every((name) => other.keys.includes(name)) &&
    before(own.searched).toSorted().join() === other.searched.toSorted().join()
  )
}

/** The property of the class itself that a key or a searched property is about. */
const topOf = (name: string): string => name.split(/[.* ]/, 1)[0] ?? ''

/** Which forms of members a host reads, and the one that it writes. */
export interface OwnForm {
  readonly className: string
  readonly own: number
  /** Forms that are read as they are, if no values are hidden. */
  readonly readable: readonly number[]
}

/** Undefined where rows have no forms. */
export const ownFormOf = (layout: Layout, shape: ClassSchema): OwnForm | undefined =>
  asOwn(layout, shape.name, formOf(shape, 0))

/** The form in which the newest file has the members. */
export const newestFormOf = (layout: Layout, className: string): OwnForm | undefined =>
  asOwn(layout, className, layout.forms.at(-1))

function asOwn({ hasForms, forms }: Layout, className: string, form: Form | undefined): OwnForm | undefined {
  if (!hasForms || form === undefined) return undefined
  const readable = isSearchMixed(forms)
    ? []
    : forms.filter((one) => one.fingerprint !== form.fingerprint && isReadable(one, form))
  return {
    className,
    own: form.fingerprint,
    readable: readable.map(({ fingerprint }) => fingerprint),
  }
}

/** In SQL: whether a row has another form than this, so that it must be converted. */
export const isOtherForm = ({ own, readable }: OwnForm, row: string): string =>
  `(${row}.form <> ${own} AND (${row}.hidden <> '' OR ${row}.form NOT IN (${[own, ...readable].join(', ')})))`

/**
 * The layout after hosts with a compatible file have joined. `isShared`: whether a process leaves the keys of other files
 * as they are, because hosts with them may serve.
 */
export function extendedLayout(
  layout: Layout,
  shape: ClassSchema,
  { isShared, now = Date.now() }: { readonly isShared: boolean; readonly now?: number },
): Layout {
  const number = formNumber(shape)
  const own = layout.forms.find(({ fingerprint }) => fingerprint === number) ?? formOf(shape, now)
  const others = layout.forms.filter((one) => one !== own && one.fingerprint !== number)
  const isUnread =
    layout.hidden !== undefined ||
    isSearchMixed([...others, own]) ||
    others.some((one) => !isReadable(one, own))
  const known = new Set(layout.slots.map(({ property }) => property))
  const added = shape.keys.filter(({ property }) => !known.has(property))
  const wasKnown = ({ property }: KeyShape) => others.some((one) => hadProperty(one, shape, property))
  const slots: KeySlot[] = [
    ...layout.slots.map((slot) => {
      const key = shape.keys.find(({ property }) => property === slot.property)
      // A host that does not know a constraint is not bound by it.
      if (key === undefined) return isShared && mayChange(shape, slot) ? { ...slot, unique: false } : slot
      const isLost = !isShared && layout.forms.at(-1)?.keys.includes(slot.property) === false
      return { ...slot, unique: key.unique, ...(isLost && { isPending: true as const }) }
    }),
    // A property that is new and has no default has no values yet.
    ...added.map(
      (key): KeySlot => ({
        ...key,
        ...((isUnread || wasKnown(key)) && { isPending: true }),
        ...(key.isToAccounts && { isCountedByTrigger: true }),
      }),
    ),
  ]
  const isSearchChanged = others.some((one) => one.searched.join() !== own.searched.join())
  const newest = layout.forms.at(-1)
  const unfilled = own.defaults.filter(
    (name) => newest?.defaults.includes(name) !== true || newest.unfilled?.includes(name),
  )
  return {
    ...{ classId: layout.classId, hasForms: true, slots },
    forms: [
      ...others,
      {
        ...own,
        ...(isUnread && isSearchChanged && { isSearchPending: true }),
        ...(unfilled.length > 0 && { unfilled }),
      },
    ],
    ...(layout.hidden && { hidden: layout.hidden }),
    ...(layout.hiddenTypes && { hiddenTypes: layout.hiddenTypes }),
    ...((layout.hasHistory || shape.history !== undefined) && { hasHistory: true }),
    ...(!isShared && { isConverting: true }),
  }
}

const hadProperty = ({ types }: Form, shape: ClassSchema, key: string): boolean =>
  key.split(' ').some((name) => types[shape.name]?.[topOf(name)] !== undefined)
