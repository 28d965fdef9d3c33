import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openKeptToken } from '../../../src/cli/curl/kept-token.ts'
import { temporaryFolder } from '../../support/service.ts'

const BASE = 'http://localhost:8080/api'
const TOKEN = 'a'.repeat(64)

async function keep(t: TestContext) {
  const home = temporaryFolder(t)
  const env = { HOME: home, XDG_RUNTIME_DIR: home }
  const kept = openKeptToken(env, BASE, '1')
  await kept.keep(TOKEN)
  const folder = join(home, 'hydrant', 'tokens')
  const [name = ''] = readdirSync(folder)
  return { home, env, kept, folder, path: join(folder, name) }
}

test('a token is found again for the same API and user', async (t) => {
  const { env, kept } = await keep(t)
  assert.equal(await kept.find(), TOKEN)
  assert.equal(await openKeptToken(env, BASE, '2').find(), undefined)
  assert.equal(await openKeptToken(env, 'http://localhost:9/api', '1').find(), undefined)
})

test('a file that is no file of this user is no token, and is never waited for', async (t) => {
  const { path, kept, folder } = await keep(t)
  renameSync(path, join(folder, 'other'))
  symlinkSync(join(folder, 'other'), path)
  assert.equal(await kept.find(), undefined)
  renameSync(path, join(folder, 'link'))
  execFileSync('mkfifo', ['-m', '600', path])
  assert.equal(await kept.find(), undefined)
  renameSync(path, join(folder, 'pipe'))
  mkdirSync(path, { mode: 0o700 })
  assert.equal(await kept.find(), undefined)
})

test('in a folder that others can change, no token is found or kept: they could exchange its files', async (t) => {
  const { folder, kept } = await keep(t)
  chmodSync(folder, 0o777)
  assert.equal(await kept.find(), undefined)
  await assert.rejects(kept.keep(TOKEN), { code: 'EPERM' })
  assert.equal(readdirSync(folder).length, 1)
  chmodSync(folder, 0o700)
  assert.equal(await kept.find(), TOKEN)
})

test('a file in the place of a folder is no token', async (t) => {
  const home = temporaryFolder(t)
  writeFileSync(join(home, 'hydrant'), '')
  const kept = openKeptToken({ XDG_RUNTIME_DIR: home }, BASE, '1')
  assert.equal(await kept.find(), undefined)
  await assert.rejects(kept.keep(TOKEN), { code: 'ENOTDIR' })
})

test('a folder that is not absolute is ignored (XDG Base Directory)', async (t) => {
  const home = temporaryFolder(t)
  await openKeptToken({ HOME: home, XDG_RUNTIME_DIR: 'run', XDG_STATE_HOME: '.' }, BASE, '1').keep(TOKEN)
  assert.equal(readdirSync(join(home, '.local', 'state', 'hydrant', 'tokens')).length, 1)
})
