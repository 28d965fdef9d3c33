import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestResponse } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { serve } from '../support/service.ts'

/** Both addresses, as libpq writes them. */
function severalAddresses(first: PostgresServer, second: PostgresServer): string {
  const url = new URL(first.url)
  const credentials = `${url.username}:${url.password}`
  return `postgres://${credentials}@127.0.0.1:${first.port},127.0.0.1:${second.port}/postgres?target_session_attrs=read-write`
}

async function startPair(t: TestContext): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await createPostgresServer()
  t.after(() => primary.remove())
  const standby = await primary.createStandby()
  t.after(() => standby.remove())
  return { primary, standby }
}

/** Until it is answered as expected, for a minute at most; nothing but 503 in between. */
async function eventually(act: () => Promise<TestResponse>, status: number): Promise<TestResponse> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const response = await act()
    if (response.status === status) return response
    assert.equal(response.status, 503, response.body)
    assert.ok(Date.now() < deadline, 'It has not recovered.')
    await wait(50)
  }
}

test('a primary that changes is followed: writes are refused meanwhile, and then go to the new one', async (t) => {
  const { primary, standby } = await startPair(t)
  // The standby stands first: it must be passed over.
  const service = await serve(t, { db: severalAddresses(standby, primary) })
  const token = await service.client.signIn()
  const add = (name: string) =>
    service.client.send(
      'POST',
      '/authors',
      { 'X-Authorization': token, 'Content-Type': 'application/json' },
      JSON.stringify({ name }),
    )
  assert.equal((await add('before')).status, 201)

  // Stopped in good order, it hands over all that was committed.
  await primary.stop()
  const refused = await add('between')
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await onPostgres(standby.url, 'SELECT pg_promote()')

  await eventually(() => add('after'), 201)
  const { member } = (
    await eventually(() => service.client.send('GET', '/authors', { 'X-Authorization': token }), 200)
  ).json() as { member: { name: string }[] }
  assert.deepEqual(
    member.map(({ name }) => name).filter((name) => name !== 'between'),
    ['before', 'after'],
  )
})
