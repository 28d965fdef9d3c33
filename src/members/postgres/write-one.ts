import { arrayOf } from '../../database/postgres/arrays.ts'
import { busy, MAX_WAIT_MS, retryOnConflict } from '../../database/postgres/errors.ts'
import type { Pool, RunSql, StatementRunner } from '../../database/postgres/pool.ts'
import {
  type ChangeOutcome,
  type Compute,
  keyOfMember,
  type LinkSourceRow,
  linkedBy,
  type RemoveOutcome,
} from '../member.ts'
import type { ClassStatements, MemberToWrite } from './class-statements.ts'
import { findReasons } from './reasons.ts'
import { formerOf, membersTable } from './tables.ts'
import { CHANGE, removeText } from './write-statements.ts'

interface Wanted {
  readonly cls: ClassStatements
  readonly id: string
  /** Versions that may be overwritten; undefined for any. */
  readonly expected: readonly number[] | undefined
}
type MemberChange = Wanted & { readonly compute: Compute }
interface Removal extends Wanted {
  /** The required owner; undefined for any. */
  readonly owner: number | undefined
  readonly actor: number | undefined
  /** The links that it had before the transaction removed them; undefined if they are still stored. */
  readonly links?: string | undefined
}

/** Locks a member for other writers when it is read, until the transaction ends. */
const LOCKED = 'FOR NO KEY UPDATE'

/**
 * Optimistic at first: reads, computes, and writes if the version is still the one that was read. If another writer was
 * faster, the next try locks the member.
 */
export async function change(quick: RunSql, pool: Pool, wanted: MemberChange): Promise<ChangeOutcome> {
  const optimistic = () => attempt({ run: quick, write: pool.write }, wanted, '')
  const locked = () => pool.transaction((within) => attempt(within, wanted, LOCKED))
  const deadline = performance.now() + MAX_WAIT_MS
  for (let work = optimistic; ; work = locked) {
    const outcome = await retryOnConflict(work, deadline)
    if ('outcome' in outcome) return outcome
    const [reason] = await findReasons(pool.run, wanted.cls, [outcome])
    if (reason?.outcome === 'refused') return reason
    if (performance.now() >= deadline) throw busy()
  }
}

/** One try. Returns the unwritten member if a link dangles, a value is taken, or another writer was faster. */
export async function attempt(
  { run, write }: StatementRunner,
  { cls, id, expected, compute }: MemberChange,
  lock: string,
): Promise<ChangeOutcome | MemberToWrite> {
  const [row] = await run<
    [number, version: number, owner: number | null, ...[string, string, string, string | null]]
  >(
    `SELECT sequence, version, owner, body, holes, hidden, ${formerOf(cls.tables, 'm')}
      FROM ${cls.tables.members} m WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, found, body, baseUrlOffsets, hidden, former] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const owner = found ?? undefined
  const current = { id, version, body, baseUrlOffsets, owner, hidden, ...(former !== null && { former }) }
  const member = { ...compute(current), id }
  const given = { member, sequence, version }
  const { text, params } = cls.statement(CHANGE, [given])
  const [written] = await write<[version: number]>(text, params)
  if (written === undefined) return given
  return {
    outcome: 'changed',
    member: { id, version: written[0], body: member.body, baseUrlOffsets: member.baseUrlOffsets, owner },
  }
}

/**
 * Two statements: a transaction that adds a link to the member holds a lock on it, for which the first statement waits; a
 * statement that begins afterwards sees the link. Once the first statement has its lock, no new link can be added.
 */
export async function remove(
  run: RunSql,
  { cls, id, expected, owner, actor, links }: Removal,
): Promise<RemoveOutcome> {
  const [row] = await run<[sequence: number, version: number, owner: number | null]>(
    `SELECT sequence, version, owner FROM ${cls.tables.members} WHERE id = $1 FOR UPDATE`,
    [id],
  )
  if (row === undefined || (owner !== undefined && row[2] !== owner)) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const params = [sequence, id, actor ?? null, ...(cls.tables.history === undefined ? [] : [links ?? null])]
  const sources = await run<LinkSourceRow>(removeText(cls), params)
  if (sources.length === 0) return { outcome: 'removed' }
  return linkedBy(sources, await findOwners(run, sources))
}

/** The classes may belong to another API file, and so not be among those that the store was opened with. */
async function findOwners(run: RunSql, sources: readonly LinkSourceRow[]) {
  const owners = new Map<string, number | null>()
  const byClass = Map.groupBy(sources, ([className]) => className)
  const names = `SELECT name, to_regclass('members_' || id) IS NULL, id FROM classes WHERE name = ANY ($1::text[])`
  const found = await run<[string, hasForms: boolean, number]>(names, [arrayOf([...byClass.keys()])])
  for (const [className, hasForms, classId] of found) {
    const ids = arrayOf((byClass.get(className) ?? []).map(([, id]) => id))
    const text = `SELECT id, owner FROM ${membersTable(classId, hasForms)} WHERE id = ANY ($1::text[])`
    for (const [id, owner] of await run<[string, number | null]>(text, [ids]))
      owners.set(keyOfMember({ className, id }), owner)
  }
  return (className: string, id: string) => owners.get(keyOfMember({ className, id })) ?? undefined
}
