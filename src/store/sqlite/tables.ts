import type { KeyShape } from '../../vocabulary/keys.ts'
import { keyColumns, type QueryTables } from '../query/tables.ts'

export { keyColumns } from '../query/tables.ts'

/** Plain data: scan threads get it sent. Words are under the sequence number of their member. */
export type Tables = QueryTables

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
