import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { readWebhookSecrets, signatureHeaders } from '../../src/webhooks/signature.ts'
import { inShort } from '../support/problems.ts'

const secretOf = (bytes: number, fill = 7): string => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`

const read = (text: string): readonly Buffer[] => {
  const secrets = readWebhookSecrets(text, 'a.secret')
  return 'code' in secrets ? assert.fail(inShort(secrets)) : secrets
}

test('the signature of the specification: its secret, id, time and body', () => {
  // The example of the reference libraries (standard-webhooks/standard-webhooks, libraries/javascript).
  const headers = signatureHeaders(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1_614_265_330_999,
      body: Buffer.from('{"test": 2432232314}'),
    },
    read('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  )
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('while rotating, receivers with either secret verify the event, and others do not', () => {
  const [first, second, other] = [secretOf(24, 1), secretOf(64, 2), secretOf(24, 3)]
  const body = '{"name":"Zoë"}'
  const event = { id: 'e', at: Date.now(), body: Buffer.from(body) }
  const headers = signatureHeaders(event, read(`${first}\r\n${second}\n`))
  assert.match(headers['webhook-signature'], /^v1,[^ ]{44} v1,[^ ]{44}$/)
  for (const secret of [first, second])
    assert.deepEqual(new Verifier(secret).verify(body, headers), { name: 'Zoë' })
  assert.throws(() => new Verifier(other).verify(body, headers))
  assert.throws(() => new Verifier(first).verify('{"name":"Zoe"}', headers))
})

/** Files with secrets, and their problems. */
const FILES: [text: string, problem: string][] = [
  ['', 'WrongWebhookSecretCount(a.secret, 0)'],
  ['\n \n', 'WrongWebhookSecretCount(a.secret, 0)'],
  [`${secretOf(24)}\n`.repeat(3), 'WrongWebhookSecretCount(a.secret, 3)'],
  [secretOf(23), 'WebhookSecretLength(a.secret, 1, 23, 24, 64)'],
  [secretOf(65), 'WebhookSecretLength(a.secret, 1, 65, 24, 64)'],
  ['whsec_', 'WebhookSecretLength(a.secret, 1, 0, 24, 64)'],
  [secretOf(24).slice('whsec_'.length), 'InvalidWebhookSecret(a.secret, 1)'],
  [secretOf(24).toUpperCase(), 'InvalidWebhookSecret(a.secret, 1)'],
  [`whsk_${Buffer.alloc(32).toString('base64')}`, 'InvalidWebhookSecret(a.secret, 1)'],
  [`${secretOf(24)}\n${secretOf(25).replaceAll('=', '')}`, 'InvalidWebhookSecret(a.secret, 2)'],
  // base64url, which receivers do not read.
  [secretOf(24, 255).replaceAll('/', '_'), 'InvalidWebhookSecret(a.secret, 1)'],
  ['whsec_a paraphrase', 'InvalidWebhookSecret(a.secret, 1)'],
]

for (const [text, problem] of FILES)
  test(`${JSON.stringify(text.slice(0, 30))}: ${problem}`, () => {
    const found = readWebhookSecrets(text, 'a.secret')
    assert.ok('code' in found)
    assert.equal(inShort(found), problem)
  })
