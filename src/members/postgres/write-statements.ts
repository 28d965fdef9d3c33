import { inTime } from '../../database/postgres/deadlines.ts'
import { CHANGE_KINDS, type Change } from '../changes.ts'
import { MAX_LINKS_READ } from '../member.ts'
import { type FollowedSides, storedIds, withFollowed, writtenIds } from './changes/followed.ts'
import {
  type ClassStatements,
  deadlinePlace,
  givenTables,
  linkTables,
  type Template,
  textColumns,
  VALUE_COLUMNS,
} from './class-statements.ts'
import { addedEntries, changedEntry, isLast, NOW, removedEntry } from './history/history-statements.ts'
import { literal, type PostgresTables } from './tables.ts'
import { countLinkedTables, countTables } from './totals.ts'

/**
 * Adds members that do not conflict with each other (`lockKeysOf`): those whose links have targets, and whose id and
 * unique values are free. Returns the index of each added member, with its version. Members get their sequence numbers
 * in the order of arrival, and are written in the order of their ids, so that two processes that write the same members
 * do not deadlock.
 */
const addText =
  (counts: boolean): Template =>
  (cls, targets) => {
    const { members, values, words, order, versions, shapes, classId, history, form } = cls.tables
    const columns = textColumns(shapes)
    const [formColumn, formValue] = form === undefined ? ['', ''] : [', form', `, ${form.own}`]
    const at = history === undefined ? '' : ', at'
    const taken = shapes.flatMap(({ isRepeatable }, index) =>
      isRepeatable
        ? `AND NOT EXISTS (SELECT FROM ${members} AS other WHERE other.k${index} = new.k${index})`
        : [],
    )
    const tables = withTables(
      givenTables(shapes),
      linkTables(cls, targets, true),
      `new AS MATERIALIZED (
        SELECT place, coalesce(sequence, nextval('${order}')) AS sequence, owner, actor, ${columns}
        FROM given WHERE ${inTime(deadlinePlace(cls, targets))} ORDER BY place
      ),
      added AS (
        INSERT INTO ${members} (sequence, version, owner, ${columns}${formColumn})
        SELECT sequence, nextval('${versions}'), owner, ${columns}${formValue} FROM new
        WHERE place NOT IN (SELECT place FROM dangling) ${taken.join('\n')}
        ORDER BY id
        ON CONFLICT DO NOTHING
        RETURNING sequence, version, owner, words${history === undefined ? '' : `, ${isLast(versions, history)}`}
      ),
      placed AS MATERIALIZED (
        SELECT place, id, sequence, version, added.owner, actor${at && `, ${NOW} AS at, body, holes, hidden`}
        FROM added JOIN new USING (sequence) ${at && 'WHERE is_last'}
      )`,
      logTable(cls, 'create', `SELECT place, id, version, owner, actor${at} FROM placed ORDER BY place`, {
        after: writtenIds,
      }),
      history !== undefined && addedEntries(history, targets.length > 0),
      // Sorted, so that neighbours in the index are written one after the other.
      cls.tables.hasWords &&
        `worded AS (
          INSERT INTO ${words} (word, sequence)
          SELECT word, sequence FROM added, unnest(words) AS word ORDER BY word
        )`,
      hasValues(cls) &&
        `valued AS (
          INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
          SELECT ${VALUE_COLUMNS}, sequence FROM value JOIN placed USING (place)
        )`,
      targets.length > 0 &&
        `linked AS (
          INSERT INTO links (to_class, to_id, from_class, property, from_id)
          SELECT to_class, to_id, ${literal(cls.name)}, property, id FROM wanted JOIN placed USING (place)
        )`,
      counts && countTables(classId, 'SELECT owner, count(*) AS more FROM added GROUP BY owner'),
      counts && countLinkedTables(cls.tables, { after: writtenIds }, 'placed'),
    )
    return `${tables} SELECT place, version FROM placed`
  }

/**
 * A table of a WITH that writes changes for the feed. `changed`: a query for places, ids, versions, owners and actors; and
 * where there is a history, for times, so that an entry has the time of its change.
 */
