import { arrayOf } from '../../database/postgres/arrays.ts'
import { gather } from '../../database/postgres/gathered.ts'
import type { RunSql } from '../../database/postgres/pool.ts'

/** The state of a class (database/postgres/states.ts); undefined if it has none. */
export type LookAtState = (classId: number) => Promise<number | undefined>

/**
 * One look for all classes that are asked for in a turn of the event loop. It begins after the requests have arrived, and
 * so sees every write that was acknowledged before, on any host.
 */
export function createStates(run: RunSql): LookAtState {
  const look = gather<number, ReadonlyMap<number, number>>(async (classIds) => {
    const text = `SELECT class_id, sum(writes)::bigint FROM class_states
      WHERE class_id = ANY ($1::int[]) GROUP BY class_id`
    return new Map(await run<[classId: number, state: number]>(text, [arrayOf([...classIds])]))
  })
  return async (classId) => (await look([classId])).get(classId)
}
