import { isUtf8 } from 'node:buffer'
import { JsonError, readJson } from '../json.ts'
import type { Problem } from '../problem.ts'
import { LINE_FEED, MemberBytes } from './ndjson.ts'
import { type DocumentToken, importProblem } from './problems.ts'

/** A JSON value within a document, as it is written there, and the line where it begins, from 1. */
export interface JsonText {
  readonly line: number
  readonly bytes: MemberBytes
}

export interface DocumentKey {
  readonly name: string
  readonly line: number
}

/** The document cannot be read from this line on. */
export class BrokenDocument extends Error {
  readonly line: number
  readonly problem: Problem

  constructor(line: number, problem: Problem) {
    super(problem.code)
    this.line = line
    this.problem = problem
  }
}

const SPACE = new Set(Buffer.from(' \t\r\n'))
const DELIMITERS = new Set(Buffer.from(',}] \t\r\n'))
const QUOTE = 0x22
const BACKSLASH = 0x5c
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d]

/** A parser that yields when it needs another chunk. */
type ParserSteps<T> = Generator<undefined, T>

/**
 * Reads the top of a JSON document chunk by chunk, and each value in it as its text, which `readJson` parses once.
 * Libraries that stream JSON (@streamparser/json, stream-json, jsonparse) give parsed values without the digits of a
 * number, duplicate keys, or the line, and stop at the first member that is broken.
 */
export class DocumentReader {
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  #isEnded = false
  #record: MemberBytes | undefined
  line = 1
  /** How many bytes were read. */
  length = 0

  feed(chunk: Buffer): void {
    this.#chunk = chunk
    this.#at = 0
    this.length += chunk.length
    this.#record?.add(chunk)
  }

  end(): void {
    this.#isEnded = true
  }

  /** Records everything from here on, until `stopRecording`. */
  record(): JsonText {
    const bytes = new MemberBytes()
    bytes.add(this.#chunk.subarray(this.#at))
    this.#record = bytes
    return { line: this.line, bytes }
  }

  stopRecording(): void {
    this.#record = undefined
  }

  /** A key and the colon after it. */
  *key(): ParserSteps<DocumentKey> {
    if (!(yield* this.isAt('"'))) throw this.#expected('key')
    const { bytes, line } = yield* this.value()
    const name = this.#readKey(bytes, line)
    yield* this.require(':', 'colon')
    return { name, line }
  }

  #readKey(bytes: MemberBytes, line: number): string {
    const text = bytes.toBuffer()
    if (!isUtf8(text)) throw new BrokenDocument(line, importProblem('NotUtf8'))
    try {
      return readJson(text.toString('utf8')) as string
    } catch (error) {
      throw error instanceof JsonError ? this.#expected('key', line) : error
    }
  }

  /** The value that begins here. Mistakes within it are found when it is parsed. */
  *value(): ParserSteps<JsonText> {
    const findEnd = createEndFinder(yield* this.#peek())
    const bytes = new MemberBytes()
    const { line } = this
    for (;;) {
      const end = findEnd(this.#chunk, this.#at)
      const part = this.#chunk.subarray(this.#at, end)
      bytes.add(part)
      this.line = line + bytes.lineFeeds
      this.#at += part.length
      if (end !== undefined) return { line, bytes }
      if (this.#isEnded) throw this.#expected('value', line)
      yield
    }
  }

  *isAt(character: string): ParserSteps<boolean> {
    return (yield* this.#peek()) === character.charCodeAt(0)
  }

  *accept(character: string): ParserSteps<boolean> {
    const isThere = yield* this.isAt(character)
    if (isThere) this.#at++
    return isThere
  }

  *require(character: string, expected: DocumentToken): ParserSteps<void> {
    if (!(yield* this.accept(character))) throw this.#expected(expected)
  }

  *requireEnd(): ParserSteps<void> {
    if ((yield* this.#peek()) !== undefined) throw this.#expected('end')
  }

  #expected(expected: DocumentToken, line = this.line): BrokenDocument {
    const isCutOff = this.#isEnded && this.#at === this.#chunk.length
    const problem = isCutOff
      ? importProblem('DocumentCutOff')
      : importProblem('MalformedDocument', { expected })
    return new BrokenDocument(line, problem)
  }

  /** The next byte that is not white space; undefined at the end. */
  *#peek(): ParserSteps<number | undefined> {
    for (;;) {
      const byte = this.#chunk[this.#at]
      if (byte === undefined) {
        if (this.#isEnded) return undefined
        yield
      } else if (!SPACE.has(byte)) return byte
      else {
        if (byte === LINE_FEED) this.line++
        this.#at++
      }
    }
  }
}

/** Finds the offset after one JSON value, over any number of chunks; undefined if it does not end in this chunk. */
function createEndFinder(first: number | undefined): (bytes: Buffer, from: number) => number | undefined {
  let depth = 0
  let inString = false
  let escaped = false

  if (first !== QUOTE && first !== BRACE && first !== BRACKET)
    return (bytes, from) => {
      const end = bytes.subarray(from).findIndex((byte) => DELIMITERS.has(byte))
      return end < 0 ? undefined : from + end
    }

  return (bytes, from) => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) {
          inString = false
          if (depth === 0) return at + 1
        }
      } else if (byte === QUOTE) inString = true
      else if (byte === BRACE || byte === BRACKET) depth++
      else if (byte === END_BRACE || byte === END_BRACKET) {
        depth--
        if (depth === 0) return at + 1
      }
    }
    return undefined
  }
}
