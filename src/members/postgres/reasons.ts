import type { RunSql } from '../../database/postgres/pool.ts'
import { type ConstraintFailure, linkName } from '../member.ts'
import {
  type ClassStatements,
  givenTables,
  linkTables,
  type MemberToWrite,
  type Template,
} from './class-statements.ts'

/** Why a member cannot be written; undefined if nothing prevents it any more. */
type Reason = { readonly outcome: 'exists' } | ConstraintFailure | undefined

type ReasonRow = [kind: 'exists' | 'stale' | 'dangling' | 'taken', place: number, number: number]

/** `number`: for `dangling`, the index of the link among all, from 1; for `taken`, the index of the property. */
export const REASONS: Template = (cls, targets) => {
  const { members, shapes } = cls.tables
  const unique = shapes.flatMap(({ unique }, index) => (unique ? [index] : []))
  return `
    WITH ${givenTables(shapes)}, ${linkTables(cls, targets, false)}
    SELECT 'exists', place, 0 FROM given
    WHERE version IS NULL AND EXISTS (SELECT FROM ${members} WHERE id = given.id)
    UNION ALL SELECT 'stale', place, 0 FROM given
    WHERE version IS NOT NULL AND NOT EXISTS (
      SELECT FROM ${members} AS present WHERE present.sequence = given.sequence AND present.version = given.version)
    UNION ALL SELECT 'dangling', place, number FROM dangling
    ${unique
      .map(
        (index) => `UNION ALL SELECT 'taken', place, ${index} FROM given WHERE EXISTS (
          SELECT FROM ${members} AS other
          WHERE other.k${index} = given.k${index} AND other.sequence IS DISTINCT FROM given.sequence)`,
      )
      .join('\n')}`
}

/**
 * All reasons why each member cannot be written, in one snapshot. A member without a version is new. One that has another
 * version by now is computed anew: its links may be those of before, which were removed together with their targets.
 */
export async function findReasons(
  run: RunSql,
  cls: ClassStatements,
  unwritten: readonly MemberToWrite[],
): Promise<Reason[]> {
  const { text, params, links } = cls.statement(REASONS, unwritten)
  const byPlace = Map.groupBy(await run<ReasonRow>(text, params), ([, place]) => place)
  return unwritten.map(({ member }, place) => {
    const found = byPlace.get(place) ?? []
    const numbers = (wanted: ReasonRow[0]) =>
      new Set(found.flatMap(([kind, , number]) => (kind === wanted ? [number] : [])))
    if (numbers('exists').size > 0) return { outcome: 'exists' }
    if (numbers('stale').size > 0) return undefined
    const isDangling = numbers('dangling')
    const names = new Set(links.flatMap((link, index) => (isDangling.has(index + 1) ? [linkName(link)] : [])))
    const dangling = member.links.filter((link) => names.has(linkName(link)))
    const isTaken = numbers('taken')
    const taken = cls.tables.shapes.filter((_, index) => isTaken.has(index)).map(({ property }) => property)
    return dangling.length + taken.length > 0 ? { outcome: 'refused', dangling, taken } : undefined
  })
}
