import { linkName } from '../member.ts'
import type { NewMember, Refused } from '../store.ts'
import { numberArray, textArray } from './arrays.ts'
import { uniqueKeys } from './key-rows.ts'
import { type Form, linkTables, type WrittenClass } from './links.ts'
import type { Run } from './pool.ts'

/** A member that was not written, and its number where it is there already. */
export interface Unwritten {
  readonly member: NewMember
  readonly sequence: number | undefined
}

/** Why a member cannot be written; undefined where nothing is in the way any more. */
export type Reason = { readonly outcome: 'exists' } | Refused | undefined

type Row = [kind: 'exists' | 'dangling' | 'taken', place: number, number: number]

/** `number`: of `dangling`, which link in the order of all, from 1 on; of `taken`, which property. */
export const REFUSAL: Form = ({ tables }, targets) => {
  const firstLink = 6
  const unique = tables.shapes.flatMap(({ unique }, index) => (unique ? [index] : []))
  const answers = [
    `SELECT 'exists', place, 0 FROM given WHERE EXISTS (SELECT FROM ${tables.members} WHERE id = given.id)`,
    ...(targets === undefined ? [] : [`SELECT 'dangling', place, number FROM dangling`]),
    ...unique.map(
      (index) => `SELECT 'taken', place, property FROM kept WHERE property = ${index} AND EXISTS (
        SELECT FROM ${tables.members} AS other
        WHERE other.k${index} = kept.key AND other.sequence IS DISTINCT FROM kept.owner)`,
    ),
  ]
  return `
    WITH given AS MATERIALIZED (
      SELECT id, ordinality - 1 AS place FROM unnest($1::text[]) WITH ORDINALITY AS member (id, ordinality)
    ),
    kept AS MATERIALIZED (
      SELECT * FROM unnest($2::int[], $3::bigint[], $4::int[], $5::text[]) AS one (place, owner, property, key)
    )
    ${targets === undefined ? '' : `, ${linkTables(targets, firstLink, false)}`}
    ${answers.join('\nUNION ALL ')}`
}

/** What is in the way of each, all of it, at one point in time. */
export async function findReasons(
  run: Run,
  cls: WrittenClass,
  unwritten: readonly Unwritten[],
): Promise<Reason[]> {
  const links = cls.linkRows(unwritten.map(({ member }) => member))
  const kept = unwritten.flatMap(({ member, sequence = null }, place) =>
    uniqueKeys(cls.tables.shapes, member.keys).map((one) => ({ place, owner: sequence, ...one })),
  )
  const rows = await run<Row>(cls.textOf(REFUSAL), [
    textArray(unwritten.map(({ member }) => member.id)),
    numberArray(kept.map(({ place }) => place)),
    numberArray(kept.map(({ owner }) => owner)),
    numberArray(kept.map(({ property }) => property)),
    textArray(kept.map(({ key }) => key)),
    ...cls.linkParams(links),
  ])

  const names = links.map(({ link }) => linkName(link))
  const byPlace = Map.groupBy(rows, ([, place]) => place)
  return unwritten.map(({ member, sequence }, place) => {
    const found = byPlace.get(place) ?? []
    if (sequence === undefined && found.some(([kind]) => kind === 'exists')) return { outcome: 'exists' }
    const numbers = (wanted: Row[0]) =>
      new Set(found.flatMap(([kind, , number]) => (kind === wanted ? [number] : [])))
    const lost = new Set(Array.from(numbers('dangling'), (number) => names[number - 1]))
    const dangling = member.links.filter((link) => lost.has(linkName(link)))
    const isTaken = numbers('taken')
    const taken = cls.tables.shapes.filter((_, index) => isTaken.has(index)).map(({ property }) => property)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  })
}
