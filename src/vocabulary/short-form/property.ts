import { suggestion } from '../../text.ts'
import { CONSTRAINT_KEYS } from '../constraints.ts'
import { DATATYPE_NAMES, type DatatypeName, isDatatypeName } from '../datatypes.ts'
import type { Outline, RangeTo } from '../embedding.ts'
import type { Findings } from '../findings.ts'
import { isFilterable } from '../keys.ts'
import type { Property, Range } from '../model.ts'
import { readConstraints, readDefault } from './constraints.ts'
import { type Entries, type Entry, readEntries, readFlag, readIri, readText } from './yaml.ts'

const PROPERTY_KEYS = [
  ...['type', 'iri', 'title', 'description', 'required', 'many', 'unique', 'writable', 'filterable'],
  ...['default', 'was', ...CONSTRAINT_KEYS],
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

/** What a property is read with. */
export interface Reading {
  readonly owner: Outline
  /** All classes of the file, which a type may name. */
  readonly classNames: readonly string[]
  readonly rangeTo: RangeTo
  readonly findings: Findings
}

/** A property, written as a type alone or as a map; undefined where its type cannot be told. */
export function readProperty(entry: Entry, reading: Reading): Property | undefined {
  const { name, key, value } = entry
  const { owner, findings } = reading
  const what = `property "${name}" of ${owner.name}`
  const type = value.json
  if (typeof type === 'string') return complete(name, readRange(entry, type, reading), new Map(), reading)
  if (type !== undefined || value.isList)
    return findings.problem(value, `${what} must be a type such as string, or a map with a "type"`)
  const entries = readEntries(value, what, findings, PROPERTY_KEYS)
  const typeEntry = entries.get('type')
  if (typeEntry === undefined) {
    const possible = typeNames(reading).join(', ')
    return findings.problem(key, `${what} has no "type"; possible: ${possible}`)
  }
  const typeName = readText(typeEntry, findings)
  if (typeName === undefined) return undefined
  return complete(name, readRange(typeEntry, typeName, reading), entries, reading)
}

/** The type that a property names, before anything about it is checked. */
export function typeNameOf({ value }: Entry): string | undefined {
  const type = value.json ?? value.find('type')?.json
  return typeof type === 'string' ? type : undefined
}

function complete(
  name: string,
  range: Range | undefined,
  entries: Entries,
  { owner, findings }: Reading,
): Property | undefined {
  if (range === undefined) return undefined
  const flag = (key: string) => readFlag(entries.get(key), findings)
  const text = (key: string) => readText(entries.get(key), findings)
  const property: Property = {
    name,
    iri: readIri(entries.get('iri'), findings),
    title: text('title') ?? name,
    description: text('description') ?? '',
    range,
    many: flag('many') ?? false,
    required: flag('required') ?? false,
    writable: flag('writable') ?? true,
    unique: flag('unique') ?? false,
    filterable: flag('filterable') ?? (owner.collection !== undefined && isFilterable({ range })),
    default: undefined,
    constraints: readConstraints(entries, range, findings),
    was: text('was'),
  }
  const required = entries.get('required')
  const given = entries.get('default')
  if (required !== undefined && property.required && !property.writable && given === undefined) {
    const right = 'give it a default or make it writable'
    findings.problem(required.value, `"${name}" is required but nobody can write it; ${right}`)
  }
  return given === undefined ? property : { ...property, default: readDefault(given, property, findings) }
}

function readRange({ value }: Entry, type: string, reading: Reading): Range | undefined {
  const { classNames, rangeTo, findings } = reading
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  if (!classNames.includes(type)) {
    const meant = OTHER_NAMES.get(type.toLowerCase())
    const hint = meant === undefined ? suggestion(type, typeNames(reading)) : `did you mean "${meant}"?`
    return findings.problem(value, `"${type}" is not a type; ${hint}`)
  }
  const range = rangeTo(type)
  return range.kind === 'impossible' ? findings.problem(value, range.why) : range
}

const typeNames = ({ classNames }: Reading) => [...DATATYPE_NAMES, ...classNames]
