import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { stepB } from '../../support/client.ts'
import { newDatabase } from '../../support/databases.ts'
import { HYDRANT, hydrant as hydrantProcess, run } from '../../support/processes.ts'
import { serve, temporaryFolder } from '../../support/service.ts'
import { soakTest } from '../../support/soak.ts'
import { assertRefused, hydrant } from '../command.ts'

const AUTHOR = { 'Content-Type': 'application/json' }

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant backup <file>` ¦
test('a backup that is made while members are written has one state, and can be served', async (t) => {
  const { client, db } = await serve(t, { db: newDatabase(t) })
  const token = await client.signIn()
  const add = (name: string) =>
    client.send('POST', '/authors', { ...AUTHOR, 'X-Authorization': token }, JSON.stringify({ name }))
  for (let index = 0; index < 50; index += 1) await add(`before ${index}`)
  const file = join(temporaryFolder(t), 'copy.db')

  let running = true
  const writing = (async () => {
    while (running) await add('meanwhile')
  })()
  const { status, stdout, stderr } = await hydrantProcess(['backup', file, '--db', db, '--json'])
  running = false
  await writing
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), { file, bytes: statSync(file).size })

  const copy = await serve(t, { db: `sqlite:${file}` })
  // The token of the original works: users and tokens are in the copy, and its secret too.
  const read = await copy.client.send('GET', '/authors?itemsPerPage=100', { 'X-Authorization': token })
  assert.equal(read.status, 200)
  const { totalItems, member } = read.json() as { totalItems: number; member: { name: string }[] }
  assert.ok(totalItems >= 50)
  assert.deepEqual(
    member.slice(0, 50).map(({ name }) => name),
    Array.from({ length: 50 }, (_, index) => `before ${index}`),
  )
})

test('a backup is for its owner alone, as the database is', async (t) => {
  const { db } = await serve(t, { db: newDatabase(t) })
  const file = join(temporaryFolder(t), 'copy.db')
  assert.equal((await hydrant(['backup', file, '--db', db])).status, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a backup overwrites nothing, and leaves nothing behind when it fails', async (t) => {
  const { db } = await serve(t, { db: newDatabase(t) })
  const folder = temporaryFolder(t)
  const file = join(folder, 'copy.db')
  assert.equal((await hydrant(['backup', file, '--db', db])).status, 0)
  const { size } = statSync(file)
  assertRefused(await hydrant(['backup', file, '--db', db]), 1, file)
  assert.equal(statSync(file).size, size)
  assertRefused(await hydrant(['backup', 'x.db', '--db', 'sqlite:none.db'], { cwd: folder }), 1, 'none.db')
  assertRefused(await hydrant(['backup', join(folder, 'no', 'x.db'), '--db', db]), 1, 'no')
  assert.ok(!existsSync(join(folder, 'none.db')))
  assert.deepEqual(readdirSync(folder), ['copy.db'])
})

test('a backup is restored: over nothing, over a database that is put aside, never under a server, never when damaged', async (t) => {
  const folder = temporaryFolder(t)
  const served = await serve(t, { db: `sqlite:${join(folder, 'hydrant.db')}` })
  const token = await served.client.signIn()
  const headers = { ...AUTHOR, 'X-Authorization': token }
  await served.client.send('POST', '/authors', headers, '{"name":"before"}')
  const restore = (...args: string[]) => hydrant(['restore', ...args], { cwd: folder })
  assert.equal((await hydrant(['backup', 'a.db'], { cwd: folder })).status, 0)
  await served.client.send('POST', '/authors', headers, '{"name":"later"}')

  assert.equal((await restore('a.db', '--db', 'sqlite:new.db')).status, 0)
  assert.equal(statSync(join(folder, 'new.db')).mode & 0o777, 0o600)
  assertRefused(await restore('a.db'), 1, 'hydrant.db', '--force')
  const elsewhere = await hydrantProcess(['restore', 'a.db', '--force'], { cwd: folder })
  assertRefused(elsewhere, 1, 'hydrant.db')
  assert.equal((await served.client.send('GET', '/authors', headers)).status, 200)
  await served.close()

  assertRefused(await restore('none.db'), 1, 'none.db', '`hydrant backup`')
  writeFileSync(join(folder, 'plants.csv'), 'name\nfern\n')
  assertRefused(await restore('plants.csv'), 1, 'plants.csv', '`hydrant backup`')
  const damaged = readFileSync(join(folder, 'a.db'))
  damaged.fill(0xff, 4096, 3 * 4096)
  writeFileSync(join(folder, 'damaged.db'), damaged)
  writeFileSync(join(folder, 'cut.db'), readFileSync(join(folder, 'a.db')).subarray(0, 5_000))
  for (const name of ['damaged.db', 'cut.db']) assertRefused(await restore(name, '--force'), 1, `${name} `)

  const { status, stdout } = await restore('a.db', '--force', '--json')
  const { restored, aside } = JSON.parse(stdout)
  assert.deepEqual([status, restored], [0, 'hydrant.db'])
  const names = async (db: string): Promise<string[]> => {
    const { client, close } = await serve(t, { db: `sqlite:${join(folder, db)}` })
    const read = await client.send('GET', '/authors', { 'X-Authorization': token })
    await close()
    return (read.json() as { member: { name: string }[] }).member.map(({ name }) => name)
  }
  assert.deepEqual(await names('hydrant.db'), ['before'])
  assert.deepEqual(await names(aside), ['before', 'later'])
  assertRefused(await hydrant(['restore', 'a.db', '--db', 'postgres://localhost/x']), 2, 'pg_restore')
})

// contract: No nonce is accepted twice
test('no nonce from before a restore is accepted: it may have been spent since the backup', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'hydrant.db')
  const db = `sqlite:${file}`
  const restore = (...args: string[]) => hydrant(['restore', 'a.db', ...args], { cwd: folder })
  const first = await serve(t, { db })
  const [spent, unspent] = [await first.client.nonce(), await first.client.nonce()]
  assert.equal((await hydrant(['backup', 'a.db'], { cwd: folder })).status, 0)
  assert.equal((await first.client.send('GET', '/', stepB(spent))).status, 200)
  await first.close()

  // Over what is there, and over nothing: then only the backup is known. Series of restores differ, too.
  const issued = [spent, unspent]
  const series = [seriesOf(file), seriesOf(join(folder, 'a.db'))]
  for (const isThere of [true, true, false]) {
    if (!isThere) rmSync(file)
    assert.equal((await restore('--force')).status, 0)
    const restored = seriesOf(file)
    assert.ok(restored > Math.max(...(isThere ? series : series.slice(0, 2))), `${restored}`)
    assert.ok(!series.includes(restored))
    series.push(restored)
    const { client, close } = await serve(t, { db })
    for (const nonce of issued) assert.equal((await client.send('GET', '/', stepB(nonce))).status, 401)
    const fresh = await client.nonce()
    assert.equal((await client.send('GET', '/', stepB(fresh))).status, 200)
    issued.push(fresh, await client.nonce())
    await close()
  }
})

function seriesOf(path: string): number {
  const db = new DatabaseSync(path, { readOnly: true })
  const row = db.prepare("SELECT value FROM settings WHERE name = 'nonce_series'").get()
  db.close()
  return Number(row?.value ?? 0)
}

test('restores in the same second put aside what there is under names of their own', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame' })
  await hydrant(['backup', 'a.db'], { cwd: folder })
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  const asides = []
  for (const _ of [1, 2, 3]) {
    const { stdout } = await hydrant(['restore', 'a.db', '--force', '--json'], { cwd: folder })
    asides.push(JSON.parse(stdout).aside)
  }
  const first = 'hydrant.db.19700101T000000Z'
  assert.deepEqual(asides, [first, `${first}-2`, `${first}-3`])
  for (const aside of asides) assert.ok(existsSync(join(folder, aside)), aside)
})

test('a restore over a symbolic link replaces the database that it leads to', async (t) => {
  const folder = temporaryFolder(t)
  const restore = (db: string) => hydrant(['restore', 'a.db', '--db', db, '--force'], { cwd: folder })
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame' })
  await hydrant(['backup', 'a.db'], { cwd: folder })
  mkdirSync(join(folder, 'disk'))
  symlinkSync(join('disk', 'real.db'), join(folder, 'link.db'))
  // At first it is not there: it may be lost, which is why somebody restores it.
  for (let round = 0; round < 2; round++) {
    assert.equal((await restore('sqlite:link.db')).status, 0)
    assert.ok(lstatSync(join(folder, 'link.db')).isSymbolicLink())
  }
  assert.equal(readdirSync(join(folder, 'disk')).filter((name) => name.startsWith('real.db.2')).length, 1)
})

test('a restore leaves the backup where it is, whatever that is called', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame' })
  await hydrant(['backup', 'hydrant.db.restored'], { cwd: folder })
  const { status } = await hydrant(['restore', 'hydrant.db.restored', '--force'], { cwd: folder })
  assert.equal(status, 0)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('restored')),
    ['hydrant.db.restored'],
  )
})

test('a backup that cannot be written says why', async (t) => {
  const folder = temporaryFolder(t)
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame' })
  const refused = await hydrant(['backup', 'hydrant.db/a.db'], { cwd: folder })
  assertRefused(refused, 1, 'hydrant.db/a.db')
})

/** Makes a small database and a backup of it, and runs each of the two commands, which writes to a file in `disk/`. */
async function eachCopy(folder: string, check: (path: string, args: string[]) => Promise<void>) {
  await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame' })
  assert.equal((await hydrant(['backup', 'small.db'], { cwd: folder })).status, 0)
  await check('disk/a.db', ['backup', 'disk/a.db'])
  await check('disk/b.db', ['restore', 'small.db', '--db', 'sqlite:disk/b.db'])
}

test('a full disk is named, and nothing of a backup or a restore stays on it', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'disk'))
  const full = ['--import', join(import.meta.dirname, '../full-disk.ts'), HYDRANT]
  await eachCopy(folder, async (path, args) => {
    const finished = await run(process.execPath, [...full, ...args], { cwd: folder })
    assertRefused(finished, 1, `The disk of ${path} is full; `)
    assert.deepEqual(readdirSync(join(folder, 'disk')), [])
  })
})

soakTest('a backup and a restore need a disk with enough space, and leave nothing on another', async (t) => {
  const folder = temporaryFolder(t)
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  // Only a user who may mount can make a small disk.
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${PAGES * PAGE}`, 'tmpfs', disk])
  try {
    await fillDisk(folder, disk)
  } finally {
    execFileSync('umount', [disk])
  }
})

const PAGE = 4096
const PAGES = 128

/** Writes to the disk with ever more space, until there is enough. */
async function fillDisk(folder: string, disk: string): Promise<void> {
  await eachCopy(folder, async (path, args) => {
    const refused = new Set<number>()
    for (let free = 1; free <= PAGES; free += 1) {
      writeFileSync(join(disk, 'other'), Buffer.alloc((PAGES - free) * PAGE))
      const finished = await hydrant(args, { cwd: folder })
      if (finished.status === 0) break
      refused.add(free)
      assertRefused(finished, 1, `The disk of ${path} is full; `)
      assert.deepEqual(readdirSync(disk), ['other'], `${args} with ${free} pages`)
    }
    const needed = statSync(join(folder, path)).size / PAGE
    assert.ok(refused.size >= needed && refused.size < PAGES - 1, `${needed} of ${refused.size} pages`)
    rmSync(join(folder, path))
  })
}
