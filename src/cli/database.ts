import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuthStore, User } from '../auth/index.ts'
import { SETTINGS } from '../config/index.ts'
import { isPostgres, schemaOf, shownDatabase, sqlitePath } from '../database/index.ts'
import { type ClassSchema, NotMigratedError } from '../members/index.ts'
import type { Problem } from '../problem.ts'
import { openDatabase } from '../service/database.ts'
import type { Store } from '../store/index.ts'
import { databaseExists } from '../store/open.ts'
import { commandProblem, type MissingDatabase } from './problems.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How to call this program from a folder: by name if it is installed, by path in a clone. */
export const programName = (folder = '.'): string =>
  ROOT.includes(`${sep}node_modules${sep}`) ? 'hydrant' : relative(folder, join(ROOT, 'bin', 'hydrant'))

/** Most commands need only the accounts. */
type StoreWork<T> = (accounts: AuthStore, store: Store) => Promise<T>

/** For commands that need an existing database: a mistyped path must not create an empty one. */
export async function withExisting<T>(url: string, work: StoreWork<T>): Promise<T> {
  if (await databaseExists(url)) return withStore(url, work)
  const add = commandOn(url, 'user add 1')
  const copy = `HYDRANT_TO=postgres://… ${programName()} copy --from sqlite:<path>`
  throw commandProblem('NoDatabase', { missing: missingAt(url), command: add, copy })
}

export async function withStore<T>(url: string, work: StoreWork<T>): Promise<T> {
  const store = await openDatabase(url)
  try {
    return await work(store.auth, store)
  } finally {
    await store.close()
  }
}

/** `url`: of the store. */
export async function requireUser(store: AuthStore, id: number, url: string): Promise<User> {
  const user = await store.findUser(id)
  if (user === undefined) throw noUser(id, url)
  return user
}

export const noUser = (id: number, url: string): Problem =>
  commandProblem('NoUser', { id, command: commandOn(url, 'user list') })

/** For commands that must not migrate members, since a running server with the previous file would stop. */
export function openMigrated(
  url: string,
  shapes: readonly ClassSchema[],
  command: FileCommand,
): Promise<Store> {
  const [migrate, bulk] = command.verb === 'import' ? (['empty', true] as const) : (['none', false] as const)
  return explainNotMigrated(url, command, () => openDatabase(url, shapes, { migrate, bulk }))
}

interface FileCommand {
  readonly verb: 'import' | 'export' | 'purge'
  readonly file: string
}

/** What `run` does needs members that are stored under this API file. */
export async function explainNotMigrated<T>(
  url: string,
  { verb, file }: FileCommand,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof NotMigratedError)) throw error
    const { classNames } = error
    throw commandProblem('NotMigrated', { classNames, verb, command: commandOn(url, `serve ${file}`) })
  }
}

/** A command line for the same database, for people to copy. An address with a password is left to the environment. */
export function commandOn(url: string, command: string): string {
  if (isPostgres(url)) return `HYDRANT_DB=postgres://… ${programName()} ${command}`
  return `${programName()} ${command}${url === SETTINGS.db.default ? '' : ` --db ${url}`}`
}

/** The place of a database that does not exist, for messages. */
export const missingAt = (url: string): MissingDatabase =>
  isPostgres(url) ? { schema: schemaOf(url), database: shownDatabase(url) } : { path: sqlitePath(url) }
