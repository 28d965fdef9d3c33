import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { isUnavailable, type PostgresFailure } from '../../../src/database/index.ts'
import { Problem } from '../../../src/problem.ts'
import { openStore } from '../../../src/store/open.ts'
import { makeCertificate } from '../../cli/certificate.ts'
import { contentOf } from '../../support/contents.ts'
import { holding } from '../../support/holding.ts'
import { newPostgres, onPostgres, postgresUrl } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/service.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { openFor } from '../../support/stores.ts'

const BOOK: Kinds = { title: 'text' }
const SHAPES = [shapeOf('Author'), shapeOf('Book', BOOK)]

/** The address with some of its parts changed. */
function changed(url: string, change: (address: URL) => void): string {
  const address = new URL(url)
  change(address)
  return address.href
}

const withParameter = (url: string, name: string, value: string) =>
  changed(url, ({ searchParams }) => searchParams.set(name, value))

const passwordOf = (url: string): string => new URL(url).password

/** Why it is not opened. Nothing of it has the password, or more than one line. */
async function refusalOf(url: string): Promise<Pick<Problem, 'code' | 'values'>> {
  const error: unknown = await openStore(url, SHAPES).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Problem && !isUnavailable(error), String(error))
  const { code, values } = error
  const told = Object.values(values).map(String)
  for (const one of told)
    for (const secret of ['\n', 'sesame@', passwordOf(postgresUrl())]) assert.ok(!one.includes(secret), one)
  return { code, values }
}

/** That it is not opened for this reason, with these values among others. */
async function assertNotOpened(url: string, values: Partial<PostgresFailure>): Promise<void> {
  const refusal = await refusalOf(url)
  assert.partialDeepStrictEqual(refusal, { code: 'PostgresNotOpened', values })
}

describe('PostgreSQL is opened', () => {
  test('by ten at once where there is nothing yet: one makes the tables, all have them', async (t) => {
    const url = newPostgres(t)
    const stores = await Promise.all(Array.from({ length: 10 }, () => openFor(t, url, SHAPES)))
    const added = await Promise.all(
      stores.map(({ members }, index) => members.add('Book', memberOf(BOOK, `b${index}`))),
    )
    assert.ok(added.every(({ outcome }) => outcome === 'added'))
    assert.equal((await stores[0]?.members.list('Book', select()))?.total, 10)
  })

  test('by ten at once under another API file: the members are gone through once', async (t) => {
    const url = newPostgres(t)
    const before = await openStore(url, SHAPES)
    await before.members.add('Book', memberOf(BOOK, 'one', { title: 'A' }))
    await before.close()
    let times = 0
    const other = [shapeOf('Book', { title: 'unique' }, { fingerprint: 2 })]
    await Promise.all(
      Array.from({ length: 10 }, () => openFor(t, url, other, { onMigrate: () => void times++ })),
    )
    assert.equal(times, 1)
  })

  test('without a lock where nothing is to be done, and under one where something is', {
    timeout: 60_000,
  }, async (t) => {
    const url = newPostgres(t)
    await (await openStore(url, SHAPES)).close()
    const release = await holding(
      t,
      url,
      "SELECT pg_advisory_xact_lock(hashtextextended('opening ' || current_setting('search_path'), 0))",
    )
    await (await openStore(url, SHAPES)).close()
    await (await openStore(url, [])).close()
    await (await openStore(url, SHAPES, { migrate: 'none' })).close()

    let isOpen = false
    const opening = openFor(t, url, [...SHAPES, shapeOf('New')]).then((store) => {
      isOpen = true
      return store
    })
    await waitingForLock(url)
    assert.equal(isOpen, false)
    await release()
    assert.equal((await (await opening).members.add('New', memberOf({}, 'one'))).outcome, 'added')
  })

  test('at the second of two addresses, where nobody listens at the first', async (t) => {
    const url = newPostgres(t)
    const { host } = new URL(url)
    const both = `${url.replace(host, `127.0.0.1:1,${host}`)}&target_session_attrs=read-write`
    const { members } = await openFor(t, both, SHAPES)
    assert.equal((await members.add('Book', memberOf(BOOK, 'one'))).outcome, 'added')
  })

  test('by somebody who may not create a schema, where one was made for him', async (t) => {
    const url = await asNobody(t, newPostgres(t))
    await assertNotOpened(url, { reason: 'lacking right', right: 'create' })
    const { username, searchParams } = new URL(url)
    await onPostgres(
      postgresUrl(),
      `CREATE SCHEMA ${searchParams.get('search_path')} AUTHORIZATION ${username}`,
    )
    const { members } = await openFor(t, url, SHAPES)
    assert.equal((await members.add('Book', memberOf(BOOK, 'one'))).outcome, 'added')
  })
})

