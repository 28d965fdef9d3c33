import { watchOtherMigrations } from '../migration/migrated-elsewhere.ts'
import type { ClassShape, MemberStore, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { type Connections, openConnections } from './connections.ts'
import { openMemberStore } from './members.ts'
import { bringUpToDate } from './opening.ts'
import { explainOpening } from './opening-refusals.ts'
import { type Reachability, reasonOf, watchReachability } from './reachability.ts'
import { createStatistics, type Statistics } from './statistics.ts'

/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000

/** `shapes`: the classes whose members are kept here. */
export async function openPostgresStore(
  url: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, bulk = false, onMigrated = () => {} } = options
  let connections: Connections | undefined
  try {
    const { stored, changes } = await bringUpToDate(url, shapes, options)
    if (changes.length > 0) onMigrated(changes)
    connections = openConnections(url, scanMs, bulk, reachabilityFor(options))
    const statistics = createStatistics(url, connections.reads.run)
    const members = openMemberStore(connections, statistics, stored, shapes, scanMs)
    return await openWith(connections, url, members, statistics, options)
  } catch (error) {
    await connections?.close()
    throw explainOpening(error, url)
  }
}

function reachabilityFor({ onAway, onBack = () => {} }: StoreOptions): Reachability | undefined {
  if (onAway === undefined) return undefined
  return watchReachability({ onAway: (error) => onAway(reasonOf(error)), onBack })
}

async function openWith(
  connections: Connections,
  url: string,
  members: MemberStore,
  statistics: Statistics,
  { onMigratedElsewhere }: StoreOptions,
): Promise<Store> {
  const auth = await openAuthStore(url, connections)
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
