import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../json.ts'
import type { Link } from '../../members/member.ts'
import { atProperty, Problem, type ProblemData } from '../../problem.ts'
import { LONGEST_NEAR } from '../../text.ts'
import {
  type Class,
  type DatatypeName,
  datatypeOf,
  MAX_VALUES,
  type Property,
  type ReverseLink,
  type ValueReading,
  valueProblem,
  XSD,
} from '../../vocabulary/index.ts'
import {
  type Addressed,
  createCheckKeyword,
  createIsServed,
  createIsServedReverse,
  type References,
  readLink,
} from './identifiers.ts'
import { inputProblem, validationFailed } from './problems.ts'
import { explainDatatype } from './wrong-datatype.ts'

/** A body that is being read: its target, its kind, and its violations so far. */
export interface Submission extends Addressed {
  /**
   * `whole`: absent values get their default. `patch`: null removes a value, and absent values stay. `restored`: a whole
   * member of an import or a hook, whose read-only values are kept. `stored`: the same without defaults and constraints.
   */
  readonly kind: 'whole' | 'patch' | 'restored' | 'stored'
  /** The time of the write. */
  readonly now: number
  /** The id of the user who writes the member; undefined without authentication. */
  readonly userId?: number | undefined
  readonly references?: References
  /**
   * In an update: whether it leaves the value at this path as it is. A required one that is missing there is no violation
   * (model.md), and no default is added. Absent where every value is written.
   */
  readonly leaves?: ((path: string) => boolean) | undefined
  /** Whether read-only values get their defaults, too, although the body may repeat those of a deleted member. */
  readonly isCreation?: boolean
  /** For a hook, which sees and writes everything: what the user may not see or not write. */
  readonly userView?: UserView | undefined
  readonly violations: Violations
}

/** The properties that a user may not see, and those that the user may see but not write, by their names. */
export interface UserView {
  readonly hidden: ReadonlySet<string>
  readonly readOnly: ReadonlySet<string>
}

/** A megabyte of unknown keys would have a hundred thousand violations. */
const MAX_NAMED = 1_000
const MAX_HINTED = 100
const LONGEST_PATH = 100

export class Violations {
  readonly #violations: ProblemData[] = []
  readonly #paths = new Set<string>()