/** Somebody waits for an advisory lock. */
async function waitingForLock(url: string): Promise<void> {
  for (;;) {
    const waiting = await onPostgres(
      url,
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
    )
    if (waiting.length > 0) return
  }
}

/** The address for a user without any right. */
async function asNobody(t: TestContext, url: string): Promise<string> {
  const role = `nobody_${randomBytes(6).toString('hex')}`
  await onPostgres(postgresUrl(), `CREATE ROLE ${role} LOGIN PASSWORD '${passwordOf(postgresUrl())}'`)
  t.after(() => onPostgres(postgresUrl(), `DROP OWNED BY ${role} CASCADE`))
  t.after(() => onPostgres(postgresUrl(), `DROP ROLE ${role}`))
  return changed(url, (address) => {
    address.username = role
  })
}

describe('PostgreSQL is not opened, and nothing is changed there', () => {
  test('where a newer Hydrant has made the tables', async (t) => {
    const url = newPostgres(t)
    await (await openStore(url, SHAPES)).close()
    await onPostgres(url, "UPDATE settings SET value = '999' WHERE name = 'schema_version'")
    const before = await contentOf(url)
    assert.partialDeepStrictEqual(await refusalOf(url), { code: 'NewerSchema', values: { version: 999 } })
    assert.deepEqual(await contentOf(url), before)
  })

  test('where others have tables of the same names', async (t) => {
    for (const table of [
      'users (name text)',
      'settings (a text)',
      'settings (name text, value text)',
      'classes (id int)',
    ]) {
      const url = newPostgres(t)
      const schema = new URL(url).searchParams.get('search_path')
      await onPostgres(postgresUrl(), `CREATE SCHEMA ${schema} CREATE TABLE ${table}`)
      const before = await contentOf(url)
      const [name = ''] = table.split(' ')
      const values = { schema, tables: [name] }
      assert.partialDeepStrictEqual(await refusalOf(url), { code: 'ForeignTables', values })
      assert.deepEqual(await contentOf(url), before)
    }
  })

  test('where others have other tables only, it is', async (t) => {
    const url = newPostgres(t)
    await onPostgres(
      postgresUrl(),
      `CREATE SCHEMA ${new URL(url).searchParams.get('search_path')} CREATE TABLE spatial_ref_sys (id int)`,
    )
    await openFor(t, url, SHAPES)
  })

  test('where not every character could be kept', async (t) => {
    const name = `latin_${randomBytes(6).toString('hex')}`
    await onPostgres(postgresUrl(), `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    t.after(() => onPostgres(postgresUrl(), `DROP DATABASE ${name} WITH (FORCE)`))
    const url = changed(postgresUrl(), (address) => {
      address.pathname = `/${name}`
    })
    const values = { encoding: 'LATIN1' }
    assert.partialDeepStrictEqual(await refusalOf(url), { code: 'WrongEncoding', values })
    assert.equal((await onPostgres(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'hydrant'")).length, 0)
  })

  test('where the schema is not one plain name', async () => {
    for (const path of ['public,hydrant', '"Big"', 'Big', 'pg_mine', 'a-b']) {
      const refusal = await refusalOf(withParameter(postgresUrl(), 'search_path', path))
      assert.partialDeepStrictEqual(refusal, { code: 'WrongSearchPath', values: { schema: path } })
    }
  })

  test('where a commit would not wait for the disk', async (t) => {
    const url = newPostgres(t)
    const { code } = await refusalOf(withParameter(url, 'synchronous_commit', 'off'))
    assert.equal(code, 'AsynchronousCommit')
    assert.deepEqual(await contentOf(url), { schema: [], rows: [] })
  })
})

describe('a PostgreSQL that cannot be opened is told of with its place and what to do', () => {
  const rows: readonly (readonly [name: string, change: Partial<URL>, told: Partial<PostgresFailure>])[] = [
    ['nobody listens', { port: '1' }, { reason: 'nothing listens' }],
    ['no such host', { hostname: 'nowhere.invalid' }, { reason: 'unknown host' }],
    ['wrong password', { password: 'sesame' }, { reason: 'wrong password', source: 'HYDRANT_DB' }],
    ['no such user', { username: 'nobody' }, { reason: 'wrong password' }],
    ['no such database', { pathname: '/none' }, { reason: 'no database', databaseName: 'none' }],
    [
      'a parameter that PostgreSQL does not know',
      { search: '?sesame=1' },
      { reason: 'other', said: 'unrecognized configuration parameter "sesame"' },
    ],
  ]
  for (const [name, change, told] of rows) {
    test(name, async () => {
      const url = changed(postgresUrl(), (address) => Object.assign(address, change))
      await assertNotOpened(url, told)
      const { database } = (await refusalOf(url)).values as { database: string }
      const { host, pathname } = new URL(url)
      assert.ok(database.includes(`${host}${pathname}`), database)
    })
  }

  test('with the user that was tried where the address names none', async () => {
    const url = changed(postgresUrl(), (address) => Object.assign(address, { username: '', password: '' }))
    const tried = process.env.PGUSERNAME || process.env.PGUSER || userInfo().username
    await assertNotOpened(url, { reason: 'wrong password', triedUser: tried })
  })

  test('with the right that is lacking: to connect, or in a schema that another has made', async (t) => {
    const url = await asNobody(t, newPostgres(t))
    const name = `closed_${randomBytes(6).toString('hex')}`
    await onPostgres(postgresUrl(), `CREATE DATABASE ${name}`)
    t.after(() => onPostgres(postgresUrl(), `DROP DATABASE ${name} WITH (FORCE)`))
    await onPostgres(postgresUrl(), `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`)
    const closed = changed(url, (address) => Object.assign(address, { pathname: `/${name}` }))
    await assertNotOpened(closed, { reason: 'lacking right', right: 'connect', databaseName: name })
    const withLog = withParameter(url, 'log_statement', 'all')
    await assertNotOpened(withLog, { reason: 'lacking right', right: 'parameter' })
    const { username, searchParams } = new URL(url)
    const schema = searchParams.get('search_path') ?? ''
    await onPostgres(postgresUrl(), `CREATE SCHEMA ${schema}`)
    await assertNotOpened(url, { reason: 'no right to the schema', schema })
    await onPostgres(postgresUrl(), `GRANT USAGE ON SCHEMA ${schema} TO ${username}`)
    await assertNotOpened(url, { reason: 'lacking right', right: 'schema', schema })
  })

  test('with the variable that names its certificate authority, where that is not known', async (t) => {
    const folder = temporaryFolder(t)
    const { cert } = await makeCertificate(folder)
    const server = createServer((socket) => {
      socket.on('error', () => {})
      // PostgreSQL says S where it is asked for TLS and has it.
      socket.once('data', () => {
        socket.write('S')
        const secureContext = createSecureContext({ cert, key: readFileSync(join(folder, 'key.pem')) })
        new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    await assertNotOpened(`postgres://u:sesame@localhost:${port}/db?sslmode=verify-full`, {
      reason: 'unknown authority',
    })
  })

  test('also where somebody accepts connections and says nothing, and where none of several hosts is there', async (t) => {
    // Read to its end: otherwise the connection would stay half open, and this process with it.
    const server = createServer((socket) => socket.on('error', () => {}).resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    const silent = `postgres://u:sesame@127.0.0.1:${port}/db`
    const { values } = await refusalOf(silent)
    assert.partialDeepStrictEqual(values, {
      reason: 'no answer',
      database: `postgres://127.0.0.1:${port}/db`,
    })
    const several = 'postgres://u:sesame@127.0.0.1:1,127.0.0.1:2/db?target_session_attrs=read-write'
    const database = 'postgres://127.0.0.1:1,127.0.0.1:2/db'
    assert.partialDeepStrictEqual(await refusalOf(several), {
      code: 'PostgresNotOpened',
      values: { database },
    })
  })
})
