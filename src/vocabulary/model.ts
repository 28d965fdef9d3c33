import { hash } from 'node:crypto'
import type { DatatypeName } from './datatypes.ts'

/** The vocabulary that an API file describes: complete, checked, without the base URL; the source of all served. */
export interface Model {
  readonly title: string
  readonly description: string
  /** In the order of the API file; those of embedded values too. */
  readonly classes: readonly Class[]
  /** Where not every user may do everything. */
  readonly access?: AccessRules | undefined
}

/** Who may do what, as it is declared (access.md). */
export interface AccessRules {
  readonly roles: readonly string[]
  /** For every class that does not say otherwise. */
  readonly file: Rules
  readonly classes: ReadonlyMap<string, Rules>
}

export type Rules = ReadonlyMap<RuleName, Who>

export type RuleName = Operation | 'view' | 'write' | 'all'

/** Nobody where it names none. `owner`: the user who created the member. */
export interface Who {
  readonly everyone: boolean
  readonly owner: boolean
  readonly roles: readonly string[]
}

export const OPERATIONS = ['list', 'create', 'read', 'update', 'replace', 'delete'] as const

export type Operation = (typeof OPERATIONS)[number]

export interface Class {
  readonly name: string
  /** A term of a public vocabulary; without one the class is `{base}/vocab#{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  /** The path segment of its collection; undefined for an embedded value and for a single resource. */
  readonly collection: string | undefined
  readonly properties: readonly Property[]
  /** The links within its embedded values, as if they were its own: `lines.product`, with many values. */
  readonly linksWithin: readonly Property[]
  /** None for what is nothing but an embedded value. */
  readonly operations: ReadonlySet<Operation>
  /** Absent where a program has none for it. */
  readonly ownOperations?: readonly OwnOperation[]
  /** Which methods create and replace: documents of others say PUT and POST where we would say POST and PUT. */
  readonly methods: WriteMethods
  /** 48 bits over all that shapes what is stored of a member: its text, its links and its keys. */
  readonly fingerprint: number
  /** The name that stored members know it by, where the API file has renamed it. */
  readonly was: string | undefined
  /** Whether what may be done with a member depends on its owner, for whatever user (access.md, On the wire). */
  readonly isOwned?: boolean
}

/** An operation of one's own (library.md): a POST below the member, carried out by code of a program. */
export interface OwnOperation {
  readonly name: string
  readonly title: string
  /** Names of classes. */
  readonly expects: string | undefined
  readonly returns: string | undefined
  readonly who: Who
  /** Not for the users that a model is shown to: they see nothing but its term. */
  readonly isRefused?: true
}

export type WriteMethod = 'POST' | 'PUT'

/** `create`: on the collection, or on a single resource itself; `replace`: on the member. */
export type WriteMethods = Readonly<Record<'create' | 'replace', readonly WriteMethod[]>>

export const USUAL_METHODS: WriteMethods = { create: ['POST'], replace: ['PUT'] }

/** A single resource has no collection to POST to: its address is known, so that PUT creates it. */
export const SINGLE_METHODS: WriteMethods = { create: ['PUT'], replace: ['PUT'] }

/** A class whose members live in a collection at `{base}/{collection}`. */
export type CollectionClass = Class & { readonly collection: string }

export const hasCollection = (cls: Class): cls is CollectionClass => cls.collection !== undefined

/** A class that is one resource, at `{base}/{name}`. */
export const isSingle = (cls: Class): boolean => cls.collection === undefined && cls.operations.size > 0

/** The path segment below the base URL that it is served at; undefined for what is nothing but an embedded value. */
export const pathOf = (cls: Class): string | undefined =>
  cls.collection ?? (isSingle(cls) ? cls.name : undefined)

/** Classes that have stored members: those with a collection, and single resources. */
export const storedClasses = ({ classes }: Pick<Model, 'classes'>): Class[] =>
  classes.filter((cls) => pathOf(cls) !== undefined)

/** Whether there is anything that a batch could do. */
export const hasWrites = ({ classes }: Pick<Model, 'classes'>): boolean =>
  classes.some(({ operations }) => [...operations].some((name) => name !== 'list' && name !== 'read'))

/** The names of the classes whose members are embedded values of others. */
export function embeddedNames(classes: readonly Class[]): ReadonlySet<string> {
  const ranges = classes.flatMap(({ properties }) => properties.map(({ range }) => range))
  return new Set(ranges.flatMap((range) => (range.kind === 'embedded' ? range.cls.name : [])))
}

export type Range =
  | { readonly kind: 'datatype'; readonly datatype: DatatypeName }
  | { readonly kind: 'link'; readonly className: string; readonly collection: string }
  /** A nested object without an address of its own. No class embeds itself, however deep. */
  | { readonly kind: 'embedded'; readonly cls: Class }

