// The rows by which users list the members that link to their accounts.
import type { DatabaseSync } from 'node:sqlite'
import { type ArrayStatement, arrays } from '../../database/sqlite/connection.ts'
import type { Indexed } from '../../vocabulary/index-keys.ts'
import type { Keys } from '../../vocabulary/keys.ts'
import type { StoredMember } from '../index.ts'
import type { SqliteTables } from './tables.ts'

/** A link of a member: the number of its property among the shapes, and the account that it leads to. */
interface AccountLink {
  readonly property: number
  readonly account: string
}

type AccountLinks = readonly AccountLink[]

/** Adds to the number of members whose property links to an account. */
export type CountLinked = (property: number, account: string, more: 1 | -1) => void

export interface LinkedRows {
  /** Called before the keys of the member are removed. */
  stored(sequence: number): AccountLinks
  written(keys: Keys): AccountLinks
  add(sequence: number, links: AccountLinks, member: StoredMember): void
  replace(sequence: number, before: AccountLinks, after: AccountLinks, member: StoredMember): void
  remove(sequence: number, links: AccountLinks): void
}

/** Longer members are not copied: the file would grow too much for what a page gains, and beyond 1,000 bytes it gains nothing. */
const MAX_COPIED = 512

/** The columns `id`, `version`, `body` and `holes` of a row that may have a copy of the member. */
export function copyOf({ id, version, body, baseUrlOffsets }: StoredMember, isListed: boolean) {
  const isCopied = isListed && Buffer.byteLength(body) + baseUrlOffsets.length <= MAX_COPIED
  return isCopied ? ([id, version, body, baseUrlOffsets] as const) : ([null, null, null, null] as const)
}

/** Undefined if the class has no links to accounts: then its writes do nothing more. `count`: absent where nothing is counted. */
export function createLinkedRows(
  db: DatabaseSync,
  { linked, listedByLinks, keys: table, values, shapes }: SqliteTables,
  count: CountLinked = () => {},
): LinkedRows | undefined {
  const links = shapes.flatMap(({ isToAccounts, isForeign, many, property }, index) => {
    if (!isToAccounts || isForeign) return []
    const text = many
      ? `SELECT key FROM ${values} INDEXED BY ${values}_by_member WHERE sequence = ? AND property = ${index}`
      : `SELECT k${index} FROM ${table} WHERE sequence = ? AND k${index} IS NOT NULL`
    return [{ index, isListed: listedByLinks.includes(property), text }]
  })
  if (links.length === 0) return undefined
  const isListed = new Map(links.map((link) => [link.index, link.isListed]))
  const insert = arrays(db, `INSERT INTO ${linked} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = arrays(
    db,
    `UPDATE ${linked} SET id = ?, version = ?, body = ?, holes = ?
     WHERE property = ? AND account = ? AND sequence = ?`,
  )
  const erase = arrays(db, `DELETE FROM ${linked} WHERE property = ? AND account = ? AND sequence = ?`)
  // Prepared when first needed: a migration reads none, and has no index yet.
  let finds: readonly ArrayStatement[] | undefined

  const rows: LinkedRows = {
    stored(sequence) {
      finds ??= links.map(({ text }) => arrays(db, text))
      return finds.flatMap((find, place) =>
        find.all<[string]>(sequence).map(([account]) => ({ property: links[place]?.index ?? 0, account })),
      )
    },
    written: ({ values: written }) =>
      links.flatMap(({ index }) => {
        const found = [written[index] ?? []].flat() as readonly Indexed[]
        const accounts = new Set(found.map(({ key }) => String(key)))
        return Array.from(accounts, (account) => ({ property: index, account }))
      }),
    add(sequence, added, member) {
      for (const { property, account } of added) {
        const copy = copyOf(member, isListed.get(property) === true)
        insert.run(property, account, sequence, member.owner ?? null, ...copy)
        count(property, account, 1)
      }
    },
    replace(sequence, before, after, member) {
      const kept = without(before, without(before, after))
      rows.remove(sequence, without(before, after))
      rows.add(sequence, without(after, before), member)
      for (const { property, account } of kept)
        update.run(...copyOf(member, isListed.get(property) === true), property, account, sequence)
    },
    remove(sequence, removed) {
      for (const { property, account } of removed) {
        erase.run(property, account, sequence)
        count(property, account, -1)
      }
    },
  }
  return rows
}

/** Members may have many links: compared by a set. */
function without(links: AccountLinks, others: AccountLinks): AccountLinks {
  if (links.length === 0 || others.length === 0) return links
  const nameOf = ({ property, account }: AccountLink) => `${property} ${account}`
  const names = new Set(others.map(nameOf))
  return links.filter((link) => !names.has(nameOf(link)))
}
