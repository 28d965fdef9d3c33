import { LONGEST_MEMBER } from './cutter.ts'

/** A JSON value within a document, as it is written there. */
export interface Value {
  /** Where it begins, from 1. */
  readonly line: number
  /** Undefined where it is longer than a member may be. */
  readonly bytes: Buffer | undefined
}

/** Reads one JSON value over any number of chunks. What is wrong within it is for whoever parses it to say. */
export interface ValueReader {
  /** The offset behind the value; undefined while it goes on beyond these bytes. */
  read(bytes: Buffer, from: number): number | undefined
  value(): Value
  /** How many lines have ended within it. */
  feeds(): number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LINE_FEED = 0x0a
const [BRACE, BRACKET, END_BRACE, END_BRACKET] = [0x7b, 0x5b, 0x7d, 0x5d]
const DELIMITERS = new Set([...Buffer.from(',}] \t\r\n')])

/** `first`: the byte that it begins with. Unless it is kept, its bytes are passed over. */
export function createValueReader(first: number, line: number, isKept: boolean): ValueReader {
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
