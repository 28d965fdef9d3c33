import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { type ApiConnection, connect } from '../../../../console/shared/connection/connection.ts'
import type { SignInRequest } from '../../../../console/shared/connection/sign-in-prompt.ts'
import { PARAPHRASE, USER } from '../../../support/client.ts'
import { serve } from '../../../support/service.ts'

const MINUTE = 60_000
/** A question that nobody answers would be waited for to no end. */
const LIMIT = { timeout: 30_000 }
const RIGHT = { id: USER, paraphrase: PARAPHRASE }
const WRONG = { id: USER, paraphrase: 'not the paraphrase' }

/** The next one that nobody has answered. */
function nextRequest({ signInRequest }: ApiConnection): Promise<SignInRequest> {
  return new Promise((resolve) => {
    const see = (asked: SignInRequest | undefined) => {
      if (!asked || asked.busy) return
      stop()
      resolve(asked)
    }
    const stop = signInRequest.watch(see)
    see(signInRequest.get())
  })
}

async function signedIn(base: string): Promise<ApiConnection> {
  const connection = connect(base, RIGHT)
  await connection.client.entryPoint()
  await until(() => connection.signedIn.get()?.endsAt !== undefined)
  return connection
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test(
  'many requests share one sign-in request, which stays while credentials are tried and returns with the reason',
  LIMIT,
  async (t) => {
    const { base } = await serve(t)
    const connection = connect(base)
    const seen: (string | undefined)[] = []
    connection.signInRequest.watch((asked) =>
      seen.push(asked && `${asked.busy ? 'busy' : 'open'} ${asked.id}`),
    )
    const reads = [connection.client.entryPoint(), connection.client.documentation()]
    const collections = connection.client.collections()

    const first = await nextRequest(connection)
    assert.equal(first.error, undefined)
    assert.equal(first.expired, false)
    first.answer(WRONG)
    const second = await nextRequest(connection)
    assert.ok(second.error instanceof ApiError)
    assert.equal(second.error.kind, 'credentials')
    second.answer(RIGHT)
    await Promise.all(reads)
    assert.deepEqual(
      (await collections).map(({ name }) => name),
      ['authors', 'books'],
    )
    assert.deepEqual(seen, ['open ', 'busy 7', 'open 7', 'busy 7', undefined])
    assert.equal(connection.signedIn.get()?.user, '7')
  },
)

test(
  'the expiry of a token is computed by the local clock, however wrong the clock of the server is',
  LIMIT,
  async (t) => {
    const time = { now: Date.now() + 180 * MINUTE }
    const { base } = await serve(t, { time })
    const before = Date.now()
    const connection = await signedIn(base)
    const endsAt = connection.signedIn.get()?.endsAt ?? 0
    assert.ok(endsAt >= before + 45 * MINUTE && endsAt <= Date.now() + 45 * MINUTE)

    time.now += 46 * MINUTE
    const read = connection.client.collection('books').page()
    const asked = await nextRequest(connection)
    assert.equal(asked.expired, true)
    assert.equal(asked.id, '7')
    assert.ok((connection.signedIn.get()?.endsAt ?? 0) <= Date.now())
    asked.answer(RIGHT)
    await read
    await until(() => (connection.signedIn.get()?.endsAt ?? 0) > Date.now())
  },
)

test(
  'cancelling a sign-in request fails the waiting requests, unless the credentials that are being tried are right',
  LIMIT,
  async (t) => {
    const { base } = await serve(t)
    for (const given of [undefined, WRONG]) {
      const connection = connect(base)
      const read = connection.client.entryPoint()
      const asked = await nextRequest(connection)
      if (given) asked.answer(given)
      connection.signInRequest.get()?.cancel()
      assert.equal(connection.signInRequest.get(), undefined)
      await assert.rejects(read, { kind: 'credentials' })
      assert.equal(connection.signInRequest.get(), undefined)
      // The next request may ask again.
      const again = connection.client.entryPoint()
      const next = await nextRequest(connection)
      next.answer(RIGHT)
      connection.signInRequest.get()?.cancel()
      assert.equal((await again).iri, `${base}/`)
    }
  },
)

test(
  'signing out reports whether the token was revoked, and the connection asks for no credentials any more',
  LIMIT,
  async (t) => {
    const time = { now: Date.now() }
    const service = await serve(t, { time })
    const revoked = await signedIn(service.base)
    const { endsAt } = revoked.signedIn.get() ?? {}
    assert.deepEqual(await revoked.signOut(), { revoked: true, endsAt })
    await assert.rejects(revoked.client.collection('books').page(), { kind: 'credentials' })
    assert.equal(revoked.signInRequest.get(), undefined)

    const ended = await signedIn(service.base)
    time.now += 46 * MINUTE
    assert.equal((await ended.signOut()).revoked, true)
    assert.equal(ended.signInRequest.get(), undefined)

    const away = await signedIn(service.base)
    await service.close()
    const farewell = await away.signOut()
    assert.equal(farewell.revoked, false)
    assert.notEqual(farewell.endsAt, undefined)
  },
)

test('given credentials are not asked for again, nor sent to an open API', LIMIT, async (t) => {
  const { base } = await serve(t, { flags: { auth: false } })
  const connection = connect(base, RIGHT)
  assert.equal(connection.signInRequest.get()?.busy, true)
  await connection.client.entryPoint()
  assert.equal(connection.signInRequest.get(), undefined)
  assert.equal(connection.signedIn.get(), undefined)
  assert.ok(connection.wire.get().every(({ requestHeaders }) => !('authorization' in requestHeaders)))
})

test(
  'signing in again before the token expires asks at once, and cancelling keeps the token',
  LIMIT,
  async (t) => {
    const { base } = await serve(t)
    const connection = await signedIn(base)
    const before = connection.signedIn.get()
    const again = connection.signInAgain()
    const asked = await nextRequest(connection)
    asked.cancel()
    await again
    assert.deepEqual(connection.signedIn.get(), before)
    await connection.client.collection('books').page()
    assert.equal(connection.signInRequest.get(), undefined)
  },
)
