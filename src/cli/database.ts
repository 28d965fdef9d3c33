import { existsSync } from 'node:fs'
import { openStore } from '../store/open.ts'
import type { AuthStore } from '../store/store.ts'

/** For commands that look at what is there: one with a mistyped path must not leave an empty database behind. */
export async function withExisting<T>(url: string, work: (store: AuthStore) => Promise<T>): Promise<T> {
  const path = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined
  if (path !== undefined && path !== ':memory:' && !existsSync(path)) {
    throw new Error(`There is no database at ${path}; name it with --db, or make it with "hydrant user add".`)
  }
  return withStore(url, work)
}

export async function withStore<T>(url: string, work: (store: AuthStore) => Promise<T>): Promise<T> {
  const store = await openStore(url)
  try {
    return await work(store.auth)
  } finally {
    await store.close()
  }
}
