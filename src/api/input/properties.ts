import { invalid, type Violation } from '../../errors.ts'
import { isObject, type JsonObject, type JsonValue, Numeral } from '../../json.ts'
import { idOf } from '../../members/index.ts'
import { LONGEST_NEAR, suggestion, withPeriod } from '../../text.ts'
import {
  addressIn,
  type Class,
  classIri,
  contextAddress,
  MAX_VALUES,
  type Property,
  pathTo,
  type Reading,
} from '../../vocabulary/index.ts'
import { createIsOwnContext, createIsServed } from './json-ld.ts'
import { isWithoutText, type References, readLanguages, readLink, readLiteral } from './value.ts'

/** A body that is being read: where it was sent, for what, and its violations. */
export interface Submission {
  /** The address that relative addresses are relative to. */
  readonly target: string
  /** The one value that `@id` may have; undefined for a new member, whose address the server chooses. */
  readonly address: string | undefined
  /**
   * `whole`: absent values get their default. `patch`: null removes a value, and absent ones stay. `restored`: a whole
   * member of an import or a hook, whose read-only values count. `stored`: the same without defaults and constraints.
   */
  readonly kind: 'whole' | 'patch' | 'restored' | 'stored'
  /** For defaults. */
  readonly now: number
  /** The id of the user who creates the member; undefined without authentication. */
  readonly userId?: number | undefined
  readonly references?: References
  readonly violations: Violations
}

/** A megabyte of unknown keys would have a hundred thousand violations. */
const MAX_NAMED = 1_000
const MAX_HINTED = 100
const LONGEST_PATH = 100

export class Violations {
  readonly #violations: Violation[] = []
  readonly #paths = new Set<string>()

  add(path: string, message: string): void {
    if (this.#violations.length === MAX_NAMED)
      throw invalid([...this.#violations, { propertyPath: '', message: 'There is more that is wrong.' }])
    this.#paths.add(path)
    const propertyPath = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path
    this.#violations.push({ propertyPath, message })
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /** Finding the nearest name takes longer than reading one: only the first violations get such a hint. */
  get areMany(): boolean {
    return this.#violations.length >= MAX_HINTED
  }

  throwIfAny(): void {
    if (this.#violations.length > 0) throw invalid(this.#violations)
  }
}

/** Canonical values: undefined for a violation, null for a read-only property that was sent without a value. */
export type SentValues = Record<string, unknown>

/** Reads an object in our own terms. `path`: of the embedded value, with a slash at its end; empty for a member. */
type ReadProperties = (sent: JsonObject, path: string, submission: Submission) => SentValues

export function createReadProperties(cls: Class, base: string, isEmbedded = false): ReadProperties {
  const names = cls.properties.map(({ name }) => name)
  const readers = new Map(
    cls.properties.map((property) => [property.name, createReadProperty(property, base)]),
  )
  const checkKeyword = createCheckKeyword(cls, base, isEmbedded)
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
        const hint = violations.areMany ? '' : `; ${suggestion(lastName(name), names)}`
        violations.add(path + name, withPeriod(`is not a property of ${cls.name}${hint}`))
      }
    }
    return values
  }
}

/** Checks keywords such as `@id`: what is wrong, or undefined. */
function createCheckKeyword(cls: Class, base: string, isEmbedded: boolean) {
  const { name, operations, methods } = cls
  const isOwnContext = createIsOwnContext(cls, base)
  const types: readonly JsonValue[] = [name, classIri(cls, base), `${base}/vocab#${name}`]
  // hypermedia.md, Writing: whether a client may choose the address of a new member.
  const canPut = operations.has('create') && operations.has('replace') && methods.replace.includes('PUT')
  const orPut = canPut ? ', or PUT to that address with If-None-Match: *' : ''
  const byPut =
    canPut && cls.collection !== undefined && !isEmbedded
      ? `to choose an id, PUT to ${base}${pathTo(cls.collection)}/{id} with If-None-Match: *`
      : 'leave it out'

  return (keyword: string, value: JsonValue, { address, target }: Submission): string | undefined => {
    switch (keyword) {
      case '@context':
        if (isOwnContext(value)) return undefined
        return `must be the context of ${name}, or its address ${contextAddress(name, base)}, or be left out.`
      case '@type':
        if ([value].flat().every((type) => types.includes(type))) return undefined
        return `must be ${JSON.stringify(name)} here, or be left out.`
      case '@id':
        // A blank node has no name (RDF 1.1 §3.4): what it is called within a document means nothing outside.
        if (typeof value === 'string' && value.startsWith('_:')) return undefined
        if (isEmbedded)
          return 'cannot be here, since an embedded value has no address of its own; leave it out.'
        if (address === undefined) return `is chosen by the server for a new member; leave it out${orPut}.`
        if (typeof value === 'string' && (value === address || addressIn(value, target) === address))
          return undefined
        return `must be ${address} here, or be left out.`
      case 'id': {
        const sent = value instanceof Numeral ? value.source : value
        if (sent === null) return undefined
        // An empty one would be a reference to the target itself (RFC 3986 §4.4).
        const isTarget =
          typeof sent === 'string' &&
          sent !== '' &&
          address !== undefined &&
          (sent === idOf(address) || addressIn(sent, target) === address)
        return isTarget && !isEmbedded ? undefined : `is not a property of ${name}; ${byPut}.`
      }
      default:
        return 'is not understood here; leave it out.'
    }
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
      return reported({ message: 'has no order; send its values without "@list".' }, path, submission)
    if (byLanguage) return reported(readLanguages(all), path, submission)
    if (all.length > (many ? MAX_VALUES : 1)) {
      const right = many ? `must have at most ${MAX_VALUES} values` : 'takes one value'
      return reported({ message: `${right}, not ${all.length}.` }, path, submission)
    }
    if (!many) return readOne(all[0] ?? null, path, submission)
    return all.map((value, index) => readOne(value, `${path}/${index}`, submission))
  }
}

function createReadOne({ range }: Property, base: string): ReadProperty {
  if (range.kind === 'datatype')
    return (sent, path, submission) => reported(readLiteral(range.datatype, sent), path, submission)
  if (range.kind === 'link')
    return (sent, path, submission) => {
      const { target, references } = submission
      return reported(readLink(range, sent, { base, target, references }), path, submission)
    }
  const read = createReadProperties(range.cls, base, true)
  const message = `must be an object with the properties of ${range.cls.name}.`
  return (sent, path, submission) =>
    isObject(sent) ? read(sent, `${path}/`, submission) : reported({ message }, path, submission)
}

function reported(reading: Reading, path: string, { violations }: Submission): unknown {
  if ('value' in reading) return reading.value
  violations.add(path, reading.message)
  return undefined
}

/** The last part of an IRI, to suggest a property with a similar name. */
const lastName = (name: string): string =>
  name.includes(':') ? (name.slice(-LONGEST_NEAR).split(/[#/:]/).at(-1) ?? name) : name
