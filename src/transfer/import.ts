import { setImmediate as turn } from 'node:timers/promises'
import type { JsonValue } from '../json.ts'
import type { HistoryStore } from '../members/index.ts'
import type { Class } from '../vocabulary/index.ts'
import { addMembers, createResults, type Report, type Tally } from './add-members.ts'
import { type CsvImportOptions, createSplitCsv } from './csv/csv.ts'
import { createUniqueLinks } from './csv/unique-links.ts'
import { type AddDependencies, addDeferred } from './deferred.ts'
import { openDeferred } from './deferred-store.ts'
import { type TextEncoding, toUtf8 } from './encoding.ts'
import { createEntries, type EntryImport } from './entry-import.ts'
import type { DataFormat } from './export.ts'
import { isEntryText } from './history-lines.ts'
import { createIdentityReader } from './identity.ts'
import { createSplitJsonLd } from './json-ld.ts'
import {
  createMemberReader,
  type MemberReaderDependencies,
  type ReadMember,
  type ReadMemberText,
} from './member-reader.ts'
import { findTable } from './name-lookup.ts'
import { type DataItem, type Split, splitNdjson } from './ndjson.ts'

/** Data in a file or a stream. */
interface FileData {
  readonly chunks: AsyncIterable<Buffer>
  readonly format: DataFormat
  /** The class that the lines of CSV belong to. */
  readonly csvClass?: Class | undefined
  /** How the cells of CSV are written. */
  readonly csv?: Pick<CsvImportOptions, 'spreadsheet' | 'dates' | 'decimalComma'> | undefined
  /** UTF-8, unless it says otherwise. */
  readonly encoding?: TextEncoding | undefined
}

/** Data in the tables of a database. */
interface TableData {
  readonly rows: AsyncIterable<DataItem[]>
}

interface ImportOptions extends MemberReaderDependencies {
  readonly history: HistoryStore
  /** The number of the user with this id; undefined if there is none. */
  readonly userOf?: ((id: number) => number | undefined) | undefined
  readonly report: Report
  /** Called with the number of bytes or rows that were read, and the outcomes so far. */
  readonly progress: (read: number, tally: Tally) => void
}

export type ImportData = FileData | TableData

export type ImportDependencies = ImportOptions & ImportData

/** Adds the members of the data, batch by batch; members that link to later ones are added after those. */
export async function importMembers(dependencies: ImportDependencies): Promise<Tally> {
  const { model, base, store, report } = dependencies
  const addresses = createIdentityReader(model, base)
  const results = createResults(model, addresses, report)
  const deferred = openDeferred()
  const csvClass =
    'format' in dependencies && dependencies.format === 'csv' ? dependencies.csvClass : undefined
  const uniqueLinks = csvClass && createUniqueLinks(csvClass, { model, store, known: deferred.keys })
  const readMember = createMemberReader({ ...dependencies, uniqueLinks }, addresses)
  let read = 0
  const entries = createEntries(dependencies, addresses, results)
  const record: typeof results.record = (member, one) => {
    if (one.outcome !== 'refused') entries.keep({ className: member.cls.name, id: member.id })
    results.record(member, one)
  }
  const progress = () => dependencies.progress(read, results.tally)
  const adding = { store, results: { ...results, record }, deferred, progress }

  async function* counted<Part extends { readonly length: number }>(all: AsyncIterable<Part>) {
    for await (const part of all) {
      read += part.length
      yield part
    }
  }
  const data = (): AsyncIterable<DataItem[]> =>
    'rows' in dependencies
      ? counted(dependencies.rows)
      : splitOf(dependencies)(toUtf8(counted(dependencies.chunks), dependencies.encoding))

  try {
    const context = await addAll(data(), readMember, { ...adding, entries })
    uniqueLinks?.complete()
    await addDeferred(adding, (entry) => readMember({ ...entry, context }))
    await entries.end()
    return results.tally
  } finally {
    deferred.close()
  }
}

