import { createAuthStore } from '../auth/store/postgres/store.ts'
import { closePools, openPools } from '../database/postgres/pools.ts'
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
  return {
    auth: createAuthStore(pools),
    ...createMemberStore(pools, { shapes, stored, scanMs, onMigratedElsewhere }),
    async reachable() {
      await pools.tokens.run('SELECT 1')
    },
    close: () => closePools(pools),
  }
}
