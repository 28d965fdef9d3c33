import { badRequest, HttpError } from './errors.ts'

/**
 * JSON as it was sent. `JSON.parse` sees neither duplicate keys nor lost digits nor depth (hypermedia.md, Limits),
 * so this reader keeps each number's digits and refuses the other two.
 */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject

/** Without a prototype: `__proto__` and `constructor` are keys like any other. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** A number with the digits that were sent. */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** A place in a text, counted from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/** 400 for a text that is not JSON, or not as it may be here. */
export class JsonError extends HttpError {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(400, message)
    this.place = place
  }
}

/** A number of RFC 8259 §6. */
export const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

export const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

/** Containers within containers: hypermedia.md, Limits. It also bounds the recursion below. */
const MAX_DEPTH = 32

/** Reads RFC 8259 JSON; throws a 400 that says where and what was expected. `around`: levels that do not count. */
export function readJson(text: string, around = 0): JsonValue {
  return new Reader(text, around).document()
}

/** How the elements of a long list are read. */
interface ElementReading {
  /** Levels that do not count, since they are around what was sent for one member. */
  readonly around: number
  /** The most characters of an element, and the error for one that has more. */
  readonly longest: number
  readonly tooLong: (index: number) => HttpError
  /** Awaited before each element. */
  readonly before: (index: number) => Promise<void> | undefined
}

/**
 * Reads an object as `readJson` does, but the list at `key` as the JSON texts of its elements, so that other requests are
 * served in between, and little memory is used. Undefined where the document is not an object.
 */
export const readElements = (text: string, key: string, reading: ElementReading) =>
  new Reader(text, reading.around).withElements(key, reading)

const LINE_FEED = 0x0a
const DIGITS = /[0-9]+/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

class Reader {
  readonly #text: string
  readonly #around: number
  #at = 0
  /** Values that begin after this offset are too long. */
  #end = Number.POSITIVE_INFINITY
  #tooLong: () => HttpError = () => badRequest('The JSON is too long.')

  constructor(text: string, around: number) {
    this.#text = text
    this.#around = around
  }

  document(): JsonValue {
    const value = this.#value(0)
    this.#requireEnd()
    return value
  }

  #requireEnd(): void {
    if (this.#peek() !== undefined) throw this.#expected('the end of the document')
  }

