import { LOOKED_AT } from '../member.ts'
import type { NewMember } from '../store.ts'
import { countText } from './add-statement.ts'
import { textArray } from './arrays.ts'
import { inTime } from './deadlines.ts'
import { keyRow, VALUE_COLUMNS, valueArrays, valueRows } from './key-rows.ts'
import { type Form, linkParamCount, linkTables, literal, type WrittenClass } from './links.ts'
import type { Param } from './pool.ts'
import { keyColumns, type Tables } from './tables.ts'

const FIRST_COLUMN = 4
const IS_DONE = 'EXISTS (SELECT FROM changed)'

/**
 * Its row is the new version; there is none where another was faster, a link leads nowhere or a value is taken. Links,
 * values and words are written by their difference: all parts of a statement see the same state, and what one part
 * removes another one could not write again.
 */
export const CHANGE: Form = (cls, targets) => {
  const { members, versions, shapes } = cls.tables
  const columns = ['body', 'holes', 'hidden', ...keyColumns(shapes), ...(cls.hasWords ? ['words'] : [])]
  const firstValue = FIRST_COLUMN + columns.length
  const firstLink = firstValue + (cls.hasValues ? 4 : 0)
  const deadline = firstLink + linkParamCount(targets)
  const paramOf = (column: string) => `$${FIRST_COLUMN + columns.indexOf(column)}`
  const conditions = [
    `sequence = $1 AND version = $2 AND ${inTime(deadline)}`,
    ...(targets === undefined ? [] : ['NOT EXISTS (SELECT FROM dangling)']),
    ...shapes.flatMap(({ unique }, index) =>
      unique ? [`NOT ${isTaken(cls.tables, `k${index}`, paramOf(`k${index}`))}`] : [],
    ),
  ]
  const parts = [
    ...(targets === undefined ? [] : [linkTables(targets, firstLink)]),
    `changed AS (
      UPDATE ${members} SET version = nextval('${versions}'),
        ${columns.map((column) => `${column} = ${paramOf(column)}`).join(', ')}
      WHERE ${conditions.join(' AND ')}
      RETURNING sequence, version
    )`,
    ...(cls.hasWords ? [wordsText(cls, paramOf('words'))] : []),
    ...(cls.hasValues ? [valuesText(cls, firstValue)] : []),
    targets === undefined ? noLinksText(cls) : linksText(cls),
  ]
  return `WITH ${parts.join(',\n')} SELECT version FROM changed`
}

const isTaken = ({ members }: Tables, column: string, param: string): string =>
  `EXISTS (SELECT FROM ${members} AS other WHERE other.${column} = ${param} AND other.sequence <> $1)`

const wordsText = ({ tables }: WrittenClass, param: string): string => `
  present AS MATERIALIZED (
    SELECT word, sequence FROM ${tables.members}, unnest(words) AS word WHERE sequence = $1
  ),
  wished AS MATERIALIZED (SELECT unnest(${param}::text[]) AS word, $1::bigint AS sequence),
  former AS MATERIALIZED (SELECT * FROM present EXCEPT SELECT * FROM wished),
  unworded AS (
    DELETE FROM ${tables.words} AS one USING former
    WHERE one.word = former.word AND one.sequence = former.sequence AND ${IS_DONE}
  ),
  worded AS (
    INSERT INTO ${tables.words} (word, sequence)
    SELECT word, sequence FROM (SELECT * FROM wished EXCEPT SELECT * FROM present) AS new
    WHERE ${IS_DONE} ORDER BY word
  )`

const valuesText = ({ tables }: WrittenClass, first: number): string => `
  value AS MATERIALIZED (
    SELECT * FROM unnest($${first}::smallint[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::text[])
      AS one (${VALUE_COLUMNS})
  ),
  unvalued AS (
    DELETE FROM ${tables.values}
    WHERE sequence = $1 AND (property, key) NOT IN (SELECT property, key FROM value) AND ${IS_DONE}
  ),
  valued AS (
    INSERT INTO ${tables.values} (${VALUE_COLUMNS}, sequence)
    SELECT ${VALUE_COLUMNS}, sequence FROM value, changed ON CONFLICT DO NOTHING
  )`

const linksText = ({ name }: WrittenClass): string => `
  unlinked AS (
    DELETE FROM links WHERE from_class = ${literal(name)} AND from_id = $3 AND ${IS_DONE}
      AND (to_class, to_id, property) NOT IN (SELECT to_class, to_id, property FROM wanted)
  ),
  linked AS (
    INSERT INTO links (to_class, to_id, from_class, property, from_id)
    SELECT to_class, to_id, ${literal(name)}, property, $3 FROM wanted, changed ON CONFLICT DO NOTHING
  )`

/** It may have been written with links by another process. */
const noLinksText = ({ name }: WrittenClass): string => `
  unlinked AS (DELETE FROM links WHERE from_class = ${literal(name)} AND from_id = $3 AND ${IS_DONE})`

export function changeParams(
  cls: WrittenClass,
  member: NewMember,
  sequence: number,
  version: number,
): Param[] {
  const { tables, hasValues, hasWords } = cls
  const { id, body, holes, hidden, keys } = member
  return [
    sequence,
    version,
    id,
    body,
    holes,
    hidden,
    ...keyRow(tables.shapes, keys),
    ...(hasWords ? [textArray(keys.words)] : []),
    ...(hasValues ? valueArrays(valueRows(tables.shapes, keys)) : []),
    ...cls.linkParams(cls.linkRows([member])),
  ]
}

/** Its rows are the links of others to the member; it is removed where there are none. */
export const REMOVE: Form = ({ tables, name }) => {
  const { members, values, words, classId } = tables
  const ofRemoved = 'WHERE sequence IN (SELECT sequence FROM removed)'
  return `
    WITH sources AS MATERIALIZED (
      SELECT from_class, from_id, property FROM links
      WHERE to_class = ${literal(name)} AND to_id = $2 AND NOT (from_class = ${literal(name)} AND from_id = $2)
      LIMIT ${LOOKED_AT}
    ),
    removed AS (
      DELETE FROM ${members} WHERE sequence = $1 AND NOT EXISTS (SELECT FROM sources) RETURNING sequence, words
    ),
    unlinked AS (
      DELETE FROM links WHERE from_class = ${literal(name)} AND from_id = $2 AND EXISTS (SELECT FROM removed)
    ),
    unvalued AS (DELETE FROM ${values} ${ofRemoved}),
    unworded AS (
      DELETE FROM ${words} AS one USING (SELECT sequence, unnest(words) AS word FROM removed) AS gone
      WHERE one.word = gone.word AND one.sequence = gone.sequence
    ),
    counted AS (${countText(classId, 'SELECT -count(*) AS more FROM removed')})
    SELECT from_class, from_id, property FROM sources`
}
