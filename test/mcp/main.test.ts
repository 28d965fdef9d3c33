import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../support/processes.ts'
import { BRIDGE } from './bridge.ts'

test('A command that cannot start says why in one line, and repeats no argument', async () => {
  const args = [BRIDGE, 'http://localhost/api', '--paraphrase', 'secret']
  const { status, stdout, stderr } = await run(process.execPath, args)
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^hydrant-mcp: The only arguments [^\n]+\n$/)
  assert.ok(!stderr.includes('secret'))
})

test('The command ends when its host closes standard input, and prints nothing but the protocol', async () => {
  const { status, stdout, stderr } = await run(process.execPath, [BRIDGE, 'http://localhost:9/api'])
  assert.deepEqual([status, stdout, stderr], [0, '', ''])
})