  async withElements(key: string, reading: ElementReading) {
    const others: JsonObject = Object.create(null)
    let elements: string[] | undefined
    this.#limit(reading, 0)
    if (this.#peek() !== '{') return void this.document()
    this.#enter(1)
    if (!this.#accept('}'))
      do {
        const name = this.#key(others)
        this.#limit(reading, 0)
        if (name === key && this.#peek() === '[') elements = await this.#elements(reading)
        others[name] = name === key && elements !== undefined ? null : this.#value(1)
      } while (this.#continues('}'))
    this.#requireEnd()
    return { elements, others }
  }

  async #elements(reading: ElementReading): Promise<string[]> {
    const elements: string[] = []
    this.#enter(2)
    if (this.#accept(']')) return elements
    do {
      await reading.before(elements.length)
      this.#peek()
      const start = this.#at
      this.#limit(reading, elements.length)
      this.#value(2)
      elements.push(this.#text.slice(start, this.#at))
    } while (this.#continues(']'))
    return elements
  }

  #limit({ longest, tooLong }: ElementReading, index: number): void {
    this.#end = this.#at + longest
    this.#tooLong = () => tooLong(index)
  }

  #value(depth: number): JsonValue {
    if (this.#at > this.#end) throw this.#tooLong()
    switch (this.#peek()) {
      case '{':
        return this.#object(depth + 1)
      case '[':
        return this.#array(depth + 1)
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(depth: number): JsonObject {
    const object: JsonObject = Object.create(null)
    this.#enter(depth)
    if (this.#accept('}')) return object
    do {
      const key = this.#key(object)
      object[key] = this.#value(depth)
    } while (this.#continues('}'))
    return object
  }

  /** The next key of an object, with its colon. */
  #key(object: JsonObject): string {
    if (this.#peek() !== '"') throw this.#expected('a key in double quotes')
    const keyAt = this.#at
    const key = this.#string()
    if (key in object) {
      const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)
      throw this.#error(
        keyAt,
        (place) => `The key ${name} is in one object twice, again at ${place}; send it once.`,
      )
    }
    if (!this.#accept(':')) throw this.#expected('a colon')
    return key
  }

  #array(depth: number): JsonValue[] {
    const array: JsonValue[] = []
    this.#enter(depth)
    if (this.#accept(']')) return array
    do array.push(this.#value(depth))
    while (this.#continues(']'))
    return array
  }

  /** Whether there is more before the end of a container. */
  #continues(end: string): boolean {
    if (this.#accept(end)) return false
    if (this.#accept(',')) return true
    throw this.#expected(`a comma or "${end}"`)
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH + this.#around)
      throw this.#error(
        this.#at,
        (place) => `The JSON is nested more than ${MAX_DEPTH} levels deep at ${place}.`,
      )
    this.#at++
  }

  #string(): string {
    const start = this.#at
    let isEscaped = false
    for (let at = start + 1; ; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === 0x22) {
        this.#at = at + 1
        return isEscaped ? JSON.parse(this.#text.slice(start, at + 1)) : this.#text.slice(start + 1, at)
      }
      if (code >= 0x20 && code !== 0x5c) continue
      this.#at = at
      if (code !== 0x5c)
        throw this.#expected(code < 0x20 ? 'an escape for this control character' : 'a closing quote')
      at += this.#escapeLength() - 1
      isEscaped = true
    }
  }

  #escapeLength(): number {
    if (this.#at > this.#end) throw this.#tooLong()
    ESCAPE.lastIndex = this.#at
    if (ESCAPE.test(this.#text)) return ESCAPE.lastIndex - this.#at
    const isHex = this.#text[this.#at + 1] === 'u'
    throw this.#expected(
      isHex ? 'four hexadecimal digits after \\u' : 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u',
    )
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected(word)
    this.#at += word.length
    return value
  }

  #number(): JsonNumber {
    const start = this.#at
    const isSigned = this.#skip('-')
    if (!this.#skip('0')) this.#digits(isSigned ? 'a digit' : 'a value')
    if (this.#skip('.')) this.#digits('a digit after the decimal point')
    if (this.#skip('e') || this.#skip('E')) {
      if (!this.#skip('+')) this.#skip('-')
      this.#digits('a digit in the exponent')
    }
    return new JsonNumber(this.#text.slice(start, this.#at))
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #digits(expected: string): void {
    DIGITS.lastIndex = this.#at
    if (!DIGITS.test(this.#text)) throw this.#expected(expected)
    this.#at = DIGITS.lastIndex
  }

  /** The next character that is not white space (RFC 8259 §2); undefined at the end. */
  #peek(): string | undefined {
    const text = this.#text
    let at = this.#at
    // Not by `this.#at`, which takes ten times as long where there are megabytes of it.
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== LINE_FEED && code !== 0x0d && code !== 0x09) break
    }
    this.#at = at
    return text[at]
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }

  /** Shows at most one character of the input: a message never echoes a body. */
  #expected(what: string): HttpError {
    const code = this.#text.codePointAt(this.#at)
    const found = code === undefined ? 'it ends' : `there is ${JSON.stringify(String.fromCodePoint(code))}`
    return this.#error(
      this.#at,
      (place) => `This is not JSON: at ${place} ${found} where ${what} is expected.`,
    )
  }

  #error(at: number, sentence: (place: string) => string): JsonError {
    const place = placeOf(this.#text, at)
    return new JsonError(sentence(`line ${place.line}, column ${place.column}`), place)
  }
}

/** Where an offset of a text is. Nothing is copied: a text may have millions of lines. */
function placeOf(text: string, at: number): Place {
  let line = 1
  let start = 0
  for (let offset = 0; offset < at; offset++) {
    if (text.charCodeAt(offset) !== LINE_FEED) continue
    line++
    start = offset + 1
  }
  return { line, column: at - start + 1 }
}
