import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AS_PROBLEM, codesOf, pathOf, serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'

const API =
  'classes:\n  Author: { properties: { name: string } }\n  Book: { properties: { pages: integer } }\n'

// contract: One transaction at the start of the first host, as now
test('after an incompatible change, hosts with the former file answer 503 for that class alone', async (t) => {
  const db = newPostgres(t)
  const former = await serveSignedIn(t, { db, api: API })
  const author = pathOf(former.base, (await former.add('/authors', { name: 'Ann' }))['@id'])
  const book = pathOf(former.base, (await former.add('/books', { pages: 7 }))['@id'])
  const api = API.replace('integer', 'string')
  const changed = await serveSignedIn(t, { db, api, flags: { baseUrl: former.base } })
  assert.equal((await changed.get(book)).json().pages, '7')
  const refused = await former.get(book, AS_PROBLEM)
  assert.equal(codesOf(refused), 'MigratedElsewhere')
  assert.ok(refused.headers['retry-after'] !== undefined)
  assert.equal((await former.get(author)).status, 200)
})
