import { suggestion } from '../../text.ts'
import { DATATYPE_NAMES, type DatatypeName, isDatatypeName } from '../datatypes.ts'
import { type Embedding, explainCycle } from '../embedding.ts'
import { isFilterable } from '../keys.ts'
import type { Class, Property, Range } from '../model.ts'
import { CONSTRAINT_KEYS, readConstraints } from './constraints.ts'
import { readDefault } from './default.ts'
import {
  type Entry,
  findPlace,
  isList,
  jsonOf,
  type Problems,
  readEntries,
  readFlag,
  readIri,
  readText,
} from './places.ts'

const PROPERTY_KEYS = [
  ...[
    'type',
    'iri',
    'title',
    'description',
    'required',
    'many',
    'unique',
    'writable',
    'filterable',
    'default',
    'was',
  ],
  ...CONSTRAINT_KEYS,
]

/** What other languages call them. */
const OTHER_NAMES = new Map<string, DatatypeName>([
  ['int', 'integer'],
  ['number', 'decimal'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ['url', 'anyURI'],
  ['uri', 'anyURI'],
  ['iri', 'anyURI'],
  ['timestamp', 'dateTime'],
  ['rdf:langstring', 'langString'],
  ['multilingual', 'langString'],
])

/** What the type of a property may name beside datatypes. */
export interface Targets {
  readonly outlines: readonly { readonly name: string; readonly collection: string | undefined }[]
  /** Those that can be embedded are finished first, unless they embed themselves. */
  readonly finished: ReadonlyMap<string, Class>
  readonly embedding: Embedding
}

/** The class that a property is read for. */
export interface Owner {
  readonly name: string
  readonly hasCollection: boolean
}

/** A property, written as a type alone or as a map; undefined where its type cannot be told. */
export function readProperty(
  entry: Entry,
  owner: Owner,
  targets: Targets,
  problems: Problems,
): Property | undefined {
  const { name, key, value } = entry
  const what = `property "${name}" of ${owner.name}`
  const type = jsonOf(value)
  if (typeof type === 'string')
    return completed(name, owner, readRange(entry, type, owner, targets, problems), new Map(), problems)
  if (type !== undefined || isList(value))
    return problems.add(value, `${what} must be a type such as string, or a map with a "type"`)
  const entries = readEntries(value, what, problems, PROPERTY_KEYS)
  const typeEntry = entries.get('type')
  if (typeEntry === undefined) return problems.add(key, `${what} has no "type"; ${possible(targets)}`)
  const typeName = readText(typeEntry, problems)
  if (typeName === undefined) return undefined
  return completed(name, owner, readRange(typeEntry, typeName, owner, targets, problems), entries, problems)
}

/** The type that a property names, before anything about it is checked. */
export function typeNameOf({ value }: Entry): string | undefined {
  const type = jsonOf(value) ?? jsonOf(findPlace(value, 'type') ?? value)
  return typeof type === 'string' ? type : undefined
}

function completed(
  name: string,
  owner: Owner,
  range: Range | undefined,
  entries: ReadonlyMap<string, Entry>,
  problems: Problems,
): Property | undefined {
  if (range === undefined) return undefined
  const property: Property = {
    name,
    iri: readIri(entries.get('iri'), problems),
    title: readText(entries.get('title'), problems) ?? name,
    description: readText(entries.get('description'), problems) ?? '',
    range,
    many: readFlag(entries.get('many'), problems) ?? false,
    required: readFlag(entries.get('required'), problems) ?? false,
    writable: readFlag(entries.get('writable'), problems) ?? true,
    unique: readFlag(entries.get('unique'), problems) ?? false,
    filterable:
      readFlag(entries.get('filterable'), problems) ?? (owner.hasCollection && isFilterable({ range })),
    default: undefined,
    constraints: readConstraints(entries, range, problems),
    was: readText(entries.get('was'), problems),
  }
  refuseUnwritable(property, entries, problems)
  const given = entries.get('default')
  return given === undefined ? property : { ...property, default: readDefault(given, property, problems) }
}

function readRange(
  { value }: Entry,
  type: string,
  owner: Owner,
  targets: Targets,
  problems: Problems,
): Range | undefined {
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  const target = targets.outlines.find(({ name }) => name === type)
  if (target === undefined) {
    const meant = OTHER_NAMES.get(type.toLowerCase())
    const hint = meant === undefined ? suggestion(type, typeNames(targets)) : `did you mean "${meant}"?`
    return problems.add(value, `"${type}" is not a type; ${hint}`)
  }
  if (target.collection !== undefined)
    return { kind: 'link', className: target.name, collection: target.collection }
  const cls = targets.finished.get(type)
  if (cls !== undefined) return { kind: 'embedded', cls }
  return problems.add(
    value,
    explainCycle(targets.embedding, owner.name, type) ?? `${type} cannot be embedded here`,
  )
}

function refuseUnwritable(property: Property, entries: ReadonlyMap<string, Entry>, problems: Problems): void {
  const required = entries.get('required')
  if (required !== undefined && property.required && !property.writable && !entries.has('default')) {
    const message = `"${property.name}" is required but nobody can write it; give it a default or make it writable`
    problems.add(required.value, message)
  }
}

const typeNames = ({ outlines }: Targets) => [...DATATYPE_NAMES, ...outlines.map(({ name }) => name)]

const possible = (targets: Targets) => `possible: ${typeNames(targets).join(', ')}`
