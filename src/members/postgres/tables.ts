import { arrayOf } from '../../database/postgres/arrays.ts'
import type { Pools, RunSql } from '../../database/postgres/pool.ts'
import { beginningOf, isBeginning } from '../../folding.ts'
import { type Key, textsBeginningWith } from '../../vocabulary/index-keys.ts'
import type { FollowedLink } from '../../vocabulary/keys.ts'
import { namesInKey } from '../../vocabulary/keys.ts'
import type { ClassSchema } from '../class-schema.ts'
import { isOtherForm, type KeySlot, type OwnForm } from '../layout.ts'
import {
  and,
  byCreation,
  type Dialect,
  fill,
  join,
  keyColumns,
  type QueryTables,
  type Sql,
  sql,
} from '../query/dialect.ts'
import { rangeTest } from '../query/property-tests.ts'
import { type AskedWord, isOfSeveral } from '../selection.ts'

/**
 * A member's words are also in a column, to find them when the member is changed or removed: that costs less than a second
 * index. `order` and `versions` are sequences: they issue numbers without a lock, and none twice.
 */
export interface PostgresTables extends QueryTables {
  readonly order: string
  readonly versions: string
  readonly hasWords: boolean
  /** See ClassSchema. */
  readonly isLogged: boolean
  readonly followed: readonly FollowedLink[]
  /** The table of the entries; undefined where members have no history. */
  readonly history: string | undefined
  /** Undefined where all members have the form of one API file. */
  readonly form: OwnForm | undefined
}

/** The classes that links may lead to, by name. */
export interface LinkTargets {
  /** Undefined if the database has no class of this name. */
  find(className: string): { readonly id: number; readonly members: string } | undefined
  /** Whether the API file has the class: a link to another one is hidden, and stays as it was stored. */
  isKnown(className: string): boolean
}

/** Table names are numbered: another API file has other tables, so that a process with the previous file cannot find them. */
export const tablesOf = (
  classId: number,
  shapes: readonly KeySlot[],
  { hasWords, isLogged, followed, history }: KeptSchema = USUAL,
  form?: OwnForm,
): PostgresTables => ({
  classId,
  members: membersTable(classId, form !== undefined),
  keys: membersTable(classId, form !== undefined),
  values: `values_${classId}`,
  words: `words_${classId}`,
  order: `order_${classId}`,
  versions: `versions_${classId}`,
  shapes,
  hasWords,
  isLogged,
  followed,
  history: history && historyTable(classId),
  form,
})

/** A version of Hydrant that knows nothing of forms does not find a table that has them. */
export const membersTable = (classId: number, hasForms: boolean): string =>
  `${hasForms ? 'forms' : 'members'}_${classId}`

type KeptSchema = Pick<ClassSchema, 'hasWords' | 'isLogged' | 'followed' | 'history'>

const USUAL: KeptSchema = { hasWords: true, isLogged: true, followed: [], history: undefined }

export const historyTable = (classId: number): string => `history_${classId}`

export const createSequences = ({ order, versions }: PostgresTables): string =>
  `CREATE SEQUENCE ${order}; CREATE SEQUENCE ${versions};`

/** Without indexes, which are built faster when the tables are filled. */
export const createTables = ({ members, values, words, order, shapes }: PostgresTables): string => `
  CREATE TABLE ${members} (
    sequence bigint NOT NULL DEFAULT nextval('${order}'),
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    owner bigint,
    body text NOT NULL,
    holes text NOT NULL,
    hidden text NOT NULL,
    words text[] COLLATE "C"
    ${keyColumns(shapes)
      .map((name) => `, ${name} text COLLATE "C"`)
      .join('')}
  );
  CREATE TABLE ${values} (
    property smallint NOT NULL,
    key text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    element integer NOT NULL,
    whole text COLLATE "C"
  );
  CREATE TABLE ${words} (word text COLLATE "C" NOT NULL, sequence bigint NOT NULL);
`

