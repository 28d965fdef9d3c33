import type { NewMember } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import { inTime } from './deadlines.ts'
import { keyRow, VALUE_COLUMNS, valueArrays, valueRows } from './key-rows.ts'
import { type Form, linkParamCount, linkTables, literal, type WrittenClass } from './links.ts'
import { keyColumns } from './tables.ts'

/** A member that is to be added, and its number in the order of creation where that is fixed already. */
export interface Addition {
  readonly member: NewMember
  readonly sequence: number | null
}

/**
 * Adds any number of members, none of which has anything to do with another (`ordering.ts`): those whose links lead
 * somewhere, whose id and whose unique values are free. Its rows are the places of those that it has added, from 0 on,
 * with their versions. They are numbered in the order in which they came and written in the order of their ids, so that
 * two processes that write the same ones do not deadlock.
 */
const addText =
  (counts: boolean): Form =>
  (cls, targets) => {
    const { members, order, versions, shapes, classId } = cls.tables
    const columns = [
      'id',
      'body',
      'holes',
      'hidden',
      ...keyColumns(shapes),
      ...(cls.hasWords ? ['words'] : []),
    ]
    const written = columns.map((name) => (name === 'words' ? 'words::text[]' : name)).join(', ')
    const firstValue = columns.length + 2
    const firstLink = firstValue + (cls.hasValues ? 5 : 0)
    const deadline = firstLink + linkParamCount(targets)
    const parts = [
      `given AS MATERIALIZED (
        SELECT ordinality - 1 AS place, number, ${columns.join(', ')}
        FROM unnest($1::bigint[], ${columns.map((_, index) => `$${index + 2}::text[]`).join(', ')})
          WITH ORDINALITY AS member (number, ${columns.join(', ')}, ordinality)
        WHERE ${inTime(deadline)}
      ),
      new AS MATERIALIZED (
        SELECT coalesce(number, nextval('${order}')) AS sequence, given.* FROM given ORDER BY place
      )`,
      ...(targets === undefined ? [] : [linkTables(targets, firstLink)]),
      `added AS (
        INSERT INTO ${members} (sequence, version, ${columns.join(', ')})
        SELECT sequence, nextval('${versions}'), ${written} FROM new
        ${targets === undefined ? '' : 'WHERE place NOT IN (SELECT place FROM dangling)'}
        ORDER BY id
        ON CONFLICT DO NOTHING
        RETURNING sequence, version${cls.hasWords ? ', words' : ''}
      ),
      placed AS MATERIALIZED (SELECT place, id, sequence, version FROM added JOIN new USING (sequence))`,
      ...(cls.hasWords ? [wordsText(cls)] : []),
      ...(cls.hasValues ? [valuesText(cls, firstValue)] : []),
      ...(targets === undefined ? [] : [linksText(cls)]),
      ...(counts ? [`counted AS (${countText(classId, 'SELECT count(*) AS more FROM added')})`] : []),
    ]
    return `WITH ${parts.join(',\n')} SELECT place, version FROM placed`
  }

/** Sorted: neighbours in the index are written one after the other. */
const wordsText = ({ tables }: WrittenClass): string => `
  worded AS (
    INSERT INTO ${tables.words} (word, sequence)
    SELECT word, sequence FROM added, unnest(words) AS word ORDER BY word
  )`

const valuesText = ({ tables }: WrittenClass, first: number): string => `
  valued AS (
    INSERT INTO ${tables.values} (${VALUE_COLUMNS}, sequence)
    SELECT ${VALUE_COLUMNS}, sequence
    FROM unnest($${first}::int[], $${first + 1}::smallint[], $${first + 2}::text[], $${first + 3}::text[],
      $${first + 4}::text[]) AS one (place, ${VALUE_COLUMNS})
    JOIN placed USING (place)
  )`

const linksText = ({ name }: WrittenClass): string => `
  linked AS (
    INSERT INTO links (to_class, to_id, from_class, property, from_id)
    SELECT to_class, to_id, ${literal(name)}, property, id FROM wanted JOIN placed USING (place)
  )`

export const ADD: Form = addText(true)
/** For a transaction of several, which holds the row of the total as briefly as it can. */
export const ADD_UNCOUNTED: Form = addText(false)

export function addParams(cls: WrittenClass, additions: readonly Addition[]): string[] {
  const { tables, hasValues, hasWords } = cls
  const members = additions.map(({ member }) => member)
  const rows = members.map(({ id, body, holes, hidden, keys }) => [
    id,
    body,
    holes,
    hidden,
    ...keyRow(tables.shapes, keys),
    ...(hasWords ? [textArray(keys.words)] : []),
  ])
  return [
    numberArray(additions.map(({ sequence }) => sequence)),
    ...(rows[0] ?? []).map((_, column) => textArray(rows.map((row) => row[column] ?? null))),
    ...(hasValues ? valueParams(cls, members) : []),
    ...cls.linkParams(cls.linkRows(members)),
  ]
}

function valueParams({ tables }: WrittenClass, members: readonly NewMember[]): string[] {
  const rows = members.flatMap(({ keys }, place) =>
    valueRows(tables.shapes, keys).map((row) => ({ place, ...row })),
  )
  return [numberArray(rows.map(({ place }) => place)), ...valueArrays(rows)]
}

/** So many writers can add to the total of a class without waiting for each other's commit. */
const SLOTS = 32

/** Adds to the total of a class, in the slot of this connection. `more`: a query for how many, in a column `more`. */
export const countText = (classId: number | string, more: string): string => `
  INSERT INTO totals (class_id, slot, total)
  SELECT ${classId}, pg_backend_pid() % ${SLOTS}, more FROM (${more}) AS change WHERE more <> 0
  ON CONFLICT (class_id, slot) DO UPDATE SET total = totals.total + excluded.total`
