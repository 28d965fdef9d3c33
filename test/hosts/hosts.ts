import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestClient } from '../support/client.ts'
import { newPostgres } from '../support/postgres.ts'
import { type ServiceOptions, serve, type TestService } from '../support/service.ts'

export type Hosts = readonly [TestService, TestService, ...TestService[]]

/** So many services on one PostgreSQL, started at once on a database that is not there yet. */
export async function serveHosts(
  t: TestContext,
  count: number,
  options: ServiceOptions = {},
): Promise<Hosts> {
  const db = options.db ?? newPostgres(t)
  const [first, second, ...others] = await Promise.all(
    Array.from({ length: count }, () => serve(t, { ...options, db })),
  )
  assert.ok(first !== undefined && second !== undefined)
  return [first, second, ...others]
}

/** Of what needs no members, unless another path is given: whether somebody passes the gate. */
export const statusOf = async (client: TestClient, token: string, path = '/'): Promise<number> =>
  (await client.send('GET', path, { 'X-Authorization': token })).status

/** Between two requests: the hosts are in this process, and need some of its time. */
const PAUSE_MS = 5

/**
 * When the last request was sent that `client` still served to `token`, in milliseconds after `since` (negative for
 * none). Ends with the first one that is refused with `refusal`.
 */
export async function lastServed(
  client: TestClient,
  token: string,
  since: number,
  refusal: number,
  { path = '/', served = 200 } = {},
): Promise<number> {
  let last = -1
  for (;;) {
    const sentAt = performance.now() - since
    const status = await statusOf(client, token, path)
    if (status === refusal) return last
    assert.ok(status === served && sentAt < 10_000, `${status} after ${sentAt} ms`)
    last = sentAt
    await wait(PAUSE_MS)
  }
}

const TRIES = 500

/** Until it is so; what takes ten seconds never comes. Not by the clock, which a test may have stopped. */
export async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    assert.ok(tries < TRIES, `not within ten seconds: ${what}`)
    await wait(20)
  }
}
