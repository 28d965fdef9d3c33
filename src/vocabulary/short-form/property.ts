import type { ProblemData } from '../../problem.ts'
import { type DeclaredValues, fits, readConstraints, readDefault } from '../constraints.ts'
import { datatypeOf, isDatatypeName } from '../datatypes.ts'
import type { Outline, RangeTo } from '../finish-classes.ts'
import { isFilterable, keylessKind } from '../keys.ts'
import {
  type Constraints,
  DATATYPE_NAMES,
  type DefaultValue,
  isFilled,
  isLinkToAccount,
  type Property,
  type Range,
  REMOVAL_RULES,
  type RemovalRule,
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

/** The range of a property whose type is wrong: keys that do not depend on the type are checked all the same. */
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
  const property: Property = {
    name,
    iri: entries.iri('iri'),
    title: entries.text('title') ?? name,
    description: entries.text('description') ?? '',
    range,
    many: entries.flag('many') ?? false,
    required: entries.flag('required') ?? false,
    writable: entries.flag('writable') ?? !entries.has('always'),
    unique: entries.flag('unique') ?? false,
    filterable: entries.flag('filterable') ?? isFilterable({ range }),
    multiline: entries.flag('multiline') ?? false,
    default: undefined,
    always: undefined,
    onDelete: removalRuleOf(entries, known),
    reverse: reverseOf(entries, known),
    example: undefined,
    unit: unitOf(entries, known),
    constraints: known === undefined ? {} : constraintsOf(entries, range),
    formerName: entries.text('was'),
  }
  // Keys that depend on the type cannot be checked.
  if (known === undefined) return { ...property, unique: false, filterable: false }
  const [given, always, example] = ['default', 'always', 'example'].map((key) => entries.get(key))
  if (property.required && !property.writable && given === undefined && always === undefined)
    entries.get('required')?.value.problem('RequiredNotWritable', { name })
  return {
    ...property,
    default: given && defaultOf(given, property),
    always: always && alwaysOf(always, property, given !== undefined),
    example: example && exampleOf(example, property),
  }
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

function defaultOf(entry: FileEntry, property: Property): DefaultValue | undefined {
  const { value } = entry
  const { range, many } = property
  if (value.isEmpty) return value.problem('EmptyDefault')
  if (isFilled(value.json, property)) {
    if (value.json === 'now' || !property.required) return { kind: value.json }
    return value.problem('RequiredUserDefault', { name: property.name })
  }
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return value.problem('NoDefaultPossible', {
      name: property.name,
      kind: keylessKind(property),
      word: FILLED.find((word) => isFilled(word, property)),
    })
  const written = String(value.json)
  const meant = FOREIGN_DEFAULTS.get(written.toLowerCase())
  if (meant !== undefined && range.datatype !== 'string')
    return value.problem('ForeignDefault', { value: written, datatype: range.datatype, meant })
  if (many !== value.isList)
    return value.problem(many ? 'DefaultNotAList' : 'DefaultIsAList', { name: property.name })
  return readDefault(property, range.datatype, givenBy(`the default of "${property.name}"`, entry))
}

const FILLED = ['now', 'user']

/** Without authentication there is no user, so a required property would stay empty. */
function alwaysOf({ value }: FileEntry, property: Property, hasDefault: boolean): Property['always'] {
  const { name, writable, required, range, many } = property
  const word = value.json
  if (writable) return value.problem('AlwaysWritable', { name })
  if (hasDefault) return value.problem('AlwaysAndDefault', { name })
  if (!isFilled(word, property)) {
    const fitting = FILLED.find((one) => isFilled(one, property))
    return value.problem('AlwaysUnfit', { name, type: typeOf(range), many, word: fitting })
  }
  return word === 'user' && required ? value.problem('RequiredUserDefault', { name }) : word
}

function removalRuleOf(entries: FileEntries, range: Range | undefined): RemovalRule {
  if (range === undefined) return 'refuse'
  const entry = entries.get('onDelete')
  const isRequired = entries.get('required')?.value.json === true
  // people.md, People in data: links to a removed user lead to nobody.
  const usual = isLinkToAccount(range) && !isRequired ? 'unset' : 'refuse'
  if (entry === undefined) return usual
  const { json } = entry.value
  const rule = REMOVAL_RULES.find((one) => one === json)
  if (range.kind !== 'link') entry.key.problem('RemovalRuleUnfit', { type: typeOf(range) })
  else if (rule === undefined) {
    const word = typeof json === 'string' ? json : undefined
    entry.value.problem('UnknownRemovalRule', { word, known: REMOVAL_RULES })
  } else if (rule === 'unset' && isRequired) entry.value.problem('UnsetRequired')
  else return rule
  return usual
}

function reverseOf(entries: FileEntries, range: Range | undefined): string | undefined {
  const name = entries.text('reverse')
  if (name === undefined || range === undefined || range.kind === 'link') return name
  return entries.get('reverse')?.key.problem('ReverseUnfit', { type: typeOf(range) })
}

/** An example that its own property would refuse would mislead. */
function exampleOf(entry: FileEntry, property: Property): Property['example'] {
  const { range, name } = property
  if (range.kind !== 'datatype' || range.datatype === 'langString')
    return entry.key.problem('NoExamplePossible', { name })
  const example = readDefault(
    { ...property, many: false },
    range.datatype,
    givenBy(`the example of "${name}"`, entry),
  )
  return example?.kind === 'value' ? (example.value as Property['example']) : undefined
}

function unitOf(entries: FileEntries, range: Range | undefined): string | undefined {
  const unit = entries.text('unit')
  if (unit === undefined || range === undefined) return unit
  if (range.kind === 'datatype' && datatypeOf(range.datatype).family === 'number') return unit
  return entries.get('unit')?.key.problem('UnitUnfit', { type: typeOf(range) })
}