function logTable(
  { name, followed, tables }: ClassStatements,
  kind: Change['kind'],
  changed: string,
  sides: FollowedSides,
): string | false {
  if (!tables.isLogged) return false
  const columns = `version, owner, actor${tables.history === undefined ? '' : ', at'}${followed.length === 0 ? '' : ', followed'}`
  return `
  logged AS (
    INSERT INTO new_changes (class, id, kind, ${columns})
    SELECT ${literal(name)}, id, ${CHANGE_KINDS.indexOf(kind)}, ${columns}
    FROM (${withFollowed(followed, changed, sides)}) AS logged
  )`
}

/** Leaves out the parts that a class does not need: each has a cost, even if it writes nothing. */
const withTables = (...parts: readonly (string | false)[]): string =>
  `WITH ${parts.filter((part) => part !== false).join(',\n')}`

const hasValues = ({ tables }: ClassStatements): boolean =>
  tables.shapes.some(({ many, isForeign }) => many && !isForeign)

/** In SQL: whether a value is of a property that this host knows. */
export const isOwnValue = ({ form, shapes }: PostgresTables): string => {
  if (form === undefined) return 'true'
  const own = shapes.flatMap(({ many, isForeign }, index) => (many && !isForeign ? index : []))
  return own.length === 0 ? 'false' : `property IN (${own.join(', ')})`
}

export const ADD: Template = addText(true)
/** For a transaction with several statements, which locks the row of the total only at its end. */
export const ADD_UNCOUNTED: Template = addText(false)

/**
 * Changes one member, given by its sequence number and the version that it must still have. Returns the new version, or no
 * row if another writer was faster, a link dangles or a value is taken. Only the differences of links, values and words
 * are written: all parts of a statement see the same snapshot, so one part could not insert again what another one
 * deletes.
 */
export const CHANGE: Template = (cls, targets) => {
  const { members, values, versions, shapes, history, form } = cls.tables
  const columns = textColumns(shapes).filter((name) => name !== 'id')
  // As subqueries, so that PostgreSQL uses an index, whatever number of rows it expects in `given`.
  const [sequence, id] = ['(SELECT sequence FROM given)', '(SELECT id FROM given)']
  const taken = shapes.flatMap(({ unique }, index) =>
    unique
      ? `AND NOT EXISTS (SELECT FROM ${members} AS other
          WHERE other.k${index} = (SELECT k${index} FROM given) AND other.sequence <> ${sequence})`
      : [],
  )
  const isDone = 'EXISTS (SELECT FROM changed)'
  // A conversion that commits while this statement waits for the row may keep the version: the words and values that it has
  // written are not in the snapshot of the other parts. The next try locks the row first.
  const isSeen =
    form === undefined ? '' : `AND present.form = (SELECT form FROM ${members} WHERE sequence = ${sequence})`
  const at = history === undefined ? '' : ', at'
  const sides = { before: storedIds(cls.tables, sequence), after: writtenIds }
  const tables = withTables(
    givenTables(shapes),
    linkTables(cls, targets, true),
    `changed AS (
      UPDATE ${members} AS present
      SET version = nextval('${versions}'), ${columns.map((name) => `${name} = given.${name}`)}${form === undefined ? '' : `, form = ${form.own}`}
      FROM given
      WHERE present.sequence = ${sequence} AND present.version = given.version ${isSeen}
        AND ${inTime(deadlinePlace(cls, targets))} AND NOT EXISTS (SELECT FROM dangling) ${taken.join('\n')}
      RETURNING present.sequence, present.id, present.version, present.owner${at && `, ${NOW} AS at`}
    )`,
    logTable(
      cls,
      'update',
      `SELECT 0 AS place, id, version, owner, (SELECT actor FROM given) AS actor${at} FROM changed`,
      sides,
    ),
    history !== undefined && changedEntry(history, targets.length > 0),
    cls.tables.hasWords && changedWords(cls.tables, sequence, isDone),
    hasValues(cls) &&
      `unvalued AS (
        DELETE FROM ${values}
        WHERE sequence = ${sequence} AND (property, key, element) NOT IN (SELECT property, key, element FROM value)
          AND ${isOwnValue(cls.tables)} AND ${isDone}
      ),
      valued AS (
        INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
        SELECT ${VALUE_COLUMNS}, sequence FROM value, changed ON CONFLICT DO NOTHING
      )`,
    // Even if this class is not known to have links: another process may have written some.
    `unlinked AS (
      DELETE FROM links WHERE from_class = ${literal(cls.name)} AND from_id = ${id} AND ${isDone}
        AND (to_class, to_id, property) NOT IN (SELECT to_class, to_id, property FROM wanted)
    )`,
    targets.length > 0 &&
      `linked AS (
        INSERT INTO links (to_class, to_id, from_class, property, from_id)
        SELECT to_class, to_id, ${literal(cls.name)}, property, ${id} FROM wanted, changed ON CONFLICT DO NOTHING
      )`,
    countLinkedTables(cls.tables, sides, '(SELECT 0 AS place FROM changed)'),
  )
  return `${tables} SELECT version FROM changed`
}

