import { createHash } from 'node:crypto'
import { suggestion } from '../nearest.ts'
import { type Class, OPERATIONS, type Operation, type Property } from './model.ts'
import {
  type Entry,
  elementsOf,
  isEmpty,
  isList,
  jsonOf,
  type Place,
  type Problems,
  readEntries,
  readIri,
  readText,
} from './places.ts'
import { plural } from './plural.ts'
import { readProperty } from './short-form-property.ts'

const CLASS_KEYS = ['iri', 'title', 'description', 'collection', 'properties', 'operations']

/** Classes that every documentation has. */
const RESERVED_CLASSES = ['EntryPoint', 'Session', 'ConstraintViolationList']

/**
 * hypermedia.md, The API file; and the terms of the entry point that a collection of that name would take over.
 */
const RESERVED_COLLECTIONS = [
  ...['vocab', 'contexts', 'session', 'events', 'openapi', 'batch'],
  ...['collection', 'hydra', 'EntryPoint'],
]

/** What links to a class need to know of it, before its properties are read. */
export interface Outline {
  readonly name: string
  readonly collection: string
  readonly collectionPlace: Place
  readonly iri: string | undefined
  readonly iriPlace: Place
  readonly entries: ReadonlyMap<string, Entry>
}

export function outlineClass(entry: Entry, names: readonly string[], problems: Problems): Outline {
  const { name, key, value } = entry
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) {
    problems.add(
      key,
      `"${name}" is not a class name; it must be letters and digits, a capital first, such as Book`,
    )
  } else if (RESERVED_CLASSES.includes(name)) {
    problems.add(key, `"${name}" is a class that every API has; choose another name`)
  } else if (name.endsWith('Collection') && names.includes(name.slice(0, -'Collection'.length))) {
    problems.add(
      key,
      `"${name}" is the class of the collection of ${name.slice(0, -10)}; choose another name`,
    )
  }
  const entries = isEmpty(value)
    ? new Map<string, Entry>()
    : readEntries(value, `class ${name}`, problems, CLASS_KEYS)
  const collection = entries.get('collection')
  return {
    name,
    collection:
      collection === undefined ? defaultCollection(entry, problems) : readCollection(collection, problems),
    collectionPlace: collection?.value ?? key,
    iri: readIri(entries.get('iri'), problems),
    iriPlace: entries.get('iri')?.value ?? key,
    entries,
  }
}

export function finishClass(outline: Outline, outlines: readonly Outline[], problems: Problems): Class {
  const { name, collection, iri, entries } = outline
  const declared = readDeclared(entries.get('properties'), name, problems)
  const properties = declared.flatMap((entry) => readProperty(entry, name, outlines, problems) ?? [])
  refuseClashes(properties, declared, problems)
  return {
    name,
    iri,
    title: readText(entries.get('title'), problems) ?? name,
    description: readText(entries.get('description'), problems) ?? '',
    collection,
    properties,
    operations: readOperations(entries.get('operations'), name, problems),
    fingerprint: fingerprintOf(name, properties),
  }
}

function defaultCollection({ name, key }: Entry, problems: Problems): string {
  const collection = plural(name).toLowerCase()
  if (RESERVED_COLLECTIONS.includes(collection)) {
    const reason = `"${collection}" is reserved for the API itself`
    problems.add(key, `${name} needs a "collection" of another name than its plural: ${reason}`)
  }
  return collection
}

function readCollection(entry: Entry, problems: Problems): string {
  const collection = readText(entry, problems)
  // A name of its own, so that the class is not also told to share another's collection.
  if (collection === undefined) return entry.key.path
  if (RESERVED_COLLECTIONS.includes(collection)) {
    problems.add(entry.value, `"${collection}" is reserved for the API itself; choose another collection`)
  } else if (!/^[a-z0-9][a-z0-9._~-]*$/i.test(collection)) {
    const right = 'it must be letters, digits, ".", "_", "~" and "-", such as books'
    problems.add(entry.value, `"${collection}" cannot be the path of a collection; ${right}`)
  }
  return collection
}

function readOperations(entry: Entry | undefined, name: string, problems: Problems): ReadonlySet<Operation> {
  if (entry === undefined) return new Set(OPERATIONS)
  if (!isList(entry.value)) {
    problems.add(entry.value, `the operations of ${name} must be a list such as [list, read]`)
    return new Set()
  }
  const operations = new Set<Operation>()
  for (const place of elementsOf(entry.value)) {
    const value = jsonOf(place)
    const operation = OPERATIONS.find((known) => known === value)
    if (operation === undefined) {
      const given = typeof value === 'string' ? value : 'this'
      problems.add(place, `"${given}" is not an operation; ${suggestion(given, OPERATIONS)}`)
    } else if (operations.has(operation)) {
      problems.add(place, `"${operation}" is in the operations of ${name} twice; keep one of them`)
    } else {
      operations.add(operation)
    }
  }
  return operations
}

function readDeclared(entry: Entry | undefined, name: string, problems: Problems): Entry[] {
  if (entry === undefined || isEmpty(entry.value)) return []
  return [...readEntries(entry.value, `the properties of ${name}`, problems).values()]
}

/** What is sent as linked data names properties by IRI, so within a class an IRI must name one; a former name likewise. */
function refuseClashes(
  properties: readonly Property[],
  declared: readonly Entry[],
  problems: Problems,
): void {
  for (const [index, { name, iri, was }] of properties.entries()) {
    const place = declared.find((entry) => entry.name === name)?.key
    const same = properties.slice(0, index).find((other) => iri !== undefined && other.iri === iri)
    if (place !== undefined && same !== undefined) {
      problems.add(
        place,
        `"${name}" has the same iri as "${same.name}"; each property of a class needs its own`,
      )
    }
    // JSON-LD 1.1 §4.2.2: a context in which a term is defined by itself, as a prefix, is an error.
    const scheme = /^([^:]+):(?!\/\/)/.exec(iri ?? '')?.[1]
    if (place !== undefined && declared.some((entry) => entry.name === scheme)) {
      problems.add(
        place,
        `the iri of "${name}" begins with "${scheme}:", which would be taken for the property "${scheme}"; rename one of them`,
      )
    }
    if (place !== undefined && was !== undefined && declared.some((entry) => entry.name === was)) {
      problems.add(
        place,
        `"${name}" cannot have been "${was}", which is a property still; remove one of them`,
      )
    }
  }
}

/** 48 bits, so that it is an exact number everywhere; over what shapes a stored member's text and nothing else. */
function fingerprintOf(name: string, properties: readonly Property[]): number {
  const shape = properties.map(({ name, range, many }) => [
    name,
    range.kind === 'link' ? ['link', range.className, range.collection] : ['datatype', range.datatype],
    many,
  ])
  const hash = createHash('sha256').update(JSON.stringify([name, shape]))
  return hash.digest().readUIntBE(0, 6)
}
