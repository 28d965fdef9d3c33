import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../support/folders.ts'
import { ROOT } from '../support/markdown.ts'
import { loadedWith } from './imports.ts'

/** Protects a service as its author would, signs a user in, and prints the files of ours that were loaded for it. */
const PROGRAM = `
  import { registerHooks } from 'node:module'
  const [, root, db] = process.argv
  const loaded = new Set()
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith(root + 'src/')) loaded.add(url.slice(root.length))
      return nextLoad(url, context)
    },
  })
  const { openProtection } = await import(root + 'src/auth/middleware.ts')
  const { admit, store, close } = await openProtection({ db, base: 'http://127.0.0.1' })
  await store.addUser({ id: 1, paraphraseHash: 'a hash' }, 0)
  const challenged = await admit({ rawHeaders: [], address: '127.0.0.1', drain: async () => true })
  await close()
  console.log(JSON.stringify({ verdict: challenged.verdict, loaded: [...loaded].sort() }))
`

const roomsOf = (files: Iterable<string>): Set<string> =>
  new Set([...files].filter((file) => file.split('/').length > 2).map((file) => file.split('/')[1] as string))

/** The thread that writes is started by its name, and loads the commands by theirs. */
const THREAD = ['src/database/sqlite/write-thread.ts', 'src/auth/store/sqlite/writes.ts']

test('openProtection on SQLite loads at most 34 files, and nothing about members', (t) => {
  const db = `sqlite:${join(temporaryFolder(t), 'protected.db')}`
  const printed = execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', PROGRAM, `file://${ROOT}/`, db],
    { encoding: 'utf8' },
  )
  const { verdict, loaded } = JSON.parse(printed) as { verdict: string; loaded: string[] }
  assert.equal(verdict, 'challenged')
  assert.deepEqual(roomsOf(loaded), new Set(['auth', 'database', 'http']))
  assert.ok(loaded.length <= 34, `${loaded.length} files:\n${loaded.join('\n')}`)
  const inThread = loadedWith(THREAD)
  assert.deepEqual(roomsOf(inThread), new Set(['auth', 'database']))
  const more = [...inThread].filter((file) => !loaded.includes(file))
  assert.ok(more.length <= 4, `${more.length} more in the thread that writes:\n${more.join('\n')}`)
})
