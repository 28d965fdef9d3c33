import { arrayOf, columnArrays } from '../../database/postgres/arrays.ts'
import type { Param, RunSql } from '../../database/postgres/connection.ts'
import type { Indexed } from '../../vocabulary/index-keys.ts'
import type { KeySlot } from '../layout.ts'
import { keyOfMember, type Link, linkName, type NewMember } from '../member.ts'
import { keyColumns, keyRow } from '../query/dialect.ts'
import { type FollowedKey, followedKeys } from './changes/followed.ts'
import { keyText, type LinkTargets, literal, type PostgresTables } from './tables.ts'

/** The statements that write members of a class. */
export interface ClassStatements {
  readonly name: string
  readonly tables: PostgresTables
  readonly followed: readonly FollowedKey[]
  /** The numbers of new members: one that is added again, after a rollback, keeps its place in lists and its cursors. */
  readonly sequences: WeakMap<NewMember, number>
  /** The table of the members that links to a class lead to, by the number of the class. */
  membersOf(target: number): string
  statement(template: Template, given: readonly MemberToWrite[]): Statement
}

/** A member to write; a new member gets its numbers in the statement, unless they are given. */
export interface MemberToWrite {
  readonly member: NewMember
  readonly sequence: number | null
  readonly version: number | null
  /** Targets of its links (`keyOfMember`) that are added in the same transaction, and need not exist before. */
  readonly assumed?: ReadonlySet<string>
}

export interface MemberOfClass {
  readonly cls: ClassStatements
  readonly member: NewMember
}

/**
 * The text of a statement about members. `targets`: the numbers of all classes that links of this class have pointed to so
 * far, so that there are few different texts to prepare.
 */
export type Template = (cls: ClassStatements, targets: readonly number[]) => string

export interface Statement {
  readonly text: string
  /** The parameters of `givenTables`, then those of `linkTables`. */
  readonly params: readonly Param[]
  readonly links: readonly WantedLink[]
}

interface WantedLink extends Link {
  /** The index of its member among the members that are written together. */
  readonly place: number
  /** The number of the class that it points to. */
  readonly target: number
}

/** A target that is not looked for: the member itself, an assumed one, or one of a class that this host does not know. */
const NEW = 0
/** The target of a link to a class that the database does not have. */
const NOWHERE = -1

export function createClassStatements(
  name: string,
  tables: PostgresTables,
  others: LinkTargets,
): ClassStatements {
  const tableNames = new Map<number, string>()

  /** This list only grows. */
  let targets: readonly number[] = []
  let texts = new Map<Template, string>()

  function targetOf(link: Link, { member: { id }, assumed }: MemberToWrite): number {
    const found = others.find(link.className)
    if (found === undefined) return others.isKnown(link.className) ? NOWHERE : NEW
    const target = found.id
    if (!targets.includes(target)) {
      tableNames.set(target, found.members)
      targets = [...targets, target]
      texts = new Map()
    }
    const isItself = link.className === name && link.id === id
    return isItself || assumed?.has(keyOfMember(link)) ? NEW : target
  }

  const cls: ClassStatements = {
    name,
    tables,
    followed: followedKeys(tables, others),
    membersOf: (target) => tableNames.get(target) as string,
    sequences: new WeakMap(),
    statement(template, given) {
      const links = given.flatMap((one, place) =>
        distinct(one.member.links).map((link) => ({ place, target: targetOf(link, one), ...link })),
      )
      const text = texts.get(template) ?? template(cls, targets)
      texts.set(template, text)
      return { text, params: [...givenParams(tables.shapes, given), ...linkParams(links, targets)], links }
    },
  }
  return cls
}

/** A property with many values may have a target twice. */
const distinct = (links: readonly Link[]): readonly Link[] =>
  links.length < 2 ? links : [...new Map(links.map((link) => [linkName(link), link])).values()]

const linkParams = (rows: readonly WantedLink[], targets: readonly number[]): string[] => [
  ...columnArrays(rows, 'place', 'target', 'className', 'id', 'property'),
  arrayOf(rows.map(({ targetOwner }) => targetOwner ?? null)),
  ...targets.map((wanted) => {
    const ids = rows.flatMap(({ target, id }) => (target === wanted ? [id] : []))
    return arrayOf([...new Set(ids)])
  }),
]

/** The number of the parameter after all parameters of a statement. */
export const deadlinePlace = ({ tables }: ClassStatements, targets: readonly number[]): number =>
  givenCount(tables.shapes) + 6 + targets.length + 1

/**
 * Tables of a WITH, after those of `givenTables`. `wanted`: the links to write; `there_1` …: their existing targets, by
 * class, if `locked` protected from removal until the transaction ends; `dangling`: links whose target does not exist, or
 * not for the user who writes.
 */
