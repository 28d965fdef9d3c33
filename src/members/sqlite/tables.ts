import { beginningOf, isBeginning } from '../../folding.ts'
import { type FollowedLink, type HistoryRule, hasAccountLinks } from '../../vocabulary/keys.ts'
import type { ClassSchema } from '../class-schema.ts'
import { isOtherForm, type KeySlot, type OwnForm } from '../layout.ts'
import { type Dialect, fill, keyColumns, type QueryTables, sql } from '../query/dialect.ts'
import type { AskedWord } from '../selection.ts'

/** Plain data, which can be sent to other threads. The rowid of `words` is the sequence number of the member. */
export interface SqliteTables extends QueryTables {
  /** A row for each member that has an owner, in the order of owners, then of creation. */
  readonly owned: string
  /** Whether users list their own members: short members are then copied into these rows, so that a page is one range. */
  readonly isListedByOwner: boolean
  /** A row for each link of a member to an account, by link and account, then in the order of creation; likewise with copies. */
  readonly linked: string
  readonly listedByLinks: readonly string[]
  /** See ClassSchema. */
  readonly isLogged: boolean
  readonly followed: readonly FollowedLink[]
  /** Undefined if the class has no history. */
  readonly history: HistoryTable | undefined
  /** Present where rows say which form they have. */
  readonly form?: OwnForm | undefined
  /** Whether members may have the form of another API file; their copies may, too. */
  readonly isMixed?: boolean
}

export interface HistoryTable extends HistoryRule {
  readonly table: string
}

/** Table names are numbered: names in SQLite are case-insensitive, names of classes are not. */
export const tablesOf = (
  classId: number,
  { keys: shapes, isListedByOwner, listedByLinks, isLogged, followed, history }: TablesSchema = NO_KEYS,
): SqliteTables => ({
  classId,
  members: `members_${classId}`,
  keys: `keys_${classId}`,
  values: `values_${classId}`,
  words: `words_${classId}`,
  owned: `owned_${classId}`,
  linked: `linked_${classId}`,
  shapes,
  isListedByOwner,
  listedByLinks,
  isLogged,
  followed,
  history: history && { ...history, table: historyTable(classId) },
})

interface TablesSchema
  extends Pick<ClassSchema, 'isListedByOwner' | 'listedByLinks' | 'isLogged' | 'followed' | 'history'> {
  readonly keys: readonly KeySlot[]
}

const NO_KEYS: TablesSchema = {
  ...{
    keys: [],
    isListedByOwner: false,
    listedByLinks: [],
    isLogged: true,
    followed: [],
    history: undefined,
  },
}

/** Exists if the class has a history, or has had one. */
export const historyTable = (classId: number): string => `history_${classId}`

/** The tables of each class that has some, by its name. */
export type TablesByClass = ReadonlyMap<string, SqliteTables>

/** Keys are stored as they are: a column of type `ANY` holds numbers and texts. */
export const dialectOf = (tables: SqliteTables, classes: TablesByClass): Dialect<SqliteTables> => ({
  tables,
  of(className) {
    const others = classes.get(className)
    return others && dialectOf(others, classes)
  },
  write: (key) => key,
  read: (key) => key,
  foldedIn: (column) => `substr(${column}, 1, instr(${column}, char(1)) - 1)`,
  find: 'instr',
  isOneOf: (column, keys) => sql(`${column} IN (${keys.map(() => '?').join(', ')})`, ...keys),
  unindexed: (column) => `+${column}`,
  // Without the collation, SQLite uses the index only for the key, and compares the rowid, which has no collation,
  // afterwards (whereRangeVectorLen in where.c).
  position: '(?, ? COLLATE BINARY)',
  // INDEXED BY: if a text is needed, which the index does not have, SQLite would read the values of all members for each
  // member.
  valuesOfMember: (alias) => `${tables.values} AS ${alias} INDEXED BY ${tables.values}_by_member`,
  rowOfLink: (alias, key) => ({
    from: `${tables.members} ${alias}_m CROSS JOIN ${tables.keys} ${alias} ON ${alias}.sequence = ${alias}_m.sequence`,
    isTarget: `${alias}_m.id = ${key}`,
  }),
  joinTarget: (alias, key, test) =>
    fill(
      `LEFT JOIN ${tables.members} ${alias}_m ON ${alias}_m.id = ${key}
       LEFT JOIN ${tables.keys} ${alias} ON ${alias}.sequence = ${alias}_m.sequence AND $`,
      test,
    ),
  paced,
  isLinkTo: (key, row) =>
    `${key} = (SELECT m.id FROM ${tables.members} m WHERE m.sequence = ${row}.sequence)`,
  hasWords: (words, row) =>
    sql(
      `EXISTS (SELECT 1 FROM ${tables.words} WHERE ${tables.words} MATCH ? AND rowid = ${row}.sequence)`,
      matchText(words),
    ),
  withWords: (words) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.rowid',
    key: undefined,
    fixed: [sql(`w.${tables.words} MATCH ?`, matchText(words))],
  }),
  isOneRange: () => true,
  ofOwner: (owner) => ({
    row: 'o',
    from: `${tables.owned} o`,
    sequence: 'o.sequence',
    key: undefined,
    fixed: [sql('o.owner = ?', owner)],
  }),
})

