import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import { LONGEST_NEAR, suggestion } from '../../text.ts'
import { type Class, MAX_VALUES, type Property } from '../../vocabulary/index.ts'
import { createCheckKeyword } from './keywords.ts'
import type { Submission } from './submission.ts'
import { isWithoutText, type ReadValue, readLanguages, readLink, readLiteral } from './value.ts'

/**
 * What was sent for a class, value by value: canonical where it could be read, undefined where a violation says why it
 * could not, null where a read-only property is said to have no value.
 */
export type SentValues = Record<string, unknown>

/** Reads an object in our own terms. `path`: of the embedded value that is read, with a slash at its end; or empty. */
export type ReadProperties = (sent: JsonObject, path: string, submission: Submission) => SentValues

/** Generic admin clients send these back with what they read (hypermedia.md, Writing). */
export const IGNORED = ['id', 'originId']

export function createReadProperties(cls: Class, base: string, isEmbedded = false): ReadProperties {
  const names = cls.properties.map(({ name }) => name)
  const readers = new Map(
    cls.properties.map((property) => [property.name, createReadProperty(property, base)]),
  )
  const checkKeyword = createCheckKeyword(cls, base, isEmbedded)

  return (sent, path, submission) => {
    const { violations } = submission
    const values: SentValues = Object.create(null)
    for (const name in sent) {
      const value = sent[name] as JsonValue
      const read = readers.get(name)
      if (read !== undefined) {
        const found = read(value, path + name, submission)
        if (found !== undefined) values[name] = found
      } else if (name.startsWith('@')) {
        const problem = checkKeyword(name, value, submission)
        if (problem !== undefined) violations.add(path + name, problem)
      } else if (!IGNORED.includes(name)) {
        const hint = violations.areMany() ? '' : `; ${suggestion(lastName(name), names)}`
        violations.add(path + name, ended(`is not a property of ${cls.name}${hint}`))
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
    if (all.some((value) => isObject(value) && '@list' in value)) {
      submission.violations.add(path, 'has no order; send its values without "@list".')
      return undefined
    }
    if (byLanguage) return reported(readLanguages(all), path, submission)
    if (all.length > (many ? MAX_VALUES : 1)) {
      const right = many ? `must have at most ${MAX_VALUES} values` : 'takes one value'
      submission.violations.add(path, `${right}, not ${all.length}.`)
      return undefined
    }
    if (!many) return readOne(all[0] ?? null, path, submission)
    return all.map((value, index) => readOne(value, `${path}/${index}`, submission))
  }
}

function createReadOne({ range }: Property, base: string): ReadProperty {
  if (range.kind === 'datatype')
    return (sent, path, submission) => reported(readLiteral(range.datatype, sent), path, submission)
  if (range.kind === 'link') {
    return (sent, path, submission) => {
      const { target } = submission
      return reported(readLink(range, sent, { base, target }), path, submission)
    }
  }
  const read = createReadProperties(range.cls, base, true)
  const message = `must be an object with the properties of ${range.cls.name}.`
  return (sent, path, submission) =>
    isObject(sent) ? read(sent, `${path}/`, submission) : reported({ message }, path, submission)
}

function reported(reading: ReadValue, path: string, { violations }: Submission): unknown {
  if ('value' in reading) return reading.value
  violations.add(path, reading.message)
  return undefined
}

/** Of an IRI the part that a property could be called; nothing is near a longer one. */
const lastName = (name: string): string =>
  name.includes(':') ? (name.slice(-LONGEST_NEAR).split(/[#/:]/).at(-1) ?? name) : name

/** Several violations make one text: each is a sentence. */
export const ended = (message: string): string => (message.endsWith('?') ? message : `${message}.`)
