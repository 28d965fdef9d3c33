import { suggestion } from '../../text.ts'
import { CONSTRAINT_KEYS, fits, type Given, readConstraints, readDefault } from '../constraints.ts'
import { DATATYPE_NAMES, type DatatypeName, isDatatypeName } from '../datatypes.ts'
import { isFilterable, withoutKey } from '../keys.ts'
import type { Constraints, DefaultValue, Outline, Property, Range, RangeTo } from '../model.ts'
import { Entries, type Entry, readEntries } from './yaml.ts'

const PROPERTY_KEYS = [
  ...['type', 'iri', 'title', 'description', 'required', 'many', 'unique', 'writable', 'filterable'],
  ...['multiline', 'default', 'was', ...CONSTRAINT_KEYS],
]

/** What other languages call them. */
const OTHER_NAMES = new Map<string, DatatypeName>([
  ['int', 'integer'],
  ['number', 'decimal'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ...['url', 'uri', 'iri'].map((name) => [name, 'anyURI'] as const),
  ['timestamp', 'dateTime'],
  ...['rdf:langstring', 'multilingual'].map((name) => [name, 'langString'] as const),
])

interface Reading {
  readonly owner: Outline
  /** All classes of the file, which a type may name. */
  readonly classNames: readonly string[]
  readonly rangeTo: RangeTo
}

/** A property, written as a type alone or as a map; undefined where its type cannot be told. */
export function readProperty(entry: Entry, reading: Reading): Property | undefined {
  const { name, key, value } = entry
  const { owner, classNames } = reading
  const what = `property "${name}" of ${owner.name}`
  if (typeof value.json === 'string') return complete(name, new Entries([['type', entry]]), reading)
  if (value.json !== undefined || value.isList)
    return value.problem(`${what} must be a type such as string, or a map with a "type"`)
  const entries = readEntries(value, what, PROPERTY_KEYS)
  if (entries.has('type')) return complete(name, entries, reading)
  return key.problem(`${what} has no "type"; possible: ${[...DATATYPE_NAMES, ...classNames].join(', ')}`)
}

function complete(name: string, entries: Entries, reading: Reading): Property | undefined {
  const range = readRange(entries, reading)
  if (range === undefined) return undefined
  const { collection } = reading.owner
  const property: Property = {
    name,
    iri: entries.iri('iri'),
    title: entries.text('title') ?? name,
    description: entries.text('description') ?? '',
    range,
    many: entries.flag('many') ?? false,
    required: entries.flag('required') ?? false,
    writable: entries.flag('writable') ?? true,
    unique: entries.flag('unique') ?? false,
    filterable: entries.flag('filterable') ?? (collection !== undefined && isFilterable({ range })),
    multiline: entries.flag('multiline') ?? false,
    default: undefined,
    constraints: constraintsOf(entries, range),
    was: entries.text('was'),
  }
  const given = entries.get('default')
  if (given !== undefined) return { ...property, default: defaultOf(given, property) }
  if (property.required && !property.writable) {
    const right = 'give it a default or make it writable'
    entries.get('required')?.value.problem(`"${name}" is required but nobody can write it; ${right}`)
  }
  return property
}

function readRange(entries: Entries, { classNames, rangeTo }: Reading): Range | undefined {
  const type = entries.text('type')
  if (type === undefined) return undefined
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  const value = entries.get('type')?.value
  if (!classNames.includes(type)) {
    const possible = [...DATATYPE_NAMES, ...classNames]
    const meant = OTHER_NAMES.get(type.toLowerCase())
    const hint = meant === undefined ? suggestion(type, possible) : `did you mean "${meant}"?`
    return value?.problem(`"${type}" is not a type; ${hint}`)
  }
  const range = rangeTo(type)
  return range.kind === 'impossible' ? value?.problem(range.why) : range
}

/** What does not fit the type is a problem, not ignored: it would promise a check (hypermedia.md, The API file). */
const constraintsOf = (entries: Entries, range: Range): Constraints =>
  readConstraints(range, (name) => {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (!fits(name, range)) return entry.key.problem(unfit(name, range))
    const given = givenBy(`"${name}"`, entry)
    return entry.value.isList === (name === 'enum') ? given : { ...given, values: [] }
  })

function givenBy(name: string, { value }: Entry): Given {
  const { elements } = value
  const refuse = (message: string, index = -1) => (elements[index] ?? value).problem(message)
  return { name, values: elements.map(({ json }) => json), refuse }
}

function unfit(name: string, range: Range): string {
  const type =
    range.kind === 'link'
      ? `a link to ${range.className}`
      : range.kind === 'embedded'
        ? `the embedded value ${range.cls.name}`
        : range.datatype
  if (name === 'enum') return `"enum" does not fit ${type}; remove it`
  const right = name === 'minimum' || name === 'maximum' ? 'numbers' : 'string and anyURI'
  return `"${name}" fits ${right} and not ${type}; remove it`
}

/** Those that the id of a user is. */
const INTEGERS: readonly DatatypeName[] = ['integer', 'nonNegativeInteger', 'positiveInteger']

function defaultOf(entry: Entry, property: Property): DefaultValue | undefined {
  const { value } = entry
  const { range, many } = property
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return value.problem(
      `"${property.name}" is ${withoutKey(property) ?? 'a link'}, which has no default; remove it`,
    )
  if (!many && value.json === 'now' && (range.datatype === 'dateTime' || range.datatype === 'date'))
    return { kind: 'now' }
  if (!many && value.json === 'user' && INTEGERS.includes(range.datatype)) {
    if (!property.required) return { kind: 'user' }
    return value.problem(
      `"${property.name}" cannot be required: with authentication off, and for what is imported, there is no user`,
    )
  }
  const name = `the default of "${property.name}"`
  if (many !== value.isList)
    return value.problem(`${name} must be ${many ? 'a list, as it has many values' : 'one value'}`)
  return readDefault(property, range.datatype, givenBy(name, entry))
}
