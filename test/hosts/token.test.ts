import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashParaphrase } from '../../src/auth/index.ts'
import { USER } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import { runCommand } from '../support/server-processes.ts'
import type { TestService } from '../support/service.ts'
import { lastServed, serveHosts, statusOf } from './hosts.ts'

/** authentication.md, Token: within one second on every other host. */
const WITHIN_MS = 1_000

/** So that all remember it. */
async function assertServed(hosts: readonly TestService[], token: string): Promise<void> {
  for (const { client } of hosts) assert.equal(await statusOf(client, token), 200)
}

/**
 * Within a second from now on. The time of the last request that was served is when it was sent: however slow the machine,
 * none that is sent later may be served.
 */
async function assertRefused(hosts: readonly TestService[], token: string): Promise<void> {
  const since = performance.now()
  const last = await Promise.all(hosts.map(({ client }) => lastServed(client, token, since, 401)))
  for (const ms of last) assert.ok(ms < WITHIN_MS, `served after ${ms} ms`)
  for (const { client } of hosts) assert.equal(await statusOf(client, token), 401)
}

const API = 'roles: [editor]\nclasses: { Tip: { access: { view: editor }, properties: { text: string } } }'

test('on three hosts', async (t) => {
  const hosts = await serveHosts(t, 3, { api: API })
  const [host, ...others] = hosts
  const { auth } = host.store

  /** A token that all have seen. */
  async function signIn(): Promise<string> {
    const token = await host.client.signIn()
    await assertServed(hosts, token)
    return token
  }

  /** From the next request on where it was ended, and within a second elsewhere. */
  async function assertEnds(end: (token: string) => Promise<unknown>): Promise<void> {
    const token = await signIn()
    await end(token)
    const refused = assertRefused(others, token)
    assert.equal(await statusOf(host.client, token), 401)
    await refused
  }

  await t.test('a token from one works on every other one at once', async () => {
    for (const { client } of hosts) await assertServed(hosts, await client.signIn())
  })

  // contract: A change holds from the next request on
  await t.test('roles that are changed on one hold on every other one within a second', async () => {
    const token = await signIn()
    for (const [roles, served, status] of [
      [['editor'], 403, 200],
      [[], 200, 403],
    ] as const) {
      for (const { client } of hosts) assert.equal(await statusOf(client, token, '/tips'), served)
      assert.ok(await auth.setRoles(USER, roles))
      const since = performance.now()
      assert.equal(await statusOf(host.client, token, '/tips'), status)
      const last = await Promise.all(
        others.map(({ client }) => lastServed(client, token, since, status, { path: '/tips', served })),
      )
      for (const ms of last) assert.ok(ms < WITHIN_MS, `${served} after ${ms} ms`)
    }
  })

  // contract: Ends at once when its user is removed
  await t.test('a token that is revoked on one is refused on every other one within a second', () =>
    assertEnds((token) => host.client.send('DELETE', '/session', { 'X-Authorization': token })),
  )

  await t.test('tokens that a command revokes are refused on every host within a second', async () => {
    const token = await signIn()
    await runCommand(['token', 'revoke', '--all', '--db', host.db])
    await assertRefused(hosts, token)
  })

  await t.test('a token that is removed past Hydrant is refused within a second', async () => {
    const token = await signIn()
    await onPostgres(host.db, 'DELETE FROM tokens')
    await assertRefused(hosts, token)
  })

  // contract: Ends at once when its user is removed
  await t.test('a token whose user has a new paraphrase is refused within a second', async () => {
    const hash = await hashParaphrase('new')
    await assertEnds(() => Promise.resolve(auth.setParaphrase(USER, hash)))
    await assert.rejects(others[0].client.exchange())
    await others[1]?.client.signIn(USER, 'new')
  })

  // contract: Ends at once when its user is removed
  await t.test('a token whose user is removed on one is refused on every other one within a second', () =>
    assertEnds(() => Promise.resolve(auth.removeUser(USER))),
  )
})
