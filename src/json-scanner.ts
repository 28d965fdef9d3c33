import { Problem, type ProblemPlace } from './problem.ts'

/** A number with the digits that were sent. */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** The token that a text should have at some place. */
export type JsonToken =
  | 'value'
  | 'key'
  | 'colon'
  | 'commaOrBrace'
  | 'commaOrBracket'
  | 'end'
  | 'digit'
  | 'fraction'
  | 'exponent'
  | 'closingQuote'
  | 'escapedControl'
  | 'escape'
  | 'hexDigits'

export interface JsonProblems {
  /** `found`: the character at that place; undefined at the end. A problem never repeats more of a body. */
  MalformedJson: { readonly expected: JsonToken; readonly found: string | undefined }
  DuplicateKey: { readonly key: string }
  JsonTooDeep: { readonly maxDepth: number }
}

/** A text is not JSON, or breaks one of our limits; `at` has the line and the column. */
export class JsonError extends Problem {
  declare readonly code: keyof JsonProblems
  declare readonly at: TextPlace

  constructor(code: keyof JsonProblems, values: object, at: TextPlace) {
    super(code, values, { at })
  }
}

type TextPlace = Required<Pick<ProblemPlace, 'line' | 'column'>>

const LINE_FEED = 0x0a
const DIGITS = /[0-9]+/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Reads the tokens of RFC 8259 from a text, one after the other. */
export class JsonScanner {
  readonly text: string
  /** The offset of the next character. */
  at = 0
  /** Values that begin after this offset are too long. */
  #end = Number.POSITIVE_INFINITY
  #tooLong: (() => Error) | undefined

  constructor(text: string) {
    this.text = text
  }

  /** From here on, values may have this many characters together; `tooLong` creates the error for more. */
  limit(length: number, tooLong: () => Error): void {
    this.#end = this.at + length
    this.#tooLong = tooLong
  }

  requireWithinLimit(): void {
    if (this.at > this.#end && this.#tooLong !== undefined) throw this.#tooLong()
  }

  /** The next character that is not white space (RFC 8259 §2); undefined at the end. */
  peek(): string | undefined {
    const { text } = this
    let { at } = this
    // A local variable: with `this.at`, megabytes of white space take ten times as long.
    for (; ; at++) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== LINE_FEED && code !== 0x0d && code !== 0x09) break
    }
    this.at = at
    return text[at]
  }

  accept(character: string): boolean {
    if (this.peek() !== character) return false
    this.at++
    return true
  }

  string(): string {
    const start = this.at
    let isEscaped = false
    for (let at = start + 1; ; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 0x22) {
        this.at = at + 1
        return isEscaped ? JSON.parse(this.text.slice(start, at + 1)) : this.text.slice(start + 1, at)
      }
      if (code >= 0x20 && code !== 0x5c) continue
      this.at = at
      if (code !== 0x5c) throw this.expected(code < 0x20 ? 'escapedControl' : 'closingQuote')
      at += this.#escapeLength() - 1
      isEscaped = true
    }
  }

  #escapeLength(): number {
    this.requireWithinLimit()
    ESCAPE.lastIndex = this.at
    if (ESCAPE.test(this.text)) return ESCAPE.lastIndex - this.at
    throw this.expected(this.text[this.at + 1] === 'u' ? 'hexDigits' : 'escape')
  }

  word<T>(word: 'true' | 'false' | 'null', value: T): T {
    // One letter does not show which word is meant: `not json` begins like null.
    if (!this.text.startsWith(word, this.at)) throw this.expected('value')
    this.at += word.length
    return value
  }

  number(): JsonNumber {
    const start = this.at
    const isSigned = this.#skip('-')
    if (!this.#skip('0')) this.#digits(isSigned ? 'digit' : 'value')
    if (this.#skip('.')) this.#digits('fraction')
    if (this.#skip('e') || this.#skip('E')) {
      if (!this.#skip('+')) this.#skip('-')
      this.#digits('exponent')
    }
    return new JsonNumber(this.text.slice(start, this.at))
  }

  #skip(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  #digits(expected: JsonToken): void {
    DIGITS.lastIndex = this.at
    if (!DIGITS.test(this.text)) throw this.expected(expected)
    this.at = DIGITS.lastIndex
  }

  /** The error for a text that has something else here. */
  expected(expected: JsonToken): JsonError {
    const code = this.text.codePointAt(this.at)
    const found = code === undefined ? undefined : String.fromCodePoint(code)
    return this.error('MalformedJson', { expected, found })
  }

  error<Code extends keyof JsonProblems>(code: Code, values: JsonProblems[Code], at = this.at): JsonError {
    return new JsonError(code, values, this.#placeOf(at))
  }

  /** The place of an offset. Nothing is copied: a text may have millions of lines. */
  #placeOf(at: number): TextPlace {
    let line = 1
    let start = 0
    for (let offset = 0; offset < at; offset++) {
      if (this.text.charCodeAt(offset) !== LINE_FEED) continue
      line++
      start = offset + 1
    }
    return { line, column: at - start + 1 }
  }
}
