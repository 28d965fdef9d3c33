import type { Indexed, KeyShape, Keys } from '../../vocabulary/keys.ts'
import { linkName } from '../member.ts'
import { keyColumns, keyRow } from '../query/dialect.ts'
import type { Link, NewMember } from '../store.ts'
import type { Param } from './connection.ts'
import { arrayOf, columnArrays, keyText, type Tables } from './tables.ts'

/** A class as its members are written. */
export interface WrittenClass {
  readonly name: string
  readonly tables: Tables
  statement(form: Form, given: readonly WrittenMember[]): Statement
}

/** A member that is to be written; a new one gets its numbers when it is, unless they are fixed already. */
export interface WrittenMember {
  readonly member: NewMember
  readonly sequence: number | null
  readonly version: number | null
}

/**
 * The text of a statement about members. `targets`: the numbers of all classes that links of this class were seen to lead
 * to, so that texts are few.
 */
export type Form = (cls: WrittenClass, targets: readonly number[]) => string

export interface Statement {
  readonly text: string
  /** Those of `givenTables`, then those of `linkTables`. */
  readonly params: readonly Param[]
  readonly links: readonly LinkRow[]
}

/** A link as it is written, and where its target is looked for. */
interface LinkRow extends Link {
  /** The place of its member among those that are written together. */
  readonly place: number
  /** The number of the class that it leads to. */
  readonly target: number
}

/** The target of a link to the very member that has it, which need not be there yet. */
const ITSELF = 0
/** The target of a link to a class that the database does not have. */
const NOWHERE = -1

/** `classId`: the number of a class, undefined where the database has none of this name. */
export function createWrittenClass(
  name: string,
  tables: Tables,
  classId: (name: string) => number | undefined,
): WrittenClass {
  /** Only ever becomes longer. */
  let targets: readonly number[] = []
  let texts = new Map<Form, string>()

  function targetOf(link: Link, id: string): number {
    const target = classId(link.className) ?? NOWHERE
    if (target !== NOWHERE && !targets.includes(target)) {
      targets = [...targets, target]
      texts = new Map()
    }
    return link.className === name && link.id === id ? ITSELF : target
  }

  const cls: WrittenClass = {
    name,
    tables,
    statement(form, given) {
      const links = given.flatMap(({ member }, place) =>
        distinct(member.links).map((link) => ({ place, target: targetOf(link, member.id), ...link })),
      )
      const text = texts.get(form) ?? form(cls, targets)
      texts.set(form, text)
      return { text, params: [...givenParams(tables.shapes, given), ...linkParams(links, targets)], links }
    },
  }
  return cls
}

/** A property with many values may have a target twice. */
const distinct = (links: readonly Link[]): readonly Link[] =>
  links.length < 2 ? links : [...new Map(links.map((link) => [linkName(link), link])).values()]

const linkParams = (rows: readonly LinkRow[], targets: readonly number[]): string[] => [
  ...columnArrays(rows, 'place', 'target', 'className', 'id', 'property'),
  arrayOf(rows.map(({ targetOwner }) => targetOwner ?? null)),
  ...targets.map((wanted) => {
    const ids = rows.flatMap(({ target, id }) => (target === wanted ? [id] : []))
    return arrayOf([...new Set(ids)])
  }),
]

/** The place of the parameter behind those of a statement. */
export const deadlinePlace = ({ tables }: WrittenClass, targets: readonly number[]): number =>
  givenCount(tables.shapes) + 6 + targets.length + 1

/**
 * Tables of a WITH, after those of `givenTables`. `wanted`: the links that are to be written; `there_1` …: those of their
 * targets that are there, by class, where `locked` kept from being removed until the transaction ends; `dangling`: links
 * to what is not there, or not for the user who writes.
 */
