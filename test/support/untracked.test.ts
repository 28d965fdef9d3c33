import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './folders.ts'
import { ROOT } from './markdown.ts'
import { run } from './processes.ts'

/** A file of tests in a process of its own, as `npm test` starts it. */
async function runFile(folder: string, text: string) {
  const file = join(folder, 'one.test.mjs')
  writeFileSync(file, `import { test } from 'node:test'\n${text}`)
  const preload = ['--import', join(ROOT, 'test', 'support', 'untracked.ts')]
  // Not as a part of these tests.
  const env = { NODE_TEST_CONTEXT: '', HYDRANT_SOAK: '' }
  return run(process.execPath, [...preload, '--test-reporter=tap', file], { env })
}

test('an error that nothing catches fails the process that it occurs in, and is printed', async (t) => {
  const folder = temporaryFolder(t)
  const thrown =
    "test('one', (t, done) => { setImmediate(() => { setImmediate(done); throw new TypeError('lost') }) })"
  const rejected = "test('one', async () => { Promise.reject(new TypeError('lost')) })"
  for (const text of [thrown, rejected]) {
    const { status, stderr } = await runFile(folder, text)
    assert.equal(status, 1, text)
    assert.match(stderr, /^An uncaught error: TypeError: lost\n {4}at .*one\.test\.mjs/m)
  }
  assert.equal((await runFile(folder, "test('one', () => {})")).status, 0)
})
