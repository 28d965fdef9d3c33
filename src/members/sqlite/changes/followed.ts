import type { DatabaseSync } from 'node:sqlite'
import { arrays } from '../../../database/sqlite/connection.ts'
import type { Indexed } from '../../../vocabulary/index-keys.ts'
import type { Keys } from '../../../vocabulary/keys.ts'
import type { FollowedPair, FollowedTarget } from '../../changes.ts'
import type { FindOwner, SqliteTables } from '../tables.ts'

/** What the followed links of a member lead to, each a sorted list of ids, in the order of the links. */
type FollowedIds = readonly (readonly string[])[]

/** What the log keeps of the followed links of a class (`Change.followed`). */
export interface FollowedRows {
  /** Called before the keys of a member are removed. */
  stored(sequence: number): FollowedIds
  written(keys: Keys): FollowedIds
  /** Called before accounts are removed. */
  logged(before: FollowedIds | undefined, after: FollowedIds | undefined): LoggedLinks
  /** Writes the rows by which the change is found. Without a trigger: its savepoint would cost every insert into the log. */
  addAccounts(position: number | bigint, logged: LoggedLinks, owner: number | undefined): void
}

/** The followed links of a change. */
export interface LoggedLinks {
  /** As a row of the log has it. */
  readonly text: string
  /** The numbers of all users whose accounts were named. */
  readonly numbers: ReadonlySet<FollowedTarget>
}

/** Undefined if no rule follows a link of this class: then its writes do nothing more. */
export function createFollowedRows(
  db: DatabaseSync,
  name: string,
  { followed, shapes, keys: table, values }: SqliteTables,
  { ownerOf }: { readonly ownerOf: FindOwner },
): FollowedRows | undefined {
  const links = followed.flatMap((link) => {
    const index = shapes.findIndex(({ property }) => property === link.property)
    if (index < 0) return []
    const text = shapes[index]?.many
      ? `SELECT key FROM ${values} INDEXED BY ${values}_by_member WHERE sequence = ? AND property = ${index}`
      : `SELECT k${index} FROM ${table} WHERE sequence = ? AND k${index} IS NOT NULL`
    return [{ ...link, index, find: arrays(db, text) }]
  })
  if (links.length === 0) return undefined
  const addAccount = arrays(db, 'INSERT INTO change_accounts (class, account, position) VALUES (?, ?, ?)')

  const targetsOf = (ids: readonly string[], { className, isToAccounts }: (typeof links)[number]) =>
    isToAccounts ? ids.flatMap((id): FollowedTarget[] => [ownerOf(className, id) ?? []].flat()) : ids

  return {
    stored: (sequence) =>
      links.map(({ find }) =>
        find
          .all<[key: string]>(sequence)
          .map(([key]) => key)
          .sort(),
      ),
    written: ({ values: written }) =>
      links.map(({ index }) => {
        const keys = [written[index] ?? []].flat() as readonly Indexed[]
        return [...new Set(keys.map(({ key }) => String(key)))].sort()
      }),
    logged(before, after) {
      const pairs = links.map((link, place): [string, FollowedPair] => {
        const [former = [], present = []] = [before?.[place], after?.[place]]
        const targets = targetsOf(former, link)
        const isSame = former.length === present.length && former.every((id, index) => id === present[index])
        return [link.property, isSame ? [targets] : [targets, targetsOf(present, link)]]
      })
      const named = pairs.flatMap(([, sides]) => sides.flat()).filter((one) => typeof one === 'number')
      return { text: JSON.stringify(Object.fromEntries(pairs)), numbers: new Set(named) }
    },
    addAccounts(position, { numbers }, owner) {
      for (const number of numbers) if (number !== owner) addAccount.run(name, number, position)
    },
  }
}
