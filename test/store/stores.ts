import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/service.ts'

/** Opens a new, empty store, closed with the test. */
export type Open = (t: TestContext, classes?: readonly string[]) => Promise<Store>

/** Every store there is: each passes the same suites. */
export const STORES: readonly { readonly name: string; readonly open: Open }[] = [
  { name: 'SQLite in a file', open: async (t, classes) => openFor(t, newDatabase(t), classes) },
  { name: 'SQLite in memory', open: async (t, classes) => openFor(t, 'sqlite::memory:', classes) },
]

/** The address of a SQLite file that is not there yet. */
export const newDatabase = (t: TestContext): string => `sqlite:${join(temporaryFolder(t), 'test.db')}`

export const pathOf = (url: string): string => url.slice('sqlite:'.length)

export async function openFor(t: TestContext, url: string, classes: readonly string[] = []): Promise<Store> {
  const store = await openStore(url, classes)
  t.after(() => store.close())
  return store
}

/** A connection as another process has it. */
export function connect(t: TestContext, url: string): DatabaseSync {
  const connection = new DatabaseSync(pathOf(url))
  t.after(() => connection.isOpen && connection.close())
  return connection
}