export interface Property {
  readonly name: string
  /** A term of a public vocabulary; without one the property is `{base}/vocab#{Class}/{name}`. */
  readonly iri: string | undefined
  readonly title: string
  readonly description: string
  readonly range: Range
  readonly many: boolean
  readonly required: boolean
  readonly writable: boolean
  readonly unique: boolean
  /** Never for an embedded value and for the datatypes that cannot be: no key is kept of those. Text by language is for `q`. */
  readonly filterable: boolean
  /** Whether line breaks are usual in it: for people who read and write it, nothing is checked. */
  readonly multiline: boolean
  readonly default: DefaultValue | undefined
  readonly constraints: Constraints
  /** The name that stored members know it by, where the API file has renamed it. */
  readonly was: string | undefined
}

/** Text for people, in one language or several. */
export const isText = ({ range }: Pick<Property, 'range'>): boolean =>
  range.kind === 'datatype' && (range.datatype === 'string' || range.datatype === 'langString')

/** `now` is the time of the creation, `user` the id of the user who created; everything else is the value itself. */
export type DefaultValue =
  | { readonly kind: 'now' | 'user' }
  | { readonly kind: 'value'; readonly value: unknown }

export interface Constraints {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly (string | number)[]
}

/** Changes when the same API file would be stored in another way than by an earlier version of this program. */
const LAYOUT = 2

/** Over what shapes a stored member's text, links and keys, and nothing else: a new title changes no member. */
export function fingerprintOf(
  className: string,
  properties: readonly Property[],
  links: readonly Property[],
): number {
  const shapes = properties.map(({ name, was, range, many, unique, filterable }) => {
    return [name, was ?? null, rangeShape(range), many, unique, filterable]
  })
  const shape = [LAYOUT, className, shapes, ...links.map(({ name }) => name)]
  return hash('sha256', JSON.stringify(shape), 'buffer').readUIntBE(0, 6)
}

/** Each is an index; and a class may be embedded in many ways. */
const MOST_LINKS_WITHIN = 32

export function linksWithin(properties: readonly Property[]): Property[] {
  const links = properties.flatMap(({ name, range }) => {
    if (range.kind !== 'embedded') return []
    const own = range.cls.properties.filter((property) => property.range.kind === 'link')
    const called = (link: Property): Property => ({ ...link, name: `${name}.${link.name}` })
    return [...own, ...range.cls.linksWithin].map(called)
  })
  return links
    .slice(0, MOST_LINKS_WITHIN)
    .map((link) => ({ ...link, many: true, unique: false, filterable: true }))
}

function rangeShape(range: Range): unknown[] {
  switch (range.kind) {
    case 'datatype':
      return ['datatype', range.datatype]
    case 'link':
      return ['link', range.className, range.collection]
    case 'embedded':
      // An embedded value says its class in `@type`, by its IRI where a property has taken the name.
      return ['embedded', range.cls.iri ?? null, range.cls.fingerprint]
  }
}

/** A class of an API file before its properties are read: all that the properties of other classes need of it. */
export interface Outline {
  readonly name: string
  readonly collection: string | undefined
}

/** The range of a property whose type is a class: a link, an embedded value, or why it can be neither. */
export type RangeTo = (className: string) => Range | { readonly kind: 'impossible'; readonly why: string }

/** Keeps the recursion below from the end of the stack; what can be served is far less deep (conflicts.ts). */
const DEEPEST = 100

/** The classes, in the order of the file; an embedded one is finished when the first that embeds it asks for it. */
export function finishClasses<One extends Outline>(
  outlines: readonly One[],
  finish: (outline: One, rangeTo: RangeTo) => Omit<Class, 'fingerprint' | 'linksWithin'>,
): Class[] {
  // Of two with one name, which is a problem of the file, the first.
  const byName = new Map(outlines.toReversed().map((outline) => [outline.name, outline]))
  const finished = new Map<string, Class>()
  /** The classes that are being read, each embedded in the one before. */
  const open: string[] = []

  const finishOnce = (name: string): Class => {
    const known = finished.get(name)
    if (known !== undefined) return known
    open.push(name)
    const read = finish(byName.get(name) as One, rangeTo)
    open.pop()
    const { properties } = read
    const links = linksWithin(properties)
    const cls = { ...read, linksWithin: links, fingerprint: fingerprintOf(name, properties, links) }
    finished.set(name, cls)
    return cls
  }
  const rangeTo: RangeTo = (className) => {
    const collection = byName.get(className)?.collection
    if (collection !== undefined) return { kind: 'link', className, collection }
    const cycle = open.includes(className) ? [...open.slice(open.indexOf(className)), className] : undefined
    const wrong = cycle && `${cycle.join(' embeds ')}: a value cannot be within itself`
    if (wrong === undefined && open.length <= DEEPEST) return { kind: 'embedded', cls: finishOnce(className) }
    const right = 'give one of them a collection, so that it is linked to'
    return { kind: 'impossible', why: `${wrong ?? 'there are too many values within values'}; ${right}` }
  }
  return outlines.map(({ name }) => finishOnce(name))
}
