import { duplicate } from '../migration/fitting.ts'
import type { ClassShape, Misfit } from '../store.ts'
import type { Run } from './pool.ts'

/**
 * Members that have a value of a unique property which an earlier member has. `keys`: a table with the sequence numbers
 * and key columns of those that were adopted; `members`: where their texts are.
 */
export async function duplicatesIn(
  run: Run,
  shape: ClassShape,
  keys: string,
  members: string,
  most: number,
): Promise<Misfit[]> {
  const misfits: Misfit[] = []
  for (const [index, { property, unique }] of shape.keys.entries()) {
    if (!unique || misfits.length >= most) continue
    const column = `k${index}`
    const repeated = await run<[string]>(
      `SELECT ${column} FROM ${keys} WHERE ${column} IS NOT NULL
       GROUP BY ${column} HAVING count(*) > 1 ORDER BY ${column} LIMIT $1`,
      [most],
    )
    for (const [key] of repeated) {
      const [first, ...others] = await run<[id: string, body: string]>(
        `SELECT m.id, m.body FROM ${keys} k JOIN ${members} m ON m.sequence = k.sequence
         WHERE k.${column} = $1 ORDER BY k.sequence LIMIT $2`,
        [key, most + 1],
      )
      for (const [id, body] of others)
        misfits.push(duplicate(shape, property, first?.[0] ?? '', { id, body }))
    }
  }
  return misfits.slice(0, most)
}
