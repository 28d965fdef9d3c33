import { type LinkerRow, linkersIn } from '../member.ts'
import type { Added, Changed, NewMember, Removed, StoredMember, WholeText, Written } from '../store.ts'
import { addAll, createAdd, type MemberOfClass } from './adding.ts'
import { CHANGE, changeParams, REMOVE } from './change-statement.ts'
import type { Connections } from './connections.ts'
import { busy, createMutex, createPatience, retrying } from './contention.ts'
import { createGroupCommit } from './group-commit.ts'
import type { WrittenClass } from './links.ts'
import type { Pool, Run } from './pool.ts'
import { findReasons, type Unwritten } from './refusal.ts'
import type { Statistics } from './statistics.ts'

export interface Change {
  readonly id: string
  /** Versions that may be changed; undefined for any. */
  readonly expected: readonly number[] | undefined
  readonly compute: (current: StoredMember & WholeText) => Written
}

export interface Writes {
  add(cls: WrittenClass, member: NewMember): Promise<Added>
  /** In one transaction. */
  addAll(members: readonly MemberOfClass[]): Promise<Added[]>
  change(cls: WrittenClass, change: Change): Promise<Changed>
  remove(cls: WrittenClass, id: string, expected: readonly number[] | undefined): Promise<Removed>
}

export function createWrites({ quick, writes, bulk }: Connections, statistics: Statistics): Writes {
  const add = createAdd(writes, bulk)
  const exclusive = createMutex()
  const changeNow = (cls: WrittenClass, wanted: Change) => change(quick.run, writes, cls, wanted)
  const changeMember = bulk ? createBulkChange(writes, changeNow) : changeNow

  function grown(added: Added): Added {
    if (added.outcome === 'added') statistics.grew(1)
    return added
  }

  return {
    add: async (cls, member) => grown(await add(cls, member)),
    addAll: async (members) => (await addAll(writes, members)).map(grown),
    async change(cls, wanted) {
      if (!canBeThere(wanted.id)) return { outcome: 'missing' }
      return exclusive(`${cls.name}/${wanted.id}`, () => changeMember(cls, wanted))
    },
    async remove(cls, id, expected) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      const within = (run: Run) => remove(run, cls, id, expected)
      return exclusive(`${cls.name}/${id}`, () =>
        retrying(() => writes.transaction(({ run }) => within(run))),
      )
    },
  }
}

/** PostgreSQL has no text with U+0000, and refuses to look for one. */
const canBeThere = (id: string): boolean => !id.includes('\0')

/** Keeps other writers out from the reading of a member on, within a transaction. */
const LOCKED = 'FOR NO KEY UPDATE'

/**
 * Reads, computes, and writes on condition that no other has written meanwhile. A change that was overtaken once keeps the
 * others out while it computes again.
 */
async function change(quick: Run, pool: Pool, cls: WrittenClass, wanted: Change): Promise<Changed> {
  const optimistic = () => attempt(quick, pool.write, cls, wanted, '')
  const locked = () => pool.transaction(({ run, write }) => attempt(run, write, cls, wanted, LOCKED))
  const hasTime = createPatience()
  for (let work = optimistic; ; work = locked) {
    const outcome = await retrying(work, hasTime)
    if ('outcome' in outcome) return outcome
    const [reason] = await findReasons(pool.run, cls, [outcome])
    if (reason?.outcome === 'refused') return reason
    if (!hasTime()) throw busy()
  }
}

/** Changes that are asked for at the same time share a transaction, and so a sync of the disk. */
function createBulkChange(
  writes: Pool,
  alone: (cls: WrittenClass, wanted: Change) => Promise<Changed>,
): (cls: WrittenClass, wanted: Change) => Promise<Changed> {
  const commit = createGroupCommit<WrittenClass, Change, Changed>({
    async together(cls, changes, tell) {
      const outcomes = await writes.transaction(({ run, write }) =>
        Promise.all(changes.map((wanted) => attempt(run, write, cls, wanted, LOCKED))),
      )
      for (const [index, outcome] of outcomes.entries())
        if ('outcome' in outcome) tell(changes[index] as Change, outcome)
    },
    alone,
    lengthOf: () => 0,
    bulk: true,
  })
  return (cls, wanted) => commit(cls, wanted, performance.now())
}

/** Once. Unwritten where a link leads nowhere, a value is taken, or another was faster. */
async function attempt(
  read: Run,
  write: Run,
  cls: WrittenClass,
  { id, expected, compute }: Change,
  lock: string,
): Promise<Changed | Unwritten> {
  const [row] = await read<[sequence: number, version: number, body: string, holes: string, hidden: string]>(
    `SELECT sequence, version, body, holes, hidden FROM ${cls.tables.members} WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, body, holes, hidden] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const member = { ...compute({ id, version, body, holes, hidden }), id }
  const params = changeParams(cls, member, sequence, version)
  const [written] = await write<[version: number]>(cls.textOf(CHANGE), params)
  if (written === undefined) return { member, sequence }
  return { outcome: 'changed', member: { id, version: written[0], body: member.body, holes: member.holes } }
}

/**
 * Two statements: a writer that is about to link to the member holds it until it has, and the first statement waits for
 * that; only what begins afterwards sees the link. From then on nothing new can link to it.
 */
async function remove(
  run: Run,
  cls: WrittenClass,
  id: string,
  expected: readonly number[] | undefined,
): Promise<Removed> {
  const [row] = await run<[sequence: number, version: number]>(
    `SELECT sequence, version FROM ${cls.tables.members} WHERE id = $1 FOR UPDATE`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const sources = await run<LinkerRow>(cls.textOf(REMOVE), [sequence, id])
  return sources.length === 0 ? { outcome: 'removed' } : { outcome: 'linked', from: linkersIn(sources) }
}
