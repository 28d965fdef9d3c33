import { CHANGE_KINDS, type Change } from '../changes.ts'
import { linkName, MAX_LINKS_READ } from '../member.ts'
import type { Refused } from '../store.ts'
import { inTime } from './connection.ts'
import type { Run } from './pool.ts'
import {
  deadlinePlace,
  type Form,
  givenTables,
  linkTables,
  literal,
  textColumns,
  VALUE_COLUMNS,
  type WrittenClass,
  type WrittenMember,
} from './written-class.ts'

/**
 * Adds any number of members, none of which has anything to do with another (`createOrdering`): those whose links lead
 * somewhere, whose id and whose unique values are free. Its rows are the places of those that it has added, with their
 * versions. They are numbered in the order in which they came and written in the order of their ids, so that two
 * processes that write the same ones do not deadlock.
 */
const addText =
  (counts: boolean): Form =>
  (cls, targets) => {
    const { members, values, words, order, versions, shapes, classId } = cls.tables
    const columns = textColumns(shapes)
    const tables = withTables(
      givenTables(shapes),
      linkTables(cls, targets, true),
      `new AS MATERIALIZED (
        SELECT place, coalesce(sequence, nextval('${order}')) AS sequence, owner, ${columns}
        FROM given WHERE ${inTime(deadlinePlace(cls, targets))} ORDER BY place
      ),
      added AS (
        INSERT INTO ${members} (sequence, version, owner, ${columns})
        SELECT sequence, nextval('${versions}'), owner, ${columns} FROM new
        WHERE place NOT IN (SELECT place FROM dangling)
        ORDER BY id
        ON CONFLICT DO NOTHING
        RETURNING sequence, version, owner, words
      ),
      placed AS MATERIALIZED (
        SELECT place, id, sequence, version, added.owner FROM added JOIN new USING (sequence)
      )`,
      logTable(cls, 'create', 'SELECT id, version, owner FROM placed ORDER BY place'),
      // Sorted: neighbours in the index are written one after the other.
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
    )
    return `${tables} SELECT place, version FROM placed`
  }

/** A table of a WITH that writes what the feed is to tell. `changed`: ids with versions and owners. */
const logTable = ({ name }: Pick<WrittenClass, 'name'>, kind: Change['kind'], changed: string): string => `
  logged AS (
    INSERT INTO new_changes (class, id, kind, version, owner)
    SELECT ${literal(name)}, id, ${CHANGE_KINDS.indexOf(kind)}, version, owner FROM (${changed}) AS logged
  )`

/** Without the parts that a class has no use for: each costs something, also where it writes nothing. */
const withTables = (...parts: readonly (string | false)[]): string =>
  `WITH ${parts.filter((part) => part !== false).join(',\n')}`

const hasValues = ({ tables }: WrittenClass): boolean => tables.shapes.some(({ many }) => many)

export const ADD: Form = addText(true)
/** For a transaction of several, which holds the row of the total as briefly as it can. */
export const ADD_UNCOUNTED: Form = addText(false)

/** So many writers can add to the total of a class without waiting for each other's commit. */
const SLOTS = 32

/**
 * Tables of a WITH that add to the totals of a class and of its owners, in the slot of this connection. `more`: a query
 * for how many, by `owner`, in a column `more`. All who write do so in one order, so that none deadlock.
 */
export const countTables = (classId: number | string, more: string): string => `
  change AS MATERIALIZED (${more}),
  counted AS (
    INSERT INTO totals (class_id, slot, total)
    SELECT ${classId}, pg_backend_pid() % ${SLOTS}, sum(more) FROM change HAVING count(*) > 0
    ON CONFLICT (class_id, slot) DO UPDATE SET total = totals.total + excluded.total
  ),
  counted_by_owner AS (
    INSERT INTO owner_totals (class_id, owner, slot, total)
    SELECT ${classId}, owner, pg_backend_pid() % ${SLOTS}, more FROM change WHERE owner IS NOT NULL ORDER BY owner
    ON CONFLICT (class_id, owner, slot) DO UPDATE SET total = owner_totals.total + excluded.total
  )`

/**
 * Changes one member, given with its number and the version that it is to have now. Its row is the new version; there is
 * none where another was faster, a link leads nowhere or a value is taken. Links, values and words are written by their
 * difference: all parts of a statement see the same state, and what one part removes another one could not write again.
 */
