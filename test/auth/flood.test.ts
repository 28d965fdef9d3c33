import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createClock } from '../../src/auth/clock.ts'
import { createGate } from '../../src/auth/gate.ts'
import { createNonces } from '../../src/auth/nonce.ts'
import { openStore } from '../../src/store/open.ts'

test('100,000 anonymous requests leave nothing behind in memory', async (t) => {
  const store = await openStore('sqlite::memory:')
  t.after(() => store.close())
  const nonces = createNonces([await store.auth.nonceSecret()], 300_000)
  const gate = createGate({
    mode: 'token',
    store: store.auth,
    clock: createClock(),
    nonces,
    tokenTtlMs: 2_700_000,
  })
  const knocks = [
    [],
    ['X-Authentication', nonces.issue(Date.now())],
    ['X-Authorization', 'a'.repeat(64)],
    ['X-Authentication', crypto.randomUUID(), 'Authorization', `Basic ${btoa('1:x')}`],
  ]
  const flood = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const rawHeaders = knocks[index % knocks.length] ?? []
      const { verdict } = await gate({
        rawHeaders,
        address: `10.0.${index % 256}.1`,
        drain: async () => true,
      })
      assert.equal(verdict, 'challenged')
    }
    return heapUsed()
  }

  // The first few thousand are for the compiler.
  const before = await flood(5_000)
  const after = await flood(100_000)
  assert.ok(after - before < 1024 * 1024, `the heap grew by ${after - before} bytes`)
})

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed
}
