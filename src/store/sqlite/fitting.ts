import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { adoptRow, isMisfit, type MemberRow, settle } from '../migration/fitting.ts'
import { watchNamings } from '../migration/namings.ts'
import type { Adopted, ClassShape, Link, Misfit } from '../store.ts'
import { isOfFirstSchema } from './schema.ts'
import { arrays } from './statements.ts'

/** So many members are in memory at once, or so many characters of them. */
const CHUNK = 1_000
const CHUNK_LENGTH = 8 * 1_024 * 1_024

/** Where the links of a class lead, in the terms of the API file. */
export interface KnownLinks {
  hasTarget(link: Link): boolean
  /** Of a member, as the store has them. */
  of(id: string): readonly Link[]
}

/** Goes through the members of a class under the API file: hands on those that fit, names those that do not. */
export function fit(
  members: Iterable<MemberRow>,
  shape: ClassShape,
  links: KnownLinks,
  most: number,
  put: (row: MemberRow, adopted: Adopted) => void,
): Misfit[] {
  const misfits: Misfit[] = []
  const namings = watchNamings(shape)
  for (const row of members) {
    const [, id] = row
    const adopted = adoptRow(row, shape, () => links.of(id))
    const judged = settle(row, shape, adopted, links.hasTarget)
    if (!isMisfit(judged)) {
      namings.see(id, judged)
      put(row, judged)
    } else if (misfits.push(judged) >= most) break
  }
  return [...misfits, ...namings.misfits()].slice(0, most)
}

/** Chunk by chunk, since they may be rewritten meanwhile. */
export function* membersOf(db: DatabaseSync, table: string): Generator<MemberRow> {
  const hidden = isOfFirstSchema(db) ? "''" : 'hidden'
  const read = arrays(
    db,
    `SELECT sequence, id, version, body, holes, ${hidden} FROM ${table}
     WHERE sequence > ? ORDER BY sequence LIMIT ${CHUNK}`,
  )
  for (let rows = chunkOf(read, 0); rows.length > 0; rows = chunkOf(read, (rows.at(-1) as MemberRow)[0]))
    yield* rows
}

function chunkOf(read: StatementSync, last: number): MemberRow[] {
  const rows: MemberRow[] = []
  let length = 0
  for (const found of read.iterate(last)) {
    const row = found as unknown as MemberRow
    const [, , , body, holes, hidden] = row
    rows.push(row)
    length += body.length + holes.length + hidden.length
    if (length >= CHUNK_LENGTH) break
  }
  return rows
}
