import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createDigest, findDifferences } from '../../../src/store/dump.ts'
import { openStore } from '../../../src/store/open.ts'
import { pathOf as pathBelow, serveSignedIn } from '../../api/signed-in.ts'
import { EVERYTHING, serveEverything } from '../../clients/everything.ts'
import { ANY_SCRIPT, serveAnyScript } from '../../clients/scripts.ts'
import { type startClient, stepB, USER } from '../../support/client.ts'
import { contentOf } from '../../support/contents.ts'
import { newDatabase } from '../../support/databases.ts'
import { startMiddleman } from '../../support/middleman.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { HYDRANT } from '../../support/processes.ts'
import { serve, temporaryFolder } from '../../support/service.ts'
import { pathOf } from '../../support/stores.ts'
import { assertRefused, each, folderWithApi, hydrant } from '../command.ts'
import { stallAt } from '../stall.ts'

const BASE = 'http://everything.example/api'

/** What is served with a token, but for what is of the moment. */
async function responses(
  { client }: { readonly client: ReturnType<typeof startClient> },
  token: string,
): Promise<{ readonly path: string; readonly status: number }[]> {
  const paths = [
    '/countries',
    '/countries/es',
    '/people?itemsPerPage=1',
    '/people?itemsPerPage=1&page=2',
    '/people?order[title]=desc',
    '/people?q=ann',
    '/people?nicknames=B&price[gte]=12.5',
    '/people?country=/api/countries/es',
    '/people/ann',
    '/people/ben',
    '/notes',
    '/Motto',
  ]
  return Promise.all(
    paths.map(async (path) => {
      const { status, headers, body } = await client.send('GET', path, { 'X-Authorization': token })
      return { path, status, etag: headers.etag, body }
    }),
  )
}

/** The API file without what it shows of a person's notes and scores. */
const WITHOUT = EVERYTHING.replace(/ {6}(?:notes|scores): .*\n/g, '')

/** A file with members of every kind, some of whose values are hidden; and what a server says of it. */
async function filled(t: TestContext) {
  const db = newDatabase(t)
  const flags = { baseUrl: BASE }
  const before = await serveEverything(t, { db, flags })
  await before
    .add('/notes', { text: 'gone' })
    .then(({ '@id': id }) => before.store.members.remove('Note', id.split('/').at(-1) ?? '', undefined))
  await before.close()
  const service = await serve(t, { db, flags, api: WITHOUT })
  const token = await service.client.signIn()
  const [spent, unspent] = [await service.client.nonce(), await service.client.nonce()]
  assert.equal((await service.client.send('GET', '/', stepB(spent))).status, 200)
  assert.equal(
    (await service.client.send('GET', '/', stepB(await service.client.nonce(), USER, 'wrong'))).status,
    401,
  )
  const served = await responses(service, token)
  const refused = served.filter(({ status }) => status !== 200).map(({ path }) => path)
  assert.deepEqual(refused, [])
  return { db, flags, service, token, spent, unspent, served }
}

/** A file with a user in it. */
async function withUser(t: TestContext): Promise<string> {
  const db = newDatabase(t)
  const store = await openStore(db)
  await store.auth.addUser({ id: USER, paraphraseHash: 'hash' }, 0)
  await store.close()
  return db
}

/** How PostgreSQL says that a connection is made: ReadyForQuery, idle. */
const READY = Buffer.from('Z\0\0\0\x05I')

const SWEPT_AT = Date.parse('2026-01-01')
const LIMITS = { user: { failures: 20, windowMs: 300_000 }, address: { failures: 100, windowMs: 60_000 } }

/** How the file keeps the time of the last sweep. */
function typeOfSweptAt(url: string): unknown {
  const db = new DatabaseSync(pathOf(url), { readOnly: true })
  try {
    return db.prepare("SELECT typeof(value) AS type FROM settings WHERE name = 'swept_at'").get()?.type
  } finally {
    db.close()
  }
}

/** As node binds numbers by itself. */
function bindAsReal(url: string, time: number): void {
  const db = new DatabaseSync(pathOf(url))
  db.prepare("UPDATE settings SET value = ? WHERE name = 'swept_at'").run(time)
  db.close()
}

const copy = (from: string, to: string, ...more: readonly string[]) =>
  hydrant(['copy', '--from', from, ...more], { env: { HYDRANT_TO: to } })

