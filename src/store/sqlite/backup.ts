import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { requireOurs } from './schema.ts'

/** How long a lock of another process is waited for. */
const PATIENCE_MS = 5_000

/**
 * One state of the database in a file of its own: VACUUM INTO reads in one transaction, which with a write-ahead log holds
 * up no writer. The copy has its name only when it is whole and on disk.
 */
export function backUpSqlite(path: string, target: string): void {
  if (!existsSync(path)) throw new Error(`There is no database ${path}; name it with --db sqlite:<path>.`)
  if (statSync(path).isDirectory())
    throw new Error(
      `The database ${path} cannot be opened: it is a folder; name another file with --db sqlite:<path>.`,
    )
  if (existsSync(target)) throw new Error(`${target} exists already; name a file that does not.`)
  if (!existsSync(dirname(target))) throw new Error(`There is no folder ${dirname(target)}; make it first.`)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  const db = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE_MS })
  try {
    requireOurs(db, path)
    // It holds the nonce secret, as the database does: for its owner alone. SQLite accepts a file that is empty.
    closeSync(openSync(partial, 'wx', 0o600))
    db.prepare('VACUUM INTO ?').run(partial)
    sync(partial)
    renameSync(partial, target)
  } finally {
    db.close()
    rmSync(partial, { force: true })
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
