import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Flags } from '../../src/config/index.ts'
import { START } from '../support/auth-steps.ts'
import { type Headers, stepB, type TestResponse, USER } from '../support/client.ts'
import { serve, type TestService } from '../support/service.ts'

export interface Throttled {
  readonly service: TestService
  readonly time: { now: number }
  /** One attempt with a nonce of its own. */
  attempt(user?: number | string, paraphrase?: string, more?: Headers): Promise<TestResponse>
}

export async function startThrottled(t: TestContext, flags: Flags = {}, db?: string): Promise<Throttled> {
  const time = { now: START }
  const service = await serve(t, { time, flags, ...(db === undefined ? {} : { db }) })
  const { client } = service
  return {
    service,
    time,
    attempt: async (user = USER, paraphrase = 'wrong', more = {}) =>
      client.send('GET', '/books', { ...stepB(await client.nonce(), user, paraphrase), ...more }),
  }
}

/** Attempts on SQLite grow older by the machine's clock, which a test cannot stop (authentication.md, Time). */
const BUSY_SECONDS = 60

/** 429 in the seed's form, whatever was asked for (authentication.md, The gate). */
export function assertThrottled(response: TestResponse, seconds: number): void {
  assert.equal(response.status, 429)
  const retryAfter = Number(response.headers['retry-after'])
  assert.ok(retryAfter <= seconds && retryAfter >= Math.max(1, seconds - BUSY_SECONDS), `${retryAfter} s`)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.headers['x-authorization'], undefined)
  assert.deepEqual(Object.keys(response.json()), ['429'])
  assert.equal(typeof response.json()['429'], 'string')
}
