import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Problem } from '../../../src/problem.ts'
import { openStore } from '../../../src/store/open.ts'
import { run } from '../../support/processes.ts'
import { serve } from '../../support/service.ts'
import { memberOf, select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { connect, newSqlite, openFor, pathOf } from '../../support/stores.ts'

interface Untouchable {
  readonly name: string
  readonly make: (path: string) => void
  readonly problem: Partial<Problem>
}

const sql = (text: string) => (path: string) => {
  const connection = new DatabaseSync(path)
  connection.exec(text)
  connection.close()
}

const UNTOUCHABLE: readonly Untouchable[] = [
  {
    name: 'a database of a newer version is refused and not changed',
    make: sql('PRAGMA application_id = 0x48594452; PRAGMA user_version = 99; CREATE TABLE future (x)'),
    problem: { code: 'NewerSchema' },
  },
  {
    name: 'a database from before the first release',
    make: sql('PRAGMA application_id = 0x48594452; PRAGMA user_version = 1; CREATE TABLE past (x)'),
    problem: { code: 'OutdatedSchema' },
  },
  {
    name: 'a SQLite file with the mark of another program is refused and not changed',
    make: sql('PRAGMA application_id = 42; CREATE TABLE theirs (x)'),
    problem: { code: 'ForeignFile' },
  },
  {
    name: 'a SQLite file with tables and no mark is refused and not changed',
    make: sql('CREATE TABLE theirs (x)'),
    problem: { code: 'ForeignFile' },
  },
  {
    name: 'a file that is no database is refused and not changed',
    make: (path) => writeFileSync(path, 'Not a database. '.repeat(500)),
    problem: { code: 'ForeignFile' },
  },
]

for (const { name, make, problem } of UNTOUCHABLE) {
  test(name, async (t) => {
    const url = newSqlite(t)
    make(pathOf(url))
    const before = readFileSync(pathOf(url))
    await assert.rejects(openStore(url, [shapeOf('Book')]), problem)
    assert.ok(readFileSync(pathOf(url)).equals(before))
    assert.deepEqual(readdirSync(dirname(pathOf(url))), ['test.db'])
  })
}

const ADDRESSES: readonly { name: string; url: string; problem: Partial<Problem> }[] = [
  {
    name: 'an address of an unknown kind is refused',
    url: 'mysql://u:secret@host/',
    problem: { code: 'UnknownDatabaseKind', values: { scheme: 'mysql' } },
  },
  {
    name: 'an address without a path is refused',
    url: 'sqlite:',
    problem: { code: 'NoDatabasePath', values: {} },
  },
]

for (const { name, url, problem } of ADDRESSES) {
  test(name, async () => {
    // The values have no part of the address with a password.
    await assert.rejects(openStore(url), problem)
  })
}

test('the database is for its owner alone, and so is what stands beside it', async (t) => {
  const url = newSqlite(t)
  const store = await openFor(t, url)
  await store.auth.addUser({ id: 1, paraphraseHash: 'x' }, 0)
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal(statSync(pathOf(url) + suffix).mode & 0o777, 0o600, suffix)
  }
})

test('what was written is there when the database is opened again', async (t) => {
  const url = newSqlite(t)
  const before = await openStore(url, [shapeOf('Book')])
  const secret = await before.auth.nonceSecret()
  await before.auth.addUser({ id: 1, paraphraseHash: 'x' }, 0)
  const added = await before.members.add('Book', memberOf({}, 'one'))
  await before.close()

  const after = await openFor(t, url, [shapeOf('Author'), shapeOf('Book')])
  assert.deepEqual(await after.auth.nonceSecret(), secret)
  assert.equal((await after.auth.findUser(1))?.paraphraseHash, 'x')
  assert.ok(added.outcome === 'added')
  assert.equal((await after.members.find('Book', 'one'))?.version, added.version)
  assert.equal((await after.members.list('Author', select())).total, 0)
})

test('processes that open a new database at once all succeed, and share one secret', async (t) => {
  const url = newSqlite(t)
  const module = JSON.stringify(new URL('../../../src/store/open.ts', import.meta.url).href)
  const script = `const { openStore } = await import(${module})
    const shape = (name) => ({ name, was: undefined, fingerprint: 1, keys: [], properties: [], defaults: new Map(), types: {}, addressOf: String, convert: () => ({ violations: [] }) })
    const store = await openStore(${JSON.stringify(url)}, [shape('Author'), shape('Book')])
    process.stdout.write((await store.auth.nonceSecret()).toString('hex'))
    await store.close()`
  const opened = await Promise.all(
    Array.from({ length: inSoak(4, 2) }, () => run(process.execPath, ['--input-type=module', '-e', script])),
  )
  const outputs = opened.map(({ stdout, stderr }) => stdout + stderr)
  assert.match(outputs[0] ?? '', /^[0-9a-f]{64}$/)
  assert.equal(new Set(outputs).size, 1, outputs.join('\n'))
})

// contract: Waiting for a database lock never holds up
test('while another process holds the lock reads are served and writes get 503; afterwards all is well', async (t) => {
  const { client, db } = await serve(t, { db: newSqlite(t) })
  const headers = { 'X-Authorization': await client.signIn(), 'Content-Type': 'application/ld+json' }
  const create = () => client.send('POST', '/authors', headers, '{"name":"A"}')
  const others = connect(t, db)
  others.exec('BEGIN IMMEDIATE')
  const refused = create()
  for (const path of ['/', '/vocab', '/authors', '/session']) {
    assert.equal((await client.send('GET', path, headers)).status, 200, path)
  }
  assert.equal((await client.send('GET', '/authors')).status, 401)
  const { status, headers: told, json } = await refused
  assert.equal(status, 503)
  assert.match(told['retry-after'] ?? '', /^[1-9]\d*$/)
  assert.deepEqual(Object.keys(json()), ['503'])
  others.exec('COMMIT')
  assert.equal((await create()).status, 201)
  assert.equal((await client.send('GET', '/authors', headers)).json().totalItems, 1)
})
