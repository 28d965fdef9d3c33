import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hashQueueSize, readParaphrase } from '../../src/auth/index.ts'
import { assertChallenged, START } from '../support/auth-steps.ts'
import { PARAPHRASE, stepB, USER } from '../support/client.ts'
import { assertSignInBesideFlood, FEW_FAILURES } from '../support/flood.ts'
import { serve, type TestService } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { compareTimes, createLeast } from '../support/timing.ts'
import { build } from './built-gate.ts'

// contract: Nothing is stored when a challenge is answered
test('tens of thousands of anonymous requests leave nothing behind in memory', async (t) => {
  const { gate, nonces } = await build(t)
  const knocks = [
    [],
    ['X-Authentication', nonces.issue(START)],
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
  let before = await flood(5_000)
  // What each of them leaves behind grows in every round; the other tests of this process do not.
  const growth: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const after = await flood(inSoak(25_000, 5_000))
    growth.push(after - before)
    before = after
  }
  assert.ok(Math.min(...growth) < 256 * 1024, `the heap grew by ${growth} bytes`)
})

// contract: Step B in order
test('beside a flood of wrong exchanges from twenty addresses somebody else signs in after one turn of each', async (t) => {
  const service = await serve(t, { flags: { addressFailures: FEW_FAILURES } })
  // So many more than can wait that places are fought for all the time.
  const guesses = hashQueueSize().maxWaiting + 28
  const wrong = () => service.logged.filter((line) => line.includes('a wrong passphrase')).length
  await assertSignInBesideFlood({ service, guesses, user: { id: USER, paraphrase: PARAPHRASE }, wrong })
})

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed
}

/** Marks of two classes, all of one before all of the other: normalising moves each of the latter past all of the former. */
const marks = (bytes: number): string => '\u0301'.repeat(bytes / 4) + '\u0316'.repeat(bytes / 4)

const COSTLY: readonly { name: string; nonce: (service: TestService) => Promise<string> | string }[] = [
  { name: 'credentials beside a nonce that is none are not normalised', nonce: () => 'none' },
  // contract: Step B in order
  { name: 'credentials beside a forged nonce are not normalised', nonce: () => crypto.randomUUID() },
  // contract: Step B in order
  { name: 'credentials that are too long are not normalised', nonce: ({ client }) => client.nonce() },
]

for (const { name, nonce } of COSTLY) {
  test(name, async (t) => {
    const service = await serve(t)
    const send = (paraphrase: string) => async () => {
      const headers = stepB(await nonce(service), 7, paraphrase)
      return async () => assertChallenged(await service.client.send('GET', '/books', headers))
    }
    const least = createLeast([send('x'.repeat(12_000)), send(marks(12_000))])
    await compareTimes(async () => {
      const [harmless, costly] = await least(10)
      assert.ok(costly < 5 * harmless, `${costly} µs, beside ${harmless} µs`)
    })
  })
}

test('a paraphrase of more than 1024 bytes is normalised only where that takes no more than its length', async () => {
  const read = (text: string) => () => () => readParaphrase(text)
  const least = createLeast([read(marks(1_024)), read(marks(3_072))])
  await compareTimes(async () => {
    const [longest, over] = await least(20)
    assert.ok(over < 3 * longest, `${over} µs, beside ${longest} µs`)
  })
})
