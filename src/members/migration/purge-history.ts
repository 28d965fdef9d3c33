import type { StoredClass } from './plan.ts'
import { BATCH, type MigrationStore } from './statements.ts'

/** Which entries to remove: of all classes, of one, or of one member; all of them, or those made before a time. */
export interface EntrySelection {
  readonly className?: string | undefined
  readonly id?: string | undefined
  readonly before?: number | undefined
}

/** Entries of a class that has a history, or has had one. */
export interface EntryCount {
  readonly className: string
  readonly entries: number
}

/** The table of the entries of a stored class; undefined if it never had a history. */
export async function findHistory(
  store: MigrationStore,
  { id }: Pick<StoredClass, 'id'>,
): Promise<string | undefined> {
  const table = `history_${id}`
  return (await store.hasTable(table)) ? table : undefined
}

/** All classes with a table of entries, whether the API file shows them or not. */
export async function countEntries(store: MigrationStore, asked: EntrySelection): Promise<EntryCount[]> {
  const found: EntryCount[] = []
  for (const stored of await store.listClasses()) {
    const table = await findHistory(store, stored)
    if (table === undefined || (asked.className ?? stored.name) !== stored.name) continue
    const { isAsked, params } = testOf(asked)
    const [row] = await store.run<[number]>(`SELECT count(*) FROM ${table} WHERE ${isAsked}`, params)
    found.push({ className: stored.name, entries: Number(row?.[0] ?? 0) })
  }
  return found
}

/** Removes some entries of a class. Returns how many: the caller goes on until there are none, so that no writer waits long. */
export async function purgeEntries(
  store: MigrationStore,
  asked: EntrySelection & { readonly className: string },
): Promise<number> {
  const stored = (await store.listClasses()).find(({ name }) => name === asked.className)
  const table = stored && (await findHistory(store, stored))
  if (table === undefined) return 0
  const { isAsked, params } = testOf(asked)
  const { rowId } = store
  const rows = await store.run(
    `DELETE FROM ${table} WHERE ${rowId} IN (SELECT ${rowId} FROM ${table} WHERE ${isAsked} LIMIT ${BATCH}) RETURNING 1`,
    params,
  )
  return rows.length
}

function testOf({ id, before }: EntrySelection) {
  const tests = [
    ...(id === undefined ? [] : [{ column: 'id =', value: id }]),
    ...(before === undefined ? [] : [{ column: 'at <', value: before }]),
  ]
  return {
    isAsked: ['1 = 1', ...tests.map(({ column }, index) => `${column} $${index + 1}`)].join(' AND '),
    params: tests.map(({ value }) => value),
  }
}
