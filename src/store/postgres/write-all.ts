import { type ChangedVersion, isDone, type MemberWrite, type WriteOutcome } from '../member.ts'
import type { MemberStore } from '../store.ts'
import { retrying } from './contention.ts'
import { arrayOf } from './dialect.ts'
import { busy } from './errors.ts'
import type { WrittenClass } from './links.ts'
import type { Pool, Run, Writing } from './pool.ts'
import type { Statistics } from './statistics.ts'
import { CHANGE, findReasons } from './write-statements.ts'
import { addAll, canBeThere, remove } from './writes.ts'

type Change = MemberWrite & { kind: 'change' }
type OfStored = Exclude<MemberWrite, { kind: 'add' }>
type ClassOf = (className: string) => WrittenClass

/** How long it is tried again where other writers are in the way. */
const PATIENCE_MS = 3_000

/** Thrown to undo a transaction. */
class NotCarriedOut extends Error {
  readonly outcomes: readonly WriteOutcome[]

  constructor(outcomes: readonly WriteOutcome[]) {
    super('One of several writes was not carried out.')
    this.outcomes = outcomes
  }
}

export function createWriteAll(
  pool: Pool,
  statistics: Statistics,
  classOf: ClassOf,
): MemberStore['writeAll'] {
  const attempt = (runs: readonly MemberWrite[][]) =>
    pool.transaction(async (within) => {
      await lock(within.run, runs.flat(), classOf)
      const outcomes: WriteOutcome[] = []
      for (const run of runs) {
        for (const outcome of await carryOut(within, run, classOf)) {
          outcomes.push(outcome)
          if (!isDone(outcome)) throw new NotCarriedOut(outcomes)
        }
      }
      return outcomes
    })

  return async (writes) => {
    const end = performance.now() + PATIENCE_MS
    const hasTime = () => performance.now() < end
    const together = runsOf(writes)
    let stopped = await retrying(() => attempt(together), hasTime).catch(outcomesOf)
    const isStopped = () => stopped.some((outcome) => !isDone(outcome))
    // What was sent behind the one that failed may have removed the reason: one by one, there is nothing behind it.
    if (isStopped() && together.length < writes.length) {
      const oneByOne = writes.map((write) => [write])
      stopped = await retrying(() => attempt(oneByOne), hasTime).catch(outcomesOf)
    }
    if (!isStopped()) for (const { outcome } of stopped) if (outcome === 'added') statistics.grew()
    return stopped
  }
}

function outcomesOf(error: unknown): readonly WriteOutcome[] {
  if (error instanceof NotCarriedOut) return error.outcomes
  throw error
}

const nameOf = (write: MemberWrite): string =>
  `${write.className}/${write.kind === 'add' ? write.member.id : write.id}`

/** Neighbours that can be sent without waiting for each other's answers: of one kind, and of different members. */
function runsOf(writes: readonly MemberWrite[]): MemberWrite[][] {
  const runs: MemberWrite[][] = []
  let names = new Set<string>()
  for (const write of writes) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === write.kind && !names.has(nameOf(write))) last.push(write)
    else {
      runs.push([write])
      names = new Set()
    }
    names.add(nameOf(write))
  }
  return runs
}

/** All members that are to be changed or removed, in one order for all who write many: so that none deadlock. */
async function lock(run: Run, writes: readonly MemberWrite[], classOf: ClassOf): Promise<void> {
  const stored = writes.filter((write): write is OfStored => write.kind !== 'add')
  const byClass = Map.groupBy(stored, ({ className }) => classOf(className))
  for (const [{ tables }, some] of [...byClass].sort(([one], [other]) => order(one) - order(other))) {
    const strength = some.some(({ kind }) => kind === 'remove') ? 'UPDATE' : 'NO KEY UPDATE'
    const ids = arrayOf(some.map(({ id }) => id).filter(canBeThere))
    const text = `SELECT 1 FROM ${tables.members} WHERE id = ANY ($1::text[]) ORDER BY id FOR ${strength}`
    await run(text, [ids])
  }
}

const order = ({ tables }: WrittenClass): number => tables.classId

async function carryOut(
  within: Writing,
  run: readonly MemberWrite[],
  classOf: ClassOf,
): Promise<readonly WriteOutcome[]> {
  const added = run.flatMap((write) =>
    write.kind === 'add' ? [{ cls: classOf(write.className), member: write.member }] : [],
  )
  if (added.length > 0) return addAll(within, added)
  return Promise.all(
    run.map(async (write): Promise<WriteOutcome> => {
      const cls = classOf(write.className)
      if (write.kind === 'add' || !canBeThere(write.id)) return { outcome: 'missing' }
      if (write.kind === 'remove') return remove(within.run, { ...write, cls })
      return change(within, cls, write, run.length === 1)
    }),
  )
}

/** `isAlone`: nothing was sent behind it, and so the reason for which it is refused can be found. */
async function change(
  { run, write }: Writing,
  cls: WrittenClass,
  { id, expected, written }: Change,
  isAlone: boolean,
): Promise<ChangedVersion> {
  const find = `SELECT sequence, version FROM ${cls.tables.members} WHERE id = $1`
  const [row] = await run<[sequence: number, version: number]>(find, [id])
  if (row === undefined) return { outcome: 'missing' }
  const [sequence, version] = row
  if (expected !== undefined && expected !== version) return { outcome: 'stale', version }
  const given = { member: { ...written, id }, sequence, version }
  const { text, params } = cls.statement(CHANGE, [given])
  const [changed] = await write<[version: number]>(text, params)
  if (changed !== undefined) return { outcome: 'changed', version: changed[0] }
  const [reason] = isAlone ? await findReasons(run, cls, [given]) : []
  if (reason?.outcome === 'refused') return reason
  if (isAlone) throw busy()
  return { outcome: 'refused', dangling: [], taken: [] }
}
