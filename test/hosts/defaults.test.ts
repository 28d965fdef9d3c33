import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'

const API = 'classes: { Task: { properties: { title: string } } }'
const FILLING = API.replace('title: string', 'title: string, since: { type: dateTime, default: now }')

// contract: **A default fills**
test('of hosts that start at once with a new default one fills it in, once', async (t) => {
  const db = newPostgres(t)
  const first = await serveSignedIn(t, { db, api: API })
  for (const title of ['A', 'B', 'C']) await first.add('/tasks', { title })
  await first.close()

  const options = { db, api: FILLING, flags: { baseUrl: first.base } }
  const hosts = await Promise.all([1, 2, 3].map(() => serveSignedIn(t, options)))
  const pages = await Promise.all(hosts.map(async ({ get }) => (await get('/tasks')).json().member))
  const times = new Set((pages.flat() as { since: string }[]).map(({ since }) => since))
  assert.equal(times.size, 1)
  for (const page of pages) assert.deepEqual(page, pages[0])
})
