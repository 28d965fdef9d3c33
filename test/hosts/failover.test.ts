import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestResponse } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { serve, type TestService } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'

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

const WRITERS = 8
/** How many writes of each are acknowledged before the primary is killed, and after another one is there. */
const WRITES = inSoak(200, 5)

interface Written {
  readonly name: string
  readonly path: string
}

/** Writes one after the other, and reads each at once, at the same host. What is not acknowledged is written again. */
async function write(
  service: TestService,
  token: string,
  names: readonly string[],
  written: Written[],
): Promise<void> {
  const authorized = { 'X-Authorization': token }
  const headers = { ...authorized, 'Content-Type': 'application/json' }
  for (const name of names) {
    const add = () => service.client.send('POST', '/authors', headers, JSON.stringify({ name }))
    const { location } = (await eventually(add, 201)).headers
    const path = String(location).replace(/^.*(?=\/authors\/)/, '')
    written.push({ name, path })
    // Never 404: neither the new primary lacks it, nor is a standby read that does.
    await eventually(() => service.client.send('GET', path, authorized), 200)
  }
}

const namesOf = (writer: number, when: string): string[] =>
  Array.from({ length: WRITES }, (_, index) => `${writer}-${when}-${index}`)

test('a primary is killed under load, and a synchronous standby promoted: no acknowledged write is lost', async (t) => {
  const { primary, standby } = await startPair(t)
  // Only here, since the standby has nobody to wait for when it is promoted.
  await onPostgres(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await onPostgres(primary.url, 'SELECT pg_reload_conf()')
  const db = `${severalAddresses(primary, standby)}&replicas=127.0.0.1:${standby.port}`
  const services = [await serve(t, { db }), await serve(t, { db })] as const
  const token = await services[0].client.signIn()
  const written: Written[] = []
  const writers = (when: string) =>
    Array.from({ length: WRITERS }, (_, writer) =>
      write(services[writer % 2] as TestService, token, namesOf(writer, when), written),
    )
  await Promise.all(writers('before'))
  const meanwhile = Promise.all(writers('meanwhile'))
  await wait(50)
  await primary.crash()
  await onPostgres(standby.url, 'SELECT pg_promote()')
  await meanwhile
  await Promise.all(writers('after'))
  for (const { path, name } of written) {
    const read = () => services[0].client.send('GET', path, { 'X-Authorization': token })
    assert.equal(((await eventually(read, 200)).json() as { name: string }).name, name)
  }
  assert.equal(written.length, 3 * WRITERS * WRITES)
})