describe('hydrant copy', () => {
  test('moves members whose names are of any script', async (t) => {
    const { base, get, db, books } = await serveAnyScript(t, newDatabase(t))
    const paths = ['/%E6%9C%AC?gr%C3%B6%C3%9Fe%5Bgte%5D=2', pathBelow(base, books[0]), '/%C3%9Cberblick']
    const to = newPostgres(t)
    const { status, stderr } = await copy(db, to)
    assert.equal(status, 0, stderr)
    const cwd = folderWithApi(t, ANY_SCRIPT)
    const [original, exported] = await Promise.all(
      [db, to].map((HYDRANT_DB) => hydrant(['export', 'api.yaml'], { cwd, env: { HYDRANT_DB } })),
    )
    assert.equal(exported?.stdout, original?.stdout, exported?.stderr)
    const copied = await serveSignedIn(t, {
      db: to,
      api: ANY_SCRIPT,
      flags: { baseUrl: base, pageSize: '2' },
    })
    for (const path of paths) assert.equal((await copied.get(path)).body, (await get(path)).body, path)
  })

  // contract: `hydrant copy --from <db> --to <db>`
  test('moves users, tokens, nonces and members: every page and every ETag is the same as before', async (t) => {
    const { db, flags, token, spent, unspent, served, service } = await filled(t)
    const to = newPostgres(t)
    const { status, stdout, stderr } = await copy(db, to, '--json')
    assert.equal(status, 0, stderr)
    const { tables } = JSON.parse(stdout) as { tables: { table: string; rows: number; sha256: string }[] }
    const rows = Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))
    assert.deepEqual(
      [rows.users, rows['members of Person'], rows['members of Country'], rows['members of Note']],
      [1, 2, 1, 0],
    )
    assert.ok((rows.tokens ?? 0) >= 2 && (rows.attempts ?? 0) === 1 && (rows.links ?? 0) >= 3, stdout)
    assert.ok(tables.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)))

    // The original serves on, and has not changed.
    assert.deepEqual(await responses(service, token), served)
    const copied = await serve(t, { db: to, flags, api: WITHOUT })
    assert.deepEqual(await responses(copied, token), served)
    assert.equal(
      (await copied.client.send('GET', '/', stepB(spent))).status,
      401,
      'a spent nonce stays spent',
    )
    assert.equal((await copied.client.send('GET', '/', stepB(unspent))).status, 200, 'another one does not')

    const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
    const added = await copied.client.send('POST', '/notes', headers, '{"text":"new"}')
    assert.equal(added.status, 201, added.body)
    // The one that was removed had the first one, and its removal may have taken another.
    const [[version] = []] = await onPostgres(to, `SELECT version::int FROM ${await membersOf(to, 'Note')}`)
    assert.ok(Number(version) > 1)
    const [[tokenId] = []] = await onPostgres(to, 'SELECT max(id)::int FROM tokens')
    assert.ok(Number(tokenId) > (rows.tokens ?? 0), 'numbers of tokens go on')
    await copied.close()
    const whole = await serve(t, { db: to, flags, api: EVERYTHING })
    const ann = (await whole.client.send('GET', '/people/ann', { 'X-Authorization': token })).json()
    assert.deepEqual([ann.notes, ann.scores], ['none', ['1.0', '2']], 'what was hidden came along')
  })

  test('a file that no server has opened gives its pages the ETags that the copy gives them, with owners and without', async (t) => {
    const api = `
title: News
classes:
  Topic: { properties: { name: string } }
  Article: { properties: { title: string, topic: Topic } }
  Draft: { access: { all: owner, create: everyone }, properties: { title: string } }
`
    const [db, to] = [newDatabase(t), newPostgres(t)]
    const options = { api, flags: { baseUrl: BASE, pageSize: '2' } }
    const before = await serveSignedIn(t, { db, ...options })
    const { '@id': topic } = await before.add('/topics', { name: 'T' })
    for (const title of ['a', 'b', 'c']) {
      await before.add('/articles', { title, topic })
      await before.add('/drafts', { title })
    }
    await before.close()
    // As after `hydrant import` and `hydrant user add`.
    const file = new DatabaseSync(pathOf(db))
    file.exec("DELETE FROM settings WHERE name = 'nonce_secret'")
    file.close()
    assert.equal((await copy(db, to)).status, 0)
    const paths = [
      '/topics',
      '/articles',
      '/articles?page=2',
      '/articles?include=topic',
      '/drafts',
      '/drafts?order[title]=desc',
      topic.slice(BASE.length),
    ]
    const [original, copied] = [
      await serveSignedIn(t, { db, ...options }),
      await serveSignedIn(t, { db: to, ...options }),
    ]
    for (const path of paths) {
      const [one, other] = [await original.get(path), await copied.get(path)]
      assert.deepEqual([one.status, other.body, other.headers.etag], [200, one.body, one.headers.etag], path)
    }
  })

  test('says what it has done for people, and never a password', async (t) => {
    const db = await withUser(t)
    const to = newPostgres(t)
    const { status, stdout, stderr } = await copy(db, to)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /^users +1 +[0-9a-f]{64}$/m)
    assert.match(stdout, /first server starts on it/)
    assert.ok(!(stdout + stderr).includes(new URL(to).password))
  })

  test('refuses a target in which there is something, also a user, and changes nothing there', async (t) => {
    const db = await withUser(t)
    const fillings: readonly ((to: string) => Promise<void>)[] = [
      async (to) => {
        const store = await openStore(to)
        await store.auth.addUser({ id: 1, paraphraseHash: 'hash' }, 0)
        await store.close()
      },
      async (to) => {
        const store = await openStore(to)
        await store.auth.nonceSecret()
        await store.close()
      },
      async (to) => {
        assert.equal((await copy(db, to)).status, 0)
      },
    ]
    await each(fillings, async (fill) => {
      const to = newPostgres(t)
      await fill(to)
      const before = await contentOf(to)
      assertRefused(await copy(db, to), 1, 'search_path')
      assert.deepEqual(await contentOf(to), before)
    })
  })

  // contract: `hydrant copy --from <db> --to <db>`
  test('goes one way only, and from a file that is there', async (t) => {
    const [db, to] = [newDatabase(t), newPostgres(t)]
    await (await openStore(db)).close()
    const rows: readonly (readonly [args: readonly string[], status: number, told: string])[] = [
      [['--from', to, '--to', db], 2, '--from sqlite:<path> --to postgres://'],
      [['--from', db, '--to', db], 2, '--from sqlite:<path> --to postgres://'],
      [['--from', to, '--to', to], 2, '--from sqlite:<path> --to postgres://'],
      [['--from', 'sqlite::memory:', '--to', to], 2, '--from sqlite:<path> --to postgres://'],
      [['--from', db], 2, '--from sqlite:<path> --to postgres://'],
      [['--to', to], 2, '--from sqlite:<path> --to postgres://'],
      [['--from', 'hydrant.db', '--to', to], 2, 'sqlite:hydrant.db'],
      [['--from', `sqlite:${join(temporaryFolder(t), 'none.db')}`, '--to', to], 1, 'none.db'],
      [['--from', db, '--to', 'postgres://me:hush@127.0.0.1:1/db'], 1, '127.0.0.1:1/db'],
    ]
    await each(rows, async ([args, status, told]) => {
      const refused = await hydrant(['copy', ...args])
      assertRefused(refused, status, told)
      assert.ok(!refused.stderr.includes('hush'))
    })
    const [[schema] = []] = await onPostgres(to, 'SELECT current_schema()')
    assert.equal(schema, null)
  })

  test('of a file whose sweeper has run is served: whole numbers are written as such, also those of earlier releases', async (t) => {
    for (const isEarlier of [false, true]) {
      const db = newDatabase(t)
      const original = await serve(t, { db })
      await original.store.auth.sweep(SWEPT_AT, LIMITS, 10)
      await original.close()
      if (isEarlier) bindAsReal(db, SWEPT_AT)
      assert.equal(typeOfSweptAt(db), isEarlier ? 'real' : 'integer')
      const to = newPostgres(t)
      const { status, stderr } = await copy(db, to)
      assert.equal(status, 0, stderr)
      const [[value] = []] = await onPostgres(to, "SELECT value FROM settings WHERE name = 'swept_at'")
      assert.equal(value, String(SWEPT_AT))
      const copied = await serve(t, { db: to })
      assert.equal(await copied.store.auth.latestTime(), SWEPT_AT)
      await copied.client.exchange()
    }
  })

  test('to an address that lets it in and then says nothing gives up soon, and does not hold the original meanwhile', async (t) => {
    const service = await serve(t, { db: newDatabase(t) })
    const to = newPostgres(t)
    let isSilent = false
    const middleman = await startMiddleman(t, to, {
      request: (data) => (isSilent ? undefined : data),
      answer(data) {
        isSilent ||= data.includes(READY)
        return data
      },
    })
    const copying = copy(service.db, middleman.through(to))
    while (!isSilent) await wait(10)
    assert.equal(await service.store.auth.addUser({ id: 8, paraphraseHash: 'hash' }, 0), 8)
    assertRefused(await copying, 1, new URL(middleman.through(to)).host)
  })

  test('with a wrong password says where that is put right', async (t) => {
    const db = newDatabase(t)
    await (await openStore(db)).close()
    const to = Object.assign(new URL(newPostgres(t)), { password: 'hush' }).href
    const refused = await copy(db, to)
    assertRefused(refused, 1, '--to or HYDRANT_TO')
    assert.ok(!/hush|HYDRANT_DB/.test(refused.stderr), refused.stderr)
  })

  // contract: `hydrant copy --from <db> --to <db>`
  test('that is killed leaves nothing; until then nobody writes to the original', async (t) => {
    const { db, service } = await filled(t)
    const to = newPostgres(t)
    await (await openStore(to)).close()
    const stall = await stallAt(to, 'AFTER INSERT ON links')
    const before = await contentOf(to)
    const child = spawn(process.execPath, [HYDRANT, 'copy', '--from', db], {
      env: { ...process.env, HYDRANT_TO: to },
      stdio: 'ignore',
    })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await stall.reached(child)
    assert.equal(child.exitCode, null, 'it has ended before it could be killed')
    await assert.rejects(service.store.auth.addUser({ id: 8, paraphraseHash: 'hash' }, 0), {
      code: 'DatabaseLocked',
    })
    child.kill('SIGKILL')
    await ended
    await stall.end()
    assert.equal(await service.store.auth.addUser({ id: 8, paraphraseHash: 'hash' }, 0), 8)
    assert.deepEqual(await contentOf(to), before)
    assert.equal((await copy(db, to)).status, 0)
  })

  // contract: `hydrant copy --from <db> --to <db>`
  test('whose result is not what was read says so, exits 1 and leaves nothing', async (t) => {
    const db = await withUser(t)
    const to = newPostgres(t)
    await (await openStore(to)).close()
    await onPostgres(
      to,
      `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.added_at := NEW.added_at + 1; RETURN NEW;
       END $$;
       CREATE TRIGGER spoil BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION spoil()`,
    )
    const before = await contentOf(to)
    assertRefused(await copy(db, to), 1, 'users ')
    assert.deepEqual(await contentOf(to), before)
  })
})

