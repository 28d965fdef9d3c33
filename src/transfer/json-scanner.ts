import { HttpError } from '../errors.ts'
import { readJson } from '../json.ts'
import { LONGEST_MEMBER } from './ndjson.ts'

/** A JSON value within a document, as it is written there. */
export interface JsonText {
  /** Where it begins, from 1. */
  readonly line: number
  /** Undefined where it is longer than a member may be. */
  readonly bytes: Buffer | undefined
}

/** Told of what a JSON document has at its top, while it is scanned chunk by chunk. */
export interface Visitor {
  /** It is a list, whose elements follow. */
  list(): void
  /** It is an object that has this key: what to do with the value. */
  key(name: string, line: number): Treatment
  /** The value of a key to keep. */
  kept(value: JsonText): 'stop' | undefined
  /** An element of the list, or of a value to split; or that value, where it is no list. */
  element(value: JsonText): void
  /** It is no JSON from here on. */
  broken(line: number, problem: string): void
}

export type Treatment = 'keep' | 'pass' | 'split'

export interface DocumentScan {
  push(chunk: Buffer): void
  end(): void
}

type Expected =
  | 'a document'
  | 'a key or "}"'
  | 'a key'
  | 'a colon'
  | 'a value'
  | 'an element or "]"'
  | 'an element'
  | 'a comma or "]"'
  | 'a comma or "}"'
  | 'the end of the document'

/** What twice would change the meaning of all members. */
const KEYWORDS = new Set(['@context', '@graph'])

const LINE_FEED = 0x0a
const SPACE = new Set([...Buffer.from(' \t\r\n')])

/**
 * Libraries that stream JSON (@streamparser/json, stream-json, jsonparse) give parsed values: without the digits of a
 * number, keys that occur twice, and the line. Here each value is wanted as its text, which is parsed once, by `readJson`.
 */
export function scanDocument(visitor: Visitor): DocumentScan {
  let expected: Expected = 'a document'
  let line = 1
  let isList = false
  let stopped = false
  let treatment: Treatment = 'pass'
  const seen = new Set<string>()
  let reading: { readonly reader: ValueReader; readonly then: (value: JsonText) => void } | undefined

  /** What a character that is no space means here; whether it is used up by that. */
  function meet(byte: number): boolean {
    switch (`${expected} ${String.fromCharCode(byte)}`) {
      case 'a document {':
        return expect('a key or "}"')
      case 'a document [':
        isList = true
        visitor.list()
        return expect('an element or "]"')
      case 'a key or "}" "':
      case 'a key "':
        return begin(byte, readKey, 'a colon')
      case 'a key or "}" }':
      case 'a comma or "}" }':
        return expect('the end of the document')
      case 'a colon :':
        return expect('a value')
      case 'an element or "]" ]':
      case 'a comma or "]" ]':
        return expect(isList ? 'the end of the document' : 'a comma or "}"')
      case 'a comma or "]" ,':
        return expect('an element')
      case 'a comma or "}" ,':
        return expect('a key')
    }
    if (expected === 'an element' || expected === 'an element or "]"')
      return begin(byte, visitor.element, 'a comma or "]"')
    if (expected !== 'a value') return fail(line)
    if (treatment === 'split' && byte === 0x5b) return expect('an element or "]"')
    return begin(byte, { keep, split: visitor.element, pass }[treatment], 'a comma or "}"')
  }

  function keep(value: JsonText): void {
    stopped = visitor.kept(value) === 'stop'
  }

  function expect(next: Expected): true {
    expected = next
    return true
  }

  function begin(first: number, then: (value: JsonText) => void, next: Expected): false {
    reading = { reader: createValueReader(first, line, then !== pass), then }
    expected = next
    return false
  }

  function readKey({ line: at, bytes }: JsonText): void {
    const name = bytes === undefined ? undefined : keyOf(bytes)
    if (name === undefined) {
      expected = 'a key'
      fail(at)
    } else if (seen.has(name)) {
      stopped = true
      visitor.broken(at, `The key "${name}" is in the document twice; have it once.`)
    } else {
      if (KEYWORDS.has(name)) seen.add(name)
      treatment = visitor.key(name, at)
    }
  }

  function fail(at: number): true {
    stopped = true
    visitor.broken(at, `This is not JSON: ${expected} is expected here.`)
    return true
  }

  return {
    push(chunk) {
      let at = 0
      while (at < chunk.length && !stopped) {
        const byte = chunk[at] as number
        if (reading !== undefined) {
          const { reader, then } = reading
          const end = reader.read(chunk, at)
          at = end ?? chunk.length
          if (end === undefined) continue
          line += reader.feeds()
          reading = undefined
          then(reader.value())
        } else if (SPACE.has(byte)) {
          if (byte === LINE_FEED) line++
          at++
        } else if (meet(byte)) at++
      }
    },
    end() {
      if (stopped || (expected === 'the end of the document' && reading === undefined)) return
      visitor.broken(line, 'The document is cut off: it ends before its JSON does.')
    },
  }
}

function pass(): void {}

function keyOf(bytes: Buffer): string | undefined {
  try {
    return readJson(bytes.toString('utf8')) as string
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

/** Finds the end of one JSON value over any number of chunks. What is wrong within it is found when it is parsed. */
interface ValueReader {
  /** The offset behind the value; undefined while it goes on beyond these bytes. */
  read(bytes: Buffer, from: number): number | undefined
  value(): JsonText
  /** How many lines have ended within it. */
  feeds(): number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d]
const DELIMITERS = new Set([...Buffer.from(',}] \t\r\n')])

/** `first`: the byte that it begins with. Unless it is kept, its bytes are passed over. */
function createValueReader(first: number, line: number, isKept: boolean): ValueReader {
  const isBare = first !== QUOTE && first !== BRACE && first !== BRACKET
  let depth = 0
  let inString = false
  let escaped = false
  let feeds = 0
  let length = 0
  let parts: Buffer[] = []

  function find(bytes: Buffer, from: number): number | undefined {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === LINE_FEED) feeds++
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

  function findDelimiter(bytes: Buffer, from: number): number | undefined {
    for (let at = from; at < bytes.length; at++) if (DELIMITERS.has(bytes[at] as number)) return at
    return undefined
  }

  return {
    read(bytes, from) {
      const end = (isBare ? findDelimiter : find)(bytes, from)
      const part = bytes.subarray(from, end)
      length += part.length
      if (length > LONGEST_MEMBER) parts = []
      else if (isKept) parts.push(part)
      return end
    },
    value: () => ({ line, bytes: length > LONGEST_MEMBER ? undefined : Buffer.concat(parts) }),
    feeds: () => feeds,
  }
}
