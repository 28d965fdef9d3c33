import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newDatabase } from '../../support/databases.ts'
import { inSoak, MOST_MS } from '../../support/soak.ts'
import { anyPeopleRun, comparePeople } from './inferred-people.ts'

const SURE = ['GET 200', 'GET 304', 'GET 400', 'OPTIONS 204']
const LIKELY = [
  'GET 404',
  'HEAD 200',
  'PUT 201',
  'PATCH 200',
  'PATCH 422',
  'DELETE 409',
  'POST 200',
  'POST 422',
]

// contract: Everything here is over what the user may read
// contract: What `access.md` says of owners holds for it word for word
test('two databases that differ in what rules along links hide from the user answer alike', async (t) => {
  const outcomes = new Map<string, number>()
  const property = fc.asyncProperty(anyPeopleRun(60), (run) =>
    comparePeople(t, run, {
      onAnswer: ({ method, status }) => {
        outcomes.set(`${method} ${status}`, (outcomes.get(`${method} ${status}`) ?? 0) + 1)
      },
    }),
  )
  // A database of PostgreSQL takes a second to make.
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  const numRuns = inSoak(2_000, isSqlite ? 4 : 1)
  // Shrinking takes minutes: the request that fails is named, and the seed.
  await fc.assert(property, { numRuns, endOnFailure: true, interruptAfterTimeLimit: MOST_MS })
  if (!isSqlite) return
  for (const outcome of [...SURE, ...inSoak(LIKELY, [])])
    assert.ok(outcomes.has(outcome), `${outcome} is not among ${[...outcomes].join(' ')}`)
})
