import type { FollowedPair } from '../changes.ts'
import type { ClassSchema } from '../class-schema.ts'
import type { MemberName } from '../member.ts'
import { findHistory } from './purge-history.ts'
import type { ChangeTable, MigrationStore } from './statements.ts'

/** What the database has of a member, which may be gone. */
export interface MemberTraces {
  readonly isThere: boolean
  readonly entries: number
  /** How many changes of it the log has. */
  readonly changes: number
  /** The first of the other members that link to it. */
  readonly linkedFrom: readonly MemberName[]
  /** The first of the other members that have linked to it, and have entries of that time. */
  readonly rememberedBy: readonly MemberName[]
}

/** How many members that link to another are named. */
const MAX_NAMED = 10

export async function findTraces(store: MigrationStore, member: MemberName): Promise<MemberTraces> {
  const { className, id } = member
  const stored = (await store.listClasses()).find(({ name }) => name === className)
  const history = stored && (await findHistory(store, stored))
  const count = async (rows: string, params: readonly string[]): Promise<number> => {
    const [row] = await store.run<[number]>(`SELECT count(*) FROM ${rows}`, params)
    return Number(row?.[0] ?? 0)
  }
  let changes = 0
  for (const { table } of store.changeTables)
    changes += await count(`${table} WHERE class = $1 AND id = $2`, [className, id])
  return {
    isThere: stored !== undefined && (await count(`${stored.members} WHERE id = $1`, [id])) > 0,
    entries: history === undefined ? 0 : await count(`${history} WHERE id = $1`, [id]),
    changes,
    linkedFrom: await findLinks(store, member),
    rememberedBy: await findRemembered(store, member),
  }
}

async function findLinks(store: MigrationStore, { className, id }: MemberName): Promise<MemberName[]> {
  const rows = await store.run<[string, string]>(
    `SELECT DISTINCT from_class, from_id FROM links
     WHERE to_class = $1 AND to_id = $2 AND NOT (from_class = $1 AND from_id = $2) LIMIT ${MAX_NAMED}`,
    [className, id],
  )
  return rows.map(([className, id]) => ({ className, id }))
}

/** Reads all entries of all classes: no index has their links. */
async function findRemembered(store: MigrationStore, member: MemberName): Promise<MemberName[]> {
  const found: MemberName[] = []
  for (const stored of await store.listClasses()) {
    const table = await findHistory(store, stored)
    if (table === undefined) continue
    // The end of a link, as `linksText` writes it.
    const target = `,${JSON.stringify([member.className, member.id]).slice(1)}`
    const rows = await store.run<[string]>(
      `SELECT DISTINCT id FROM ${table} WHERE ${store.placeOf}(links, $1) > 0 LIMIT ${MAX_NAMED + 1}`,
      [target],
    )
    const isItself = (id: string) => stored.name === member.className && id === member.id
    found.push(...rows.flatMap(([id]) => (isItself(id) ? [] : [{ className: stored.name, id }])))
  }
  return found.slice(0, MAX_NAMED)
}

/**
 * Removes what is left of a member that was removed: its entries, and its changes from the log. Returns whether it did: not
 * if the member was added again meanwhile.
 */
export async function purgeTraces(
  store: MigrationStore,
  member: MemberName,
  shapes: readonly ClassSchema[],
): Promise<boolean> {
  const { className, id } = member
  const stored = (await store.listClasses()).find(({ name }) => name === className)
  if (stored === undefined) return true
  await store.lockOutWriters?.([stored])
  const present = await store.run(`SELECT 1 FROM ${stored.members} WHERE id = $1`, [id])
  if (present.length > 0) return false
  const history = await findHistory(store, stored)
  if (history !== undefined) await store.run(`DELETE FROM ${history} WHERE id = $1`, [id])
  await store.run('DELETE FROM links WHERE from_class = $1 AND from_id = $2', [className, id])
  await store.run('DELETE FROM follower_waits WHERE class = $1 AND id = $2', [className, id])
  for (const table of store.changeTables) {
    await forgetTarget(store, table, member, shapes)
    await forgetChanges(store, table, member)
  }
  return true
}

/** The log has no gaps, so its rows stay, as changes of no class, which readers skip. */
async function forgetChanges(
  store: MigrationStore,
  { table, key }: ChangeTable,
  { className, id }: MemberName,
): Promise<void> {
  const isOfMember = 'class = $1 AND id = $2'
  if (table === 'changes')
    await store.run(
      `DELETE FROM change_accounts WHERE position IN (SELECT ${key} FROM ${table} WHERE ${isOfMember})`,
      [className, id],
    )
  await store.run(
    `UPDATE ${table} SET class = '', id = '', kind = 0, version = 0, owner = NULL, actor = NULL, followed = NULL
     WHERE ${isOfMember}`,
    [className, id],
  )
}

/** Changes of other members may say that followed links have led to this one. */
async function forgetTarget(
  store: MigrationStore,
  { table, key }: ChangeTable,
  member: MemberName,
  shapes: readonly ClassSchema[],
): Promise<void> {
  const rows = await store.run<[key: number, className: string, followed: string]>(
    `SELECT ${key}, class, followed FROM ${table}
     WHERE followed IS NOT NULL AND ${store.placeOf}(followed, $1) > 0`,
    [JSON.stringify(member.id)],
  )
  for (const [number, className, followed] of rows) {
    const links = shapes.find(({ name }) => name === className)?.followed ?? []
    const kept = Object.entries(JSON.parse(followed) as Record<string, FollowedPair>).map(
      ([property, lists]) => {
        const link = links.find((one) => one.property === property)
        const isOther = link !== undefined && link.className !== member.className
        return [property, isOther ? lists : lists.map((list) => list?.filter((one) => one !== member.id))]
      },
    )
    await store.run(`UPDATE ${table} SET followed = $1 WHERE ${key} = $2`, [
      JSON.stringify(Object.fromEntries(kept)),
      number,
    ])
  }
}
