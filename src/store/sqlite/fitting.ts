import type { DatabaseSync } from 'node:sqlite'
import { isMisfit, judge, type MemberRow } from '../rules/fitting.ts'
import type { Adopted, ClassShape, Link, Misfit } from '../store.ts'
import { isOfFirstSchema } from './schema.ts'
import { arrays } from './statements.ts'

/** So many members are in memory at once. */
const CHUNK = 1_000

/** Goes through the members of a class under the API file: hands on those that fit, names those that do not. */
export function fit(
  members: Iterable<MemberRow>,
  shape: ClassShape,
  hasTarget: (link: Link) => boolean,
  most: number,
  put: (row: MemberRow, adopted: Adopted) => void,
): Misfit[] {
  const misfits: Misfit[] = []
  for (const row of members) {
    const judged = judge(row, shape, hasTarget)
    if (!isMisfit(judged)) put(row, judged)
    else if (misfits.push(judged) >= most) break
  }
  return misfits
}

/** Chunk by chunk, since they may be rewritten meanwhile. */
export function* membersOf(db: DatabaseSync, table: string): Generator<MemberRow> {
  const hidden = isOfFirstSchema(db) ? "''" : 'hidden'
  const read = arrays(
    db,
    `SELECT sequence, id, version, body, holes, ${hidden} FROM ${table}
     WHERE sequence > ? ORDER BY sequence LIMIT ${CHUNK}`,
  )
  for (let last = 0; ; ) {
    const rows = read.all(last) as unknown as MemberRow[]
    yield* rows
    if (rows.length < CHUNK) return
    last = (rows.at(-1) as MemberRow)[0]
  }
}
