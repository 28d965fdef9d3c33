import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hashParaphrase } from '../../src/auth/credentials.ts'
import { runCommand } from '../auth/processes.ts'
import { USER } from '../support/client.ts'
import { onPostgres } from '../support/postgres.ts'
import type { ServiceOptions, TestService } from '../support/service.ts'
import { lastServed, serveHosts, statusOf } from './hosts.ts'

/** authentication.md, Token: within one second on every other host. */
const WITHIN_MS = 1_000

interface SignedIn {
  readonly host: TestService
  readonly others: readonly TestService[]
  readonly token: string
}

/** Three hosts that have all seen the token of user 7. */
async function signIn(t: TestContext, options: ServiceOptions = {}): Promise<SignedIn> {
  const [host, ...others] = await serveHosts(t, 3, options)
  const token = await host.client.signIn()
  await assertServed([host, ...others], token)
  return { host, others, token }
}

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

/** From the next request on where it was ended, and within a second elsewhere. */
async function assertEnds({ host, others, token }: SignedIn, end: () => Promise<unknown>): Promise<void> {
  await assertServed([host, ...others], token)
  await end()
  const refused = assertRefused(others, token)
  assert.equal(await statusOf(host.client, token), 401)
  await refused
}

const session = ({ host, token }: SignedIn) =>
  host.client.send('DELETE', '/session', { 'X-Authorization': token })

test('a token from one host works on every other one at once', async (t) => {
  const hosts = await serveHosts(t, 3)
  for (const { client } of hosts) {
    const token = await client.signIn()
    for (const other of hosts) assert.equal(await statusOf(other.client, token), 200)
  }
})

// contract: Ends at once when its user is removed
test('a token that is revoked on one host is refused on every other one within a second', async (t) => {
  const signedIn = await signIn(t)
  await assertEnds(signedIn, () => session(signedIn))
})

// contract: Ends at once when its user is removed
test('a token whose user is removed on one host is refused on every other one within a second', async (t) => {
  const signedIn = await signIn(t)
  await assertEnds(signedIn, () => signedIn.host.store.auth.removeUser(USER))
})

// contract: Ends at once when its user is removed
test('a token whose user has a new paraphrase is refused on every other host within a second', async (t) => {
  const signedIn = await signIn(t)
  const hash = await hashParaphrase('new')
  await assertEnds(signedIn, () => signedIn.host.store.auth.setParaphrase(USER, hash))
  await assert.rejects(signedIn.others[0]?.client.exchange() as Promise<string>)
  await signedIn.others[1]?.client.signIn(USER, 'new')
})

const ROLES = 'roles: [editor]\nclasses: { Tip: { access: { view: editor }, properties: { text: string } } }'

// contract: A change holds from the next request on
test('roles that are changed on one host hold on every other one within a second', async (t) => {
  const { host, others, token } = await signIn(t, { api: ROLES })
  for (const [roles, served, status] of [
    [['editor'], 403, 200],
    [[], 200, 403],
  ] as const) {
    for (const { client } of [host, ...others]) assert.equal(await statusOf(client, token, '/tips'), served)
    assert.ok(await host.store.auth.setRoles(USER, roles))
    const since = performance.now()
    assert.equal(await statusOf(host.client, token, '/tips'), status)
    const last = await Promise.all(
      others.map(({ client }) => lastServed(client, token, since, status, { path: '/tips', served })),
    )
    for (const ms of last) assert.ok(ms < WITHIN_MS, `${served} after ${ms} ms`)
  }
})

test('tokens that a command revokes are refused on every host within a second', async (t) => {
  const { host, others, token } = await signIn(t)
  await runCommand(['token', 'revoke', '--all', '--db', host.db])
  await assertRefused([host, ...others], token)
})

test('a token that is removed past Hydrant is refused within a second', async (t) => {
  const { host, others, token } = await signIn(t)
  await assertServed([host, ...others], token)
  await onPostgres(host.db, 'DELETE FROM tokens')
  await assertRefused([host, ...others], token)
})