  add(path: string, problem: ProblemData): void {
    if (this.#violations.length === MAX_NAMED)
      throw validationFailed(...this.#violations, inputProblem('MoreViolations'))
    this.#paths.add(path)
    const property = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
    this.#violations.push(atProperty(problem, property))
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Finding the nearest name takes longer than reading a property, so only the first violations get a suggestion. */
  get areMany(): boolean {
    return this.#violations.length >= MAX_HINTED
  }

  get all(): readonly ProblemData[] {
    return this.#violations
  }
}

/** Canonical values: undefined for a violation, null for a read-only property that was sent without a value. */
export type SentValues = Record<string, unknown>

/** 422 for a body that has not reached the store, with the values that could be read and their links. */
export class InvalidBody extends Problem {
  readonly sent: SentValues
  readonly links: readonly Link[]

  constructor(violations: readonly ProblemData[], sent: SentValues, links: readonly Link[]) {
    super('ValidationFailed', {}, { violations })
    this.sent = sent
    this.links = links
  }
}

/** Reads an object in our own terms. `path`: of the embedded value, with a trailing slash; empty for a member. */
type ReadProperties = (sent: JsonObject, path: string, submission: Submission) => SentValues

/** `served`: the class whose context members have. */
export function createReadProperties(
  cls: Class,
  base: string,
  isEmbedded = false,
  served = cls,
): ReadProperties {
  const names = cls.properties.map(({ name }) => name)
  const readers = new Map([
    ...cls.properties.map((property) => [property.name, createReadProperty(property, base)] as const),
    ...cls.reverseLinks.map((link) => [link.name, createReadReverse(link, cls, base)] as const),
  ])
  const checkKeyword = createCheckKeyword(served, base, isEmbedded)
  const isServed = createIsServed(cls, base)

  return (sent, path, submission) => {
    const { violations } = submission
    const values: SentValues = Object.create(null)
    for (const name in sent) {
      const value = sent[name] as JsonValue
      const read = readers.get(name)
      if (read !== undefined) {
        const found = read(value, path + name, submission)
        if (found !== undefined) values[name] = found
      } else if (name.startsWith('@') || name === 'id') {
        const problem = checkKeyword(name, value, submission)
        if (problem !== undefined) violations.add(path + name, problem)
      } else if (!isServed(name, value)) {
        const hint = violations.areMany ? {} : { known: names }
        const unknown = { className: cls.name, name: lastName(name), ...hint }
        violations.add(path + name, inputProblem('UnknownProperty', unknown))
      }
    }
    return values
  }
}

type ReadProperty = (sent: JsonValue, path: string, submission: Submission) => unknown

/** JSON-LD: null is no value, and one value is the same as a list of one. */
function createReadProperty(property: Property, base: string): ReadProperty {
  const { many, range, writable } = property
  const readOne = createReadOne(property, base)
  const byLanguage = range.kind === 'datatype' && range.datatype === 'langString'

  return (sent, path, submission) => {
    const all = (Array.isArray(sent) ? sent : [sent]).filter(
      (value) => value !== null && !(byLanguage && isWithoutText(value)),
    )
    if (all.length === 0) return writable ? undefined : null
    if (all.some((value) => isObject(value) && '@list' in value))
      return reported({ problem: inputProblem('NoOrder') }, path, submission)
    if (byLanguage) return reported(readLanguages(all), path, submission)
    const count = all.length
    if (count > (many ? MAX_VALUES : 1)) {
      const problem = many
        ? valueProblem('TooManyValues', { maxValues: MAX_VALUES, count })
        : inputProblem('OneValueOnly', { count })
      return reported({ problem }, path, submission)
    }
    if (!many) return readOne(all[0] ?? null, path, submission)
    return all.map((value, index) => readOne(value, `${path}/${index}`, submission))
  }
}

/** A link from the other side (asking.md) is ignored as it is served: its address, or none. */
function createReadReverse(link: ReverseLink, cls: Class, base: string): ReadProperty {
  const isServed = createIsServedReverse(link, cls, base)
  return (sent, path, submission) => {
    if (isServed(sent, submission)) return
    const isNew = submission.address === undefined
    const isIncluded = [sent].flat().some((value) => isObject(value) && Object.keys(value).length > 1)
    const problem = isIncluded ? inputProblem('IncludedCollection') : inputProblem('ReadOnly', { isNew })
    submission.violations.add(path, problem)
  }
}

function createReadOne(property: Property, base: string): ReadProperty {
  const { range } = property
  if (range.kind === 'datatype')
    return (sent, path, submission) => {
      const reading = readLiteral(range.datatype, sent)
      if ('value' in reading) return reading.value
      return reported({ problem: explainDatatype(reading.problem, property, sent) }, path, submission)
    }
  if (range.kind === 'link')
    return (sent, path, submission) => {
      const { target, references } = submission
      return reported(readLink(range, sent, { base, target, references }), path, submission)
    }
  const read = createReadProperties(range.cls, base, true)
  const problem = inputProblem('NotEmbedded', { className: range.cls.name })
  return (sent, path, submission) =>
    isObject(sent) ? read(sent, `${path}/`, submission) : reported({ problem }, path, submission)
}

function reported(reading: ValueReading, path: string, { violations }: Submission): unknown {
  if ('value' in reading) return reading.value
  violations.add(path, reading.problem)
  return undefined
}

/** The last part of an IRI, to suggest a property with a similar name. */
const lastName = (name: string): string =>
  name.includes(':') ? (name.slice(-LONGEST_NEAR).split(/[#/:]/).at(-1) ?? name) : name

const INTEGERS = ['integer', 'nonNegativeInteger', 'positiveInteger', 'long', 'int', 'short', 'byte'].map(
  (name) => XSD + name,
)

/** Reads JSON, or a value object (JSON-LD 1.1 §9.5) whose type must agree with that of the property. */
export function readLiteral(name: DatatypeName, sent: JsonValue): ValueReading {
  const datatype = datatypeOf(name)
  if (!isValueObject(sent)) return datatype.read(sent)
  const { '@value': value = null, '@type': type } = sent
  for (const keyword of ['language', 'direction'] as const)
    if (`@${keyword}` in sent) return { problem: inputProblem('UnexpectedKeyword', { keyword }) }
  if (type === undefined) return datatype.read(value)
  if (!agrees(name, type)) return { problem: inputProblem('WrongValueType', { datatype: datatype.iri }) }
  return datatype.read(typeof value === 'string' ? fromLexical(name, value) : value)
}

const isValueObject = (value: JsonValue): value is JsonObject => isObject(value) && '@value' in value

/** An integer is a decimal too. Whether it must be positive is checked with the value. */
function agrees(name: DatatypeName, type: JsonValue): boolean {
  const { iri } = datatypeOf(name)
  if (type === iri) return true
  return INTEGERS.includes(type as string) && (INTEGERS.includes(iri) || name === 'decimal')
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))

/** A number or a boolean of JSON from its lexical form in XSD. */
function fromLexical(name: DatatypeName, text: string): JsonValue {
  const { family } = datatypeOf(name)
  if (family === 'boolean') return BOOLEANS.get(text) ?? text
  if (family !== 'number' || name === 'decimal' || !NUMBER.test(text)) return text
  return new JsonNumber(text.replace(/^\+/, ''))
}

/** Whether a language map has only nulls, as after a patch. */
const isWithoutText = (sent: JsonValue): boolean => {
  const texts = isObject(sent) ? Object.values(sent) : []
  return texts.length > 0 && texts.every((text) => text === null)
}

/** Reads texts by language: one map, or value objects with a language each (JSON-LD 1.1 §4.2.4). */
export function readLanguages(sent: readonly JsonValue[]): ValueReading {
  const { read } = datatypeOf('langString')
  const texts: JsonObject = Object.create(null)
  for (const one of sent) {
    const pairs = languagePairs(one)
    if (pairs === undefined) return read(isValueObject(one) ? null : one)
    for (const [tag, text] of pairs) {
      if (tag in texts) return { problem: valueProblem('DuplicateLanguage', { tag: tag.slice(0, 32) }) }
      texts[tag] = text
    }
  }
  return read(texts)
}

function languagePairs(sent: JsonValue): [string, JsonValue][] | undefined {
  if (!isObject(sent)) return undefined
  const only = (text: JsonValue) => (Array.isArray(text) && text.length === 1 ? (text[0] ?? null) : text)
  if (!isValueObject(sent)) return Object.entries<JsonValue>(sent).map(([tag, text]) => [tag, only(text)])
  const { '@value': text = null, '@language': tag, ...rest } = sent
  return typeof tag === 'string' && Object.keys(rest).length === 0 ? [[tag, text]] : undefined
}
