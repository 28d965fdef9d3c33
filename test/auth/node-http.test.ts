import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collectUpTo } from '../../src/auth/index.ts'

test('a body in parts of one byte is collected in one buffer, up to the limit', async () => {
  const bytes = 300_000
  const one = Buffer.from('x')
  let most = 0
  const parts = function* (length: number) {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    collect()
    const before = process.memoryUsage().heapUsed
    // Each is an object of its own, as a server gets it.
    for (let sent = 0; sent < length; sent += 1) yield one.subarray(0, 1)
    collect()
    most = process.memoryUsage().heapUsed - before
  }
  assert.deepEqual(await collectUpTo(bytes, parts(bytes)), Buffer.alloc(bytes, 'x'))
  assert.ok(most < 20 * bytes, `${Math.round(most / bytes)} bytes of the heap for each byte`)
  assert.equal(await collectUpTo(bytes, parts(bytes + 1)), undefined)
  assert.deepEqual(await collectUpTo(bytes, []), Buffer.alloc(0))
})
