import assert from 'node:assert/strict'
import { copyFileSync, renameSync, rmSync, truncateSync, utimesSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readProblem } from '../../src/api/index.ts'
import { databaseProblem, type FileLoss } from '../../src/database/index.ts'
import { statusBody } from '../../src/http/index.ts'
import { backUp } from '../../src/store/open.ts'
import { type Headers, stepB } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'

// The database file replaced or restored under a running server: 503, and nothing acknowledged that is in no file.

interface Case {
  readonly name: string
  /** `backup`: of before, with one author. */
  readonly act: (path: string, backup: string) => void
  /** How many authors are served after a restart; undefined where what is left cannot be relied on. */
  readonly after?: number
}

const CASES: readonly Case[] = [
  { name: 'is moved away', act: (path) => renameSync(path, `${path}.moved`), after: 0 },
  { name: 'is removed', act: (path) => rmSync(path), after: 0 },
  { name: 'is restored by renaming a backup', act: (path, backup) => renameSync(backup, path), after: 1 },
  {
    name: 'is moved away and a backup is copied into its place',
    act: (path, backup) => {
      renameSync(path, `${path}.moved`)
      copyFileSync(backup, path)
    },
    after: 1,
  },
  { name: 'is written over by a backup', act: (path, backup) => copyFileSync(backup, path) },
  { name: 'loses its log', act: (path) => rmSync(`${path}-wal`), after: 2 },
  { name: 'loses the content of its log', act: (path) => truncateSync(`${path}-wal`) },
  { name: 'loses the index of its log', act: (path) => rmSync(`${path}-shm`), after: 2 },
]

for (const { name, act, after } of CASES) {
  test(`Where the database file ${name}, everything is 503 until a restart`, async (t) => {
    const { service, path, headers, add } = await begin(t)
    const { client, store } = service
    const member = new URL(String((await add()).headers.location)).pathname.slice('/api'.length)
    backUp(service.db, `${path}.backup`)
    assert.equal((await add()).status, 201)
    const nonce = await client.nonce()
    assert.equal((await client.send('GET', '/authors?name[contains]=d', headers)).status, 200)

    act(path, `${path}.backup`)
    // Reads look at the file once a millisecond. A write that comes sooner is refused after its commit, which the file that
    // was open may keep.
    await wait(5)
    const answers = await Promise.all([
      add(),
      client.send('GET', '/authors', headers),
      client.send('GET', member, headers),
      client.send('GET', '/authors?name[contains]=d', headers),
      client.send('DELETE', member, headers),
      client.send('DELETE', '/session', headers),
      client.send('GET', '/', stepB(nonce)),
    ])
    for (const answer of answers) {
      assert.equal(answer.status, 503, answer.body)
      assert.equal(answer.headers['retry-after'], '60')
      assert.equal(answer.body, bodyOf('replaced'))
    }
    const replaced = { code: 'DatabaseReplaced', values: { retryAfterSeconds: 60, loss: 'replaced' } }
    await assert.rejects(store.reachable(), replaced)
    await assert.rejects(Promise.resolve(store.auth.sweep(0, LIMITS, 1)), replaced)
    await service.close()
    if (after === undefined) return
    const again = await serve(t, { db: service.db })
    const token = { 'X-Authorization': await again.client.signIn() }
    assert.equal((await again.client.send('GET', '/authors', token)).json().totalItems, after)
  })
}

test('What was acknowledged before and while the file was moved away is in the file that was moved', async (t) => {
  const { service, path, add } = await begin(t)
  const acknowledged: string[] = []
  const load = Array.from({ length: 4 }, async () => {
    for (;;) {
      const { status, headers } = await add()
      if (status !== 201) return status
      acknowledged.push(String(headers.location).split('/').at(-1) as string)
      if (acknowledged.length === 50) renameSync(path, `${path}.moved`)
    }
  })
  assert.deepEqual(await Promise.all(load), [503, 503, 503, 503])
  await service.close()
  const moved = new DatabaseSync(`${path}.moved`)
  t.after(() => moved.close())
  const [table] = moved.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'members_[0-9]*'").all()
  const there = new Set(
    moved
      .prepare(`SELECT id FROM ${table?.name}`)
      .all()
      .map(({ id }) => id),
  )
  assert.ok(acknowledged.length >= 50)
  assert.deepEqual(
    acknowledged.filter((id) => !there.has(id)),
    [],
  )
})

