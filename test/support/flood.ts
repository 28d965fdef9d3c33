import assert from 'node:assert/strict'
import { startClient, stepB } from './client.ts'
import type { TestService } from './service.ts'

export const ADDRESSES = 20

/** With this setting each address may guess 3 times: more than is measured, and it comes to an end. */
export const FEW_FAILURES = '3/1m'

export interface Flooded {
  readonly service: Pick<TestService, 'base' | 'port'>
  /** How many guess at once. */
  readonly guesses: number
  /** Until as many wait as are meant to: by default until one does not get a place. */
  readonly crowded?: () => Promise<unknown>
  readonly user: { readonly id: number; readonly paraphrase: string }
  /** How many wrong paraphrases have been found out. */
  readonly wrong: () => number
}

/**
 * That a user can sign in beside a flood of wrong exchanges from twenty addresses (threats.md, Nonces and tokens): each
 * address is before the user once, and not with all that it has.
 */
export async function assertSignInBesideFlood({
  service,
  guesses,
  crowded,
  user,
  wrong,
}: Flooded): Promise<void> {
  const full = Promise.withResolvers<void>()
  let stopped = false
  const guess = async (index: number): Promise<void> => {
    const client = startClient(service, `127.0.1.${1 + (index % ADDRESSES)}`)
    while (!stopped) {
      const { status } = await client.send('GET', '/', stepB(await client.nonce(), 999, 'a guess'))
      if (status === 503) full.resolve()
      // It may guess no more, and would take no place either.
      if (status === 429) return
    }
  }
  const honest = startClient(service)
  const flood = Promise.all(Array.from({ length: guesses }, (_, index) => guess(index)))
  try {
    await Promise.race([crowded?.() ?? full.promise, flood])
    const nonce = await honest.nonce()
    const before = wrong()
    const { status } = await honest.send('GET', '/', stepB(nonce, user.id, user.paraphrase))
    assert.equal(status, 200)
    const turns = wrong() - before
    assert.ok(turns <= 2 * ADDRESSES, `after ${turns} guesses of others`)
  } finally {
    stopped = true
    await flood
  }
}
