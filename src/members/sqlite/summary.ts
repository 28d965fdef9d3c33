// Summaries, on a scan thread: rows are read once, in the order of members, and added up here. (SQLite has no decimals, and
// would sort all rows by their groups.)
import type { Key } from '../../vocabulary/index-keys.ts'
import { type Dialect, fill, join, type Sql, sql } from '../query/dialect.ts'
import { toQuery } from '../query/filters.ts'
import { scanTimeout } from '../query/scans.ts'
import { type JoinedValues, joinValues } from '../query/values.ts'
import { FIRST_MEMBER } from '../selection.ts'
import type { SummaryRows, SummarySelection } from '../summary.ts'
import { type PathValues, Totals } from '../totals.ts'
import { dateUnitOf } from './date-units.ts'
import type { LimitedReader } from './pages.ts'
import { selectivePath, sortedPath, wordsIn } from './paths.ts'

/** With fewer matches of one filter, only these members are read. */
const FEW_OF_A_SCAN = 20_000

/** `deadline`: in terms of `performance.now()`. */
export function summarize(
  reader: LimitedReader,
  dialect: Dialect,
  query: SummarySelection,
  { deadline, scanMs }: { readonly deadline: number; readonly scanMs: number },
): SummaryRows {
  const members = matchingMembers(reader, dialect, query)
  const joined = [...query.groups, ...query.figures].map((path, index) =>
    joinValues(dialect, path, `p${index}_`),
  )
  const units = query.groups.map(({ unit }) => unit && dateUnitOf(unit))
  const totals = new Totals(query)
  const checkTime = () => {
    if (performance.now() >= deadline) throw scanTimeout(scanMs)
  }
  const add = joined.every((one) => one !== undefined && !one.isMany) ? addPlain : addAll
  return add(totals, units, rowsOf(reader, members, joined), checkTime) ? totals.rows() : undefined
}

type DateUnits = readonly (((key: Key) => string) | undefined)[]

/** Adds members with one value at each path. False if there are too many groups. */
function addPlain(
  totals: Totals,
  units: DateUnits,
  { main }: SummaryStreams,
  checkTime: () => void,
): boolean {
  const hasUnits = units.some((unit) => unit !== undefined)
  let read = 0
  for (const row of main) {
    read += 1
    const values = row.slice(1)
    if ((read & 1023) === 0) checkTime()
    if (hasUnits)
      for (const [index, unit] of units.entries()) {
        const key = values[index] ?? null
        if (unit !== undefined && key !== null) values[index] = unit(key)
      }
    if (!totals.addPlain(values)) return false
  }
  return true
}

function addAll(totals: Totals, units: DateUnits, streams: SummaryStreams, checkTime: () => void): boolean {
  const { main, lists, columns } = streams
  try {
    for (const row of main) {
      // A member with many values can take as long as a thousand others.
      checkTime()
      const values = columns.map(
        (column, index): PathValues => lists[index]?.at(row[0]) ?? row[column] ?? null,
      )
      for (const [index, unit] of units.entries())
        if (unit !== undefined) values[index] = inUnits(values[index] ?? null, unit)
      if (!totals.add(values)) return false
    }
    return true
  } finally {
    // A statement that is not read to its end would keep the snapshot.
    for (const list of lists) list?.close()
  }
}

const inUnits = (values: PathValues, unit: (key: Key) => string): PathValues => {
  if (values === null) return null
  return Array.isArray(values) ? values.map((one) => ({ ...one, key: unit(one.key) })) : unit(values as Key)
}

/** The members that match, as rows `k`; with `tests`, which a WHERE needs. */
function matchingMembers(reader: LimitedReader, dialect: Dialect, asked: SummarySelection): Sql {
  const query = toQuery(dialect, { ...FIRST_MEMBER, ...asked })
  if (query.filters.length === 0) return sql(`${dialect.tables.keys} k`)
  const path =
    selectivePath(reader, dialect, query, FEW_OF_A_SCAN) ?? sortedPath(dialect, query, wordsIn(query))
  return fill(`($) w CROSS JOIN ${dialect.tables.keys} k ON k.sequence = w.sequence`, path.matching())
}

/** What a summary reads, in the order of members. */
interface SummaryStreams {
  /** A row for each member, with the values at paths that lead to one value. */
  readonly main: Iterable<MainRow>
  /** For each path, its column in the row, or its values where it may lead to several. */
  readonly columns: readonly number[]
  readonly lists: readonly (ReturnType<typeof openList> | undefined)[]
}

type MainRow = [sequence: number, ...values: (Key | null)[]]

function rowsOf(
  reader: LimitedReader,
  members: Sql,
  joined: readonly (JoinedValues | undefined)[],
): SummaryStreams {
  const single = joined.filter((one) => one !== undefined && !one.isMany) as JoinedValues[]
  const joins = join(
    single.flatMap((one) => one.joins),
    ' ',
  )
  const columns = ['k.sequence', ...single.map(({ key }) => key)].join(', ')
  return {
    main: readMain(reader, columns, members, joins),
    columns: joined.map((one) => (one === undefined || one.isMany ? -1 : single.indexOf(one) + 1)),
    lists: joined.map((one) => (one?.isMany ? openList(reader, members, one) : undefined)),
  }
}

/** Reading rows in batches takes half as long as reading them one by one. */
const BATCH = 2_000

function* readMain(reader: LimitedReader, columns: string, members: Sql, joins: Sql): Generator<MainRow> {
  // Of members that a filter selects, each batch would have to be found again.
  if (members.text.startsWith('(')) {
    const { text, params } = fill(`SELECT ${columns} FROM $ $ ORDER BY k.sequence`, members, joins)
    yield* reader.statement(text).iterate<MainRow>(...params)
    return
  }
  const { text, params } = fill(
    `SELECT ${columns} FROM $ $ WHERE k.sequence > CAST(? AS bigint) ORDER BY k.sequence LIMIT ${BATCH}`,
    members,
    joins,
  )
  const statement = reader.statement(text)
  for (let last = 0; ; ) {
    const rows = statement.all<MainRow>(...params, last)
    yield* rows
    if (rows.length < BATCH) return
    last = rows.at(-1)?.[0] ?? last
  }
}

type ListRow = [sequence: number, key: Key, element: number]

/** The values of a member at a path that may lead to several; members are asked for in order. */
function openList(reader: LimitedReader, members: Sql, { joins, key, element }: JoinedValues) {
  const { text, params } = fill(
    `SELECT k.sequence, ${key} AS key, ${element ?? 0} AS element FROM $ $ WHERE ${key} IS NOT NULL
     ORDER BY k.sequence, element, key`,
    members,
    join(joins, ' '),
  )
  const rows = reader
    .statement(text)
    .iterate<ListRow>(...params)
    [Symbol.iterator]()
  let next = rows.next()
  return {
    at(sequence: number): PathValues {
      const found = []
      while (!next.done && next.value[0] < sequence) next = rows.next()
      for (; !next.done && next.value[0] === sequence; next = rows.next())
        found.push({ key: next.value[1], element: next.value[2] })
      return found
    },
    close: () => rows.return?.(),
  }
}
