import { watchOtherMigrations } from '../migration/migrated-elsewhere.ts'
import type { ClassShape, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { openConnections } from './connections.ts'
import { watchReachability } from './errors.ts'
import { openMemberStore } from './members.ts'
import { bringUpToDate } from './opening.ts'
import { explainOpening } from './opening-errors.ts'
import { createStatistics } from './statistics.ts'

/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000

/** `shapes`: the classes whose members are kept here. */
export async function openPostgresStore(
  url: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const {
    scanMs = SCAN_MS,
    bulk = false,
    onMigrated = () => {},
    onMigratedElsewhere,
    onAway,
    onBack = () => {},
  } = options
  const { stored, changes } = await bringUpToDate(url, shapes, options).catch((error: unknown) => {
    throw explainOpening(error, url)
  })
  if (changes.length > 0) onMigrated(changes)
  const reachability = onAway && watchReachability(onAway, onBack)
  const connections = openConnections(url, { scanMs, bulk, reachability })
  const statistics = createStatistics(url, connections.quick.run)
  const members = openMemberStore({ connections, statistics, found: stored, scanMs }, shapes)
  const auth = openAuthStore(url, connections)
  return {
    auth,
    members: onMigratedElsewhere === undefined ? members : watchOtherMigrations(members, onMigratedElsewhere),
    async reachable() {
      await connections.tokens.run('SELECT 1')
    },
    async close() {
      statistics.close()
      await auth.close()
      await connections.close()
    },
  }
}
