import type { Dialect } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import type { Tables } from './tables.ts'

/** A number stands in the tables as a number, a text as a text: `ANY` keeps both. */
export const dialectOf = (tables: Tables): Dialect => ({
  tables,
  write: (key) => key,
  read: (key) => key,
  text: (column) => column,
  find: 'instr',
  isOneOf: (column, keys) => sql(`${column} IN (${keys.map(() => '?').join(', ')})`, ...keys),
  unindexed: (column) => `+${column}`,
  // The collation: without it, SQLite compares the key by the index and the row's number afterwards, since the latter
  // has none of its own (whereRangeVectorLen in where.c).
  position: '(?, ? COLLATE BINARY)',
  // The index is named, and so it is taken or the statement fails: left to itself, SQLite goes through the values of all
  // members for each where it needs a text, which the index does not have.
  valuesOfMember: (alias) => `${tables.values} AS ${alias} INDEXED BY ${tables.values}_by_member`,
  hasWords: (words) =>
    sql(
      `EXISTS (SELECT 1 FROM ${tables.words} WHERE ${tables.words} MATCH ? AND rowid = k.sequence)`,
      matchText(words),
    ),
  withWords: (words) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.rowid',
    key: undefined,
    fixed: [sql(`w.${tables.words} MATCH ?`, matchText(words))],
  }),
  mostWords: Number.POSITIVE_INFINITY,
})

/** Quoted: some words are operators of FTS5. */
const matchText = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')
