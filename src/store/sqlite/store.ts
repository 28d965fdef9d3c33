import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { isBusy } from './errors.ts'
import { watchForeignWrites } from './foreign-writes.ts'
import { openMemberStore } from './members.ts'
import { migrate, requireOurs } from './schema.ts'
import { createWriter } from './writer.ts'

const MEMORY = ':memory:'
/** How long a write waits for another process to let go of the database. */
const PATIENCE_MS = 2_000
/** Before anything is served there is nothing to hold up: opening may sleep until the lock is free. */
const OPENING_TIMEOUT_MS = 5_000

/** `classes`: the names of the classes whose members are kept here. */
export async function openSqliteStore(path: string, classes: readonly string[]): Promise<Store> {
  // The file holds the nonce secret: for its owner alone. SQLite gives its companions the same mode.
  if (path !== MEMORY) closeSync(openSync(path, 'a', 0o600))
  const db = new DatabaseSync(path, { timeout: OPENING_TIMEOUT_MS, enableForeignKeyConstraints: true })
  try {
    requireOurs(db, path)
    await useWriteAheadLog(db)
    // FULL: an acknowledged write is on disk, also when the power fails.
    db.exec('PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF')
    migrate(db)
    const writer = createWriter(db, PATIENCE_MS)
    const foreignWrites = watchForeignWrites(db)
    const auth = openAuthStore(db, writer, foreignWrites)
    const members = openMemberStore(db, writer, classes, foreignWrites)
    db.exec('PRAGMA busy_timeout = 0')
    return {
      auth,
      members,
      async close() {
        await writer.close()
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Where several processes change the journal mode of a new file at once, SQLite refuses all but one without waiting. */
async function useWriteAheadLog(db: DatabaseSync): Promise<void> {
  const started = Date.now()
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() - started > OPENING_TIMEOUT_MS) throw error
      await sleep(10)
    }
  }
}
