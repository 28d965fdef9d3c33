import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hydrant as hydrantProcess } from '../support/processes.ts'
import { serve, temporaryFolder } from '../support/service.ts'
import { assertRefused, hydrant } from './command.ts'

const AUTHOR = { 'Content-Type': 'application/json' }

// contract: Output meant for programs is available with `--json`.
// contract: `hydrant backup <file>` ¦
test('a backup that is made while members are written has one state, and can be served', async (t) => {
  const { client, db } = await serve(t)
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
  const { db } = await serve(t)
  const file = join(temporaryFolder(t), 'copy.db')
  assert.equal((await hydrant(['backup', file, '--db', db])).status, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a backup overwrites nothing, and leaves nothing behind when it fails', async (t) => {
  const { db } = await serve(t)
  const folder = temporaryFolder(t)
  const file = join(folder, 'copy.db')
  assert.equal((await hydrant(['backup', file, '--db', db])).status, 0)
  const { size } = statSync(file)
  assertRefused(await hydrant(['backup', file, '--db', db]), 1, file, 'exists already')
  assert.equal(statSync(file).size, size)
  assertRefused(await hydrant(['backup', 'x.db', '--db', 'sqlite:none.db'], { cwd: folder }), 1, 'none.db')
  assertRefused(await hydrant(['backup', join(folder, 'no', 'x.db'), '--db', db]), 1, 'no')
  assert.ok(!existsSync(join(folder, 'none.db')))
  assert.deepEqual(readdirSync(folder), ['copy.db'])
})
