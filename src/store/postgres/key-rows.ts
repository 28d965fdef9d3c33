import type { Indexed, KeyShape, Keys } from '../../vocabulary/keys.ts'
import { keyColumns, keyRow } from '../query/tables.ts'
import type { NewMember } from '../store.ts'
import { keyText, numberArray, textArray } from './dialect.ts'

/** A member that is to be written; a new one gets its numbers when it is, unless they are fixed already. */
export interface GivenMember {
  readonly member: Omit<NewMember, 'links'>
  readonly sequence: number | null
  readonly version: number | null
}

/** The columns of a member that come as text. */
export const textColumns = (shapes: readonly KeyShape[]): string[] => [
  ...['id', 'body', 'holes', 'hidden', ...keyColumns(shapes), 'words'],
]

export const VALUE_COLUMNS = 'property, key, whole, folded'

/**
 * The first tables of a WITH: `given`, the members with their places, from 0 on; and `value`, what the properties with
 * many values have, with the places of the members. The parameters are those of `givenParams`.
 */
export function givenTables(shapes: readonly KeyShape[]): string {
  const columns = textColumns(shapes)
  const value = columns.length + 3
  return `
  given AS MATERIALIZED (
    SELECT ordinality - 1 AS place, sequence, version,
      ${columns.map((name) => (name === 'words' ? 'words::text[] AS words' : name))}
    FROM unnest($1::bigint[], $2::bigint[], ${columns.map((_, index) => `$${index + 3}::text[]`)})
      WITH ORDINALITY AS member (sequence, version, ${columns}, ordinality)
  ),
  value AS MATERIALIZED (
    SELECT * FROM unnest($${value}::int[], $${value + 1}::smallint[], $${value + 2}::text[], $${value + 3}::text[],
      $${value + 4}::text[]) AS one (place, ${VALUE_COLUMNS})
  )`
}

/** How many parameters `givenParams` gives. */
export const givenCount = (shapes: readonly KeyShape[]): number => textColumns(shapes).length + 7

export function givenParams(shapes: readonly KeyShape[], given: readonly GivenMember[]): string[] {
  const rows = given.map(({ member: { id, body, holes, hidden, keys } }) => [
    ...[id, body, holes, hidden, ...keyRow(shapes, keys, keyText), textArray(keys.words)],
  ])
  const values = given.flatMap(({ member: { keys } }, place) =>
    shapes.flatMap(({ many }, property) =>
      many ? (keys.values[property] as readonly Indexed[]).map((one) => ({ place, property, ...one })) : [],
    ),
  )
  return [
    numberArray(given.map(({ sequence }) => sequence)),
    numberArray(given.map(({ version }) => version)),
    ...textColumns(shapes).map((_, column) => textArray(rows.map((row) => row[column] ?? null))),
    numberArray(values.map(({ place }) => place)),
    numberArray(values.map(({ property }) => property)),
    textArray(values.map(({ key }) => keyText(key))),
    textArray(values.map(({ whole }) => whole)),
    textArray(values.map(({ folded }) => folded)),
  ]
}

/** The unique values of a member, with the places of their properties among the shapes. */
export const uniqueKeys = (shapes: readonly KeyShape[], { values }: Keys) =>
  shapes.flatMap(({ unique }, property) => {
    const value = values[property] as Indexed | null
    return unique && value !== null ? [{ property, key: keyText(value.key) }] : []
  })