export const createIndexes = ({ members, values, words, shapes }: PostgresTables): string => `
  ALTER TABLE ${members} ADD PRIMARY KEY (sequence), ADD UNIQUE (id);
  ALTER TABLE ${values} ADD PRIMARY KEY (property, key, sequence, element);
  ALTER TABLE ${words} ADD PRIMARY KEY (word, sequence);
  CREATE INDEX ${values}_by_member ON ${values} (sequence, property, key);
  CREATE INDEX ${members}_owner ON ${members} (owner, sequence) WHERE owner IS NOT NULL;
  ${shapes
    .map((shape, index) =>
      [
        // Nothing is sorted by properties that are unique together.
        ...(namesInKey(shape).length === 1
          ? [`CREATE INDEX ${members}_${index} ON ${members} (k${index}, sequence);`]
          : []),
        ...(shape.unique
          ? [`CREATE UNIQUE INDEX ${members}_${index}_unique ON ${members} (k${index});`]
          : []),
      ].join('\n'),
    )
    .join('\n')}
`

export const dropTables = ({ members, values, words }: PostgresTables): string =>
  `DROP TABLE IF EXISTS ${members}, ${values}, ${words};`

export async function hasTable(run: RunSql, name: string): Promise<boolean> {
  const [row] = await run<[boolean]>('SELECT to_regclass($1::text) IS NOT NULL', [name])
  return row?.[0] === true
}

/** Makes the sequence continue after `last`. */
export async function continueSequence(run: RunSql, sequence: string, last: number): Promise<void> {
  await run('SELECT setval($1::regclass, greatest($2::bigint, 1), $2::bigint > 0)', [sequence, last])
}

/** How often totals are compared while members are added, which costs as much as reading a page. */
const CHECK_INTERVAL_MS = 1_000
/** Below this, any plan is good enough. */
const MIN_MEMBERS = 500

/** Classes that have twice the members of PostgreSQL's statistics. */
const OUTGROWN = `
  SELECT class_id FROM totals
  GROUP BY class_id
  HAVING sum(total) >= greatest(${MIN_MEMBERS}, 2 * (
    SELECT reltuples FROM pg_class
    WHERE oid = coalesce(to_regclass('members_' || class_id), to_regclass('forms_' || class_id))))`

/**
 * Analyzes the tables that have rows. For a table that was analyzed while empty, PostgreSQL considers any plan good
 * enough, and keeps it; for a table that was never analyzed, it expects some pages.
 */
export const analyzeFilled = (tables: readonly string[]): string => `
  DO $$
  DECLARE
    name text;
    is_filled boolean;
  BEGIN
    FOREACH name IN ARRAY ARRAY[${tables.map((name) => `'${name}'`)}] LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO is_filled;
      IF is_filled THEN
        EXECUTE format('ANALYZE (SKIP_LOCKED) %I', name);
      END IF;
    END LOOP;
  END $$`

/**
 * Keeps the statistics of PostgreSQL's planner up to date. Autovacuum analyzes once a minute, or never; by then an import
 * has written a hundred thousand rows, by plans for empty tables. ANALYZE also invalidates cached plans. The function is
 * called when members were added, and returns at once; classes that have doubled are analyzed in the background.
 */
export function createStatistics({ quick, writes }: Pools<'quick' | 'writes'>): () => void {
  let checkedAt = Number.NEGATIVE_INFINITY
  let isRunning = false

  /** Never rejects. */
  async function analyzeOutgrown(): Promise<void> {
    isRunning = true
    try {
      for (const [classId] of await quick.run<[number]>(OUTGROWN)) {
        const { members, values, words } = tablesOf(classId, [])
        // One lock at a time: a migration that locks several tables must not wait for this while it waits for them.
        for (const table of [members, values, words, 'links'])
          await writes.transaction(({ script }) => script(analyzeFilled([table])), 'long')
      }
    } catch {
      // A fault of the database is reported by requests; this is tried again.
    } finally {
      checkedAt = performance.now()
      isRunning = false
    }
  }

  return () => {
    if (!isRunning && performance.now() - checkedAt >= CHECK_INTERVAL_MS) analyzeOutgrown()
  }
}

/**
 * Keys as text that PostgreSQL compares byte by byte (`COLLATE "C"`) in the order of `compareKeys`: numbers before all
 * strings, strings by code point. An index entry has at most 2,704 bytes; a key of an index, at most 1,602.
 */
