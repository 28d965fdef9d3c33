import { watchOvertaking } from '../migration/overtaking.ts'
import type { ClassShape, MemberStore, Store, StoreOptions } from '../store.ts'
import { openAuthStore } from './auth.ts'
import { type Connections, openConnections } from './connections.ts'
import { watchReachability } from './errors.ts'
import { openMemberStore } from './members.ts'
import { bringUpToDate } from './opening.ts'
import { explainOpening } from './opening-errors.ts'
import { createStatistics, type Statistics } from './statistics.ts'

/** How long a search without an index may take (hypermedia.md, Cost). */
const SCAN_MS = 2_000

/** `shapes`: the classes whose members are kept here. */
export async function openPostgresStore(
  url: string,
  shapes: readonly ClassShape[],
  options: StoreOptions = {},
): Promise<Store> {
  const { scanMs = SCAN_MS, bulk = false, onAdopted = () => {}, onAway, onBack = () => {} } = options
  let connections: Connections | undefined
  try {
    const { stored, changes } = await bringUpToDate(url, shapes, options)
    if (changes.length > 0) onAdopted(changes)
    const reachability = onAway && watchReachability(onAway, onBack)
    connections = openConnections(url, scanMs, bulk, reachability)
    const statistics = createStatistics(url, connections.quick.run)
    const members = openMemberStore(connections, statistics, stored, shapes, scanMs)
    return await openWith(connections, url, members, statistics, options)
  } catch (error) {
    await connections?.close()
    throw explainOpening(error, url)
  }
}

async function openWith(
  connections: Connections,
  url: string,
  members: MemberStore,
  statistics: Statistics,
  { onOvertaken }: StoreOptions,
): Promise<Store> {
  const auth = await openAuthStore(url, connections)
  return {
    auth,
    members: onOvertaken === undefined ? members : watchOvertaking(members, onOvertaken),
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
