import { isObject, type JsonObject, type JsonValue, Numeral } from '../../json.ts'
import type { Values } from '../../members/stored-text.ts'
import type { Class, Range } from '../../vocabulary/model.ts'
import { createContextCheck } from './envelope.ts'

/**
 * Whether what was sent can be read as it is: nothing in it needs a JSON-LD processor to be understood. That is what
 * nearly everybody sends, and costs next to nothing.
 */
export function createIsPlain(cls: Class, base: string): (sent: JsonObject) => boolean {
  const isOwnContext = createContextCheck(cls, base)
  const isPlain = createIsPlainWithin(cls)
  return (sent) => {
    const context = sent['@context']
    return (context === undefined || isOwnContext(context)) && isPlain(sent, '@context')
  }
}

/** `known`: a keyword that has been looked at. */
function createIsPlainWithin(cls: Class): (sent: JsonObject, known?: string) => boolean {
  const ranges = new Map(cls.properties.map(({ name, range }) => [name, createIsPlainValue(range)]))
  return (sent, known) => {
    // Not Object.entries, which would copy what every request sends.
    for (const name in sent) {
      const value = sent[name] as JsonValue
      const isPlainValue = ranges.get(name)
      if (isPlainValue !== undefined) {
        if (typeof value === 'object' && value !== null && !isPlainValue(value)) return false
      } else if (name.includes(':') || (name.startsWith('@') && !ENVELOPE.includes(name) && name !== known)) {
        return false
      }
    }
    return true
  }
}

const ENVELOPE = ['@id', '@type']

function createIsPlainValue(range: Range): (value: JsonValue) => boolean {
  const isPlainObject =
    range.kind === 'embedded'
      ? createIsPlainWithin(range.cls)
      : (value: JsonObject) =>
          Object.keys(value).every((key) => !key.startsWith('@') || (range.kind === 'link' && key === '@id'))
  return (value) =>
    Array.isArray(value)
      ? value.every((one) => !isObject(one) || isPlainObject(one))
      : !isObject(value) || isPlainObject(value)
}

/** Stored values as if they had been sent. */
export function representPlain(cls: Class, values: Values, base: string): JsonObject {
  const plain: JsonObject = Object.create(null)
  for (const { name, range } of cls.properties) {
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    plain[name] = Array.isArray(value)
      ? value.map((one) => plainValue(range, one, base))
      : plainValue(range, value, base)
  }
  return plain
}

function plainValue(range: Range, value: unknown, base: string): JsonValue {
  if (range.kind === 'embedded') return representPlain(range.cls, value as Values, base)
  if (range.kind === 'link') return `${base}${value}`
  return typeof value === 'number' ? new Numeral(String(value)) : (value as JsonValue)
}
