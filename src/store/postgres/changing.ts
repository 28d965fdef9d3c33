import type { Changed, NewMember, Refused, StoredMember, WholeText, Written } from '../store.ts'
import { CHANGE, changeParams } from './change-statement.ts'
import type { WrittenClass } from './class-writing.ts'
import type { Pool, Run } from './pool.ts'
import { findReasons } from './refusal.ts'
import { busy, createPatience, retrying } from './retrying.ts'

export interface Change {
  readonly id: string
  /** Versions that may be changed; undefined for any. */
  readonly expected: readonly number[] | undefined
  readonly compute: (current: StoredMember & WholeText) => Written
}

/** It was not written: a link leads nowhere, a value is taken, or another was faster. */
interface Doubt {
  readonly doubtful: NewMember
  readonly sequence: number
}

type Row = [sequence: number, version: number, body: string, holes: string, hidden: string]

/**
 * Reads, computes, and writes on condition that nobody has written meanwhile. Whoever was overtaken once keeps the others
 * out while he computes again.
 */
export async function change(reads: Run, pool: Pool, cls: WrittenClass, wanted: Change): Promise<Changed> {
  const optimistic = () => attempt(reads, pool.write, cls, wanted, '')
  const locked = () =>
    pool.transaction(({ run, write }) => attempt(run, write, cls, wanted, 'FOR NO KEY UPDATE'))
  const hasTime = createPatience()
  for (let work = optimistic; ; work = locked) {
    const outcome = await retrying(work, hasTime)
    if (!('doubtful' in outcome)) return outcome
    const reason = await explain(pool.run, cls, outcome)
    if (reason !== undefined) return reason
    if (!hasTime()) throw busy()
  }
}

/** Once. `lock`: what to keep others out with while it computes, within a transaction. */
export async function attempt(
  read: Run,
  write: Run,
  cls: WrittenClass,
  { id, expected, compute }: Change,
  lock: string,
): Promise<Changed | Doubt> {
  const [row] = await read<Row>(
    `SELECT sequence, version, body, holes, hidden FROM ${cls.tables.members} WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, body, holes, hidden] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const member = { ...compute({ id, version, body, holes, hidden }), id }
  const params = changeParams(cls, member, sequence, version)
  const [written] = await write<[version: number]>(cls.textOf(CHANGE), params)
  if (written === undefined) return { doubtful: member, sequence }
  return { outcome: 'changed', member: { id, version: written[0], body: member.body, holes: member.holes } }
}

async function explain(
  run: Run,
  cls: WrittenClass,
  { doubtful, sequence }: Doubt,
): Promise<Refused | undefined> {
  const [reason] = await findReasons(run, cls, [{ member: doubtful, sequence }])
  return reason?.outcome === 'refused' ? reason : undefined
}
