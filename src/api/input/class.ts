import { isObject, type JsonObject, type JsonValue } from '../../json.ts'
import { LONGEST_NEAR, suggestion } from '../../nearest.ts'
import { datatypeOf } from '../../vocabulary/datatypes.ts'
import type { Class, Property } from '../../vocabulary/model.ts'
import { MAX_VALUES } from '../../vocabulary/schema.ts'
import { createEnvelope, type Sending } from './envelope.ts'
import { isWithoutText, readLanguages } from './languages.ts'
import { readLink } from './link.ts'
import { type ReadValue, readValueObject } from './literal.ts'
import type { Report } from './report.ts'

/**
 * What was sent for a class, value by value: canonical where it could be read, undefined where the report says why it
 * could not, null where a read-only property is said to have no value.
 */
export type SentValues = Record<string, unknown>

/** Reads what was sent in our terms. `path`: of the embedded value that is read, with a slash at its end; or empty. */
export type ReadClass = (sent: JsonObject, path: string, sending: Sending, report: Report) => SentValues

/** Generic admin clients send these back with what they read (hypermedia.md, Writing). */
export const IGNORED = ['id', 'originId']

export function createReadClass(cls: Class, base: string, embedded = false): ReadClass {
  const names = cls.properties.map(({ name }) => name)
  const readers = new Map(
    cls.properties.map((property) => [property.name, createReadProperty(property, base)]),
  )
  const envelope = createEnvelope(cls, base, embedded)

  return (sent, path, sending, report) => {
    const values: SentValues = Object.create(null)
    for (const name in sent) {
      const value = sent[name] as JsonValue
      const read = readers.get(name)
      if (read !== undefined) {
        const found = read(value, path + name, sending, report)
        if (found !== undefined) values[name] = found
      } else if (name.startsWith('@')) {
        const problem = envelope(name, value, sending)
        if (problem !== undefined) report.add(path + name, problem)
      } else if (!IGNORED.includes(name)) {
        const hint = report.isLong() ? '' : `; ${suggestion(lastName(name), names)}`
        report.add(path + name, ended(`is not a property of ${cls.name}${hint}`))
      }
    }
    return values
  }
}

type ReadProperty = (sent: JsonValue, path: string, sending: Sending, report: Report) => unknown

/** JSON-LD: null is no value, and one value is the same as a list of one. */
function createReadProperty(property: Property, base: string): ReadProperty {
  const { many, range, writable } = property
  const readValue = createReadValue(property, base)
  const byLanguage = range.kind === 'datatype' && range.datatype === 'langString'

  return (sent, path, sending, report) => {
    const all = (Array.isArray(sent) ? sent : [sent]).filter(
      (value) => value !== null && !(byLanguage && isWithoutText(value)),
    )
    if (all.length === 0) return writable ? undefined : null
    if (all.some((value) => isObject(value) && '@list' in value)) {
      report.add(path, 'has no order; send its values without "@list".')
      return undefined
    }
    if (byLanguage) return reported(readLanguages(all), path, report)
    if (all.length > (many ? MAX_VALUES : 1)) {
      const right = many ? `must have at most ${MAX_VALUES} values` : 'takes one value'
      report.add(path, `${right}, not ${all.length}.`)
      return undefined
    }
    if (!many) return readValue(all[0] ?? null, path, sending, report)
    return all.map((value, index) => readValue(value, `${path}/${index}`, sending, report))
  }
}

function createReadValue({ range }: Property, base: string): ReadProperty {
  if (range.kind === 'link') {
    return (sent, path, sending, report) => reported(readLink(range, sent, base, sending), path, report)
  }
  if (range.kind === 'embedded') {
    const read = createReadClass(range.cls, base, true)
    const message = `must be an object with the properties of ${range.cls.name}.`
    return (sent, path, sending, report) =>
      isObject(sent) ? read(sent, `${path}/`, sending, report) : reported({ message }, path, report)
  }
  const { read } = datatypeOf(range.datatype)
  return (sent, path, _, report) => {
    const object = isObject(sent) && '@value' in sent
    return reported(object ? readValueObject(range.datatype, sent) : read(sent), path, report)
  }
}

function reported(reading: ReadValue, path: string, report: Report): unknown {
  if ('value' in reading) return reading.value
  report.add(path, reading.message)
  return undefined
}

/** Of an IRI the part that a property could be called; nothing is near a longer one. */
const lastName = (name: string): string =>
  name.includes(':') ? (name.slice(-LONGEST_NEAR).split(/[#/:]/).at(-1) ?? name) : name

/** Several violations make one text: each is a sentence. */
export const ended = (message: string): string => (message.endsWith('?') ? message : `${message}.`)
