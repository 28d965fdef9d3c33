import type { Command } from 'commander'
import { defaultBase } from '../config/config.ts'
import { SETTINGS, setting } from '../config/settings.ts'
import { UsageError } from '../config/values.ts'
import { ENDINGS, type Format, formatOf } from '../transfer/format.ts'
import { addDataSettings, addSetting, databaseOf, settingOf, wantsJson } from './settings.ts'

/** Standard input or standard output, where a file is named. */
export const STANDARD_STREAM = '-'

const FORMAT = setting(
  'format <format>',
  '',
  'ndjson or jsonld',
  readFormat,
  "by the ending of the file's name, else ndjson",
)

/** What `import` and `export` are told beside their files. */
export interface BulkConfig {
  readonly base: string
  readonly db: string
  readonly format: Format
  readonly json: boolean
}

export const addBulkSettings = (command: Command): Command =>
  addDataSettings(addSetting(addSetting(command, SETTINGS.baseUrl), FORMAT))

export function bulkConfigOf(command: Command, data: string): BulkConfig {
  return {
    base: settingOf(command, SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http'),
    db: databaseOf(command),
    format: settingOf(command, FORMAT) ?? formatByName(data),
    json: wantsJson(command),
  }
}

function formatByName(data: string): Format {
  if (data === STANDARD_STREAM) return 'ndjson'
  const format = formatOf(data)
  if (format !== undefined) return format
  throw new UsageError(
    `"${data}" does not say what it is: name a file that ends in ${ENDINGS.join(', ')}, or give --format.`,
  )
}

function readFormat(text: string): Format {
  if (text === 'ndjson' || text === 'jsonld') return text
  throw new UsageError(`"${text}" is not a format; give ndjson or jsonld.`)
}
