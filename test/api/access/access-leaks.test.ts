import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inSoak } from '../../support/soak.ts'
import { anyPeopleRun, comparePeople } from './inferred-people.ts'
import { LEAKS } from './people-leaks.ts'

/** Each is found in one of so many runs. */
const RUNS = 30
const SEED = 1
const REQUESTS = 40

/** Each kind takes a second: the rest is for `npm run soak`. */
const kinds = inSoak(Object.keys(LEAKS), ['list'])

for (const kind of kinds)
  test(`the comparison of two databases finds out an app that leaks by: ${kind}`, async (t) => {
    const { wanted, plant, isOfFile = false } = LEAKS[kind] ?? assert.fail(kind)
    for (const sampled of fc.sample(anyPeopleRun(REQUESTS), { seed: SEED, numRuns: RUNS })) {
      const run = isOfFile ? { ...sampled, isBare: true } : sampled
      const failure = await comparePeople(t, run, { wanted, plant }).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (failure === undefined) continue
      // Of the comparison, and not of what comes before it.
      assert.match(String(failure), /^AssertionError.*"asked":/)
      await comparePeople(t, run, { wanted })
      return
    }
    assert.fail(`It was not found out in ${RUNS} runs.`)
  })
