import type { DatabaseSync } from 'node:sqlite'
import type { Violation } from '../../errors.ts'
import type { Adopted, ClassShape, Link, Misfit, Written } from '../store.ts'
import { isOfFirstSchema } from './schema.ts'
import { arrays } from './statements.ts'

/** So many members are in memory at once. */
const CHUNK = 1_000

/** A member as it is stored. */
export type MemberRow = [
  sequence: number,
  id: string,
  version: number,
  body: string,
  holes: string,
  hidden: string,
]

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
    const [, id, , body, holes, hidden] = row
    const adopted = shape.adopt({ body, holes, hidden })
    const violations = 'violations' in adopted ? adopted.violations : danglingIn(adopted, hasTarget)
    if ('violations' in adopted || violations.length > 0) {
      misfits.push({ className: shape.name, id, address: shape.addressOf(id), violations })
      if (misfits.length >= most) break
    } else {
      put(row, adopted)
    }
  }
  return misfits
}

const danglingIn = ({ links }: Written, hasTarget: (link: Link) => boolean): Violation[] =>
  links
    .filter((link) => !hasTarget(link))
    .map(({ property, className, id }) => ({
      propertyPath: property,
      message: `links to ${JSON.stringify(id)}, which is no ${className}.`,
    }))

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
