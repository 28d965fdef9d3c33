import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../json.ts'

/** Splits data, chunk by chunk, into the texts of its members: memory holds one chunk and one member, not the file. */
export interface Splitter {
  push(chunk: Buffer): Found[]
  end(): Found[]
}

/** The text of one member, or why there is none. */
export type Found = MemberText | Problem

export interface MemberText {
  /** Where it begins, from 1. */
  readonly line: number
  /** From 1: the line in NDJSON, the element in JSON-LD, where a line may have many. */
  readonly position: number
  readonly text: string
  /** The context of the document that it is part of. */
  readonly context: JsonValue | undefined
}

export interface Problem {
  readonly line: number
  readonly problem: string
}

/** What is exported can be imported: stored and with its addresses, a body of 1 MiB has become longer. */
export const LONGEST_MEMBER = 16 * 1024 * 1024

export const TOO_LONG = 'This member has more than 16 MiB; make it smaller.'

export const NOT_UTF8 = 'This is not UTF-8; save the file as UTF-8.'

export const toMemberText = (bytes: Buffer, found: Omit<MemberText, 'text'>): Found =>
  isUtf8(bytes) ? { ...found, text: bytes.toString('utf8') } : { line: found.line, problem: NOT_UTF8 }

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Some editors put one first: it says how the text is encoded, no more. */
export const withoutByteOrderMark = (start: Buffer): Buffer =>
  start.subarray(0, 3).equals(BYTE_ORDER_MARK) ? start.subarray(3) : start

const LINE_FEED = 0x0a
const BLANK = /^[ \t\r]*$/

/** NDJSON: a member on each line; empty lines are none. */
export function createNdjsonSplitter(): Splitter {
  /** The beginning of the line that the next chunk goes on with. */
  let begun: Buffer[] = []
  let length = 0
  let line = 1

  function take(part: Buffer): void {
    length += part.length
    // The rest of a line that is refused anyway is not kept.
    if (length > LONGEST_MEMBER) begun = []
    else begun.push(part)
  }

  function finish(found: Found[]): void {
    if (length > LONGEST_MEMBER) found.push({ line, problem: TOO_LONG })
    else {
      const bytes = begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun)
      const text = line === 1 ? withoutByteOrderMark(bytes) : bytes
      const member = toMemberText(text, { line, position: line, context: undefined })
      if ('problem' in member || !BLANK.test(member.text)) found.push(member)
    }
    begun = []
    length = 0
    line++
  }

  return {
    push(chunk) {
      const found: Found[] = []
      let from = 0
      for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, feed))
        finish(found)
        from = feed + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
      return found
    },
    end() {
      const found: Found[] = []
      if (length > 0) finish(found)
      return found
    },
  }
}
