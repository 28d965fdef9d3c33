import type { DatatypeName } from '../../../vocabulary/index.ts'

/** The first word that a declared type contains decides; SQLite itself knows only affinities. */
const TYPES: readonly (readonly [type: RegExp, datatype: DatatypeName | undefined])[] = [
  [/BOOL/, 'boolean'],
  [/INT|SERIAL|^YEAR$/, 'integer'],
  [/BLOB|BINARY|BYTEA|IMAGE/, undefined],
  [/CHAR|CLOB|TEXT|STRING|UUID|JSON|ENUM/, 'string'],
  [/DATETIME|TIMESTAMP/, 'dateTime'],
  [/^DATE/, 'date'],
  [/^TIME/, 'time'],
  [/REAL|FLOA|DOUB/, 'double'],
  [/DEC|NUM|MONEY|CURRENCY/, 'decimal'],
]

/** The datatype for a declared type; a column without one may have anything, of which text can hold the most. */
export function datatypeIn(type: string): DatatypeName | undefined {
  const name = type.toUpperCase()
  const found = TYPES.find(([pattern]) => pattern.test(name))
  return found === undefined ? 'string' : found[1]
}