/**
 * Tables of a WITH that write the changed words of a member. `isDone`: whether the member was changed. Earlier versions may
 * have left a member with a word that it had no longer, which is not added again.
 */
const changedWords = ({ members, words }: PostgresTables, sequence: string, isDone: string): string => `
  present_words AS MATERIALIZED (
    SELECT word, sequence FROM ${members}, unnest(words) AS word WHERE sequence = ${sequence}
  ),
  given_words AS MATERIALIZED (SELECT word, sequence FROM given, unnest(words) AS word),
  former_words AS MATERIALIZED (SELECT * FROM present_words EXCEPT SELECT * FROM given_words),
  unworded AS (
    DELETE FROM ${words} AS one USING former_words AS former
    WHERE one.word = former.word AND one.sequence = former.sequence AND ${isDone}
  ),
  worded AS (
    INSERT INTO ${words} (word, sequence)
    SELECT word, sequence FROM (SELECT * FROM given_words EXCEPT SELECT * FROM present_words) AS new
    WHERE ${isDone} ORDER BY word
    ON CONFLICT DO NOTHING
  )`

/**
 * Parameters: sequence number, id and actor; and where there is a history, the links of the member (`removedEntry`).
 * Returns the links of other members to this one, which is removed if there are none.
 */
export function removeText(cls: ClassStatements): string {
  const { tables, name } = cls
  const { values, words, classId, history } = tables
  const source = `from_class = ${literal(name)} AND from_id = $2`
  const at = history === undefined ? '' : ', at'
  const ofRemoved = 'WHERE sequence IN (SELECT sequence FROM removed)'
  const sides = { before: storedIds(tables, '$1') }
  const withAll = withTables(
    `sources AS MATERIALIZED (
      SELECT from_class, from_id, property FROM links
      WHERE to_class = ${literal(name)} AND to_id = $2 AND NOT (from_class = ${literal(name)} AND from_id = $2)
      LIMIT ${MAX_LINKS_READ}
    ),
    ${removedTable(tables)}`,
    logTable(cls, 'delete', `SELECT 0 AS place, id, version, owner, actor${at} FROM removed`, sides),
    history !== undefined && removedEntry(history, { links: '$4::text', source }),
    `unlinked AS (
      DELETE FROM links WHERE ${source} AND EXISTS (SELECT FROM removed)
    ),
    unvalued AS (DELETE FROM ${values} ${ofRemoved}),
    unworded AS (
      DELETE FROM ${words} AS one USING (SELECT sequence, unnest(words) AS word FROM removed) AS gone
      WHERE one.word = gone.word AND one.sequence = gone.sequence
    )`,
    countTables(classId, 'SELECT owner, -1 AS more FROM removed'),
    countLinkedTables(tables, sides, '(SELECT 0 AS place FROM removed)'),
  )
  return `${withAll} SELECT from_class, from_id, property FROM sources`
}

/** The entry of a removal has a version of its own. */
const removedTable = ({ members, versions, history }: PostgresTables): string => {
  const returned =
    history === undefined ? 'version' : `nextval('${versions}') AS version, body, holes, hidden, ${NOW} AS at`
  return `removed AS (
      DELETE FROM ${members} WHERE sequence = $1 AND NOT EXISTS (SELECT FROM sources)
      RETURNING sequence, id, owner, words, $3::bigint AS actor, ${returned}
    )`
}
