import type { DatabaseSync } from 'node:sqlite'

/** A number that is different whenever another connection, of whatever process, has written since the last call. */
export type ForeignWrites = () => number

/**
 * `PRAGMA data_version` tells so without touching a table, for two system calls. It does not change with what
 * this connection writes: whoever remembers something has to forget it himself then.
 */
export function watchForeignWrites(db: DatabaseSync): ForeignWrites {
  const dataVersion = db.prepare('PRAGMA data_version')
  // As an array: an object for a single number would cost as much as the query.
  dataVersion.setReturnArrays(true)
  return () => (dataVersion.get() as unknown as [number])[0]
}
