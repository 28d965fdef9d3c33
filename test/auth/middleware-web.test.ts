import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  hashParaphrase,
  openProtection,
  type ProtectionOptions,
  readName,
  readParaphrase,
} from '../../src/auth/middleware.ts'
import { newDatabase } from '../support/databases.ts'

const PARAPHRASE = 'open the pod bay doors'
const CLIENT = { address: '192.0.2.7' }

async function openWeb(t: TestContext, options: Partial<ProtectionOptions> = {}) {
  const protection = await openProtection({ db: newDatabase(t), base: 'http://localhost/api', ...options })
  t.after(protection.close)
  await protection.store.addUser({ id: 1, paraphraseHash: await hashParaphrase(PARAPHRASE) }, Date.now())
  let calls = 0
  const ask = (init: RequestInit = {}, client = CLIENT, answer = () => new Response('in')) =>
    protection.handle(new Request('http://localhost/api/things', init), client, () => {
      calls++
      return answer()
    })
  const credentials = (nonce: string | null, user = '1') => ({
    authorization: `Basic ${btoa(`${user}:${PARAPHRASE}`)}`,
    'x-authentication': nonce ?? '',
  })
  return { protection, ask, credentials, calls: () => calls }
}

test('a web request goes through the three steps, and the program sees the third one alone', async (t) => {
  const { ask, credentials, calls } = await openWeb(t)
  const challenged = await ask({ method: 'POST', body: 'x'.repeat(10_000) })
  assert.deepEqual(
    [challenged.status, await challenged.text(), challenged.headers.get('www-authenticate')],
    [401, '{"401": "Need credentials to authenticate"}', 'Basic realm="Login required"'],
  )
  const nonce = challenged.headers.get('x-authentication')
  const nameless = await ask({ headers: credentials(nonce) }, {} as typeof CLIENT)
  assert.equal(nameless.status, 503, 'without an address nobody could be throttled')
  const exchanged = await ask({ method: 'POST', body: '{}', headers: credentials(nonce) })
  assert.deepEqual([exchanged.status, await exchanged.text()], [200, '{"200": "User token generated"}'])
  assert.equal(calls(), 0)
  const token = { 'x-authorization': exchanged.headers.get('x-authorization') ?? '' }
  assert.equal(await (await ask({ headers: token })).text(), 'in')
  assert.equal(await (await ask({ headers: token }, {} as typeof CLIENT)).text(), 'in')
  assert.equal(calls(), 2)
  const head = await ask({ method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [401, ''])
  const preflight = { origin: 'http://elsewhere', 'access-control-request-method': 'POST' }
  assert.equal((await ask({ method: 'OPTIONS', headers: preflight })).status, 204)
})

test('a user signs in with the name that the program has given it', async (t) => {
  const { ask, credentials, protection } = await openWeb(t)
  const read = readName('anna@studio.example')
  assert.ok('name' in read)
  assert.equal(await protection.store.changeUser(1, read), 'changed')
  const nonce = (await ask()).headers.get('x-authentication')
  assert.equal((await ask({ headers: credentials(nonce, 'Anna@Studio.example') })).status, 200)
})

test('the rules for names and paraphrases are told in sentences', () => {
  assert.deepEqual(readName('17'), {
    problem: 'A name must have at least one character that is not a digit, since digits alone are an id.',
  })
  assert.deepEqual(readParaphrase(''), {
    problem: 'A passphrase must have at least one character; this one is empty.',
  })
  assert.deepEqual(readParaphrase('e\u0301'), { paraphrase: '\u00e9' })
})

test('without tokens the nonce for the next request is put on any response of the program', async (t) => {
  const { ask, credentials } = await openWeb(t, { tokens: false })
  let nonce = (await ask()).headers.get('x-authentication')
  // The headers of a redirect cannot be changed.
  for (const answer of [
    () => new Response('in'),
    () => Response.redirect('http://localhost/'),
    () => Response.json({}),
  ]) {
    const response = await ask({ headers: credentials(nonce) }, CLIENT, answer)
    assert.equal(response.status, answer().status)
    const next = response.headers.get('x-authentication')
    assert.ok(next !== null && next !== nonce)
    nonce = next
  }
})

test('a web request that cannot be checked does not pass', async (t) => {
  const errors: unknown[] = []
  const { protection, ask, credentials, calls } = await openWeb(t, { onError: (error) => errors.push(error) })
  const nonce = (await ask()).headers.get('x-authentication')
  const exchanged = await ask({ headers: credentials(nonce) })
  protection.store.findToken = () => {
    throw new Error('the store is broken')
  }
  const token = { 'x-authorization': exchanged.headers.get('x-authorization') ?? '' }
  assert.equal((await ask({ headers: token })).status, 500)
  assert.deepEqual([calls(), errors.length], [0, 1])
})
