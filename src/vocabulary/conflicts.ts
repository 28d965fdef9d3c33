import { isFilterable, withoutKey } from './keys.ts'
import {
  type Class,
  embeddedNames,
  hasCollection,
  isSingle,
  isText,
  type Model,
  type Property,
  pathOf,
} from './model.ts'
import {
  isClassName,
  isCollectionName,
  RDF,
  SERVER_RESOURCES,
  spellingOf,
  whyNoPropertyName,
} from './names.ts'

/** A part of a model that cannot be served. The reader of each form knows its position in the file. */
export interface Conflict {
  readonly className: string
  /** The property that it is about; undefined for the class as a whole. */
  readonly property?: string | undefined
  /** `name`, or what the short form calls it: `collection`, `iri`, `was`, `operations`, `unique` … */
  readonly about: string
  readonly message: string
}

/** Classes that every documentation has. */
export const RESERVED_CLASSES: readonly string[] = [
  ...['EntryPoint', 'ConstraintViolationList'],
  ...SERVER_RESOURCES.map(({ className }) => className),
]

/** hypermedia.md, The API file; the entry point's own terms; and a term that breaks the JSON-LD processor. */
export const RESERVED_PATHS: readonly string[] = [
  ...['vocab', 'contexts', 'collection', 'hydra', 'EntryPoint', 'hasOwnProperty'],
  ...SERVER_RESOURCES.map(({ path }) => path),
]

/** A body may be nested 32 levels deep (hypermedia.md, Limits), and every embedded value may be in a list. */
const DEEPEST = 12

/** Every representation has its context inline, and that of an embedded value is in it wherever it is embedded. */
const MAX_TERMS = 10_000

/** Conflicts between parts of a model, and names that cannot be served. */
export function findConflicts({ classes }: Model): Conflict[] {
  const extents = new Map<Class, Extent>()
  const others = indexNames(classes)
  const byPath = firstBy(classes, pathOf)
  const held = firstBy(classes.filter(hasCollection), ({ name }) => `${name}Collection`)
  return classes.flatMap((cls) => {
    const ofClass: Checked[] = [
      ['name', checkClassName(cls, others, held)],
      [hasCollection(cls) ? 'collection' : 'name', checkPath(cls, byPath)],
      ['iri', checkClassIri(cls, others)],
      ['was', checkFormerName(cls, others, 'class')],
      ['operations', checkSingle(cls)],
      ['properties', checkExtent(cls, extentOf(cls, extents))],
    ]
    const siblings = indexNames(cls.properties)
    const ofProperties = cls.properties.flatMap((property) =>
      conflictsIn(checkProperty(property, cls, siblings), cls, property.name),
    )
    return [...conflictsIn(ofClass, cls), ...ofProperties]
  })
}

type FirstBy<T> = ReadonlyMap<string, T>

/** The first of all with each key, so that nothing is compared with everything. */
function firstBy<T>(all: readonly T[], keyOf: (one: T) => string | undefined): FirstBy<T> {
  const first = new Map<string, T>()
  for (const one of all) {
    const key = keyOf(one)
    if (key !== undefined && !first.has(key)) first.set(key, one)
  }
  return first
}

/** Classes, or the properties of one, by what must be different. */
interface NameIndex {
  readonly names: ReadonlySet<string>
  readonly byIri: FirstBy<Class | Property>
  readonly byFormerName: FirstBy<Class | Property>
  /** Names that there are twice. */
  readonly double: ReadonlySet<string>
}

function indexNames(all: readonly (Class | Property)[]): NameIndex {
  const seen = new Set<string>()
  const double = new Set<string>()
  for (const { name } of all) (seen.has(name) ? double : seen).add(name)
  return {
    double,
    names: seen,
    byIri: firstBy(all, ({ iri }) => iri),
    byFormerName: firstBy(all, ({ was }) => was),
  }
}

