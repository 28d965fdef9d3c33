import type { Added, NewMember } from '../store.ts'
import type { Addition } from './add-statement.ts'
import { addTogether, claimsOf } from './adding.ts'
import type { WrittenClass } from './class-writing.ts'
import { type Claims, createOrdering } from './ordering.ts'
import type { Pool, Run, Writing } from './pool.ts'
import { retrying } from './retrying.ts'
import { countText } from './totals.ts'

export interface MemberOfClass {
  readonly cls: WrittenClass
  readonly member: NewMember
}

interface Job extends Addition, Claims {
  readonly cls: WrittenClass
  readonly index: number
}

/** So many members share a statement at most. */
const BATCH = 1_000
/** And so many characters, unless one member alone has more. */
const BATCH_LENGTH = 4_000_000

/** In one transaction, with the outcome that each would have if they came one after the other. */
export const addAll = (pool: Pool, members: readonly MemberOfClass[]): Promise<Added[]> =>
  retrying(
    () => pool.transaction((within) => addWithin(within, members)),
    // Nobody waits for bulk data.
    () => true,
  )

async function addWithin(within: Writing, members: readonly MemberOfClass[]): Promise<Added[]> {
  const outcomes: Added[] = []
  const ordering = createOrdering<Job>()
  let ready = (await numbered(within.run, members)).filter((job) => ordering.enter(job))
  while (ready.length > 0) {
    for (const batch of batches(ready)) {
      const cls = (batch[0] as Job).cls
      await addTogether(within, cls, batch, (job, added) => (outcomes[job.index] = added), false)
    }
    ready = ready.flatMap((job) => ordering.leave(job))
  }
  await count(within.run, members, outcomes)
  return outcomes
}

/** Their numbers in the order of creation are fixed first: they are not written in it. */
async function numbered(run: Run, members: readonly MemberOfClass[]): Promise<Job[]> {
  const numbers = new Map<WrittenClass, number[]>()
  for (const [cls, those] of Map.groupBy(members, ({ cls }) => cls)) {
    const rows = await run<[number]>(
      `SELECT nextval('${cls.tables.order}') FROM generate_series(1, $1::int)`,
      [those.length],
    )
    numbers.set(
      cls,
      rows.map(([number]) => number).sort((left, right) => right - left),
    )
  }
  return members.map(({ cls, member }, index) => ({
    cls,
    member,
    index,
    sequence: numbers.get(cls)?.pop() ?? null,
    ...claimsOf(cls, member),
  }))
}

function* batches(jobs: readonly Job[]): Generator<Job[]> {
  for (const those of Map.groupBy(jobs, ({ cls }) => cls).values()) {
    let batch: Job[] = []
    let length = 0
    for (const job of those) {
      const more = job.member.body.length + job.member.hidden.length
      if (batch.length === BATCH || (batch.length > 0 && length + more > BATCH_LENGTH)) {
        yield batch
        batch = []
        length = 0
      }
      batch.push(job)
      length += more
    }
    yield batch
  }
}

/** At the end, since others wait for the rows of the totals until the commit. */
async function count(run: Run, members: readonly MemberOfClass[], outcomes: readonly Added[]): Promise<void> {
  const added = members.filter((_, index) => outcomes[index]?.outcome === 'added')
  const byClass = [...Map.groupBy(added, ({ cls }) => cls.tables.classId)].sort(
    ([left], [right]) => left - right,
  )
  for (const [classId, { length }] of byClass) {
    await run(countText('$1::int', 'SELECT $2::bigint AS more'), [classId, length])
  }
}