test('Another process that writes, carries the log over and leaves is no replacement', async (t) => {
  const { service, path, headers, add } = await begin(t)
  for (let round = 0; round < 5; round += 1) {
    const other = new DatabaseSync(path)
    other.exec(`PRAGMA wal_autocheckpoint = 1; CREATE TABLE other_${round} (text);
      INSERT INTO other_${round} VALUES (zeroblob(1000000)); PRAGMA wal_checkpoint(TRUNCATE)`)
    other.close()
    assert.equal((await add()).status, 201)
    assert.equal((await service.client.send('GET', '/authors', headers)).json().totalItems, round + 1)
    await service.store.reachable()
  }
})

test('While another process that has written carries the log over, reads are served and writes wait', async (t) => {
  const { service, path, headers, add } = await begin(t)
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  const read = () => service.client.send('GET', '/authors', headers)
  other.exec('CREATE TABLE other (text)')
  for (let round = 1; round < 4; round += 1) {
    // A write of our own between the write of the other process and its work on the file.
    other.exec('INSERT INTO other VALUES (1)')
    assert.equal((await add()).status, 201)
    assert.equal((await read()).status, 200)
    // So the file looks before all of the log is carried over.
    utimesSync(path, round, round)
    assert.equal((await read()).status, 200)
    const writing = add()
    assert.equal((await read()).status, 200)
    other.exec('PRAGMA wal_checkpoint(PASSIVE)')
    assert.equal((await writing).status, 201)
    assert.equal((await read()).json().totalItems, 2 * round)
  }
})

test('A server that opens the file while another process carries the log over serves it', async (t) => {
  const { service, path, headers } = await begin(t)
  await service.close()
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  other.exec('CREATE TABLE other (text)')
  const { client } = await serve(t, { db: service.db })
  const read = () => client.send('GET', '/authors', headers)
  utimesSync(path, 1, 1)
  assert.equal((await read()).status, 200)
  const writing = client.send('POST', '/authors', headers, '{"name":"Ada"}')
  assert.equal((await read()).status, 200)
  other.exec('PRAGMA wal_checkpoint(PASSIVE)')
  assert.equal((await writing).status, 201)
})

test('A log that a server finds when it starts delays no notice of a file that is written over', async (t) => {
  const { service, path, headers, add } = await begin(t)
  assert.equal((await add()).status, 201)
  // As a process that was killed leaves them.
  const killed = `${path}.killed`
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, killed + suffix)
  const { client } = await serve(t, { db: `sqlite:${killed}` })
  await backUp(service.db, `${path}.backup`)
  copyFileSync(`${path}.backup`, killed)
  assert.match((await client.send('GET', '/authors', headers)).body, /written over/)
})

test('Where another process has written, nothing is acknowledged once the file is written over', async (t) => {
  const { service, path, headers, add } = await begin(t)
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  backUp(service.db, `${path}.backup`)
  other.exec('CREATE TABLE other (text)')
  assert.equal((await add()).status, 201)
  assert.equal((await service.client.send('GET', '/authors', headers)).status, 200)
  copyFileSync(`${path}.backup`, path)
  assert.equal((await add()).status, 503)
  if (!inSoak(true, false)) return
  for (let answer = await add(); !/written over/.test(answer.body); answer = await add())
    assert.equal(answer.status, 503)
  assert.equal((await service.client.send('GET', '/authors', headers)).status, 503)
})

test('Where a newer version has upgraded the database, nothing is written without its tables', async (t) => {
  const { service, path, headers, add } = await begin(t)
  assert.equal((await add()).status, 201)
  const newer = new DatabaseSync(path)
  t.after(() => newer.close())
  newer.exec('PRAGMA user_version = 99')
  const changes = newer.prepare('PRAGMA data_version')
  const before = changes.get()
  for (const answer of [await add(), await service.client.send('GET', '/authors', headers)]) {
    assert.equal(answer.status, 503)
    assert.equal(answer.body, bodyOf('upgraded'))
  }
  await assert.rejects(service.store.reachable(), { values: { retryAfterSeconds: 60, loss: 'upgraded' } })
  assert.deepEqual(changes.get(), before)
})

/** In the form of the seed, which has no code: the gate answers. */
const bodyOf = (loss: FileLoss): string =>
  statusBody(503, readProblem(databaseProblem('DatabaseReplaced', { retryAfterSeconds: 60, loss })).sentence)

const LIMITS = { user: { failures: 1, windowMs: 1 }, address: { failures: 1, windowMs: 1 } }

async function begin(t: TestContext) {
  const service = await serve(t, { db: newDatabase(t) })
  const headers: Headers = {
    'X-Authorization': await service.client.signIn(),
    'Content-Type': 'application/json',
  }
  const add = () => service.client.send('POST', '/authors', headers, '{"name":"Ada"}')
  return { service, path: service.db.replace('sqlite:', ''), headers, add }
}
