import { setImmediate as turn } from 'node:timers/promises'
import { HttpError } from '../errors.ts'
import type { JsonValue } from '../json.ts'
import type { MemberStore } from '../store/index.ts'
import type { Model } from '../vocabulary/index.ts'
import { addMembers } from './add-members.ts'
import { createAddresses } from './addresses.ts'
import { addDeferred } from './deferred-links.ts'
import { type DeferredMembers, openDeferredMembers } from './deferred-members.ts'
import type { Format } from './format.ts'
import { createJsonLdSplitter } from './json-ld.ts'
import { createMemberReader, type ReadMember, type ReadMemberText } from './member-reader.ts'
import { createNdjsonSplitter, type Found } from './ndjson.ts'
import {
  asRefusal,
  createRefusedMembers,
  type RefusedMembers,
  type Report,
  refuse,
  type Tally,
} from './refusals.ts'

export interface ImportParts {
  readonly model: Model
  /** Below which absolute addresses are those of members. */
  readonly base: string
  readonly store: MemberStore
  readonly chunks: AsyncIterable<Buffer>
  readonly format: Format
  /** The file's name without its folder: ids are derived from it. */
  readonly file: string
  readonly now: () => number
  readonly report: Report
  /** How many bytes have been read, and what has become of the members. */
  readonly progress: (bytes: number, tally: Tally) => void
}

/** Adds the members of the data, batch by batch; what links to members that come later is added after those. */
export async function importMembers(parts: ImportParts): Promise<Tally> {
  const { model, base, file, now, store, report } = parts
  const tally: Tally = { added: 0, alreadyThere: 0, refused: 0 }
  const readMember = createMemberReader(model, base, file, now)
  const refused = createRefusedMembers(model, createAddresses(model, base))
  const deferred = openDeferredMembers()
  try {
    const { bytes, context } = await addAll(parts, readMember, deferred, refused, tally)
    const progress = () => parts.progress(bytes, tally)
    await addDeferred({ store, deferred, refused, tally, report, readMember, context, progress })
    return tally
  } finally {
    deferred.close()
  }
}

/** What was read: how much, and under which context where it was a document. */
interface Reading {
  readonly bytes: number
  readonly context: JsonValue | undefined
}

/** Everything once, in the order of the file. */
async function addAll(
  { chunks, format, store, report, progress }: ImportParts,
  readMember: ReadMemberText,
  deferred: DeferredMembers,
  refused: RefusedMembers,
  tally: Tally,
): Promise<Reading> {
  const splitter = format === 'ndjson' ? createNdjsonSplitter() : createJsonLdSplitter()
  const size = createBatchSize()
  let batch: ReadMember[] = []
  let characters = 0
  let bytes = 0
  let context: JsonValue | undefined
  let writing: Promise<void> | undefined

  async function take(found: Found): Promise<void> {
    try {
      if ('problem' in found) throw new HttpError(400, found.problem)
      context = found.context
      batch.push(await readMember(found))
      characters += found.text.length
    } catch (error) {
      refuse(tally, report, found.line, asRefusal(error))
      if ('text' in found) refused.addText(found.text, found.line)
    }
    if (size.isFull(batch.length, characters)) await flush()
  }

  /** One batch is written while the next one is read. */
  async function flush(): Promise<void> {
    const members = batch
    batch = []
    characters = 0
    await writing
    writing = write(members)
    // Thrown where it is awaited, which is later.
    writing.catch(() => {})
    // What is sent to the database in this turn leaves at its end, and reading goes on within it.
    await turn()
  }

  async function write(members: readonly ReadMember[]): Promise<void> {
    const started = performance.now()
    const outcomes = await addMembers(store, members)
    size.took(members.length, performance.now() - started)
    outcomes.forEach((one, index) => {
      const { text, cls, id } = members[index] as ReadMember
      if (one.outcome === 'added') tally.added++
      else if (one.outcome === 'there') tally.alreadyThere++
      else if (one.outcome === 'dangling') deferred.add(text, cls.name, id, one.links)
      else {
        refuse(tally, report, text.line, one.error)
        refused.add(cls.name, id, text.line)
      }
    })
    progress(bytes, tally)
  }

  try {
    for await (const chunk of chunks) {
      bytes += chunk.length
      for (const found of splitter.push(chunk)) await take(found)
    }
    for (const found of splitter.end()) await take(found)
    if (batch.length > 0) await flush()
  } finally {
    await writing
  }
  return { bytes, context }
}

/**
 * How many members are added in one transaction. SQLite has one writer at a time: while a batch is added, a server on
 * the same database waits, so a batch is kept short by the time that the last one took.
 */
export interface BatchSize {
  /** Whether so many members of so many characters are enough. */
  isFull(members: number, characters: number): boolean
  took(members: number, milliseconds: number): void
}

const LEAST = 50
const MOST = 2_000
const LONGEST_MS = 100
/** Members may have a megabyte each. */
const MOST_CHARACTERS = 4 * 1024 * 1024

export function createBatchSize(): BatchSize {
  let size = LEAST * 4
  return {
    isFull: (members, characters) => members >= size || characters >= MOST_CHARACTERS,
    took(members, milliseconds) {
      const fitting = (members * LONGEST_MS) / Math.max(1, milliseconds)
      size = Math.round(Math.min(MOST, Math.max(LEAST, Math.min(fitting, size * 2))))
    },
  }
}
