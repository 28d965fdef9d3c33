import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { warnOfFileModes } from '../../src/service/database.ts'
import { openStore } from '../../src/store/open.ts'
import { temporaryFolder } from '../support/service.ts'
import { assertRefused, each, folderWithApi, hydrant, serveIn } from './command.ts'

const LOOKING: readonly (readonly string[])[] = [
  ['user', 'list'],
  ['user', 'paraphrase', '1'],
  ['user', 'remove', '1'],
  ['token', 'list'],
  ['token', 'revoke', '--all'],
]

// contract: Exit status: 0 done
test('a command that looks at users or tokens makes no database where there is none', async (t) => {
  const folder = temporaryFolder(t)
  await each(LOOKING, async (args) => {
    const refused = await hydrant(args, { cwd: folder, input: 'open sesame\n' })
    assertRefused(refused, 1, 'hydrant.db', '--db', 'hydrant user add')
  })
  assert.deepEqual(readdirSync(folder), [])
})

// contract: Exit status: 0 done
// contract: `--db` ¦ `sqlite:hydrant.db` ¦
test('a database that cannot be opened is a failure that says why and what to do', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'notes.txt'), 'these are my notes, not a database')
  const rows: readonly (readonly [string, string])[] = [
    ['sqlite:missing/hydrant.db', ' missing;'],
    ['sqlite:folder', 'database folder '],
    ['sqlite:notes.txt/hydrant.db', 'notes.txt/hydrant.db'],
    ['sqlite:notes.txt', 'notes.txt '],
  ]
  await each(rows, async ([db, part]) => {
    const args = ['user', 'add', '1', '--db', db]
    assertRefused(await hydrant(args, { cwd: folder, input: 'open sesame\n' }), 1, part, '--db sqlite:<path>')
    assertRefused(await hydrant(['serve', '--port', '0', '--db', db], { cwd: folder }), 1, part)
  })
  assert.equal(readFileSync(join(folder, 'notes.txt'), 'utf8'), 'these are my notes, not a database')
  await hydrant(['init'], { cwd: folder })
  await each(
    [
      ['check', 'api.yaml'],
      ['backup', 'copy.db'],
    ],
    async (args) => {
      const refused = await hydrant([...args, '--db', 'sqlite:folder'], { cwd: folder })
      assertRefused(refused, 1, 'database folder ', '--db sqlite:<path>')
    },
  )
})

test('a database in memory is of no use to a command that ends: wrong usage', async (t) => {
  const folder = temporaryFolder(t)
  await each([['user', 'add', '1'], ...LOOKING], async (args) => {
    const refused = await hydrant([...args, '--db', 'sqlite::memory:'], { cwd: folder, input: 'sesame\n' })
    assertRefused(refused, 2, '--db', 'sqlite:<path>')
  })
})

test('a command minds its own settings only', async (t) => {
  const folder = temporaryFolder(t)
  const env = { HYDRANT_PORT: 'many', HYDRANT_TLS_CERT: '/nowhere', HYDRANT_SECRET: 'short' }
  const added = await hydrant(['user', 'add', '1'], { cwd: folder, input: 'open sesame\n', env })
  assert.equal(added.status, 0, added.stderr)
})

test('a database that others can read is warned about once at start, with what keeps it from them', async (t) => {
  const folder = folderWithApi(t)
  const file = join(folder, 'its own.db')
  const remedy = (path: string) => `chmod 600 '${path}' '${path}-wal' '${path}-shm'`
  const remedies = (sentences: readonly string[]) =>
    sentences.map((sentence) => sentence.replace(/^.*: /, ''))
  const warnings = async () => {
    const store = await openStore(`sqlite:${file}`)
    const said: string[] = []
    warnOfFileModes(`sqlite:${file}`, (sentence) => said.push(sentence))
    await store.close()
    return remedies(said)
  }
  assert.deepEqual(await warnings(), [], 'a new one is for its owner alone')
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(file, mode)
    assert.deepEqual(await warnings(), [remedy(file)])
    assert.equal(statSync(file).mode & 0o777, mode, 'it is left as it is')
  }
  const server = await serveIn(t, folder, ['--db', 'sqlite:its own.db'])
  await server.stop()
  const logged = [...server.stdout().matchAll(/"msg":"(other users of this machine [^"]+)"/g)]
  assert.deepEqual(remedies(logged.map(([, sentence = '']) => sentence)), [remedy('its own.db')])
  chmodSync(file, 0o600)
  assert.deepEqual(await warnings(), [])
})
