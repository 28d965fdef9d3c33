import { JsonNumber, JsonScanner } from './json-scanner.ts'

export { JsonError, JsonNumber, type JsonProblems, type JsonToken } from './json-scanner.ts'

/**
 * JSON as it was sent. `JSON.parse` notices neither duplicate keys nor lost digits nor depth (hypermedia.md, Limits),
 * so this reader keeps the digits of each number and refuses the other two.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject

/** Without a prototype: `__proto__` and `constructor` are keys like any other. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** A number of RFC 8259 §6. */
export const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

export const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** Reads RFC 8259 JSON; throws a JsonError. `around`: levels of nesting that do not count. */
export function readJson(text: string, around = 0): JsonValue {
  const reader = new JsonReader(text, around)
  const value = reader.value(0)
  reader.requireEnd()
  return value
}

/**
 * The JSON of a value of a program; undefined for a value that has none. Throws for a number or a date for which
 * JSON.stringify would write null: null removes a value, so what the program meant would be lost.
 */
export const writeJson = (value: unknown): string | undefined => JSON.stringify(value, requireWritable)

function requireWritable(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const isLost =
    typeof value === 'number' ? !Number.isFinite(value) : value === null && this[key] instanceof Date
  if (isLost) throw new TypeError(`JSON cannot represent ${this[key]} (at ${JSON.stringify(key)}).`)
  return value
}

/** The limit for nested containers (hypermedia.md, Limits), which also limits the recursion below. */
const MAX_DEPTH = 32
const LONGEST_KEY_SHOWN = 64

/** Reads the values of a text, one after the other. */
export class JsonReader {
  readonly scanner: JsonScanner
  readonly #maxDepth: number

  constructor(text: string, around: number) {
    this.scanner = new JsonScanner(text)
    this.#maxDepth = MAX_DEPTH + around
  }

  value(depth: number): JsonValue {
    const { scanner } = this
    scanner.requireWithinLimit()
    switch (scanner.peek()) {
      case '{':
        return this.#object(depth + 1)
      case '[':
        return this.#array(depth + 1)
      case '"':
        return scanner.string()
      case 't':
        return scanner.word('true', true)
      case 'f':
        return scanner.word('false', false)
      case 'n':
        return scanner.word('null', null)
      default:
        return scanner.number()
    }
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = Object.create(null)
    this.enter(depth)
    if (this.scanner.accept('}')) return object
    do {
      const key = this.key(object)
      object[key] = this.value(depth)
    } while (this.continues('}'))
    return object
  }

  #array(depth: number): JsonValue[] {
    const array: JsonValue[] = []
    this.enter(depth)
    if (this.scanner.accept(']')) return array
    do array.push(this.value(depth))
    while (this.continues(']'))
    return array
  }

  /** Enters the container that begins here. */
  enter(depth: number): void {
    const { scanner } = this
    if (depth > this.#maxDepth) throw scanner.error('JsonTooDeep', { maxDepth: MAX_DEPTH })
    scanner.at++
  }

  /** The next key of an object, with its colon. */
  key(object: JsonObject): string {
    const { scanner } = this
    if (scanner.peek() !== '"') throw scanner.expected('key')
    const { at } = scanner
    const key = scanner.string()
    // `in` takes five times as long here.
    if (object[key] !== undefined) {
      const shown = key.length > LONGEST_KEY_SHOWN ? `${key.slice(0, LONGEST_KEY_SHOWN)}…` : key
      throw scanner.error('DuplicateKey', { key: shown }, at)
    }
    if (!scanner.accept(':')) throw scanner.expected('colon')
    return key
  }

  /** Whether there is more before the end of a container. */
  continues(end: '}' | ']'): boolean {
    if (this.scanner.accept(end)) return false
    if (this.scanner.accept(',')) return true
    throw this.scanner.expected(end === '}' ? 'commaOrBrace' : 'commaOrBracket')
  }

  requireEnd(): void {
    if (this.scanner.peek() !== undefined) throw this.scanner.expected('end')
  }
}
