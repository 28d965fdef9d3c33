import { backUpSqlite } from './sqlite/backup.ts'
import { rehearseAdoption } from './sqlite/rehearsal.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { ClassShape, Rehearsal, Store, StoreOptions } from './store.ts'

export type { StoreOptions } from './store.ts'

/** `sqlite:<path>` or `sqlite::memory:`. `shapes`: the classes whose members it keeps; none where only users matter. */
export async function openStore(
  url: string,
  shapes: readonly ClassShape[] = [],
  options: StoreOptions = {},
): Promise<Store> {
  return openSqliteStore(pathOf(url), shapes, options)
}

/**
 * What opening the store with these shapes would refuse, or change. Nothing is changed, and a server that has the
 * database open is not held up. Throws where there is no database.
 */
export async function rehearse(url: string, shapes: readonly ClassShape[]): Promise<Rehearsal> {
  return rehearseAdoption(pathOf(url), shapes)
}

/** Copies the database at `url`, in one state, to a file that does not exist yet. */
export const backUp = (url: string, file: string): void => backUpSqlite(pathOf(url), file)

function pathOf(url: string): string {
  if (!url.startsWith('sqlite:'))
    throw new Error(`A database is given as sqlite:<path>; "${schemeOf(url)}" is not known.`)
  const path = url.slice('sqlite:'.length)
  if (path === '') throw new Error('A database is given as sqlite:<path>; the path is missing.')
  return path
}

/** Never the whole URL: it may carry a password. */
const schemeOf = (url: string): string => url.split(':', 1)[0] ?? ''
