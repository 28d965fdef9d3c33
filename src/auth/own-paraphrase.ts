import type { FairQueue } from '../fair-queue.ts'
import type { Admission, GateDependencies } from './admission.ts'
import { hashParaphrase, throttleNumber } from './credentials.ts'
import { nameKey, readParaphrase } from './rules.ts'
import type { User } from './store/index.ts'
import { queueKey, throttleKey } from './throttle.ts'

/** Whether a signed-in user has given their own paraphrase. */
export type OwnCheck =
  | { readonly verdict: 'right' }
  | { readonly verdict: 'wrong' }
  | Extract<Admission, { verdict: 'throttled' | 'busy' }>

/** `address`: of the client. */
export type CheckOwnParaphrase = (user: User, paraphrase: string, address: string) => Promise<OwnCheck>

/** The hash of a paraphrase that is set by a request from this address; undefined if too many wait for a slot. */
export type HashNew = (paraphrase: string, address: string) => Promise<string | undefined>

/** The limit of hashes at once is for those of new paraphrases, too (authentication.md, Credentials). */
export const createHashNew =
  (hashing: FairQueue): HashNew =>
  (paraphrase, address) =>
    hashing.run(queueKey(address), () => hashParaphrase(paraphrase))

interface OwnCheckDependencies
  extends Pick<GateDependencies, 'store' | 'clock' | 'limits' | 'isParaphrase' | 'onFailure' | 'onError'> {
  readonly hashing: FairQueue
}

/**
 * As costly and as limited as an exchange: a stolen token must not be a way to guess the paraphrase. A wrong one counts for
 * the throttle of both the id and the name (people.md, Accounts).
 */
export function createOwnCheck(dependencies: OwnCheckDependencies): CheckOwnParaphrase {
  const { store, clock, limits, hashing, isParaphrase, onFailure, onError } = dependencies

  async function check(user: User, paraphrase: string, address: string): Promise<OwnCheck> {
    const named = user.name === undefined ? [] : [throttleNumber({ nameKey: nameKey(user.name) })]
    const reserved = await store.reserve(address, [user.id, ...named], limits, clock.now())
    if (reserved.outcome === 'throttled') {
      const seconds = Math.ceil((reserved.retryAt - clock.now()) / 1000)
      return { verdict: 'throttled', retryAfterSeconds: Math.max(1, seconds) }
    }
    const { attemptIds } = reserved
    const right = await isParaphrase(user.paraphraseHash, paraphrase).catch((error: unknown) => {
      for (const attemptId of attemptIds) store.cancel(attemptId).catch(onError)
      throw error
    })
    if (!right) onFailure?.({ address, claimed: user.id })
    await Promise.all(
      attemptIds.map((attemptId) => (right ? store.cancel(attemptId) : store.fail(attemptId))),
    )
    return { verdict: right ? 'right' : 'wrong' }
  }

  return async (user, text, address) => {
    const read = readParaphrase(text)
    // No user has such a paraphrase. It is the sender's own mistake, and reveals nothing about the right one.
    if ('problem' in read) return { verdict: 'wrong' }
    const checked = await hashing.run(queueKey(address), () =>
      check(user, read.paraphrase, throttleKey(address)),
    )
    return checked ?? { verdict: 'busy' }
  }
}
