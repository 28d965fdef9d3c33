import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunSql } from '../../../src/database/postgres/pool.ts'
import { ReplicaWatch } from '../../../src/database/postgres/replica-watch.ts'
import { countWrites } from '../../../src/database/postgres/write-count.ts'

/** What servers say of themselves: a standby of another timeline takes minutes to make. */
interface Servers {
  primary: readonly [position: number, timeline: number, system: string]
  standby: readonly [isStandby: boolean, replayed: number, timeline: number, system: string]
}

function watch(t: TestContext, servers: Servers) {
  const count = countWrites()
  const said: unknown[] = []
  let generation = 0
  const primary = (async () => [servers.primary]) as unknown as RunSql
  const run = (async () => [servers.standby]) as unknown as RunSql
  const options = { primary, count, onChange: (_: string, problem: unknown) => said.push(problem) }
  const watched = new ReplicaWatch({
    ...options,
    standbys: [{ name: 'one', run, generation: () => generation }],
  })
  t.after(() => watched.close())
  const replace = () => {
    generation += 1
  }
  return { watched, said, replace }
}

/** Longer than between two looks. */
const LOOKED_MS = 250

test('a standby is read from once it has replayed what this host has acknowledged', async (t) => {
  const servers: Servers = { primary: [10, 1, 'a'], standby: [true, 9, 1, 'a'] }
  const { watched, replace } = watch(t, servers)
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), undefined)
  servers.standby = [true, 10, 1, 'a']
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), 0)
  // What others write is needed only when it is a second old.
  servers.primary = [20, 1, 'a']
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), 0)
  assert.equal(watched.acknowledging('result'), 'result')
  assert.equal(watched.choose(), undefined)
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), undefined)
  servers.standby = [true, 20, 1, 'a']
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), 0)
  // On other connections it may be another server, or have been restarted.
  replace()
  assert.equal(watched.choose(), undefined)
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), 0)
  watched.leaveOut(0)
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), undefined)
})

test('a server that is no standby of this primary is not read from, however far it is', async (t) => {
  const cases = [
    [[false, 99, 1, 'a'], 'not a standby'],
    [[true, 99, 2, 'a'], 'another timeline'],
    [[true, 99, 1, 'b'], 'another database'],
  ] as const
  await Promise.all(
    cases.map(async ([standby, problem]) => {
      const servers: Servers = { primary: [10, 1, 'a'], standby }
      const { watched, said } = watch(t, servers)
      await wait(LOOKED_MS)
      assert.equal(watched.choose(), undefined)
      servers.standby = [true, 99, 1, 'a']
      await wait(2 * LOOKED_MS)
      assert.equal(watched.choose(), 0)
      assert.deepEqual(said, [problem, undefined])
    }),
  )
})

test('when another server has become the primary, what was known of standbys is forgotten', async (t) => {
  const servers: Servers = { primary: [10, 1, 'a'], standby: [true, 99, 1, 'a'] }
  const { watched } = watch(t, servers)
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), 0)
  servers.primary = [12, 2, 'a']
  await wait(LOOKED_MS)
  assert.equal(watched.choose(), undefined)
})
