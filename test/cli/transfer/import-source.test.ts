import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/service.ts'
import { assertRefused, hydrant } from '../command.ts'

const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, since DATE);
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, total NUMERIC(9, 2),
    FOREIGN KEY (customer_id) REFERENCES customers (id));
  INSERT INTO customers VALUES (1, 'Ann', '2024-02-29');
  INSERT INTO orders VALUES (10, 1, 12.50);`

function oldShop(folder: string, more = ''): void {
  const db = new DatabaseSync(join(folder, 'old.db'), { enableForeignKeyConstraints: false })
  db.exec(SHOP + more)
  db.close()
}

// contract: `hydrant init [folder]` ¦
test('init and import take a database of SQLite, by the commands that init names, and leave it as it was', async (t) => {
  const folder = temporaryFolder(t)
  oldShop(
    folder,
    "INSERT INTO customers VALUES (2, 'Bob', 'yesterday'); INSERT INTO orders VALUES (11, 2, 1), (12, 99, 1)",
  )
  const before = readFileSync(join(folder, 'old.db'))
  const { status, stdout, stderr } = await hydrant(['init', 'shop', '--from', 'sqlite:old.db'], {
    cwd: folder,
  })
  assert.deepEqual([status, stderr], [0, ''])
  const step = /^ {2}\S*hydrant (import .*)$/m.exec(stdout)?.[1]
  assert.equal(step, "import api.yaml 'sqlite:../old.db'")
  const cwd = join(folder, 'shop')
  assert.equal((await hydrant(['check', 'api.yaml'], { cwd })).status, 0)
  const imported = await hydrant(['import', 'api.yaml', 'sqlite:../old.db', '--json'], { cwd })
  const { seconds, membersPerSecond, ...tally } = JSON.parse(imported.stdout)
  assert.deepEqual([imported.status, tally], [1, { added: 2, alreadyThere: 0, refused: 3 }])
  assert.match(imported.stderr, /^sqlite:\.\.\/old\.db: customers 2: since: /m)
  assert.match(imported.stderr, /^sqlite:\.\.\/old\.db: orders 11: customer: .* \(customers 2\)\.$/m)
  assert.match(imported.stderr, /^sqlite:\.\.\/old\.db: orders 12: customer: /m)
  assert.deepEqual(readFileSync(join(folder, 'old.db')), before)
  assert.deepEqual(readdirSync(folder).toSorted(), ['old.db', 'shop'])
})

test('what the API file has no place for is named, and the rest is imported', async (t) => {
  const folder = temporaryFolder(t)
  oldShop(folder)
  writeFileSync(
    join(folder, 'api.yaml'),
    'classes: { Client: { title: customers, properties: { name: string } } }',
  )
  const { status, stdout, stderr } = await hydrant(['import', 'api.yaml', 'sqlite:old.db', '--json'], {
    cwd: folder,
  })
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout).notImported, ['orders', 'customers.since'])
  assert.match(stderr, /^sqlite:old\.db: orders is not imported: /m)
  assert.match(stderr, /^sqlite:old\.db: customers\.since is not imported: /m)
})

test('a database with a log is read in a folder that cannot be written to', async (t) => {
  if (process.getuid?.() === 0) return t.diagnostic('root may write anywhere')
  const folder = temporaryFolder(t)
  const locked = join(folder, 'locked')
  mkdirSync(locked)
  oldShop(locked, 'PRAGMA journal_mode = WAL')
  chmodSync(locked, 0o555)
  t.after(() => chmodSync(locked, 0o755))
  const { status, stderr } = await hydrant(['init', '--from', 'sqlite:locked/old.db'], { cwd: folder })
  assert.equal(status, 0, stderr)
})

test('a database that another program writes to is not read in the middle of that', async (t) => {
  const folder = temporaryFolder(t)
  oldShop(folder)
  const writer = new DatabaseSync(join(folder, 'old.db'))
  t.after(() => writer.close())
  writer.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE customers SET name = 'Eve'")
  assertRefused(await hydrant(['init', '--from', 'sqlite:old.db'], { cwd: folder }), 1, 'locked')
})

test('a database that cannot be read is refused, with what to do', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(
    join(folder, 'text.db'),
    'no database, but a text that is long enough to be looked at. '.repeat(20),
  )
  new DatabaseSync(join(folder, 'empty.db')).close()
  for (const [data, status, part] of [
    ['sqlite:none.db', 1, 'none.db'],
    ['sqlite:.', 1, 'folder'],
    ['sqlite:text.db', 1, 'text.db'],
    ['sqlite:empty.db', 1, 'sqlite:empty.db: '],
    ['sqlite:', 2, '--from'],
    ['postgres:x', 2, '--from'],
  ] as const)
    assertRefused(await hydrant(['init', 'shop', '--from', data], { cwd: folder }), status, part)
  assert.ok(!existsSync(join(folder, 'shop')))
  writeFileSync(join(folder, 'api.yaml'), 'classes: { A: {} }')
  for (const flag of ['--class=A', '--format=csv', '--spreadsheet'])
    assertRefused(
      await hydrant(['import', 'api.yaml', 'sqlite:empty.db', flag], { cwd: folder }),
      2,
      flag.split('=', 1)[0] ?? '',
    )
})

test('init and import take a database of PostgreSQL, and nothing that is printed or written has its password', async (t) => {
  const folder = temporaryFolder(t)
  const url = newPostgres(t)
  const { searchParams, hostname, port, pathname } = new URL(url)
  const schema = searchParams.get('search_path')
  await onPostgres(url, `CREATE SCHEMA ${schema}`)
  await onPostgres(url, SHOP)
  const secret = 'not-to-be-seen'
  await onPostgres(
    url,
    `CREATE ROLE reader_${schema} LOGIN PASSWORD '${secret}'; GRANT USAGE ON SCHEMA ${schema} TO reader_${schema};
    GRANT SELECT ON customers TO reader_${schema}`,
  )
  t.after(() => onPostgres(url, `DROP OWNED BY reader_${schema}; DROP ROLE reader_${schema}`))
  const address = `postgres://reader_${schema}:${secret}@${hostname}:${port}${pathname}?search_path=${schema}`
  const init = await hydrant(['init', '--from', address], { cwd: folder })
  assert.equal(init.status, 0, init.stderr)
  const api = readFileSync(join(folder, 'api.yaml'), 'utf8')
  assert.match(api, /^# Left out: orders may not be read/m)
  const imported = await hydrant(['import', 'api.yaml', address], { cwd: folder })
  assert.equal(imported.status, 0, imported.stderr)
  assert.match(imported.stderr, /: orders is not imported: the user /)
  const wrong = await hydrant(['import', 'api.yaml', address.replace(pathname, '/none')], { cwd: folder })
  assertRefused(wrong, 1, 'none')
  const malformed = await hydrant(['import', 'api.yaml', address.replace('@', '@@')], { cwd: folder })
  assertRefused(malformed, 2, '<data>')
  const said = [init, imported, wrong, malformed].flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of [api, ...said]) assert.ok(!text.includes(secret), text)
})
