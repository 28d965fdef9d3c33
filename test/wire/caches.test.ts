import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { inSoak } from '../support/soak.ts'
import {
  assertSameBytes,
  assertSameContent,
  type ComparedAnswers,
  compareVisits,
  serveCatalogue,
  steps,
} from './cache-visits.ts'
import { PROXIES, startProxy } from './proxies.ts'
import { startSharedCache } from './shared-cache.ts'

// contract: `Cache-Control: no-cache` and `Vary` with all three headers and Accept.
test('behind a shared cache anyone and every user get the bytes that the server would send them', async (t) => {
  const visited = await serveCatalogue(t)
  const { port, counts } = await startSharedCache(t, visited.port)
  await fc.assert(
    fc.asyncProperty(steps, (plan) => compareVisits(visited, { port, compare: assertSameBytes }, plan)),
    { numRuns: inSoak(100, 4), endOnFailure: true },
  )
  const least = inSoak(20, 5)
  assert.ok(counts.kept > least && counts.reused > least, JSON.stringify(counts))
})

// They are no npm packages: `npm run soak` takes them from PATH, or fetches them.
for (const proxy of inSoak(PROXIES, [])) {
  test(`behind ${proxy.name} anyone and every user get the bytes that the server would send them`, async (t) => {
    const visited = await serveCatalogue(t)
    const port = await startProxy(t, proxy, visited.port)
    let reused = 0
    const compare = (answers: ComparedAnswers) => {
      if (/HIT|REVALIDATED/.test(answers.cached.headers['x-cache'] ?? '')) reused += 1
      assertSameContent(answers)
    }
    const settle = () => wait(proxy.keepsMs)
    await fc.assert(
      fc.asyncProperty(steps, (plan) => compareVisits(visited, { port, settle, compare }, plan)),
      { numRuns: 10, endOnFailure: true },
    )
    t.diagnostic(`${reused} answers were from the cache`)
    assert.equal(reused > 0, proxy.keepsMs !== undefined)
  })
}
