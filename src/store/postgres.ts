import { createAuthStore } from '../auth/store/postgres/store.ts'
import { MAX_SCANS, SCAN_MS } from '../database/index.ts'
import { WORK_MS, withPool } from '../database/postgres/opening.ts'
import { closePools, type DatabasePools, openPools } from '../database/postgres/pools.ts'
import { openReplicas, type Replicas } from '../database/postgres/replicas.ts'
import { countWrites, shareWriteCount } from '../database/postgres/write-count.ts'
import type { ClassSchema } from '../members/index.ts'
import { bringUpToDate } from '../members/postgres/migrate.ts'
import { createMemberStore } from '../members/postgres/store.ts'
import type { Store, StoreOptions } from './index.ts'

/** `shapes`: the classes whose members are kept here. */
export async function openPostgresStore(
  url: string,
  shapes: readonly ClassSchema[],
  options: StoreOptions,
): Promise<Store> {
  const { stored, changes: migrated } = await bringUpToDate(url, shapes, options)
  if (migrated.length > 0) options.onMigrated?.(migrated)
  const pools = openPools(url, options)
  const { scanMs, onMigratedElsewhere } = options
  // Bulk data is read and written by commands, which end soon.
  const replicas = options.bulk ? undefined : openReplicasOf(url, pools, options)
  return {
    auth: createAuthStore(pools),
    ...createMemberStore(pools, {
      ...{ shapes, stored, scanMs, onMigratedElsewhere, replicas },
      withUnlimited: (work) => withPool(url, WORK_MS, undefined, work),
    }),
    ...(replicas && { replicas: replicas.figures }),
    async reachable() {
      await pools.tokens.run('SELECT 1')
    },
    async close() {
      await Promise.all([closePools(pools), replicas?.close()])
    },
  }
}

function openReplicasOf(url: string, { quick }: DatabasePools, options: StoreOptions): Replicas | undefined {
  const { scanMs = SCAN_MS, writeCount, onReplica } = options
  const count = writeCount === undefined ? countWrites() : shareWriteCount(writeCount)
  return openReplicas(url, { primary: quick.run, scanMs, scans: MAX_SCANS, count, onChange: onReplica })
}