export const keyText = (key: Key): string => (typeof key === 'number' ? `n${numberText(key)}` : `s${key}`)

/** The inverse of `keyText`. */
export const keyOf = (text: string): Key => (text.startsWith('n') ? numberOf(text.slice(1)) : text.slice(1))

/** The bits of a double order positive numbers as unsigned integers; negative ones the other way round. */
function numberText(value: number): string {
  const bytes = Buffer.alloc(8)
  // -0 as 0: they are equal.
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  flip(bytes, value >= 0)
  return bytes.toString('hex')
}

function numberOf(text: string): number {
  const bytes = Buffer.from(text, 'hex')
  flip(bytes, ((bytes[0] ?? 0) & 0x80) !== 0)
  return bytes.readDoubleBE(0)
}

function flip(bytes: Buffer, isPositive: boolean): void {
  if (isPositive) bytes[0] = (bytes[0] as number) ^ 0x80
  else for (let index = 0; index < 8; index += 1) bytes[index] = ~(bytes[index] as number)
}

/** PostgreSQL chooses, by its statistics, which filter's index is read: each is written so that its index can be used. */
export const dialectOf = (
  tables: PostgresTables,
  classes: (className: string) => PostgresTables | undefined,
): Dialect<PostgresTables> => ({
  tables,
  of(className) {
    const others = classes(className)
    return others && dialectOf(others, classes)
  },
  write: keyText,
  read: (written) => keyOf(String(written)),
  foldedIn: (column) => `split_part(substr(${column}, 2), chr(1), 1)`,
  find: 'strpos',
  isOneOf: (column, keys) => sql(`${column} = ANY (?::text[])`, arrayOf(keys.map(String))),
  unindexed: (column) => column,
  position: '(?, ?)',
  valuesOfMember: (alias) => `${tables.values} ${alias}`,
  // Each in both directions, so that PostgreSQL can use either index.
  rowOfLink: (alias, key) => ({ from: `${tables.members} ${alias}`, isTarget: isTarget(alias, key) }),
  joinTarget: (alias, key, test) =>
    fill(`LEFT JOIN ${tables.members} ${alias} ON ${isTarget(alias, key)} AND $`, test),
  paced: () => 'true',
  isLinkTo: (key, row) => isTarget(row, key),
  hasWords: (words, row) =>
    and(
      words.map((word) =>
        fill(`${row}.sequence IN (SELECT w.sequence FROM ${tables.words} w WHERE $)`, isWord(word)),
      ),
    ),
  withWords: ([word = '']) => ({
    row: 'w',
    from: `${tables.words} w`,
    sequence: 'w.sequence',
    key: undefined,
    fixed: [isWord(word)],
  }),
  isOneRange: ([word = '', ...further]) => further.length === 0 && !isOfSeveral(word),
  ofOwner: (owner) => ({ ...byCreation(tables), fixed: [sql('k.owner = ?', owner)] }),
})

/** Whether the key of a link leads to the member in this row. */
const isTarget = (row: string, key: string): string =>
  `${row}.id = substr(${key}, 2) AND ${key} = 's' || ${row}.id`

/** Whether row `w` has the word, or one that begins like it. */
const isWord = (word: AskedWord): Sql =>
  typeof word === 'string' ? isThisWord(word) : fill('($)', join(word.map(isThisWord), ' OR '))

const isThisWord = (word: string): Sql =>
  isBeginning(word) ? rangeTest('w.word', textsBeginningWith(beginningOf(word))) : sql('w.word = ?', word)

/** In SQL: what a row of another form is converted from (`StoredMember.former`); null for others. */
export function formerOf({ form }: Pick<PostgresTables, 'form'>, row: string): string {
  if (form === undefined) return 'NULL::text'
  const links = `SELECT coalesce(json_agg(json_build_array(property, to_class, to_id)), '[]') FROM links
    WHERE from_class = ${literal(form.className)} AND from_id = ${row}.id`
  return `CASE WHEN ${isOtherForm(form, row)} THEN json_build_array(${row}.form, ${row}.hidden, (${links}))::text END`
}

/** A name as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** PostgreSQL's text cannot contain U+0000, and a parameter with it is an error. */
export const isStorable = (id: string): boolean => !id.includes('\0')
