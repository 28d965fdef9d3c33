import type { FollowedLink } from '../../../vocabulary/keys.ts'
import { type LinkTargets, literal, type PostgresTables } from '../tables.ts'

/** A followed link, with the key by which members are found by it. */
export interface FollowedKey {
  readonly property: string
  /** Its number among the shapes. */
  readonly index: number
  readonly many: boolean
  /** The table of the accounts that it leads to; undefined for members of another class. */
  readonly accounts: string | undefined
}

export const followedKeys = (
  { shapes, followed }: PostgresTables,
  { find }: LinkTargets,
): readonly FollowedKey[] =>
  followed.flatMap((link: FollowedLink) => {
    const index = shapes.findIndex(({ property }) => property === link.property)
    const target = find(link.className)
    if (index < 0 || target === undefined) return []
    const accounts = link.isToAccounts ? target.members : undefined
    return [{ property: link.property, index, many: shapes[index]?.many === true, accounts }]
  })

/** The key of a link. */
export type LinkKey = Pick<FollowedKey, 'index' | 'many'>

/** Where the keys of members are, as queries for `place` and `id`: of those that are written, and of one that is stored. */
export const writtenIds = ({ index, many }: LinkKey): string =>
  many
    ? `SELECT place, substr(key, 2) AS id FROM value WHERE property = ${index}`
    : `SELECT place, substr(k${index}, 2) AS id FROM given WHERE k${index} IS NOT NULL`

export const storedIds =
  ({ members, values }: PostgresTables, sequence: string) =>
  ({ index, many }: LinkKey): string =>
    many
      ? `SELECT 0 AS place, substr(key, 2) AS id FROM ${values} WHERE sequence = ${sequence} AND property = ${index}`
      : `SELECT 0 AS place, substr(k${index}, 2) AS id FROM ${members}
          WHERE sequence = ${sequence} AND k${index} IS NOT NULL`

/** What a change has to do with followed links; a side is absent for a member that is new, or removed. */
export interface FollowedSides {
  readonly before?: (key: LinkKey) => string
  readonly after?: (key: LinkKey) => string
}

/**
 * What the log keeps of a change (`Change.followed`). `changed`: a query for places, ids, versions and owners. Returns a
 * query for the same, with `followed`.
 */
export function withFollowed(
  keys: readonly FollowedKey[],
  changed: string,
  { before, after }: FollowedSides,
): string {
  if (keys.length === 0) return changed
  const joins = keys.flatMap((key, number) => [
    ...(before ? [`LEFT JOIN (${targetsOf(key, before(key))}) AS before_${number} USING (place)`] : []),
    ...(after ? [`LEFT JOIN (${targetsOf(key, after(key))}) AS after_${number} USING (place)`] : []),
  ])
  const pairs = keys.map(({ property }, number) => {
    const former = before ? `coalesce(before_${number}.targets, '[]')` : `'[]'::jsonb`
    const present = after ? `coalesce(after_${number}.targets, '[]')` : `'[]'::jsonb`
    const pair = `CASE WHEN ${former} = ${present} THEN jsonb_build_array(${former})
      ELSE jsonb_build_array(${former}, ${present}) END`
    return `${literal(property)}, ${pair}`
  })
  return `SELECT changed.*, jsonb_build_object(${pairs})::text AS followed
    FROM (${changed}) AS changed ${joins.join('\n')} ORDER BY place`
}

const targetsOf = ({ accounts }: FollowedKey, ids: string): string =>
  accounts === undefined
    ? `SELECT place, to_jsonb(array_agg(DISTINCT id ORDER BY id)) AS targets FROM (${ids}) AS one GROUP BY place`
    : `SELECT place, to_jsonb(array_agg(DISTINCT account.owner ORDER BY account.owner)) AS targets
        FROM (${ids}) AS one JOIN ${accounts} AS account ON account.id = one.id
        WHERE account.owner IS NOT NULL GROUP BY place`
