import type { StoredClass } from '../migration/classes.ts'
import type { Run } from './pool.ts'

type Row = [id: number, name: string, fingerprint: number, shapes: string, total: number, version: number]

/** `version` is 0 here: a sequence gives them out. */
export async function listClasses(run: Run): Promise<StoredClass[]> {
  const rows = await run<Row>(`
    SELECT id, name, fingerprint, shapes,
      (SELECT coalesce(sum(total), 0)::bigint FROM totals WHERE class_id = classes.id), 0
    FROM classes ORDER BY id`)
  return rows.map(([id, name, fingerprint, shapes, total, version]) => ({
    id,
    name,
    fingerprint,
    shapes,
    total,
    version,
  }))
}
