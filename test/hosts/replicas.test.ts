import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { onPostgres } from '../support/postgres.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { prepareDatabase, spawnServer } from '../support/server-processes.ts'
import { API, serve, type TestService } from '../support/service.ts'
import { soakTest } from '../support/soak.ts'
import { eventually } from './hosts.ts'

// docs/scaling.md, Replicas: a standby that reads are sent to, and what a reader may rely on.

async function startPair(t: TestContext): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await createPostgresServer()
  t.after(() => primary.remove())
  const standby = await primary.createStandby()
  t.after(() => standby.remove())
  return { primary, standby }
}

const withReplica = (primary: PostgresServer, standby: PostgresServer): string =>
  `${primary.url}?replicas=127.0.0.1:${standby.port}`

interface Reader {
  readonly service: TestService
  add(name: string): Promise<string>
  rename(path: string, name: string): Promise<void>
  /** The name of a member; undefined for 404. */
  nameOf(path: string, headers?: Readonly<Record<string, string>>): Promise<string | undefined>
  names(headers?: Readonly<Record<string, string>>): Promise<string[]>
}

async function readerOf(service: TestService): Promise<Reader> {
  const token = await service.client.signIn()
  const send = async (method: string, path: string, headers = {}, body?: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const sent = body && { 'Content-Type': type }
    const all = { 'X-Authorization': token, ...sent, ...headers }
    const response = await service.client.send(method, path, all, body && JSON.stringify(body))
    assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${response.body}`)
    return response
  }
  return {
    service,
    async add(name) {
      const { status, headers, body } = await send('POST', '/authors', {}, { name })
      assert.equal(status, 201, body)
      return String(headers.location).replace(/^.*(?=\/authors\/)/, '')
    },
    async rename(path, name) {
      assert.equal((await send('PATCH', path, {}, { name })).status, 200)
    },
    async nameOf(path, headers) {
      const response = await send('GET', path, headers)
      return response.status === 404 ? undefined : (response.json() as { name: string }).name
    },
    async names(headers) {
      const { member } = (await send('GET', '/authors', headers)).json() as { member: { name: string }[] }
      return member.map(({ name }) => name)
    },
  }
}

/** How many reads were sent where. */
async function readsOf({ service }: Reader): Promise<{ standby: number; primary: number }> {
  const { standby = Number.NaN, primary = Number.NaN } = service.store.replicas?.() ?? {}
  return { standby, primary }
}

/** Until reads of this host go to the standby. */
const untilRead = (reader: Reader) =>
  eventually('the standby is read from', async () => {
    const before = await readsOf(reader)
    await reader.names()
    return (await readsOf(reader)).standby > before.standby
  })

const FROM_PRIMARY = { Prefer: 'consistency=primary' }

// contract: With `?replicas=host:port,host:port`
// contract: What another host has acknowledged less than a second ago
// contract: Off by default; `scaling.md` says
test('a standby is read from that has all that its host has acknowledged; what it lacks is read from the primary', async (t) => {
  const { primary, standby } = await startPair(t)
  const db = withReplica(primary, standby)
  const [one, other] = [await readerOf(await serve(t, { db })), await readerOf(await serve(t, { db }))]
  const path = await one.add('first')
  await untilRead(one)
  await untilRead(other)

  // A standby that stands still lacks each write from now on, and still answers.
  await onPostgres(standby.url, 'SELECT pg_wal_replay_pause()')
  await one.rename(path, 'second')
  assert.equal(await one.nameOf(path), 'second')
  assert.deepEqual(await one.names(), ['second'])
  // Another host may not have it yet; where a second has passed until here, it has.
  assert.match(String(await other.nameOf(path)), /^(first|second)$/)

  // Who asks for the primary, or names what it knows, gets what is there.
  assert.equal(await other.nameOf(path, FROM_PRIMARY), 'second')
  assert.deepEqual(await other.names(FROM_PRIMARY), ['second'])
  assert.equal(await other.nameOf(path, { 'If-None-Match': '"1-x"' }), 'second')
  // A second later it is too old for anybody.
  await wait(1_000)
  assert.equal(await other.nameOf(path), 'second')
  assert.deepEqual(await other.names(), ['second'])

  await onPostgres(standby.url, 'SELECT pg_wal_replay_resume()')
  await untilRead(one)
  assert.equal(await one.nameOf(path), 'second')
  assert.deepEqual(await one.names(), ['second'])
  // A page that is asked for again is kept, for this server alone.
  for (let times = 0; times < 3; times += 1) assert.deepEqual(await one.names(), ['second'])

  await standby.crash()
  assert.deepEqual(await one.names(), ['second'])
  assert.equal(await one.nameOf(path), 'second')
  await standby.start()
  await untilRead(one)
})

soakTest('no process of a host reads from a standby that lacks a write of another process', async (t) => {
  const { primary, standby } = await startPair(t)
  const db = await prepareDatabase(t, withReplica(primary, standby))
  const { client } = await spawnServer(t, db, API, '--workers', '2')
  const token = await client.signIn()
  const [row] = await onPostgres(
    standby.url,
    "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'hydrant'",
  )
  assert.ok(Number(row?.[0]) >= 2, 'both processes look at the standby')
  const authorized = { 'X-Authorization': token }
  const headers = { ...authorized, 'Content-Type': 'application/json' }
  for (let round = 0; round < 300; round += 1) {
    const { location } = (
      await client.send('POST', '/authors', headers, JSON.stringify({ name: `${round}` }))
    ).headers
    const path = String(location).replace(/^.*(?=\/authors\/)/, '')
    // Whichever process answers: each has a connection of its own.
    const read = () => client.send('GET', path, authorized)
    for (const { status } of await Promise.all([read(), read(), read(), read()])) assert.equal(status, 200)
    await wait(round % 20)
  }
})

test('a server that is no standby of the primary is not read from', async (t) => {
  const { primary, standby } = await startPair(t)
  const reader = await readerOf(await serve(t, { db: withReplica(primary, standby) }))
  await reader.add('first')
  await untilRead(reader)
  await onPostgres(standby.url, 'SELECT pg_promote()')
  await eventually('it is left out', async () => {
    const before = await readsOf(reader)
    assert.deepEqual(await reader.names(), ['first'])
    return (await readsOf(reader)).primary > before.primary
  })
  await reader.add('second')
  await wait(300)
  assert.deepEqual(await reader.names(), ['first', 'second'])
  assert.equal(reader.service.store.replicas?.().current, 0)
})
