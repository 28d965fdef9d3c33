import { arrayOf } from '../../database/postgres/arrays.ts'
import { gather } from '../../database/postgres/gathered.ts'
import type { Pool } from '../../database/postgres/pool.ts'

/** The state of a class (database/postgres/states.ts); undefined if it has none. */
export type LookAtState = (classId: number) => Promise<string | undefined>

/** Connections to one server, or the one of a transaction. */
export type ReadingPool = Pick<Pool, 'run'> & Partial<Pick<Pool, 'generation'>>

/** In SQL: all writes to a class. */
export const STATE = 'sum(writes)::text'

/** `connections`: the generation of the pool that has read it. */
export const stateAt = (connections: number, writes: string): string => `${connections}.${writes}`

/**
 * One look for all classes that are asked for in a turn of the event loop. It begins after the requests have arrived, and
 * so sees every write that was acknowledged before, on any host.
 *
 * Another server may have another history: a standby that was promoted may lack writes, and count others in their place.
 * So a state is valid only for the connections that it was read on.
 */
export function createStates({ run, generation = () => 0 }: ReadingPool): LookAtState {
  const look = gather<number, ReadonlyMap<number, string>>(async (classIds) => {
    const text = `SELECT class_id, ${STATE} FROM class_states
      WHERE class_id = ANY ($1::int[]) GROUP BY class_id`
    const connections = generation()
    const rows = await run<[classId: number, writes: string]>(text, [arrayOf([...classIds])])
    return new Map(rows.map(([classId, writes]) => [classId, stateAt(connections, writes)]))
  })
  return async (classId) => (await look([classId])).get(classId)
}
