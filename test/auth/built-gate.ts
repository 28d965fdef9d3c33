import type { TestContext } from 'node:test'
import { createParaphraseCheck } from '../../src/auth/credentials.ts'
import { createGate } from '../../src/auth/gate.ts'
import { type AuthStore, createClock, type Gate } from '../../src/auth/index.ts'
import { createNonces, type Nonces } from '../../src/auth/nonce.ts'
import { createFairQueue, createSlots, type QueueSize } from '../../src/fair-queue.ts'
import type { GateRequest } from '../../src/http/index.ts'
import { MINUTE, START } from '../support/auth-steps.ts'
import { stepB, USER } from '../support/client.ts'
import { paraphraseHash } from '../support/service.ts'
import { openFor } from '../support/stores.ts'

export interface Built {
  readonly gate: Gate
  readonly store: AuthStore
  readonly nonces: Nonces
  /** A request with a nonce of its own. */
  requestFrom(address: string, paraphrase?: string): GateRequest
}

export const QUEUE: QueueSize = { slots: 2, maxWaiting: 2 }
export const LIMIT = { failures: 2, windowMs: MINUTE }

/** A gate with a queue of its own over a store in memory; `change` replaces some of the store's methods. */
export async function build(
  t: TestContext,
  queue: QueueSize = QUEUE,
  change: (store: AuthStore) => Partial<AuthStore> = () => ({}),
): Promise<Built> {
  const { auth } = await openFor(t, 'sqlite::memory:')
  await auth.addUser({ id: USER, paraphraseHash: await paraphraseHash() }, START)
  const nonces = createNonces([await auth.nonceSecret()], 5 * MINUTE)
  const gate = createGate({
    mode: 'token',
    store: { ...auth, ...change(auth) },
    clock: createClock(() => START),
    nonces,
    tokenTtlMs: 45 * MINUTE,
    limits: { user: LIMIT, address: LIMIT },
    hashing: createFairQueue(createSlots(queue)),
    isParaphrase: createParaphraseCheck(),
    onError() {},
  })
  const requestFrom = (address: string, paraphrase?: string): GateRequest => ({
    address,
    rawHeaders: Object.entries(stepB(nonces.issue(START), USER, paraphrase)).flat(),
    drain: async () => true,
  })
  return { gate, store: auth, nonces, requestFrom }
}
