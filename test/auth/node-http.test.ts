import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { collectUpTo } from '../../src/auth/index.ts'
import { ROOT } from '../support/markdown.ts'

/** More than the first buffer has room for, which then grows. */
const LIMIT = 50_000
/** So many that what is kept for each shows. */
const BYTES = 300_000

/** Each is an object of its own, as a server gets it. */
function* parts(length: number): Generator<Buffer> {
  const one = Buffer.from('x')
  for (let sent = 0; sent < length; sent += 1) yield one.subarray(0, 1)
}

test('a body in parts of one byte is collected in one buffer, up to the limit', async () => {
  assert.deepEqual(await collectUpTo(LIMIT, parts(LIMIT)), Buffer.alloc(LIMIT, 'x'))
  assert.equal(await collectUpTo(LIMIT, parts(LIMIT + 1)), undefined)
  assert.deepEqual(await collectUpTo(LIMIT, []), Buffer.alloc(0))
})

/** Prints how many bytes the heap has grown by when all parts have come; in a process of its own, where nothing else grows. */
const PROGRAM = `
  const { collectUpTo } = await import('file://${ROOT}/src/auth/index.ts')
  const one = Buffer.from('x')
  function* parts() {
    gc()
    const before = process.memoryUsage().heapUsed
    for (let sent = 0; sent < ${BYTES}; sent += 1) yield one.subarray(0, 1)
    gc()
    console.log(process.memoryUsage().heapUsed - before)
  }
  await collectUpTo(${BYTES}, parts())
`

test('a body in parts of one byte takes no more of the heap than its length', () => {
  const options = ['--expose-gc', '--input-type=module', '--eval', PROGRAM]
  const grown = Number(execFileSync(process.execPath, options, { encoding: 'utf8' }))
  assert.ok(grown < 20 * BYTES, `${Math.round(grown / BYTES)} bytes of the heap for each byte`)
})
