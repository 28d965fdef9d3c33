import type { DatabaseSync } from 'node:sqlite'
import type { Key } from '../../vocabulary/keys.ts'
import { duplicate } from '../migration/fitting.ts'
import type { ClassShape, Misfit } from '../store.ts'
import { arrays } from './statements.ts'
import type { Tables } from './tables.ts'

/** Members that have a value of a unique property which an earlier member has. */
export function duplicatesIn(db: DatabaseSync, shape: ClassShape, tables: Tables, most: number): Misfit[] {
  const { keys, members, shapes } = tables
  const misfits: Misfit[] = []
  shapes.forEach(({ property, unique }, index) => {
    if (!unique || misfits.length >= most) return
    const column = `k${index}`
    const repeated = arrays(
      db,
      `SELECT ${column} FROM ${keys} WHERE ${column} IS NOT NULL GROUP BY ${column} HAVING count(*) > 1 LIMIT +?`,
    )
    const owners = arrays(
      db,
      `SELECT m.id, m.body FROM ${keys} k JOIN ${members} m ON m.sequence = k.sequence
       WHERE k.${column} = ? ORDER BY k.sequence LIMIT +?`,
    )
    for (const [key] of repeated.all(most) as unknown as [Key][]) {
      const [first, ...others] = owners.all(key, most + 1) as unknown as [id: string, body: string][]
      for (const [id, body] of others)
        misfits.push(duplicate(shape, property, first?.[0] ?? '', { id, body }))
    }
  })
  return misfits.slice(0, most)
}