export function linkTables(
  { name, tables }: WrittenClass,
  targets: readonly number[],
  locked: boolean,
): string {
  const first = givenCount(tables.shapes) + 1
  const there = targets.map(
    (target, index) => `there_${target} AS MATERIALIZED (
    SELECT id, owner FROM members_${target} WHERE id = ANY ($${first + 6 + index}::text[]) ${locked ? 'FOR KEY SHARE' : ''}
  ),`,
  )
  // Looked for only where it counts whose the target is.
  const isKept = `EXISTS (SELECT FROM links AS kept
    WHERE kept.to_class = wanted.to_class AND kept.to_id = wanted.to_id AND kept.from_class = ${literal(name)}
      AND kept.property = wanted.property AND kept.from_id = (SELECT id FROM given WHERE given.place = wanted.place))`
  const isThere = targets.map(
    (target) => `AND NOT (target = ${target} AND to_id IN (SELECT id FROM there_${target})
      AND (owner IS NULL OR (to_id, owner) IN (SELECT id, owner FROM there_${target} WHERE owner IS NOT NULL)
        OR ${isKept}))`,
  )
  return `
  wanted AS MATERIALIZED (
    SELECT * FROM unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::text[], $${first + 3}::text[],
      $${first + 4}::text[], $${first + 5}::bigint[])
      WITH ORDINALITY AS link (place, target, to_class, to_id, property, owner, number)
  ),
  ${there.join('\n')}
  dangling AS MATERIALIZED (SELECT place, number FROM wanted WHERE target <> ${ITSELF} ${isThere.join('\n')})`
}

/** A name as a literal of SQL; names of classes are ours, and still not trusted with a quote. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The columns of a member that come as text. */
export const textColumns = (shapes: readonly KeyShape[]): string[] => [
  'id',
  'body',
  'holes',
  'hidden',
  ...keyColumns(shapes),
  'words',
]

export const VALUE_COLUMNS = 'property, key, whole, folded'

/**
 * The first tables of a WITH: `given`, the members with their places, from 0 on; and `value`, what the properties with
 * many values have, with the places of the members. The parameters are those of `givenParams`.
 */
export function givenTables(shapes: readonly KeyShape[]): string {
  const columns = textColumns(shapes)
  const value = columns.length + 4
  return `
  given AS MATERIALIZED (
    SELECT ordinality - 1 AS place, sequence, version, owner,
      ${columns.map((name) => (name === 'words' ? 'words::text[] AS words' : name))}
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], ${columns.map((_, index) => `$${index + 4}::text[]`)})
      WITH ORDINALITY AS member (sequence, version, owner, ${columns}, ordinality)
  ),
  value AS MATERIALIZED (
    SELECT * FROM unnest($${value}::int[], $${value + 1}::smallint[], $${value + 2}::text[], $${value + 3}::text[],
      $${value + 4}::text[]) AS one (place, ${VALUE_COLUMNS})
  )`
}

/** How many parameters `givenParams` gives. */
const givenCount = (shapes: readonly KeyShape[]): number => textColumns(shapes).length + 8

export function givenParams(shapes: readonly KeyShape[], given: readonly WrittenMember[]): string[] {
  const rows = given.map(({ member }) => {
    const { id, body, holes, hidden, keys } = member
    return [id, body, holes, hidden, ...keyRow(shapes, keys, keyText), arrayOf(keys.words)]
  })
  const values = given.flatMap(({ member: { keys } }, place) =>
    shapes.flatMap(({ many }, property) => {
      const all = many ? (keys.values[property] as readonly Indexed[]) : []
      return all.map((one) => ({ ...one, place, property, key: keyText(one.key) }))
    }),
  )
  return [
    ...columnArrays(given, 'sequence', 'version'),
    arrayOf(given.map(({ member }) => member.owner ?? null)),
    ...textColumns(shapes).map((_, column) => arrayOf(rows.map((row) => row[column] ?? null))),
    ...columnArrays(values, 'place', 'property', 'key', 'whole', 'folded'),
  ]
}

/** The unique values of a member, with the places of their properties among the shapes. */
export const uniqueKeys = (shapes: readonly KeyShape[], { values }: Keys) =>
  shapes.flatMap(({ unique }, property) => {
    const value = values[property] as Indexed | null
    return unique && value !== null ? [{ property, key: keyText(value.key) }] : []
  })
