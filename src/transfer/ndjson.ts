import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../json.ts'
import type { Problem } from '../problem.ts'
import { importProblem } from './problems.ts'

/**
 * Splits data into the texts of its members, chunk by chunk: only one chunk and one member are in memory, not the file.
 * All members of a chunk come at once: a promise for each would cost as much as all other work of splitting.
 */
export type Split = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<DataItem[]>

/** The text of one member, or why there is none. */
export type DataItem = MemberText | UnreadableItem

/** Where a member is in the data. */
export interface DataPlace {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** For a row of a database: its table and its key, which people find it by. */
  readonly row?: string | undefined
}

export interface MemberText extends DataPlace {
  /** From 1: the line in NDJSON; the element in JSON-LD, where a line may have several. */
  readonly position: number
  readonly text: string
  /** The context of its document. */
  readonly context: JsonValue | undefined
}

export interface UnreadableItem extends DataPlace {
  readonly problem: Problem
}

/** Every export must be importable: with its addresses, an exported member is longer than its body of up to 1 MiB was. */
export const MAX_MEBIBYTES = 16
const LONGEST_MEMBER = MAX_MEBIBYTES * 1024 * 1024

export const LINE_FEED = 0x0a

/** Gathers the bytes of one member from several chunks; drops them once the member is too long. */
export class MemberBytes {
  #parts: Buffer[] = []
  #length = 0
  lineFeeds = 0

  add(part: Buffer): void {
    this.#length += part.length
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, at + 1)) this.lineFeeds++
    if (this.isTooLong) this.#parts = []
    else this.#parts.push(part)
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  get isTooLong(): boolean {
    return this.#length > LONGEST_MEMBER
  }

  toBuffer(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
  }

  toText(line: number, position: number): DataItem {
    if (this.isTooLong)
      return { line, problem: importProblem('MemberTooLong', { maxMebibytes: MAX_MEBIBYTES }) }
    const bytes = this.toBuffer()
    if (!isUtf8(bytes)) return { line, problem: importProblem('NotUtf8') }
    return { line, position, text: bytes.toString('utf8'), context: undefined }
  }
}

/** The offset of the line feed that ends a record; -1 if the record continues in the next chunk. */
type FindEnd = (chunk: Buffer, from: number) => number

/** The bytes of blank lines: space, tab, carriage return and line feed. */
const BLANK: readonly (number | undefined)[] = [0x20, 0x09, 0x0d, LINE_FEED]

/**
 * The texts between line feeds, however they are split into chunks. Blank lines are left out, unless they begin in
 * another chunk.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  findEnd: FindEnd,
): AsyncGenerator<DataItem[]> {
  let pending = new MemberBytes()
  let line = 1

  function finish(): DataItem {
    const found = pending.toText(line, line)
    line += 1 + pending.lineFeeds
    pending = new MemberBytes()
    return found
  }

  /**
   * Returns the beginning of the next line that is not blank: a string for each of millions of blank lines would take a
   * minute.
   */
  function skipBlankLines(chunk: Buffer, from: number): number {
    let next = from
    for (let at = from; pending.isEmpty && BLANK.includes(chunk[at]); at++) {
      if (chunk[at] !== LINE_FEED) continue
      next = at + 1
      line++
    }
    return next
  }

  for await (const chunk of withoutByteOrderMark(chunks)) {
    const all: DataItem[] = []
    let from = skipBlankLines(chunk, 0)
    for (let end = findEnd(chunk, from); end >= 0; end = findEnd(chunk, from)) {
      pending.add(chunk.subarray(from, end))
      all.push(finish())
      from = skipBlankLines(chunk, end + 1)
    }
    pending.add(chunk.subarray(from))
    yield all
  }
  yield [finish()]
}

/** NDJSON: a member on each line; empty lines are skipped. */
export const splitNdjson: Split = async function* (chunks) {
  for await (const lines of splitRecords(chunks, (chunk, from) => chunk.indexOf(LINE_FEED, from)))
    yield lines.filter((line) => !('text' in line && /^[ \t\r]*$/.test(line.text)))
}

export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Some editors write a byte order mark, which does not belong to the text. */
export async function* withoutByteOrderMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0)
  let isStarted = false
  for await (const chunk of chunks) {
    if (isStarted) yield chunk
    else {
      start = Buffer.concat([start, chunk])
      isStarted = start.length >= BYTE_ORDER_MARK.length
      if (isStarted) yield start.subarray(start.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0)
    }
  }
  if (!isStarted) yield start
}
