import type { ProblemData } from '../../problem.ts'
import { type DeclaredValues, fits, readConstraints, readDefault } from '../constraints.ts'
import { datatypeOf, isDatatypeName } from '../datatypes.ts'
import type { Outline, RangeTo } from '../finish-classes.ts'
import { isFilterable, keylessKind } from '../keys.ts'
import {
  type Constraints,
  DATATYPE_NAMES,
  type DatatypeName,
  type DefaultValue,
  type Property,
  type Range,
} from '../model.ts'
import { isClassName } from '../names.ts'
import { FOREIGN_DEFAULTS, PROPERTY_KEYS } from './keys.ts'
import { FileEntries, type FileEntry, type FileValue, readEntries } from './yaml.ts'

interface PropertyContext {
  readonly owner: Outline
  /** All classes of the file, which a type may name. */
  readonly classNames: ReadonlySet<string>
  readonly rangeTo: RangeTo
}

/** The range of a property whose type is wrong: its other keys are checked all the same. */
const UNKNOWN: Range = { kind: 'datatype', datatype: 'string' }

/** A property, written as only a type or as a map. */
export function readProperty(entry: FileEntry, reading: PropertyContext): Property {
  const { name, key, value } = entry
  const { owner, classNames } = reading
  const place = { className: owner.name, property: name }
  if (typeof value.json === 'string') return buildProperty(name, new FileEntries([['type', entry]]), reading)
  if (value.json !== undefined || value.isList) {
    const [element] = value.isList ? value.texts : []
    value.problem('NotAProperty', { ...place, element })
    return buildProperty(name, new FileEntries(), reading)
  }
  const entries = readEntries(value, { kind: 'property', ...place }, Object.keys(PROPERTY_KEYS))
  if (value.isMap && !entries.has('type'))
    key.problem('MissingType', { ...place, known: typesFor(key, classNames) })
  return buildProperty(name, entries, reading)
}

function buildProperty(name: string, entries: FileEntries, reading: PropertyContext): Property {
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
    formerName: entries.text('was'),
  }
  const given = entries.get('default')
  // Keys that depend on the type cannot be checked.
  if (known === undefined) return { ...property, unique: false, filterable: false }
  if (given !== undefined) return { ...property, default: defaultOf(given, property) }
  if (property.required && !property.writable)
    entries.get('required')?.value.problem('RequiredNotWritable', { name })
  return property
}

const isTypeName = (name: string): boolean => isDatatypeName(name) || isClassName(name)

/** The types that a hint may suggest. A file with many problems may have many classes, and each hint looks at all of them. */
const typesFor = ({ isCrowded }: FileValue, classNames: ReadonlySet<string>): readonly string[] =>
  isCrowded ? DATATYPE_NAMES : [...DATATYPE_NAMES, ...classNames]

function readRange(entries: FileEntries, { classNames, rangeTo }: PropertyContext): Range | undefined {
  const value = entries.get('type')?.value
  if (value?.isList) return value.problem('ListAsType')
  const type = entries.text('type')
  if (type === undefined) return undefined
  if (isDatatypeName(type)) return { kind: 'datatype', datatype: type }
  if (!classNames.has(type)) {
    const possible = value === undefined ? [] : typesFor(value, classNames).filter(isTypeName)
    return value?.problem('UnknownType', { type, known: possible })
  }
  const range = rangeTo(type)
  return range.kind === 'impossible' ? value?.add(range.problem) : range
}

/**
 * A constraint that does not fit the type is a problem: if it were ignored, it would promise a check (hypermedia.md,
 * The API file).
 */
const constraintsOf = (entries: FileEntries, range: Range): Constraints =>
  readConstraints(range, (name) => {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (!fits(name, range))
      return entry.key.problem('UnfitConstraint', {
        constraint: name,
        range: range.kind,
        type: typeOf(range),
      })
    if (name === 'enum') refuseTwice(entry, range)
    const given = givenBy(`"${name}"`, entry)
    return entry.value.isList === (name === 'enum') ? given : { ...given, values: [] }
  })

/** Compares by value: 12.5 and 12.50 are one decimal. */
function refuseTwice({ value }: FileEntry, range: Range): void {
  if (range.kind !== 'datatype') return
  const { read, key } = datatypeOf(range.datatype)
  const seen = new Set<unknown>()
  for (const element of value.elements) {
    const reading = element.json === undefined ? undefined : read(element.json)
    if (reading === undefined || 'problem' in reading) continue
    const known = key(reading.value)
    if (seen.has(known)) element.problem('DuplicateChoice', { value: reading.value })
    seen.add(known)
  }
}

function givenBy(name: string, { value }: FileEntry): DeclaredValues {
  const { elements } = value
  const refuse = (problem: ProblemData, index = -1) => (elements[index] ?? value).add(problem)
  return { name, values: elements.map(({ json }) => json), refuse }
}

/** The type as the API file writes it. */
function typeOf(range: Range): string {
  if (range.kind === 'datatype') return range.datatype
  return range.kind === 'link' ? range.className : range.cls.name
}

/** The datatypes that the id of a user can have. */
const INTEGERS: readonly DatatypeName[] = ['integer', 'nonNegativeInteger', 'positiveInteger']

function defaultOf(entry: FileEntry, property: Property): DefaultValue | undefined {
  const { value } = entry
  const { range, many } = property
  if (value.isEmpty) return value.problem('EmptyDefault')
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return value.problem('NoDefaultPossible', { name: property.name, kind: keylessKind(property) })
  if (!many && value.json === 'now' && (range.datatype === 'dateTime' || range.datatype === 'date'))
    return { kind: 'now' }
  if (!many && value.json === 'user' && INTEGERS.includes(range.datatype)) {
    if (!property.required) return { kind: 'user' }
    return value.problem('RequiredUserDefault', { name: property.name })
  }
  const written = String(value.json)
  const meant = FOREIGN_DEFAULTS.get(written.toLowerCase())
  if (meant !== undefined && range.datatype !== 'string')
    return value.problem('ForeignDefault', { value: written, datatype: range.datatype, meant })
  if (many !== value.isList)
    return value.problem(many ? 'DefaultNotAList' : 'DefaultIsAList', { name: property.name })
  return readDefault(property, range.datatype, givenBy(`the default of "${property.name}"`, entry))
}