export const CHANGE: Form = (cls, targets) => {
  const { members, values, words, versions, shapes } = cls.tables
  const columns = textColumns(shapes).filter((name) => name !== 'id')
  // Each by itself, since PostgreSQL finds its row by an index then, whatever it expects of `given`.
  const [sequence, id] = ['(SELECT sequence FROM given)', '(SELECT id FROM given)']
  const taken = shapes.flatMap(({ unique }, index) =>
    unique
      ? `AND NOT EXISTS (SELECT FROM ${members} AS other
          WHERE other.k${index} = (SELECT k${index} FROM given) AND other.sequence <> ${sequence})`
      : [],
  )
  const isDone = 'EXISTS (SELECT FROM changed)'
  const tables = withTables(
    givenTables(shapes),
    linkTables(cls, targets, true),
    `changed AS (
      UPDATE ${members} AS present
      SET version = nextval('${versions}'), ${columns.map((name) => `${name} = given.${name}`)}
      FROM given
      WHERE present.sequence = ${sequence} AND present.version = given.version
        AND ${inTime(deadlinePlace(cls, targets))} AND NOT EXISTS (SELECT FROM dangling) ${taken.join('\n')}
      RETURNING present.sequence, present.id, present.version, present.owner
    )`,
    logTable(cls, 'update', 'SELECT id, version, owner FROM changed'),
    cls.tables.hasWords &&
      `present_words AS MATERIALIZED (
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
      )`,
    hasValues(cls) &&
      `unvalued AS (
        DELETE FROM ${values}
        WHERE sequence = ${sequence} AND (property, key) NOT IN (SELECT property, key FROM value) AND ${isDone}
      ),
      valued AS (
        INSERT INTO ${values} (${VALUE_COLUMNS}, sequence)
        SELECT ${VALUE_COLUMNS}, sequence FROM value, changed ON CONFLICT DO NOTHING
      )`,
    // Another process may have written links that this one has not seen any of.
    `unlinked AS (
      DELETE FROM links WHERE from_class = ${literal(cls.name)} AND from_id = ${id} AND ${isDone}
        AND (to_class, to_id, property) NOT IN (SELECT to_class, to_id, property FROM wanted)
    )`,
    targets.length > 0 &&
      `linked AS (
        INSERT INTO links (to_class, to_id, from_class, property, from_id)
        SELECT to_class, to_id, ${literal(cls.name)}, property, ${id} FROM wanted, changed ON CONFLICT DO NOTHING
      )`,
  )
  return `${tables} SELECT version FROM changed`
}

/** Of a sequence number and an id. Its rows are the links of others to the member; it is removed where there are none. */
export function removeText({ tables, name }: WrittenClass): string {
  const { members, values, words, classId } = tables
  const ofRemoved = 'WHERE sequence IN (SELECT sequence FROM removed)'
  return `
    WITH sources AS MATERIALIZED (
      SELECT from_class, from_id, property FROM links
      WHERE to_class = ${literal(name)} AND to_id = $2 AND NOT (from_class = ${literal(name)} AND from_id = $2)
      LIMIT ${MAX_LINKS_READ}
    ),
    removed AS (
      DELETE FROM ${members} WHERE sequence = $1 AND NOT EXISTS (SELECT FROM sources)
      RETURNING sequence, id, version, owner, words
    ),
    ${logTable({ name }, 'delete', 'SELECT id, version, owner FROM removed')},
    unlinked AS (
      DELETE FROM links WHERE from_class = ${literal(name)} AND from_id = $2 AND EXISTS (SELECT FROM removed)
    ),
    unvalued AS (DELETE FROM ${values} ${ofRemoved}),
    unworded AS (
      DELETE FROM ${words} AS one USING (SELECT sequence, unnest(words) AS word FROM removed) AS gone
      WHERE one.word = gone.word AND one.sequence = gone.sequence
    ),
    ${countTables(classId, 'SELECT owner, -1 AS more FROM removed')}
    SELECT from_class, from_id, property FROM sources`
}

/** Why a member cannot be written; undefined where nothing is in the way any more. */
type Reason = { readonly outcome: 'exists' } | Refused | undefined

type ReasonRow = [kind: 'exists' | 'dangling' | 'taken', place: number, number: number]

/** `number`: of `dangling`, which link in the order of all, from 1 on; of `taken`, which property. */
export const REASONS: Form = (cls, targets) => {
  const { members, shapes } = cls.tables
  const unique = shapes.flatMap(({ unique }, index) => (unique ? [index] : []))
  return `
    WITH ${givenTables(shapes)}, ${linkTables(cls, targets, false)}
    SELECT 'exists', place, 0 FROM given
    WHERE version IS NULL AND EXISTS (SELECT FROM ${members} WHERE id = given.id)
    UNION ALL SELECT 'dangling', place, number FROM dangling
    ${unique
      .map(
        (index) => `UNION ALL SELECT 'taken', place, ${index} FROM given WHERE EXISTS (
          SELECT FROM ${members} AS other
          WHERE other.k${index} = given.k${index} AND other.sequence IS DISTINCT FROM given.sequence)`,
      )
      .join('\n')}`
}

/** What is in the way of each, all of it, at one point in time; a member without a version is new. */
export async function findReasons(
  run: Run,
  cls: WrittenClass,
  unwritten: readonly WrittenMember[],
): Promise<Reason[]> {
  const { text, params, links } = cls.statement(REASONS, unwritten)
  const byPlace = Map.groupBy(await run<ReasonRow>(text, params), ([, place]) => place)
  return unwritten.map(({ member }, place) => {
    const found = byPlace.get(place) ?? []
    const numbers = (wanted: ReasonRow[0]) =>
      new Set(found.flatMap(([kind, , number]) => (kind === wanted ? [number] : [])))
    if (numbers('exists').size > 0) return { outcome: 'exists' }
    const isLost = numbers('dangling')
    const lost = new Set(links.flatMap((link, index) => (isLost.has(index + 1) ? [linkName(link)] : [])))
    const dangling = member.links.filter((link) => lost.has(linkName(link)))
    const isTaken = numbers('taken')
    const taken = cls.tables.shapes.filter((_, index) => isTaken.has(index)).map(({ property }) => property)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  })
}
