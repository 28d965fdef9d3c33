import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/index.ts'
import { primaryAddress, replicaAddresses, type SharedCount } from '../../database/index.ts'

interface WriteCounts {
  /** The address of the database for workers. */
  readonly db: string
  /** Undefined if the workers need not know of each other's writes. */
  of(worker: number): SharedCount | undefined
  remove(): void
}

/**
 * The file in which the workers count their acknowledged writes, where they read from standbys: none of them reads from
 * one that lacks a write of another. Without a folder for the file, they read from the primary alone.
 */
export function createWriteCounts(
  { db, workers }: Pick<Config, 'db' | 'workers'>,
  onFault: (error: unknown) => void,
): WriteCounts {
  const none = { of: () => undefined, remove() {} }
  if (replicaAddresses(db).length === 0) return { db, ...none }
  try {
    const folder = mkdtempSync(join(tmpdir(), 'hydrant-'))
    const path = join(folder, 'writes')
    writeFileSync(path, '', { mode: 0o600 })
    return {
      db,
      of: (worker) => ({ path, place: worker - 1, places: workers }),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  } catch (error) {
    onFault(error)
    return { db: primaryAddress(db), ...none }
  }
}
