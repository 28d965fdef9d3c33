import { AUTH_COMMANDS, createAuthStore } from '../auth/store/sqlite/store.ts'
import { openSqlite, startDatabase } from '../database/sqlite/database.ts'
import type { ClassSchema } from '../members/index.ts'
import { bringUpToDate, findForms, findTables } from '../members/sqlite/migrate.ts'
import { createMemberStore } from '../members/sqlite/store.ts'
import { memberCommands } from '../members/sqlite/writes.ts'
import type { Store, StoreOptions } from './index.ts'

/** `shapes`: the classes whose members are kept here. */
export const openSqliteStore = (
  path: string,
  shapes: readonly ClassSchema[],
  options: StoreOptions,
): Promise<Store> => {
  const { bulk = false, scanMs, onMigrated, onMigratedElsewhere, onReplaced } = options
  return openSqlite<Store>(path, {
    bulk,
    async upgrade(db) {
      const changes = await bringUpToDate(db, shapes, options)
      if (changes.length > 0) onMigrated?.(changes)
    },
    async open(db) {
      const classes = findTables(db, shapes)
      const commands = [AUTH_COMMANDS, ...memberCommands(classes)]
      const database = await startDatabase(db, { path, bulk, onReplaced, commands })
      const auth = createAuthStore(database)
      const converted = findForms(db, shapes)
      const stored = createMemberStore(database, { shapes, classes, converted, scanMs, onMigratedElsewhere })
      database.stopWaiting()
      return { auth, ...stored, reachable: database.reachable, close: database.close }
    },
  })
}
