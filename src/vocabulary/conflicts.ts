import type { Findings, Position } from './findings.ts'
import { isFilterable, withoutKey } from './keys.ts'
import {
  type Class,
  embeddedNames,
  hasCollection,
  isSingle,
  type Model,
  type Property,
  pathOf,
} from './model.ts'
import { isClassName, isCollectionName, spellingOf, whyNoPropertyName } from './names.ts'
import { RDF } from './namespaces.ts'

/** What cannot be served in a model, in whichever form its API file was; each form knows where it stands. */
export interface Conflict {
  readonly className: string
  /** Where it is about one property of the class. */
  readonly property?: string
  /** `name`, or what the short form calls it: `collection`, `iri`, `was`, `operations`, `unique` … */
  readonly about: string
  readonly message: string
  /** It may be but a consequence of another problem in the file. */
  readonly mayFollow?: boolean
}

type Found = Pick<Conflict, 'about' | 'message' | 'mayFollow'> | undefined

/** Classes that every documentation has. */
const RESERVED_CLASSES = ['EntryPoint', 'Session', 'ConstraintViolationList']

/**
 * hypermedia.md, The API file; the terms of the entry point that a collection of that name would take over; and what
 * breaks the reference processor of JSON-LD as a term.
 */
export const RESERVED_PATHS = [
  ...['vocab', 'contexts', 'session', 'events', 'openapi', 'batch'],
  ...['collection', 'hydra', 'EntryPoint', 'hasOwnProperty'],
]

/** A body may be nested 32 levels deep (hypermedia.md, Limits), and every embedded value may be in a list. */
const DEEPEST = 12

/** Every representation has its context inline, and that of an embedded value is in it wherever it is embedded. */
const MOST_TERMS = 10_000

/** Everything that the parts of a model make impossible together, and names that cannot be served. */
export function findConflicts(model: Model): Conflict[] {
  const { classes } = model
  const embedded = embeddedNames(classes)
  const extentOf = createExtents()
  return classes.flatMap((cls, index) => {
    const before = classes.slice(0, index)
    const ofClass = [
      ...[checkClassName(cls, classes), checkPath(cls, before), checkClassIri(cls, before)],
      ...[checkFormerName(cls, classes, 'class'), checkUse(cls, embedded), checkSingle(cls)],
      checkExtent(cls, extentOf(cls)),
    ]
    return [
      ...ofClass.flatMap((found) => (found === undefined ? [] : { className: cls.name, ...found })),
      ...cls.properties.flatMap((property, at) =>
        checkProperty(property, cls, at).flatMap((found) =>
          found === undefined ? [] : { className: cls.name, property: property.name, ...found },
        ),
      ),
    ]
  })
}

interface Reporting {
  readonly findings: Findings
  /** Where the file speaks of it. */
  readonly positionOf: (conflict: Conflict) => Position | string
  /** As the form of the file says it. */
  readonly reword?: (message: string) => string
}

export function reportConflicts(model: Model, { findings, positionOf, reword }: Reporting): void {
  for (const conflict of findConflicts(model)) {
    const { message, mayFollow } = conflict
    if (mayFollow !== true || !findings.hasProblems)
      findings.problem(positionOf(conflict), reword?.(message) ?? message)
  }
}

function checkClassName({ name }: Class, classes: readonly Class[]): Found {
  const about = 'name'
  if (!isClassName(name)) {
    const right = spellingOf(name) ?? 'it must be letters and digits, a capital first, such as Book'
    return { about, message: `"${name}" is not a class name; ${right}` }
  }
  if (RESERVED_CLASSES.includes(name))
    return { about, message: `"${name}" is a class that every API has; choose another name` }
  if (classes.filter((cls) => cls.name === name).length > 1)
    return { about, message: `there are two classes "${name}"; rename one of them` }
  const held = classes.find((cls) => hasCollection(cls) && `${cls.name}Collection` === name)
  if (held === undefined) return undefined
  return { about, message: `"${name}" is the class of the collection of ${held.name}; choose another name` }
}

/** Paths are case-sensitive. */
function checkPath(cls: Class, before: readonly Class[]): Found {
  const { name, collection } = cls
  const path = pathOf(cls)
  if (path === undefined) return undefined
  const about = collection === undefined ? 'name' : 'collection'
  const right = collection === undefined ? 'choose another name' : 'choose another with "collection"'
  const other = before.find((one) => pathOf(one) === path)
  if (other !== undefined)
    return { about, message: `${name} cannot be at /${path}, the address of ${other.name} already; ${right}` }
  if (RESERVED_PATHS.includes(path))
    return { about, message: `${name} cannot be at /${path}, which is reserved for the API itself; ${right}` }
  if (collection === undefined || isCollectionName(collection)) return undefined
  const form = spellingOf(collection) ?? 'it must be letters, digits, ".", "_", "~" and "-", such as books'
  return { about, message: `"${collection}" cannot be the path of a collection; ${form}` }
}

function checkClassIri({ name, iri }: Class, before: readonly Class[]): Found {
  const same = iri === undefined ? undefined : before.find((other) => other.iri === iri)
  if (same === undefined) return undefined
  return { about: 'iri', message: `${name} has the same iri as ${same.name}; each class needs its own` }
}

