import { basename, extname } from 'node:path'
import { COMMAND_SETTINGS, flagOf, type Setting } from '../../config/index.ts'
import { shownDatabase } from '../../database/index.ts'
import {
  findTable,
  type ImportData,
  readTables,
  type TableSource,
  type UnreadPart,
} from '../../transfer/index.ts'
import { type Class, hasCollection, type Model } from '../../vocabulary/index.ts'
import { databaseTitle } from '../database-address.ts'
import type { Invocation } from '../invocation.ts'
import { openSource, requireNoSpreadsheet, STANDARD_STREAM } from '../output.ts'
import { commandProblem } from '../problems.ts'

/** Where the members of an import come from. */
export interface ImportSource {
  readonly kind: 'file' | 'database'
  /** The name in messages. */
  readonly shown: string
  /** The name without its folder, from which ids are derived. */
  readonly name: string
  /** Bytes or rows; undefined if that is not known. */
  readonly size: number | undefined
  readonly data: ImportData
  /** The parts of the data that have no place in the API file. */
  readonly unread: readonly UnreadPart[]
}

/** Opens a source, once the API file is read. */
export type OpenSource = (model: Model) => Promise<ImportSource>

export const fromTables =
  (tables: TableSource, url: string): OpenSource =>
  async (model) => {
    const reading = await readTables(tables, model)
    return {
      kind: 'database',
      shown: shownDatabase(url),
      name: databaseTitle(url),
      size: await reading.count(),
      data: { rows: reading.items() },
      unread: reading.unread,
    }
  }

const { csvClass, spreadsheet, dates, decimalComma } = COMMAND_SETTINGS
/** Settings that say how CSV is read. Members in other formats name their class themselves. */
export const CSV_SETTINGS: readonly Setting<unknown>[] = [csvClass, spreadsheet, dates, decimalComma]

/** The first of the settings whose flag was typed. */
export const findTyped = (call: Invocation, settings: readonly Setting<unknown>[]) =>
  settings.find((setting) => call.typed(setting) !== undefined)

/** Finds out the format at once: a wrong name is found before anything is read. */
export function fromFile(call: Invocation, data: string): OpenSource {
  requireNoSpreadsheet(data)
  const format = call.setting(COMMAND_SETTINGS.format) ?? formatByName(data)
  const ofCsv = format === 'csv' ? undefined : findTyped(call, CSV_SETTINGS)
  if (ofCsv !== undefined) throw commandProblem('FlagOfCsv', { flag: flagOf(ofCsv) })
  return async (model) => {
    const { chunks, size, name, shown } = await openSource(data, call.io)
    const csvClass =
      format === 'csv' ? chooseClass(model, data, call.setting(COMMAND_SETTINGS.csvClass)) : undefined
    const csv = {
      spreadsheet: call.setting(COMMAND_SETTINGS.spreadsheet),
      dates: call.setting(COMMAND_SETTINGS.dates),
      decimalComma: call.setting(COMMAND_SETTINGS.decimalComma),
    }
    const encoding = call.setting(COMMAND_SETTINGS.encoding)
    const imported = { chunks, format, csvClass, csv, encoding }
    return { kind: 'file', shown, name, size, data: imported, unread: [] }
  }
}

export function formatByName(data: string): ImportFormat {
  if (data === STANDARD_STREAM) return 'ndjson'
  const format = BY_ENDING.get(extname(data).toLowerCase())
  if (format !== undefined) return format
  throw commandProblem('UnknownDataFormat', { data, endings: [...BY_ENDING.keys()] })
}

type ImportFormat = ReturnType<typeof COMMAND_SETTINGS.format.read>

const BY_ENDING: ReadonlyMap<string, ImportFormat> = new Map([
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.jsonld', 'jsonld'],
  ['.json', 'jsonld'],
  ['.csv', 'csv'],
])

/** The class of the members in a CSV file. */
export function chooseClass(model: Model, data: string, named: string | undefined): Class {
  const classes = model.classes.filter(hasCollection)
  const found = findTable(model, named ?? basename(data, extname(data)))
  if (found !== undefined) return found
  const known = classes.map(({ name }) => name)
  if (named !== undefined)
    throw commandProblem('UnknownCsvClass', { name: named, known }, { at: { source: '--class' } })
  const [only, ...others] = classes
  if (only !== undefined && others.length === 0) return only
  throw commandProblem('WhichCsvClass', { known })
}
