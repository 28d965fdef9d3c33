// What a history costs (history.md): a create and an update with one, beside the same without; a page of it, among few
// entries and among very many; and what requests feel of the sweep, beside a server that has nothing to sweep.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Question } from './load.ts'
import type { Report } from './report.ts'
import { compare, figure, find, flags, type Measured, ratioOf } from './rounds.ts'
import { BASE, type BenchServer, fill, startHydrant } from './servers.ts'
import {
  bookValues,
  CONNECTIONS,
  creates,
  prepareReads,
  request,
  type Workload,
  writeLibrary,
} from './workloads.ts'

const [WITHOUT, WITH, SWEPT] = ['without a history', 'with a history', 'while it is swept']
/** Entries of one member. */
const [FEW, MANY] = [100, flags.short ? 1_000 : 100_000]
const OLD = flags.short ? 20_000 : 1_000_000
const DAY = 86_400_000
const inWords = (count: number): string => count.toLocaleString('en')

const updates: readonly Workload[] = [1, 64].map((clients) => ({
  name: `durable update, ${clients} client${clients === 1 ? '' : 's'}`,
  clients,
  prepare: async ({ authorized }) => nextUpdate(authorized),
}))

const PAGES = {
  'of members': '/api/books',
  [`of a history of ${inWords(FEW)} entries`]: '/api/books/book-1/history',
  [`of a history of ${inWords(MANY)} entries`]: '/api/books/book-2/history',
}

const pages = Object.entries(PAGES).map(([name, path]): Workload => {
  // Each in a spelling of its own, so that no page is remembered from the time before.
  const paths = Array.from({ length: 200 }, (_, index) => `${path}?itemsPerPage=20${'&'.repeat(index)}`)
  const prepare = (server: BenchServer) =>
    prepareReads(
      server,
      paths.map((one) => request(one, server.authorized)),
    )
  return { name, clients: CONNECTIONS, prepare }
})

const besideSweep: readonly Workload[] = [
  {
    name: 'a member, 4 clients',
    clients: 4,
    prepare: (server) => prepareReads(server, [request('/api/books/book-3', server.authorized)]),
  },
  ...creates.slice(0, 1),
]

export async function measureHistory(): Promise<Report> {
  const without = await startLibrary(WITHOUT, '')
  const kept = await startLibrary(WITH, HISTORY, (db, table) => {
    addEntries(db, table, FEW, `'book-1', ${Date.now()}`)
    addEntries(db, table, MANY, `'book-2', ${Date.now()}`)
  })
  const written = await compare({ servers: [without, kept], workloads: [...creates, ...updates] })
  const read = await compare({ servers: [kept], workloads: pages })
  await without.stop()
  const swept = await startLibrary(SWEPT, HISTORY, (db, table) =>
    addEntries(db, table, OLD, `'old-' || number, ${Date.now() - 100 * DAY}`),
  )
  const beside = await compare({ servers: [kept, swept], workloads: besideSweep })
  const reports = [
    ratios(written, [WITHOUT, WITH], { name: 'history', title: 'request', figure: 'cost', target: 1.25 }),
    pageReport(read),
    ratios(beside, [WITH, SWEPT], { name: 'history-sweep', title: 'request', figure: 'p99', target: 1.5 }),
  ]
  return {
    tables: reports.flatMap(({ tables }) => tables),
    targets: reports.flatMap(({ targets }) => targets),
  }
}

const HISTORY = 'history: 90d\n'

/** `prepare`: changes the table of the books' entries before the start. */
async function startLibrary(
  name: string,
  rule: string,
  prepare?: (db: DatabaseSync, table: string) => void,
): Promise<BenchServer> {
  const folder = writeLibrary()
  const file = join(folder, 'api.yaml')
  writeFileSync(file, rule + readFileSync(file, 'utf8'))
  await fill(folder)
  if (prepare !== undefined) {
    const db = new DatabaseSync(join(folder, 'bench.db'))
    const number = db.prepare("SELECT id FROM classes WHERE name = 'Book'").get()?.id
    prepare(db, `history_${number}`)
    db.close()
  }
  return startHydrant({ name, folder })
}

/** `idAndTime`: of each entry, in SQL. */
function addEntries(db: DatabaseSync, table: string, count: number, idAndTime: string): void {
  db.exec(`
    INSERT INTO ${table} (version, id, at, kind, links, holes, hidden, body)
    WITH RECURSIVE numbered (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbered WHERE number < ${count})
    SELECT (SELECT version FROM classes WHERE name = 'Book') + number, ${idAndTime}, 1, '', '', '',
      ',"title":"The title with number ' || number || '"'
    FROM numbered;
    UPDATE classes SET version = version + ${count} WHERE name = 'Book'`)
}

let updated = 0

/** Another book each time, with another title. */
const nextUpdate = (authorized: string) => (): Question => {
  const number = 10 + (++updated % 1_000)
  const values = {
    ...bookValues(number, '979'),
    title: `Title ${updated}`,
    author: `${BASE}/authors/tolkien`,
  }
  const sent = JSON.stringify(values)
  const headers = `${authorized}Content-Type: application/json\r\nContent-Length: ${sent.length}\r\n`
  return {
    text: `PUT /api/books/book-${number} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${sent}`,
    statuses: [200],
  }
}

interface RatioTable {
  readonly name: string
  readonly title: string
  readonly figure: 'cost' | 'p99'
  readonly target: number
}

/** One row for each workload, with the figure of both servers. */
function ratios(
  measured: readonly Measured[],
  [base, other]: readonly [string, string],
  { name, title, figure: of, target }: RatioTable,
): Report {
  const unit = of === 'cost' ? 'CPU µs' : 'p99 ms'
  const workloads = [...new Set(measured.map(({ workload }) => workload))]
  const rows = workloads.map((workload) => {
    const [first, second] = [find(measured, workload, base), find(measured, workload, other)]
    return [workload, figure(first, of), figure(second, of), ratioOf(second, first, of)] as const
  })
  return {
    tables: [{ name, columns: [title, `${base}: ${unit}`, `${other}: ${unit}`, 'ratio'], rows }],
    targets: rows.map(([workload, , , ratio]) => ({
      workload: `${workload}: ${other}, of ${base} (${unit.split(' ')[0]})`,
      measured: ratio,
      ...{ target, most: true },
    })),
  }
}

function pageReport(measured: readonly Measured[]): Report {
  const [, few, many] = measured
  const rows = measured.map((one) => [one.workload, figure(one, 'cost')])
  const target = { measured: ratioOf(many, few, 'cost'), target: 1.2, most: true }
  return {
    tables: [{ name: 'history-pages', columns: ['page of 20', 'CPU µs'], rows }],
    targets: [{ workload: `a page ${many?.workload}, ${few?.workload} (CPU)`, ...target }],
  }
}