function checkFormerName(
  { name, was }: Class | Property,
  all: readonly (Class | Property)[],
  kind: 'class' | 'property',
): Found {
  if (was === undefined) return undefined
  const about = 'was'
  const right = 'remove one of them'
  const shown = (one: string) => (kind === 'class' ? one : `"${one}"`)
  if (all.some((other) => other.name === was)) {
    const message = `${shown(name)} cannot have been "${was}", which is a ${kind} still; ${right}`
    return { about, message }
  }
  const same = all.find((other) => other.was === was)
  if (same === undefined || same.name === name) return undefined
  return { about, message: `${shown(name)} and ${shown(same.name)} cannot both have been "${was}"; ${right}` }
}

function checkUse(cls: Class, embedded: ReadonlySet<string>): Found {
  const { name, operations } = cls
  if (hasCollection(cls) || operations.size > 0 || embedded.has(name)) return undefined
  const right = `give it a collection, make it the type of a property, or give it operations to serve it at /${name}`
  const message = `${name} has no collection, is the type of no property and has no operations; ${right}`
  return { about: 'collection', message, mayFollow: true }
}

function checkSingle(cls: Class): Found {
  if (!isSingle(cls) || !cls.operations.has('list')) return undefined
  const right = 'remove "list", or give it a collection'
  return { about: 'operations', message: `${cls.name} has no collection, so nothing can be listed; ${right}` }
}

function checkExtent({ name }: Class, { depth, terms }: Extent): Found {
  const right = 'give one of them a collection, so that it is linked to'
  const about = 'properties'
  if (depth > DEEPEST)
    return { about, message: `${name} has values within values, more than ${DEEPEST} levels deep; ${right}` }
  if (terms <= MOST_TERMS) return undefined
  const message = `${name} and the values within it have more than ${MOST_TERMS} properties; ${right}`
  return { about, message }
}

interface Extent {
  readonly depth: number
  readonly terms: number
}

/** How far a class reaches into itself. Each is looked at once: there may be any number of ways to it. */
function createExtents(): (cls: Class) => Extent {
  const known = new Map<Class, Extent>()
  const extentOf = (cls: Class): Extent => {
    const found = known.get(cls)
    if (found !== undefined) return found
    const within = cls.properties.flatMap(({ range }) =>
      range.kind === 'embedded' ? extentOf(range.cls) : [],
    )
    const extent = {
      depth: Math.max(0, ...within.map(({ depth }) => depth + 1)),
      terms: within.reduce((sum, { terms }) => sum + terms, cls.properties.length),
    }
    known.set(cls, extent)
    return extent
  }
  return extentOf
}

const checkProperty = (property: Property, cls: Class, index: number): Found[] => [
  ...[checkPropertyName(property, cls), checkPropertyIri(property, cls, index), checkScheme(property, cls)],
  ...[checkFormerName(property, cls.properties, 'property'), checkMany(property)],
  ...[checkUnique(property, cls), checkFilterable(property, cls)],
]

function checkPropertyName({ name }: Property, { properties }: Class): Found {
  const wrong = whyNoPropertyName(name)
  if (wrong !== undefined) return { about: 'name', message: wrong }
  if (properties.filter((other) => other.name === name).length === 1) return undefined
  return { about: 'name', message: `there are two properties "${name}"; rename one of them` }
}

/** What is sent as linked data names properties by IRI, so within a class an IRI must name one. */
function checkPropertyIri({ name, iri }: Property, { properties }: Class, index: number): Found {
  if (iri === `${RDF}type`)
    return { about: 'iri', message: `the iri of "${name}" is that of "@type" in JSON-LD; choose another` }
  const same = properties.slice(0, index).find((other) => iri !== undefined && other.iri === iri)
  if (same === undefined) return undefined
  const right = 'each property of a class needs its own'
  return { about: 'iri', message: `"${name}" has the same iri as "${same.name}"; ${right}` }
}

/** JSON-LD 1.1 §4.2.2: a context in which a term is defined by itself, as a prefix, is an error. */
function checkScheme({ name, iri = '' }: Property, { properties }: Class): Found {
  const scheme = /^([^:]+):(?!\/\/)/.exec(iri)?.[1]
  if (!properties.some((other) => other.name === scheme)) return undefined
  const taken = `which would be taken for the property "${scheme}"`
  const message = `the iri of "${name}" begins with "${scheme}:", ${taken}; rename one of them`
  return { about: 'iri', message }
}

function checkMany({ name, many, range }: Property): Found {
  if (!many || range.kind !== 'datatype' || range.datatype !== 'langString') return undefined
  const right = 'remove "many", as it has a text for each language anyway'
  return { about: 'many', message: `"${name}" cannot have many values; ${right}` }
}

function checkUnique(property: Property, cls: Class): Found {
  const { name, unique, many } = property
  if (!unique) return undefined
  const about = 'unique'
  if (many) return { about, message: `"${name}" cannot be unique and have many values; remove one of them` }
  const what = withoutKey(property)
  if (what !== undefined) return { about, message: `"${name}" is ${what}, which cannot be unique; remove it` }
  if (hasCollection(cls)) return undefined
  return { about, message: `${cls.name} has no collection in which "${name}" could be unique; remove it` }
}

function checkFilterable(property: Property, cls: Class): Found {
  const { name, filterable, range } = property
  if (!filterable) return undefined
  const about = 'filterable'
  const unfilterable =
    range.kind === 'datatype' && !isFilterable(property) ? `a ${range.datatype}` : undefined
  const what = withoutKey(property) ?? unfilterable
  if (what !== undefined)
    return { about, message: `"${name}" is ${what}, which cannot be filtered by; leave "filterable" out` }
  if (hasCollection(cls)) return undefined
  return { about, message: `${cls.name} has no collection to filter; leave "filterable" of "${name}" out` }
}
