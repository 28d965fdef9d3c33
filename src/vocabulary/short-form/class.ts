import { suggestion } from '../../text.ts'
import {
  type Class,
  fingerprintOf,
  OPERATIONS,
  type Operation,
  SINGLE_METHODS,
  USUAL_METHODS,
} from '../model.ts'
import { plural } from '../names.ts'
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
import { readProperty, type Targets, typeNameOf } from './property.ts'

const CLASS_KEYS = ['iri', 'title', 'description', 'collection', 'properties', 'operations', 'was']

/** What others need to know of a class, before its properties are read. */
export interface Outline {
  readonly name: string
  readonly key: Place
  readonly value: Place
  readonly entries: ReadonlyMap<string, Entry>
  readonly collection: string | undefined
  /** Its properties, as they stand in the file. */
  readonly declared: readonly Entry[]
}

export function outlineClass({ name, key, value }: Entry, problems: Problems, notes: string[]): Outline {
  const entries = isEmpty(value)
    ? new Map<string, Entry>()
    : readEntries(value, `class ${name}`, problems, CLASS_KEYS)
  return {
    name,
    key,
    value,
    entries,
    collection: readCollection(entries.get('collection'), name, problems, notes),
    declared: readDeclared(entries.get('properties'), name, problems),
  }
}

/** The classes without a collection that are the types of its properties. */
export function embedsOf({ declared }: Outline, outlines: readonly Outline[]): string[] {
  const embeddable = new Set(
    outlines.flatMap(({ name, collection }) => (collection === undefined ? [name] : [])),
  )
  return declared.flatMap((entry) => typeNameOf(entry) ?? []).filter((name) => embeddable.has(name))
}

export function finishClass(
  { name, collection, entries, declared }: Outline,
  targets: Targets,
  problems: Problems,
  notes: string[],
): Class {
  const owner = { name, hasCollection: collection !== undefined }
  const properties = declared.flatMap((entry) => readProperty(entry, owner, targets, problems) ?? [])
  const operations = readOperations(entries.get('operations'), name, problems)
  if (operations === undefined && collection !== undefined)
    notes.push(`${name} has all operations: ${OPERATIONS.join(', ')}.`)
  return {
    name,
    iri: readIri(entries.get('iri'), problems),
    title: readText(entries.get('title'), problems) ?? name,
    description: readText(entries.get('description'), problems) ?? '',
    collection,
    properties,
    operations: operations ?? new Set(collection === undefined ? [] : OPERATIONS),
    methods: collection === undefined ? SINGLE_METHODS : USUAL_METHODS,
    fingerprint: fingerprintOf(name, properties),
    was: readText(entries.get('was'), problems),
  }
}

function readCollection(
  entry: Entry | undefined,
  name: string,
  problems: Problems,
  notes: string[],
): string | undefined {
  if (entry === undefined) {
    const collection = plural(name).toLowerCase().normalize('NFC')
    notes.push(`The collection of ${name} is "${collection}", its plural in lower case.`)
    return collection
  }
  const value = jsonOf(entry.value)
  if (value === false) return undefined
  if (typeof value === 'string') return value
  problems.add(entry.value, '"collection" must be a path such as books, or false for none')
  // A name of its own, so that the class is not also told to share another's collection.
  return `collection-of-${name}`
}

function readOperations(
  entry: Entry | undefined,
  name: string,
  problems: Problems,
): ReadonlySet<Operation> | undefined {
  if (entry === undefined) return undefined
  if (!isList(entry.value))
    return problems.add(entry.value, `the operations of ${name} must be a list such as [list, read]`)
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
