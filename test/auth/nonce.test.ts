import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  assertChallenged,
  assertExchanged,
  bytesOf,
  SECOND,
  START,
  spell,
  useNonce as use,
} from '../support/auth-steps.ts'
import { newDatabase } from '../support/databases.ts'
import { serve, shareService, temporaryFolder } from '../support/service.ts'

const shared = shareService()

// contract: Upper-case spelling is the same nonce
test('a nonce in upper case is the same nonce: it works, and is spent in both spellings', async () => {
  const service = await shared()
  const [first, second] = [await service.client.nonce(), await service.client.nonce()]
  assertExchanged(await use(service, first.toUpperCase()))
  assertChallenged(await use(service, first))
  assertExchanged(await use(service, second))
  assertChallenged(await use(service, second.toUpperCase()))
})

// contract: Spent by the first attempt, right or wrong
test('a nonce is spent by the first attempt when it is right', async () => {
  const service = await shared()
  const nonce = await service.client.nonce()
  assertExchanged(await use(service, nonce))
  assertChallenged(await use(service, nonce))
})

// contract: Spent by the first attempt, right or wrong
test('a nonce is spent by the first attempt when it is wrong', async () => {
  const service = await shared()
  const nonce = await service.client.nonce()
  assertChallenged(await use(service, nonce, 'wrong'))
  assertChallenged(await use(service, nonce))
})

const AHEAD: readonly { name: string; aheadMs: number; works: boolean }[] = [
  { name: 'a nonce of a host whose clock is 5 s ahead works', aheadMs: 5 * SECOND, works: true },
  // contract: Lives 5 minutes (setting)
  { name: 'a nonce of a host whose clock is 6 s ahead is refused', aheadMs: 6 * SECOND, works: false },
]

for (const { name, aheadMs, works } of AHEAD) {
  test(name, async (t) => {
    const here = await serve(t, { db: newDatabase(t), time: { now: START } })
    const there = await serve(t, { db: here.db, time: { now: START + aheadMs } })
    const nonce = await there.client.nonce()
    if (works) assertExchanged(await use(here, nonce))
    else assertChallenged(await use(here, nonce))
  })
}

// contract: Works on every host that shares the database
test('a nonce works on a second service on the same database, and is spent for both', async (t) => {
  const first = await serve(t, { db: newDatabase(t) })
  const second = await serve(t, { db: first.db })
  const nonce = await first.client.nonce()
  assertExchanged(await use(second, nonce))
  assertChallenged(await use(first, nonce))
})

test('a nonce is refused by a service on another database', async (t) => {
  const nonce = await (await serve(t)).client.nonce()
  assertChallenged(await use(await serve(t), nonce))
})

// contract: Works on every host that shares the database
test('across a restart an unused nonce works and a spent one stays spent', async (t) => {
  const before = await serve(t, { db: newDatabase(t) })
  const [spent, unused] = [await before.client.nonce(), await before.client.nonce()]
  assertExchanged(await use(before, spent))
  await before.close()
  const after = await serve(t, { db: before.db })
  assertChallenged(await use(after, spent))
  assertExchanged(await use(after, unused))
})

// contract: The secret is made at first start
// contract: `--secret-file` (or `HYDRANT_SECRET`) ¦
test('a secret is rotated with two lines in its file: the first seals, both are accepted', async (t) => {
  const path = join(temporaryFolder(t), 'secret')
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)]
  const db = newDatabase(t)
  const start = (lines: readonly string[]) => {
    writeFileSync(path, `${lines.join('\n')}\n`)
    return serve(t, { db, flags: { secretFile: path } })
  }
  const before = await start([older])
  const [first, second] = [await before.client.nonce(), await before.client.nonce()]

  const during = await start([newer, older])
  assertExchanged(await use(during, first))
  const sealed = bytesOf(await during.client.nonce())
  const seal = createHmac('sha256', newer).update(sealed.subarray(0, 9)).digest()
  assert.deepEqual(sealed.subarray(9), seal.subarray(0, 7))

  const after = await start([newer])
  assertChallenged(await use(after, second))
  assertExchanged(await use(after, spell(sealed)))
})
