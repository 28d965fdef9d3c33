import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../json.ts'

/** Cuts bulk data, chunk by chunk, into the texts of its members: memory holds one chunk and one member, not the file. */
export interface Cutter {
  push(chunk: Buffer): Cut[]
  end(): Cut[]
}

/** The text of one member, or why there is none. */
export type Cut = Piece | Problem

export interface Piece {
  /** Where it begins, from 1. */
  readonly line: number
  /** Its place in the file, from 1: the line in NDJSON, the element in JSON-LD, where a line may have many. */
  readonly place: number
  readonly text: string
  /** The context of the document that it was cut out of. */
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

export function cutOut(bytes: Buffer, line: number, place: number, context?: JsonValue): Cut {
  return isUtf8(bytes) ? { line, place, text: bytes.toString('utf8'), context } : { line, problem: NOT_UTF8 }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Some editors put one first: it says how the text is encoded, no more. */
export const withoutByteOrderMark = (start: Buffer): Buffer =>
  start.subarray(0, 3).equals(BYTE_ORDER_MARK) ? start.subarray(3) : start
