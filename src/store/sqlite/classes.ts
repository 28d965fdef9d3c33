import type { DatabaseSync } from 'node:sqlite'
import type { StoredClass } from '../migration/classes.ts'
import { isOfFirstSchema } from './schema.ts'

export function listClasses(db: DatabaseSync): StoredClass[] {
  const known = isOfFirstSchema(db) ? "0 AS fingerprint, '' AS shapes" : 'fingerprint, shapes'
  return db
    .prepare(`SELECT id, name, total, version, ${known} FROM classes`)
    .all() as unknown as StoredClass[]
}
