import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './folders.ts'
import { ROOT } from './markdown.ts'
import { run } from './processes.ts'

/** A file of tests in a process of its own, as `npm test` starts it, which may be silent for half a second. */
async function runFile(folder: string, text: string) {
  const file = join(folder, 'one.test.mjs')
  writeFileSync(file, `import { spawn } from 'node:child_process'\nimport { test } from 'node:test'\n${text}`)
  const preload = ['--import', join(ROOT, 'test', 'support', 'silence.ts')]
  // Not as a part of these tests.
  const env = { NODE_TEST_CONTEXT: '', HYDRANT_TEST_SILENCE_MS: '500' }
  return run(process.execPath, [...preload, '--test-reporter=tap', file], { env })
}

test('a file that leaves something open fails, and says what is open', async (t) => {
  const folder = temporaryFolder(t)
  const left = "test('one', () => { setInterval(() => {}, 60_000) })"
  const open = await runFile(folder, left)
  assert.equal(open.status, 1)
  assert.match(open.stderr, /one\.test\.mjs has reported nothing for 0\.5 s\. What is open: .*Timeout/)
  assert.match(open.stderr, /still runs: nothing\n$/)
  const child = await runFile(folder, "test('one', () => { spawn('sleep', ['5']) })")
  assert.equal(child.status, 1)
  assert.match(child.stderr, /What is open: .*ProcessWrap/)
  if (process.platform === 'linux') assert.match(child.stderr, /still runs: \n {2}\d+ sleep 5 \n$/)
})

test('a file that ends, or goes on reporting for longer, is left alone', async (t) => {
  const folder = temporaryFolder(t)
  const reports = "for (let count = 0; count < 8; count += 1) test('one', (t, done) => setTimeout(done, 100))"
  for (const text of ["test('one', () => {})", reports]) {
    const { status, stderr } = await runFile(folder, text)
    assert.deepEqual([status, stderr], [0, ''], text)
  }
})
