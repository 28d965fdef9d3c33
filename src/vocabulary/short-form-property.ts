import { suggestion } from '../nearest.ts'
import { DATATYPE_NAMES, type Datatype, type DatatypeName, datatypeOf, isDatatypeName } from './datatypes.ts'
import type { Property, Range } from './model.ts'
import {
  type Entry,
  isList,
  jsonOf,
  type Problems,
  readEntries,
  readFlag,
  readIri,
  readText,
} from './places.ts'
import { CONSTRAINT_KEYS, readConstraints } from './short-form-constraints.ts'
import { readDefault } from './short-form-default.ts'

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
])

/** A class that a property may link to. */
export interface Target {
  readonly name: string
  readonly collection: string
}

/** A property, written as a type alone or as a map; undefined where its type cannot be told. */
export function readProperty(
  entry: Entry,
  className: string,
  targets: readonly Target[],
  problems: Problems,
): Property | undefined {
  const { name, key, value } = entry
  const what = `property "${name}" of ${className}`
  checkName(entry, problems)

  const type = jsonOf(value)
  if (typeof type === 'string')
    return completed(name, readRange(entry, type, targets, problems), new Map(), problems)
  if (type !== undefined || isList(value))
    return problems.add(value, `${what} must be a type such as string, or a map with a "type"`)
  const entries = readEntries(value, what, problems, PROPERTY_KEYS)
  const typeEntry = entries.get('type')
  if (typeEntry === undefined) return problems.add(key, `${what} has no "type"; ${possible(targets)}`)
  const typeName = readText(typeEntry, problems)
  if (typeName === undefined) return undefined
  return completed(name, readRange(typeEntry, typeName, targets, problems), entries, problems)
}

function completed(
  name: string,
  range: Range | undefined,
  entries: ReadonlyMap<string, Entry>,
  problems: Problems,
): Property | undefined {
  if (range === undefined) return undefined
  const datatype = range.kind === 'datatype' ? datatypeOf(range.datatype) : undefined
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
    filterable: readFilterable(entries.get('filterable'), datatype, problems),
    default: undefined,
    constraints: readConstraints(entries, range, problems),
    was: readText(entries.get('was'), problems),
  }
  refuseContradictions(property, entries, problems)
  const given = entries.get('default')
  return given === undefined ? property : { ...property, default: readDefault(given, property, problems) }
}

function checkName({ name, key }: Entry, problems: Problems): void {
  if (name.startsWith('@')) {
    problems.add(key, `"${name}" cannot be the name of a property: "@" begins the keywords of JSON-LD`)
  } else if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) {
    const right = 'it must be letters, digits, "_" and "-", and not begin with a digit or "-"'
    problems.add(key, `"${name}" cannot be the name of a property; ${right}`)
  }
}

function readRange(
  { value }: Entry,
  type: string,
  targets: readonly Target[],
  problems: Problems,
): Range | undefined {
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  const target = targets.find((candidate) => candidate.name === type)
  if (target !== undefined) return { kind: 'link', className: target.name, collection: target.collection }
  const meant = OTHER_NAMES.get(type.toLowerCase())
  const hint = meant === undefined ? suggestion(type, typeNames(targets)) : `did you mean "${meant}"?`
  return problems.add(value, `"${type}" is not a type; ${hint}`)
}

function readFilterable(
  entry: Entry | undefined,
  datatype: Datatype | undefined,
  problems: Problems,
): boolean {
  const possibleAtAll = datatype?.filterable ?? true
  const filterable = readFlag(entry, problems)
  if (entry !== undefined && filterable === true && !possibleAtAll) {
    problems.add(entry.value, 'a time or duration cannot be filtered by; leave "filterable" out')
  }
  return filterable ?? possibleAtAll
}

function refuseContradictions(
  property: Property,
  entries: ReadonlyMap<string, Entry>,
  problems: Problems,
): void {
  const unique = entries.get('unique')
  if (unique !== undefined && property.unique && property.many) {
    problems.add(unique.value, `"${property.name}" cannot be unique and have many values; remove one of them`)
  }
  const required = entries.get('required')
  if (required !== undefined && property.required && !property.writable && !entries.has('default')) {
    const message = `"${property.name}" is required but nobody can write it; give it a default or make it writable`
    problems.add(required.value, message)
  }
}

const typeNames = (targets: readonly Target[]) => [...DATATYPE_NAMES, ...targets.map(({ name }) => name)]

const possible = (targets: readonly Target[]) => `possible: ${typeNames(targets).join(', ')}`
