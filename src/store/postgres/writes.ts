import { type LinkerRow, linkersIn } from '../links.ts'
import type { Added, Changed, NewMember, Removed, StoredMember, WholeText, Written } from '../store.ts'
import { addAll, createAdd, type MemberOfClass } from './adding.ts'
import type { Connections } from './connections.ts'
import { busy, createMutex, createPatience, retrying } from './contention.ts'
import type { WrittenClass, WrittenMember } from './links.ts'
import type { Pool, Run } from './pool.ts'
import type { Statistics } from './statistics.ts'
import { CHANGE, findReasons, removeText } from './write-statements.ts'

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

export function createWrites({ quick, writes }: Connections, statistics: Statistics): Writes {
  const add = createAdd(writes)
  const exclusive = createMutex()

  function grown(added: Added): Added {
    if (added.outcome === 'added') statistics.grew(1)
    return added
  }

  return {
    add: async (cls, member) => grown(await add(cls, member)),
    addAll: async (members) => (await addAll(writes, members)).map(grown),
    async change(cls, wanted) {
      if (!canBeThere(wanted.id)) return { outcome: 'missing' }
      return exclusive(`${cls.name}/${wanted.id}`, () => change(quick.run, writes, cls, wanted))
    },
    async remove(cls, id, expected) {
      if (!canBeThere(id)) return { outcome: 'missing' }
      return exclusive(`${cls.name}/${id}`, () =>
        retrying(() => writes.transaction(({ run }) => remove(run, cls, id, expected))),
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

/** Once. The member as it was not written, where a link leads nowhere, a value is taken, or another was faster. */
async function attempt(
  read: Run,
  write: Run,
  cls: WrittenClass,
  { id, expected, compute }: Change,
  lock: string,
): Promise<Changed | WrittenMember> {
  const [row] = await read<[sequence: number, version: number, body: string, holes: string, hidden: string]>(
    `SELECT sequence, version, body, holes, hidden FROM ${cls.tables.members} WHERE id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version, body, holes, hidden] = row
  if (expected !== undefined && !expected.includes(version)) return { outcome: 'stale', version }
  const given = { member: { ...compute({ id, version, body, holes, hidden }), id }, sequence, version }
  const { text, params } = cls.statement(CHANGE, [given])
  const [written] = await write<[version: number]>(text, params)
  if (written === undefined) return given
  const { member } = given
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
  const sources = await run<LinkerRow>(removeText(cls), [sequence, id])
  return sources.length === 0 ? { outcome: 'removed' } : { outcome: 'linked', from: linkersIn(sources) }
}
