import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'

/** `sqlite:<path>` or `sqlite::memory:`. `classes`: whose members it will keep; none where only users matter. */
export async function openStore(url: string, classes: readonly string[] = []): Promise<Store> {
  if (!url.startsWith('sqlite:'))
    throw new Error(`A database is given as sqlite:<path>; "${schemeOf(url)}" is not known.`)
  const path = url.slice('sqlite:'.length)
  if (path === '') throw new Error('A database is given as sqlite:<path>; the path is missing.')
  return openSqliteStore(path, classes)
}

/** Never the whole URL: it may carry a password. */
const schemeOf = (url: string): string => url.split(':', 1)[0] ?? ''
