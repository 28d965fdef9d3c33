import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { openStore, type StoreOptions } from '../store/open.ts'
import type { AuthStore, ClassShape, Store } from '../store/store.ts'
import { COMMAND } from './command-name.ts'

/** For commands that look at what is there: one with a mistyped path must not leave an empty database behind. */
export async function withExisting<T>(url: string, work: (store: AuthStore) => Promise<T>): Promise<T> {
  if (!isThere(url)) {
    throw new Error(
      `There is no database at ${pathOf(url)}; name it with --db, or make it with: ${COMMAND} user add 1`,
    )
  }
  return withStore(url, work)
}

export async function withStore<T>(url: string, work: (store: AuthStore) => Promise<T>): Promise<T> {
  const store = await openDatabase(url)
  try {
    return await work(store.auth)
  } finally {
    await store.close()
  }
}

export const isThere = (url: string): boolean => existsSync(pathOf(url))

export async function openDatabase(
  url: string,
  shapes: readonly ClassShape[] = [],
  options: StoreOptions = {},
): Promise<Store> {
  try {
    return await openStore(url, shapes, options)
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    const path = pathOf(url)
    throw new Error(
      `The database ${path} cannot be opened: ${reason(path)}; name another file with --db sqlite:<path>.`,
    )
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no folder ${dirname(path)}`,
  ENOTDIR: (path) => `${dirname(path)} is not a folder`,
  EISDIR: () => 'it is a folder',
  EACCES: () => 'this user may not read and write it',
  EPERM: () => 'this user may not read and write it',
  EROFS: () => 'its disk can only be read',
}

const pathOf = (url: string): string => url.slice('sqlite:'.length)
