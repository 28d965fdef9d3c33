import type { KeyShape } from '../../vocabulary/keys.ts'

/**
 * The tables of one class. Plain data: scan threads get it sent.
 *
 * - `members`: what is served, in the order of creation (`sequence`).
 * - `keys`: a row a member, a column `k0`, `k1` … a property: its key, of a property with many values the least one.
 *   `x0` … hold the whole text where the key is cut, `f0` … the folded one where it differs from the whole one.
 * - `values`: a row for each key of a property with many values.
 * - `words`: the words of a member for free text, under its sequence number.
 */
export interface Tables {
  readonly classId: number
  readonly members: string
  readonly keys: string
  readonly values: string
  readonly words: string
  readonly shapes: readonly KeyShape[]
}

/** Numbered: SQLite's names know no case, those of classes do. */
export const tablesOf = (classId: number, shapes: readonly KeyShape[]): Tables => ({
  classId,
  members: `members_${classId}`,
  keys: `keys_${classId}`,
  values: `values_${classId}`,
  words: `words_${classId}`,
  shapes,
})

/** The table of one class, made when the class is first seen in an API file. */
export const createMemberTable = ({ members }: Tables): string => `
  CREATE TABLE ${members} (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    holes TEXT NOT NULL,
    hidden TEXT NOT NULL DEFAULT ''
  ) STRICT;
`

/**
 * The values of one member, as a table. The index is named, and so it is taken or the statement fails: left to itself,
 * SQLite goes through the values of all members for each where it needs a text, which the index does not have.
 */
export const valuesByMember = ({ values }: Tables, alias: string): string =>
  `${values} AS ${alias} INDEXED BY ${values}_by_member`

export const dropKeyTables = ({ keys, values, words }: Tables): string => `
  DROP TABLE IF EXISTS ${keys};
  DROP TABLE IF EXISTS ${values};
  DROP TABLE IF EXISTS ${words};
`

/** ANY: numbers stay numbers and text stays text. */
export const createKeysTable = ({ keys, shapes }: Tables): string => `
  CREATE TABLE ${keys} (
    ${['sequence INTEGER PRIMARY KEY', ...keyColumns(shapes).map((name) => `${name} ANY`)].join(', ')}
  ) STRICT;
`

/** Words come folded, and to `ascii` everything beyond ASCII is a letter: they are found as they are. */
export const createKeyTables = (tables: Tables): string => `
  ${createKeysTable(tables)}
  CREATE TABLE ${tables.values} (
    property INTEGER NOT NULL,
    key ANY NOT NULL,
    sequence INTEGER NOT NULL,
    whole TEXT,
    folded TEXT,
    PRIMARY KEY (property, key, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE ${tables.words} USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
`

/**
 * After the tables were filled: sorting once is faster than finding the place of each row. The words are brought into
 * one segment: a search looks into each.
 */
export const createKeyIndexes = ({ keys, values, words, shapes }: Tables): string => `
  ${shapes.map((_, index) => `CREATE INDEX ${keys}_${index} ON ${keys} (k${index});`).join('\n')}
  CREATE INDEX ${values}_by_member ON ${values} (sequence, property, key);
  INSERT INTO ${words} (${words}) VALUES ('optimize');
`

/** In the order in which a row of keys is written: for each property its key, and of text the whole and the folded. */
export const keyColumns = (shapes: readonly KeyShape[]): string[] =>
  shapes.flatMap((shape, index) =>
    hasTextColumns(shape) ? [`k${index}`, `x${index}`, `f${index}`] : [`k${index}`],
  )

/** Of many values, the texts stand beside each. */
export const hasTextColumns = ({ long, many }: KeyShape): boolean => long && !many