/** Checks the deadline of a search now and then, at no measurable cost (`LimitedReader`). */
export const paced = (sequence: string): string => `((${sequence} & 255) <> 0 OR tick())`

/** In quotes, since some words are operators of FTS5. */
const matchText = (words: readonly AskedWord[]): string =>
  words
    .map((word) => (typeof word === 'string' ? matchOne(word) : `(${word.map(matchOne).join(' OR ')})`))
    .join(' AND ')

const matchOne = (word: string): string => (isBeginning(word) ? `"${beginningOf(word)}" *` : `"${word}"`)

export const createMemberTable = ({ members }: SqliteTables): string => `
  CREATE TABLE ${members} (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    holes TEXT NOT NULL,
    hidden TEXT NOT NULL DEFAULT '',
    owner INTEGER
  ) STRICT;
`

/** The tokenizer `ascii` treats everything beyond ASCII as a letter, so words, which are already folded, stay as they are. */
export const createKeyTables = ({ keys, values, words, owned, linked, shapes }: SqliteTables): string => `
  CREATE TABLE ${keys} (
    ${['sequence INTEGER PRIMARY KEY', ...keyColumns(shapes).map((name) => `${name} ANY`), 'owner INTEGER'].join(', ')}
  ) STRICT;
  CREATE TABLE ${values} (
    property INTEGER NOT NULL,
    key ANY NOT NULL,
    sequence INTEGER NOT NULL,
    element INTEGER NOT NULL,
    whole TEXT,
    PRIMARY KEY (property, key, sequence, element)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE ${owned} (
    owner INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    id TEXT,
    version INTEGER,
    body TEXT,
    holes TEXT,
    PRIMARY KEY (owner, sequence)
  ) STRICT, WITHOUT ROWID;
  ${hasAccountLinks(shapes) ? createLinkedTable(linked) : ''}
  CREATE VIRTUAL TABLE ${words} USING fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  );
`

export const createLinkedTable = (linked: string): string => `
  CREATE TABLE IF NOT EXISTS ${linked} (
    property INTEGER NOT NULL,
    account TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    owner INTEGER,
    id TEXT,
    version INTEGER,
    body TEXT,
    holes TEXT,
    PRIMARY KEY (property, account, sequence)
  ) STRICT, WITHOUT ROWID;
`

/** Writes the totals of accounts; no other process may write meanwhile. */
export const countLinked = ({ classId, linked, shapes }: SqliteTables): string =>
  hasAccountLinks(shapes)
    ? `INSERT INTO account_totals SELECT ${classId}, property, account, count(*) FROM ${linked} GROUP BY property, account`
    : ''

/**
 * Run after the tables are filled, since sorting once is faster than inserting row by row. The words are merged into one
 * segment, since a search reads each segment.
 */
export const createKeyIndexes = ({ keys, values, words, shapes }: SqliteTables): string => `
  ${shapes.map((_, index) => `CREATE INDEX ${keys}_${index} ON ${keys} (k${index});`).join('\n')}
  CREATE INDEX ${values}_by_member ON ${values} (sequence, property, key);
  ${mergeWords({ words })}
`

/** Merges the segments of the index of words into one, which has no words of removed members. */
export const mergeWords = ({ words }: Pick<SqliteTables, 'words'>): string =>
  `INSERT INTO ${words} (${words}) VALUES ('optimize');`

export const dropKeyTables = ({ keys, values, words, owned, linked }: SqliteTables): string =>
  [keys, values, words, owned, linked].map((name) => `DROP TABLE IF EXISTS ${name};`).join('\n')

/** In SQL: what a row of another form is converted from (`StoredMember.former`); null for others. */
export function formerOf({ form, isMixed }: SqliteTables, row: string): string {
  if (form === undefined || !isMixed) return 'NULL'
  const links = `SELECT json_group_array(json_array(property, to_class, to_id)) FROM links
    WHERE from_class = '${form.className.replaceAll("'", "''")}' AND from_id = ${row}.id`
  return `CASE WHEN ${isOtherForm(form, row)} THEN json_array(${row}.form, ${row}.hidden, json((${links}))) END`
}

/** The owner of a member: undefined if there is no such member; null if nobody owns it. */
export type FindOwner = (className: string, id: string) => number | null | undefined
