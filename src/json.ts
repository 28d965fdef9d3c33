import { badRequest, type HttpError } from './errors.ts'

/**
 * JSON as it was sent. `JSON.parse` sees neither duplicate keys nor lost digits nor depth (hypermedia.md, Limits),
 * so this reader keeps each number's digits and refuses the other two.
 */
export type JsonValue = null | boolean | string | Numeral | JsonValue[] | JsonObject

/** Without a prototype: `__proto__` and `constructor` are keys like any other. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** A number with the digits that were sent. */
export class Numeral {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Numeral)

/** Containers within containers: hypermedia.md, Limits. It also bounds the recursion below. */
export const MAX_DEPTH = 32

/** Reads RFC 8259 JSON; throws a 400 that says where and what was expected. */
export function readJson(text: string, maxDepth = MAX_DEPTH): JsonValue {
  return new Reader(text, maxDepth).document()
}

/** How a long list is read. */
interface ElementReading {
  readonly maxDepth: number
  /** How many characters an element has at most, and what is thrown for one that has more. */
  readonly longest: number
  readonly tooLong: (index: number) => HttpError
  /** Awaited before each element. */
  readonly before: (index: number) => Promise<void> | undefined
}

/**
 * An object as `readJson` reads it, without what is at `key`: the elements of that list, as texts that are JSON. Nothing
 * that was sent takes long at once, or much memory. Undefined for another document.
 */
export const readElements = (text: string, key: string, reading: ElementReading) =>
  new Reader(text, reading.maxDepth).withElements(key, reading)

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }),
)

class Reader {
  readonly #text: string
  readonly #maxDepth: number
  #at = 0
  /** No value begins behind it. */
  #end = Number.POSITIVE_INFINITY
  #tooLong: () => HttpError = () => badRequest('The JSON is too long.')

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
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
    if (key in object) throw this.#duplicate(key, keyAt)
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
    if (depth > this.#maxDepth) {
      throw badRequest(
        `The JSON is nested more than ${this.#maxDepth} levels deep at ${this.#place(this.#at)}.`,
      )
    }
    this.#at++
  }

  #string(): string {
    let read = ''
    let from = this.#at + 1
    for (let at = from; ; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === 0x22) {
        this.#at = at + 1
        return read + this.#text.slice(from, at)
      }
      if (code === 0x5c) {
        read += this.#text.slice(from, at)
        this.#at = at
        read += this.#escape()
        from = this.#at
        at = from - 1
      } else if (!(code >= 0x20)) {
        this.#at = at
        throw this.#expected(
          at < this.#text.length ? 'an escape for this control character' : 'a closing quote',
        )
      }
    }
  }

  #escape(): string {
    if (this.#at > this.#end) throw this.#tooLong()
    const letter = this.#text[this.#at + 1]
    if (letter === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.#expected('four hexadecimal digits after \\u')
      this.#at += 6
      return String.fromCharCode(Number.parseInt(hex, 16))
    }
    const character = ESCAPES.get(letter ?? '')
    if (character === undefined) throw this.#expected('one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u')
    this.#at += 2
    return character
  }

  #word<T extends JsonValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#expected(word)
    this.#at += word.length
    return value
  }

  #number(): Numeral {
    const start = this.#at
    if (this.#text[this.#at] === '-') this.#at++
    if (this.#text[this.#at] === '0') this.#at++
    else this.#digits(start === this.#at ? 'a value' : 'a digit')
    if (this.#text[this.#at] === '.') {
      this.#at++
      this.#digits('a digit after the decimal point')
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++
      this.#digits('a digit in the exponent')
    }
    return new Numeral(this.#text.slice(start, this.#at))
  }

  #digits(expected: string): void {
    const start = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++
    if (this.#at === start) throw this.#expected(expected)
  }

  /** The next character that is not white space (RFC 8259 §2); undefined at the end. */
  #peek(): string | undefined {
    for (;;) {
      const character = this.#text[this.#at]
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character
      this.#at++
    }
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }

  /** One character of the input at most: a message never echoes a body. */
  #expected(what: string): HttpError {
    const code = this.#text.codePointAt(this.#at)
    const found = code === undefined ? 'it ends' : `there is ${JSON.stringify(String.fromCodePoint(code))}`
    return badRequest(`This is not JSON: at ${this.#place(this.#at)} ${found} where ${what} is expected.`)
  }

  #duplicate(key: string, at: number): HttpError {
    const name = JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)
    return badRequest(`The key ${name} is in one object twice, again at ${this.#place(at)}; send it once.`)
  }

  #place(at: number): string {
    const before = this.#text.slice(0, at)
    const lineStart = before.lastIndexOf('\n') + 1
    let line = 1
    for (let feed = before.indexOf('\n'); feed >= 0; feed = before.indexOf('\n', feed + 1)) line++
    return `line ${line}, column ${at - lineStart + 1}`
  }
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