function splitOf({ format, model, csvClass, csv }: FileData & Pick<ImportOptions, 'model'>): Split {
  if (format === 'ndjson') return splitNdjson
  if (format === 'jsonld') return createSplitJsonLd((key) => findTable(model, key)?.name)
  if (csvClass === undefined) throw new Error('The lines of CSV need a class.')
  const classes = new Map(model.classes.map((cls) => [cls.name, cls]))
  return createSplitCsv(csvClass, { ...csv, classOf: (name) => classes.get(name) })
}

/** Adds or defers each member, in the order of the file; returns the context of the document. */
async function addAll(
  data: AsyncIterable<DataItem[]>,
  readMember: ReadMemberText,
  { store, results, deferred, progress, entries }: AddDependencies & { readonly entries: EntryImport },
): Promise<JsonValue | undefined> {
  const size = createBatchSize()
  let batch: ReadMember[] = []
  let characters = 0
  let context: JsonValue | undefined
  /** Batches that are being written, the oldest first. */
  const writing: Promise<void>[] = []
  let lastEnd = 0

  async function take(found: DataItem): Promise<void> {
    try {
      if ('problem' in found) throw found.problem
      context = found.context
      if (isEntryText(found.text)) return await entries.take(found)
      // The entries of a member are added before it is.
      await entries.flush()
      batch.push(await readMember(found))
      characters += found.text.length
    } catch (error) {
      results.refuseText(found, error)
    }
    if (size.isFull(batch.length, characters)) await flush()
  }

  /**
   * A batch is written while the next one is read. Where the store keeps their order, one more waits there for its turn, as
   * soon as the time of a batch is known: two short ones share a transaction.
   */
  async function flush(): Promise<void> {
    const members = batch
    batch = []
    characters = 0
    const ahead = store.addsInOrder === true && lastEnd > 0 ? 1 : 0
    while (writing.length > ahead) await writing.shift()
    const written = write(members)
    // The promise is awaited later, and throws there.
    written.catch(() => {})
    writing.push(written)
    // Statements are sent to the database at the end of this turn, before reading continues.
    await turn()
  }

  async function write(members: readonly ReadMember[]): Promise<void> {
    const started = performance.now()
    const outcomes = await addMembers(store, members)
    const ended = performance.now()
    // The time that it has waited for the batch before is not its own.
    size.took(members.length, ended - Math.max(started, lastEnd))
    lastEnd = ended
    for (const { read, ...one } of outcomes) {
      if (one.outcome === 'dangling') deferred.add(read, one.links)
      else results.record(read, one)
    }
    progress()
  }

  try {
    for await (const all of data) for (const found of all) await take(found)
    await entries.flush()
    if (batch.length > 0) await flush()
  } finally {
    await Promise.all(writing)
  }
  return context
}

const LEAST = 50
const MOST = 2_000
const LONGEST_MS = 100
/** How many batches the size of the next one depends on. */
const COMPARED = 3
/** Members may have a megabyte each. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/**
 * How many members are added in one transaction. SQLite has one writer at a time: while a batch is added, a server on
 * the same database waits, so a batch is kept short by the time that the latest ones took.
 */
export function createBatchSize() {
  let size = LEAST * 4
  /** Milliseconds for each member of the latest batches. */
  let latest: readonly number[] = []
  return {
    isFull: (members: number, characters: number) => members >= size || characters >= MAX_CHARACTERS,
    took(members: number, milliseconds: number): void {
      latest = [milliseconds / members, ...latest].slice(0, COMPARED)
      // The median: one batch may have waited for a checkpoint, during which others can write, or for its end to be noticed.
      const usual = [...latest].sort((one, other) => other - one)[Math.floor(latest.length / 2)] as number
      const fitting = LONGEST_MS / Math.max(usual, 1 / members)
      size = Math.round(Math.min(MOST, Math.max(LEAST, Math.min(fitting, size * 2))))
    },
  }
}