/** Classes that are neither served nor embedded. */
export function findUnused({ classes }: Model): Conflict[] {
  const embedded = embeddedNames(classes)
  const unused = classes.filter((cls) => pathOf(cls) === undefined && !embedded.has(cls.name))
  return unused.map(({ name }) => ({
    className: name,
    about: 'collection',
    message:
      `${name} has no collection, is the type of no property and has no operations; give it a collection, ` +
      `make it the type of a property, or give it operations to serve it at /${name}; ` +
      'where an operation of a module expects or returns it, name that with --with',
  }))
}

/** What was checked; and what is wrong and what would be right, or undefined. */
type Checked = readonly [about: string, message: string | undefined]

const conflictsIn = (checks: readonly Checked[], { name }: Class, property?: string): Conflict[] =>
  checks.flatMap(([about, message]) =>
    message === undefined ? [] : { className: name, property, about, message },
  )

function checkClassName({ name }: Class, { double }: NameIndex, held: FirstBy<Class>): string | undefined {
  if (!isClassName(name)) {
    const capitalised = name.charAt(0).toUpperCase() + name.slice(1)
    const example = isClassName(capitalised) ? capitalised : 'Book'
    const right = spellingOf(name) ?? `it must be letters and digits, a capital first, such as ${example}`
    return `"${name}" is not a class name; ${right}`
  }
  if (RESERVED_CLASSES.includes(name)) return `"${name}" is a class that every API has; choose another name`
  if (double.has(name)) return `there are two classes "${name}"; rename one of them`
  const holder = held.get(name)
  return holder && `"${name}" is the class of the collection of ${holder.name}; choose another name`
}

function checkPath(cls: Class, byPath: FirstBy<Class>): string | undefined {
  const { name, collection } = cls
  const path = pathOf(cls)
  if (path === undefined) return undefined
  const right =
    collection === undefined
      ? 'choose another name'
      : `choose another with "collection", such as collection: my-${path}`
  const other = byPath.get(path)
  if (other !== undefined && other !== cls)
    return `${name} cannot be at /${path}, the address of ${other.name} already; ${right}`
  if (RESERVED_PATHS.includes(path))
    return `${name} cannot be at /${path}, which is reserved for the API itself; ${right}`
  if (collection === undefined || isCollectionName(collection)) return undefined
  const form =
    spellingOf(collection) ??
    'it must be letters, digits, ".", "_", "~" and "-", and begin with a letter or a digit, such as books'
  return `"${collection}" cannot be the path of a collection; ${form}`
}

function checkClassIri(cls: Class, { byIri }: NameIndex): string | undefined {
  const same = byIri.get(cls.iri ?? '')
  if (same === undefined || same === cls) return undefined
  return `${cls.name} has the same iri as ${same.name}; each class needs its own`
}

function checkFormerName(
  { name, was }: Class | Property,
  { names, byFormerName }: NameIndex,
  kind: 'class' | 'property',
): string | undefined {
  if (was === undefined) return undefined
  const shown = (one: string) => (kind === 'class' ? one : `"${one}"`)
  if (names.has(was))
    return `${shown(name)} cannot have been "${was}", which is a ${kind} still; remove one of them`
  const same = byFormerName.get(was)
  if (same === undefined || same.name === name) return undefined
  return `${shown(name)} and ${shown(same.name)} cannot both have been "${was}"; remove one of them`
}

function checkSingle(cls: Class): string | undefined {
  if (!isSingle(cls) || !cls.operations.has('list')) return undefined
  return `${cls.name} has no collection, so nothing can be listed; remove "list", or give it a collection`
}

type Extent = { readonly depth: number; readonly terms: number }

function checkExtent({ name }: Class, { depth, terms }: Extent): string | undefined {
  const right = 'give one of them a collection, so that it is linked to'
  if (depth > DEEPEST) return `${name} has values within values, more than ${DEEPEST} levels deep; ${right}`
  if (terms <= MAX_TERMS) return undefined
  return `${name} and the values within it have more than ${MAX_TERMS} properties; ${right}`
}

