import type { ProblemData } from '../../problem.ts'
import { type DeclaredValues, fits, readConstraints, readDefault } from '../constraints.ts'
import { datatypeOf, isDatatypeName } from '../datatypes.ts'
import type { Outline, RangeTo } from '../finish-classes.ts'
import { isFilterable, withoutKey } from '../keys.ts'
import {
  type Constraints,
  DATATYPE_NAMES,
  type DatatypeName,
  type DefaultValue,
  type Property,
  type Range,
} from '../model.ts'
import { isClassName } from '../names.ts'
import { constraintSentence } from '../temporary-sentences.ts'
import { DEFAULT_HINTS, LIST, PROPERTY_HINTS, PROPERTY_KEYS, typeHint } from './keys.ts'
import { Entries, type Entry, readEntries, type Value } from './yaml.ts'

interface Reading {
  readonly owner: Outline
  /** All classes of the file, which a type may name. */
  readonly classNames: ReadonlySet<string>
  readonly rangeTo: RangeTo
}

/** The range of a property whose type is wrong: its other keys are checked all the same. */
const UNKNOWN: Range = { kind: 'datatype', datatype: 'string' }

/** A property, written as a type alone or as a map. */
export function readProperty(entry: Entry, reading: Reading): Property {
  const { name, key, value } = entry
  const { owner, classNames } = reading
  const what = `property "${name}" of ${owner.name}`
  if (typeof value.json === 'string') return buildProperty(name, new Entries([['type', entry]]), reading)
  if (value.json !== undefined || value.isList) {
    const [element] = value.isList ? value.texts : []
    const right = element === undefined ? '' : `; a list is written so: { type: ${element}, many: true }`
    value.problem(`${what} must be a type such as string, or a map with a "type"${right}`)
    return buildProperty(name, new Entries(), reading)
  }
  const entries = readEntries(value, what, Object.keys(PROPERTY_KEYS), PROPERTY_HINTS)
  if (value.isMap && !entries.has('type'))
    key.problem(`${what} has no "type"; possible: ${typesFor(key, classNames).join(', ')}`)
  return buildProperty(name, entries, reading)
}

function buildProperty(name: string, entries: Entries, reading: Reading): Property {
  const known = readRange(entries, reading)
  const range = known ?? UNKNOWN
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
    constraints: known === undefined ? {} : constraintsOf(entries, range),
    was: entries.text('was'),
  }
  const given = entries.get('default')
  // Keys that depend on the type cannot be checked.
  if (known === undefined) return { ...property, unique: false, filterable: false }
  if (given !== undefined) return { ...property, default: defaultOf(given, property) }
  if (property.required && !property.writable) {
    const right = 'give it a default or make it writable'
    entries.get('required')?.value.problem(`"${name}" is required but nobody can write it; ${right}`)
  }
  return property
}

const isTypeName = (name: string): boolean => isDatatypeName(name) || isClassName(name)

/** What a hint may propose. A file with many problems may have as many classes, and each hint looks at all of them. */
const typesFor = ({ isCrowded }: Value, classNames: ReadonlySet<string>): readonly string[] =>
  isCrowded ? DATATYPE_NAMES : [...DATATYPE_NAMES, ...classNames]

function readRange(entries: Entries, { classNames, rangeTo }: Reading): Range | undefined {
  const value = entries.get('type')?.value
  if (value?.isList) return value.problem(`a property has one type; ${LIST}`)
  const type = entries.text('type')
  if (type === undefined) return undefined
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  if (!classNames.has(type)) {
    const possible = value === undefined ? [] : typesFor(value, classNames).filter(isTypeName)
    return value?.problem(`"${type}" is not a type; ${typeHint(type, possible)}`)
  }
  const range = rangeTo(type)
  return range.kind === 'impossible' ? value?.problem(range.why) : range
}

/** A constraint that does not fit the type is a problem: ignored, it would promise a check (hypermedia.md, The API file). */
const constraintsOf = (entries: Entries, range: Range): Constraints =>
  readConstraints(range, (name) => {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (!fits(name, range)) return entry.key.problem(unfit(name, range))
    if (name === 'enum') refuseTwice(entry, range)
    const given = givenBy(`"${name}"`, entry)
    return entry.value.isList === (name === 'enum') ? given : { ...given, values: [] }
  })

/** Compares by value: 12.5 and 12.50 are one decimal. */
function refuseTwice({ value }: Entry, range: Range): void {
  if (range.kind !== 'datatype') return
  const { read, key } = datatypeOf(range.datatype)
  const seen = new Set<unknown>()
  for (const element of value.elements) {
    const reading = element.json === undefined ? undefined : read(element.json)
    if (reading === undefined || 'problem' in reading) continue
    const known = key(reading.value)
    if (seen.has(known))
      element.problem(`${JSON.stringify(reading.value)} is in "enum" twice; keep one of them`)
    seen.add(known)
  }
}

function givenBy(name: string, { value }: Entry): DeclaredValues {
  const { elements } = value
  const refuse = (problem: ProblemData, index = -1) =>
    (elements[index] ?? value).problem(constraintSentence(problem))
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

/** The datatypes that the id of a user has. */
const INTEGERS: readonly DatatypeName[] = ['integer', 'nonNegativeInteger', 'positiveInteger']

function defaultOf(entry: Entry, property: Property): DefaultValue | undefined {
  const { value } = entry
  const { range, many } = property
  if (value.isEmpty) return value.problem(`"default" says nothing here; leave it out`)
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
  const habit = DEFAULT_HINTS.get(String(value.json).toLowerCase())
  if (habit !== undefined && range.datatype !== 'string')
    return value.problem(`"${value.json}" is no ${range.datatype}; ${habit}`)
  const name = `the default of "${property.name}"`
  if (many !== value.isList)
    return value.problem(`${name} must be ${many ? 'a list, as it has many values' : 'one value'}`)
  return readDefault(property, range.datatype, givenBy(name, entry))
}
