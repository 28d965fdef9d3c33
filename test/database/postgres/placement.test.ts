import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import postgres from 'postgres'
import { WRITING } from '../../../src/database/postgres/pools.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const SHAPES = [shapeOf('Book')]

/** A session as Hydrant's own that places changes. */
function connect(t: TestContext, url: string) {
  const options = { max: 1, onnotice: () => {}, fetch_types: false, connection: WRITING }
  const sql = postgres(url, options as never)
  t.after(() => sql.end())
  return sql
}

const adding = (ids: readonly string[]): string =>
  `INSERT INTO new_changes (class, id, kind, version) VALUES ${ids.map((id) => `('Book', '${id}', 1, 1)`)}`

/** The pages of tables and indexes that a statement has looked at. */
async function buffersOf(sql: ReturnType<typeof connect>, text: string): Promise<number> {
  const rows = await sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${text}`).values()
  const [, read = ''] = /Buffers: (shared[^\n]*)/.exec(rows.join('\n')) ?? []
  return [...read.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
}

// contract: A change reaches streams of the same process within 50 ms
test('while a snapshot stays open, a poll costs the same however many changes were placed', async (t) => {
  const url = newPostgres(t)
  const store = await openFor(t, url, SHAPES)
  const [sql, dump] = [connect(t, url), connect(t, url)]
  await sql.unsafe(adding(['first']))
  await store.changes.last()
  await dump.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await dump.unsafe('SELECT count(*) FROM changes')
  const costs = async () => {
    // Plans are cached from the second call on.
    for (let time = 0; time < 2; time += 1) {
      await sql.unsafe(adding(['x']))
      await sql.unsafe('SELECT place_changes()')
    }
    const idle = await buffersOf(sql, 'SELECT place_changes()')
    const first = await buffersOf(sql, 'SELECT first_position()')
    await sql.unsafe(adding(['y']))
    return { idle, first, placing: await buffersOf(sql, 'SELECT place_changes()') }
  }
  const before = await costs()
  for (let time = 0; time < 5; time += 1) {
    await sql.unsafe(`INSERT INTO new_changes (class, id, kind, version)
      SELECT 'Book', number, 0, number FROM generate_series(1, 4000) AS number`)
    await store.changes.last()
  }
  await store.changes.sweep(Date.now(), { ageMs: 86_400_000, count: 10 }, 15_000)
  const after = await costs()
  await dump.unsafe('ROLLBACK')
  // An index of so many rows has one more level, and bisection takes more steps.
  assert.ok(after.idle <= before.idle + 10, `${JSON.stringify({ before, after })}`)
  assert.ok(after.placing <= before.placing + 100, `${JSON.stringify({ before, after })}`)
  assert.ok(after.first <= before.first + 100, `${JSON.stringify({ before, after })}`)
})

const SESSIONS = 4
type Step = readonly ['write' | 'commit' | 'roll back' | 'place' | 'save' | 'bulk', session: number]
const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0][]>(
      'write',
      'write',
      'write',
      'commit',
      'commit',
      'roll back',
      'place',
      'save',
      'bulk',
    ),
    fc.nat(SESSIONS - 1),
  ),
  { minLength: 10, maxLength: 40 },
)

// contract: Every committed change after the starting point is sent exactly once
test('whatever order transactions commit in, each change is placed once, without a gap', async (t) => {
  const url = newPostgres(t)
  const store = await openFor(t, url, SHAPES)
  const sessions = Array.from({ length: SESSIONS }, () => connect(t, url))
  const placers = [connect(t, url), connect(t, url)]
  let last = 0
  let made = 0
  const property = fc.asyncProperty(STEPS, async (steps) => {
    const open = sessions.map((): string[] | undefined => undefined)
    const committed: string[] = []
    const end = async (session: number, how: string) => {
      const ids = open[session]
      if (ids === undefined) return
      await sessions[session]?.unsafe(how)
      open[session] = undefined
      if (how === 'COMMIT') committed.push(...ids)
    }
    for (const [what, session] of steps) {
      const sql = sessions[session] as ReturnType<typeof connect>
      if (what === 'place')
        await Promise.all(placers.map((placer) => placer.unsafe('SELECT place_changes()')))
      else if (what === 'commit') await end(session, 'COMMIT')
      else if (what === 'roll back') await end(session, 'ROLLBACK')
      else {
        if (open[session] === undefined) await sql.unsafe('BEGIN')
        // More than one call places, now and then.
        const count = what === 'bulk' ? (made % 5 === 0 ? 4_500 : 300) : 1
        if (what === 'save') await sql.unsafe('SAVEPOINT s')
        const ids = Array.from({ length: count }, () => `m${made++}`)
        await sql.unsafe(adding(ids))
        if (what === 'save') await sql.unsafe('ROLLBACK TO SAVEPOINT s')
        open[session] = [...(open[session] ?? []), ...(what === 'save' ? [] : ids)]
      }
    }
    for (const session of sessions.keys()) await end(session, 'COMMIT')
    const end_ = (await store.changes.last())?.position ?? 0
    const rows = await onPostgres(
      url,
      `SELECT position, id FROM changes WHERE position > ${last} ORDER BY position`,
    )
    assert.deepEqual(rows.map(([, id]) => id as string).toSorted(), committed.toSorted())
    assert.deepEqual(
      rows.map(([position]) => Number(position)),
      rows.map((_, index) => last + 1 + index),
    )
    assert.equal((await onPostgres(url, 'SELECT FROM new_changes')).length, 0)
    last = end_
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
})

test('a member that a later transaction changes again is placed in that order, across calls', async (t) => {
  const url = newPostgres(t)
  const store = await openFor(t, url, SHAPES)
  const [early, other, placer] = [connect(t, url), connect(t, url), connect(t, url)]
  // The first transaction has the lower number, and changes the member last.
  await early.unsafe('BEGIN')
  await early.unsafe(adding(['early']))
  const many = `INSERT INTO new_changes (class, id, kind, version)
    SELECT 'Book', 'n' || number, 0, number FROM generate_series(1, 5000) AS number`
  await other.unsafe(many)
  await other.unsafe(adding(['member']))
  await placer.unsafe('SELECT place_changes()')
  // Within the run, which has placed a part of what was committed.
  await early.unsafe(adding(['member']))
  await early.unsafe('COMMIT')
  const last = (await store.changes.last())?.position ?? 0
  const { changes } = await store.changes.after(5_000, 10)
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['member', 'early', 'member'],
  )
  assert.equal(last, 5_003)
})