/** The depth and size of a class with all that it embeds. Computed once for each class, which many may embed. */
function extentOf(cls: Class, known: Map<Class, Extent>): Extent {
  const found = known.get(cls)
  if (found !== undefined) return found
  const within = cls.properties.flatMap(({ range }) =>
    range.kind === 'embedded' ? extentOf(range.cls, known) : [],
  )
  const depth = Math.max(0, ...within.map((extent) => extent.depth + 1))
  const terms = within.reduce((sum, extent) => sum + extent.terms, cls.properties.length)
  known.set(cls, { depth, terms })
  return { depth, terms }
}

const checkProperty = (property: Property, cls: Class, siblings: NameIndex): Checked[] => [
  ['name', checkPropertyName(property, siblings)],
  ['iri', checkPropertyIri(property, siblings)],
  ['iri', checkScheme(property, siblings)],
  ['was', checkFormerName(property, siblings, 'property')],
  ['many', checkMany(property)],
  ['multiline', checkMultiline(property)],
  ['unique', checkUnique(property, cls)],
  ['filterable', checkFilterable(property, cls)],
]

function checkPropertyName({ name }: Property, { double }: NameIndex): string | undefined {
  const wrong = whyNoPropertyName(name)
  if (wrong !== undefined || !double.has(name)) return wrong
  return `there are two properties "${name}"; rename one of them`
}

/** What is sent as linked data names properties by IRI, so within a class an IRI must name one. */
function checkPropertyIri(property: Property, { byIri }: NameIndex): string | undefined {
  const { name, iri } = property
  if (iri === `${RDF}type`) return `the iri of "${name}" is that of "@type" in JSON-LD; choose another`
  const same = byIri.get(iri ?? '')
  if (same === undefined || same === property) return undefined
  return `"${name}" has the same iri as "${same.name}"; each property of a class needs its own`
}

/** JSON-LD 1.1 §4.2.2: a context in which a term is defined by itself, as a prefix, is an error. */
function checkScheme({ name, iri = '' }: Property, { names }: NameIndex): string | undefined {
  const scheme = /^([^:]+):(?!\/\/)/.exec(iri)?.[1]
  if (scheme === undefined || !names.has(scheme)) return undefined
  return `the iri of "${name}" begins with "${scheme}:", which would be taken for the property "${scheme}"; rename one of them`
}

function checkMany({ name, many, range }: Property): string | undefined {
  if (!many || range.kind !== 'datatype' || range.datatype !== 'langString') return undefined
  return `"${name}" cannot have many values; remove "many", as it has a text for each language anyway`
}

function checkMultiline(property: Property): string | undefined {
  if (!property.multiline || isText(property)) return undefined
  return `"multiline" fits string and langString, and "${property.name}" is neither; remove it`
}

function checkUnique(property: Property, cls: Class): string | undefined {
  const { name, unique, many } = property
  if (!unique) return undefined
  if (many) return `"${name}" cannot be unique and have many values; remove one of them`
  const what = withoutKey(property)
  if (what !== undefined) return `"${name}" is ${what}, which cannot be unique; remove it`
  if (hasCollection(cls)) return undefined
  return `${cls.name} has no collection in which "${name}" could be unique; remove it`
}

function checkFilterable(property: Property, cls: Class): string | undefined {
  const { name, filterable, range } = property
  if (!filterable) return undefined
  const what = withoutKey(property) ?? (range.kind === 'datatype' ? `a ${range.datatype}` : undefined)
  if (!isFilterable(property))
    return `"${name}" is ${what}, which cannot be filtered by; leave "filterable" out`
  if (hasCollection(cls)) return undefined
  return `${cls.name} has no collection to filter; leave "filterable" of "${name}" out`
}
