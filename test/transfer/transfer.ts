import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import type { Store } from '../../src/store/index.ts'
import { openStore } from '../../src/store/open.ts'
import {
  exportMembers,
  findTable,
  type ImportData,
  importMembers,
  type Tally,
} from '../../src/transfer/index.ts'
import { hasCollection } from '../../src/vocabulary/index.ts'
import { inShort } from '../support/problems.ts'
import { modelOf, temporaryFolder } from '../support/service.ts'

type ExportOptions = Parameters<typeof exportMembers>[0]
type DataFormat = ExportOptions['format']

export const BASE = 'http://localhost:8080/api'

export interface Imported extends Tally {
  /** What was refused, as `line: problem`. */
  readonly reported: string[]
}

export interface ImportOptions {
  readonly format?: DataFormat
  readonly csv?: FileData['csv']
  readonly encoding?: FileData['encoding']
  readonly file?: string
  readonly now?: number
  readonly asStored?: boolean
  readonly userOf?: (id: number) => number | undefined
}

/** The rows of another database. */
type TableRows = Extract<ImportData, { readonly rows: unknown }>['rows']
type FileData = Extract<ImportData, { readonly chunks: unknown }>

/** A real database that bulk data goes into and comes out of. */
export interface Bulk {
  readonly store: Store
  /** Objects are written as NDJSON. */
  import(data: string | readonly object[] | TableRows, options?: ImportOptions): Promise<Imported>
  export(format?: DataFormat, options?: Pick<ExportOptions, 'cls' | 'spreadsheet' | 'past'>): Promise<string>
  /** All members as they are exported, by address. */
  members(): Promise<Record<string, Record<string, unknown>>>
}

/** `db`: SQLite, unless it says otherwise. */
export async function openBulk(
  t: TestContext,
  api: string,
  db: string = `sqlite:${join(temporaryFolder(t), 'test.db')}`,
): Promise<Bulk> {
  const model = modelOf(api)
  const store = await openStore(db, classSchemas(model), { bulk: true })
  t.after(() => store.close())
  const parts = { model, base: BASE, store: store.members, history: store.history, progress: () => {} }

  const bulk: Bulk = {
    store,
    async import(data, { format = 'ndjson', file = 'data.ndjson', now = 0, ...options } = {}) {
      const reported: string[] = []
      const tally = await importMembers({
        ...parts,
        ...(typeof data === 'object' && Symbol.asyncIterator in data
          ? { rows: data }
          : { chunks: chunksOf(data), format }),
        // The class that its name says, as the command chooses it.
        csvClass: findTable(model, file.replace(/\.csv$/, '')) ?? model.classes.find(hasCollection),
        file,
        ...options,
        now: () => now,
        report: ({ line, row = line }, problem) => reported.push(`${row}: ${inShort(problem)}`),
      })
      return { ...tally, reported }
    },
    async export(format = 'ndjson', options = {}) {
      let text = ''
      await exportMembers({
        ...parts,
        ...options,
        format,
        async write(part) {
          text += part
        },
      })
      return text
    },
    async members() {
      const lines = (await bulk.export()).split('\n').filter((line) => line !== '')
      return Object.fromEntries(
        lines.map((line) => {
          const { '@id': id, ...values } = JSON.parse(line)
          return [id.slice(BASE.length), values]
        }),
      )
    },
  }
  return bulk
}

async function* chunksOf(data: string | readonly object[]): AsyncGenerator<Buffer> {
  yield Buffer.from(typeof data === 'string' ? data : data.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

/** The numbers alone. */
export const tallyOf = ({ added, alreadyThere, refused }: Tally): readonly [number, number, number] => [
  added,
  alreadyThere,
  refused,
]