async function membersOf(url: string, name: string): Promise<string> {
  const [[id] = []] = await onPostgres(url, 'SELECT id FROM classes WHERE name = $1', [name])
  return `members_${id}`
}

test('contents are compared by the number of their rows and by every value in them', () => {
  const digest = (table: string, ...rows: readonly (readonly (string | number)[])[]) => {
    const digesting = createDigest(table)
    for (const row of rows) digesting.add(row)
    return digesting.digest()
  }
  const read = [digest('users', [1, 'a'], [2, 'b']), digest('links')]
  assert.deepEqual(findDifferences(read, [digest('links'), digest('users', [1, 'a'], [2, 'b'])]), [])
  assert.deepEqual(findDifferences(read, [digest('users', [1, 'a'])]), [
    { table: 'users', expectedRows: 2, rows: 1 },
    { table: 'links', expectedRows: 0, rows: undefined },
  ])
  for (const other of [
    [
      [1, 'a'],
      [2, 'c'],
    ],
    [
      [2, 'b'],
      [1, 'a'],
    ],
    [
      ['1', 'a'],
      [2, 'b'],
    ],
  ]) {
    assert.deepEqual(findDifferences(read, [digest('users', ...other), digest('links')]), [
      { table: 'users', expectedRows: 2, rows: 2 },
    ])
  }
})