export function linkTables(
  { name, tables, membersOf }: ClassStatements,
  targets: readonly number[],
  locked: boolean,
): string {
  const first = givenCount(tables.shapes) + 1
  const there = targets.map(
    (target, index) => `there_${target} AS MATERIALIZED (
    SELECT id, owner FROM ${membersOf(target)} WHERE id = ANY ($${first + 6 + index}::text[]) ${locked ? 'FOR KEY SHARE' : ''}
  ),`,
  )
  // Evaluated only if the owner of the target matters.
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
  dangling AS MATERIALIZED (SELECT place, number FROM wanted WHERE target <> ${NEW} ${isThere.join('\n')})`
}

/** The columns of a member that come as text. */
export const textColumns = (shapes: readonly KeySlot[]): string[] => [
  'id',
  'body',
  'holes',
  'hidden',
  ...keyColumns(shapes),
  'words',
]

export const VALUE_COLUMNS = 'property, key, element, whole'

/**
 * The first tables of a WITH: `given`, the members with their indexes, from 0 on; and `value`, the values of properties
 * with many values, with the indexes of their members. The parameters are those of `givenParams`.
 */
export function givenTables(shapes: readonly KeySlot[]): string {
  const columns = textColumns(shapes)
  const value = columns.length + 5
  return `
  given AS MATERIALIZED (
    SELECT ordinality - 1 AS place, sequence, version, owner, actor,
      ${columns.map((name) => (name === 'words' ? 'words::text[] AS words' : name))}
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[],
      ${columns.map((_, index) => `$${index + 5}::text[]`)})
      WITH ORDINALITY AS member (sequence, version, owner, actor, ${columns}, ordinality)
  ),
  value AS MATERIALIZED (
    SELECT * FROM unnest($${value}::int[], $${value + 1}::smallint[], $${value + 2}::text[], $${value + 3}::int[],
      $${value + 4}::text[]) AS one (place, ${VALUE_COLUMNS})
  )`
}

/** How many parameters `givenParams` gives. */
const givenCount = (shapes: readonly KeySlot[]): number => textColumns(shapes).length + 9

export function givenParams(shapes: readonly KeySlot[], given: readonly MemberToWrite[]): string[] {
  const rows = given.map(({ member }) => {
    const { id, body, baseUrlOffsets, hidden, keys } = member
    return [id, body, baseUrlOffsets, hidden, ...keyRow(shapes, keys, keyText), arrayOf(keys.words)]
  })
  const values = given.flatMap(({ member: { keys } }, place) =>
    shapes.flatMap(({ many, isForeign }, property) => {
      const all = many && !isForeign ? ((keys.values[property] ?? []) as readonly Indexed[]) : []
      return all.map(({ key, element = 0, whole }) => ({
        place,
        property,
        key: keyText(key),
        element,
        whole,
      }))
    }),
  )
  return [
    ...columnArrays(given, 'sequence', 'version'),
    arrayOf(given.map(({ member }) => member.owner ?? null)),
    arrayOf(given.map(({ member }) => member.actor ?? null)),
    ...textColumns(shapes).map((_, column) => arrayOf(rows.map((row) => row[column] ?? null))),
    ...columnArrays(values, 'place', 'property', 'key', 'element', 'whole'),
  ]
}

/** Sequence numbers are assigned first, in the order of creation, because members are written in another order. */
export async function withSequences(
  run: RunSql,
  members: readonly MemberOfClass[],
): Promise<(MemberOfClass & MemberToWrite)[]> {
  for (const [cls, all] of Map.groupBy(members, ({ cls }) => cls)) {
    const unnumbered = all.filter(({ member }) => !cls.sequences.has(member))
    if (unnumbered.length === 0) continue
    const text = `SELECT nextval('${cls.tables.order}') FROM generate_series(1, $1::int)`
    const rows = await run<[number]>(text, [unnumbered.length])
    const numbers = rows.map(([number]) => number).sort((left, right) => left - right)
    for (const [index, { member }] of unnumbered.entries())
      cls.sequences.set(member, numbers[index] as number)
  }
  return members.map((one) => ({
    ...one,
    sequence: one.cls.sequences.get(one.member) ?? null,
    version: null,
  }))
}

/** Batches of at most `most.count` items and `most.length` in total; a longer item is a batch by itself. */
export function* batchesOf<T>(
  items: Iterable<T>,
  lengthOf: (item: T) => number,
  most: { readonly count: number; readonly length: number },
): Generator<T[]> {
  let batch: T[] = []
  let length = 0
  for (const item of items) {
    const more = lengthOf(item)
    if (batch.length === most.count || (batch.length > 0 && length + more > most.length)) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(item)
    length += more
  }
  if (batch.length > 0) yield batch
}
