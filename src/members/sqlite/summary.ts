// Summaries, on a scan thread: rows are read once, in the order of members, and added up here. (SQLite has no decimals, and
// would sort all rows by their groups.)
import type { Key } from '../../vocabulary/index-keys.ts'
import { type Dialect, fill, join, type Sql, sql } from '../query/dialect.ts'
import { toQuery } from '../query/filters.ts'
import { scanTimeout } from '../query/scans.ts'
import { type JoinedValues, joinValues } from '../query/values.ts'
import { FIRST_MEMBER } from '../selection.ts'
import type { SummaryQuery, SummaryRows, ValuePath } from '../summary.ts'
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
  query: SummaryQuery,
  { deadline, scanMs }: { readonly deadline: number; readonly scanMs: number },
): SummaryRows {
  const { groups, figures } = query
  const members = matchingMembers(reader, dialect, query)
  const rows = openRows(reader, dialect, members, [...groups, ...figures])
  const units = groups.map(({ unit }) => unit && dateUnitOf(unit))
  const totals = new Totals(query)
  let read = 0
  for (const values of rows) {
    read += 1
    // A member with many values can take as long as a thousand others.
    const isMany = values.some((one) => Array.isArray(one))
    if ((isMany || (read & 1023) === 0) && performance.now() >= deadline) throw scanTimeout(scanMs)
    for (const [index, unit] of units.entries())
      if (unit !== undefined) values[index] = inUnits(values[index] ?? null, unit)
    if (!totals.add(values)) return undefined
  }
  return totals.rows()
}

const inUnits = (values: PathValues, unit: (key: Key) => string): PathValues => {
  if (values === null) return null
  return Array.isArray(values) ? values.map((one) => ({ ...one, key: unit(one.key) })) : unit(values as Key)
}

/** The members that match, as rows `k`; with `tests`, which a WHERE needs. */
function matchingMembers(reader: LimitedReader, dialect: Dialect, asked: SummaryQuery): Sql {
  const query = toQuery(dialect, { ...FIRST_MEMBER, ...asked })
  if (query.filters.length === 0) return sql(`${dialect.tables.keys} k`)
  const path =
    selectivePath(reader, dialect, query, FEW_OF_A_SCAN) ?? sortedPath(dialect, query, wordsIn(query))
  return fill(`($) w CROSS JOIN ${dialect.tables.keys} k ON k.sequence = w.sequence`, path.matching())
}

/** For each member, the values of each path. */
function* openRows(
  reader: LimitedReader,
  dialect: Dialect,
  members: Sql,
  paths: readonly ValuePath[],
): Generator<PathValues[]> {
  const joined = paths.map((path, index) => joinValues(dialect, path, `p${index}_`))
  const single = joined.filter((one) => one !== undefined && !one.isMany) as JoinedValues[]
  const main = fill(
    `SELECT ${['k.sequence', ...single.map(({ key }) => key)].join(', ')} FROM $ $ ORDER BY k.sequence`,
    members,
    join(
      single.flatMap(({ joins }) => joins),
      ' ',
    ),
  )
  const lists = joined.map((one) => (one?.isMany ? openList(reader, members, one) : undefined))
  const columns = joined.map((one) => (one === undefined || one.isMany ? -1 : single.indexOf(one) + 1))
  try {
    for (const row of reader.statement(main.text).iterate<[number, ...(Key | null)[]]>(...main.params))
      yield joined.map((_, index) => lists[index]?.at(row[0]) ?? (row[columns[index] ?? -1] as Key) ?? null)
  } finally {
    // A statement that is not read to its end would keep the snapshot.
    for (const list of lists) list?.close()
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
