import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { hashParaphrase, readParaphrase } from '../../src/auth/index.ts'
import { ask, assertChallenged, assertExchanged, assertRefused, encode } from '../support/auth-steps.ts'
import { basic, PARAPHRASE, stepB, USER } from '../support/client.ts'
import { shareService, type TestService } from '../support/service.ts'

const shared = shareService()

/** "7:correct horse battery": 23 bytes, so its base64 ends in one "=", before which two bits are unused. */
const CREDENTIALS = encode(`${USER}:${PARAPHRASE}`)

interface RefusedCredentials {
  readonly name: string
  /** The whole Authorization header. */
  readonly authorization: string
  /** Whom a reader that is less strict would let in. */
  readonly user?: { readonly id: number; readonly paraphrase: string }
}

/** The very credentials of a user whose paraphrase nobody could set. */
const rightFor = (id: number, paraphrase: string): Omit<RefusedCredentials, 'name'> => ({
  authorization: basic(id, paraphrase),
  user: { id, paraphrase },
})

const SCHEMES: readonly RefusedCredentials[] = [
  { name: 'a scheme that only ends in Basic is refused', authorization: `XBasic ${CREDENTIALS}` },
  { name: 'a scheme that only begins with Basic is refused', authorization: `Basics ${CREDENTIALS}` },
  { name: 'Bearer with Basic credentials is refused', authorization: `Bearer ${CREDENTIALS}` },
  { name: 'Digest with Basic credentials is refused', authorization: `Digest ${CREDENTIALS}` },
  { name: 'credentials without a scheme are refused', authorization: CREDENTIALS },
  { name: 'Basic without credentials is refused', authorization: 'Basic' },
  // contract: `Authorization: Basic`, scheme in any case
  { name: 'Basic with two spaces is refused', authorization: `Basic  ${CREDENTIALS}` },
  { name: 'Basic with a tab is refused', authorization: `Basic\t${CREDENTIALS}` },
  { name: 'Basic with a colon for the space is refused', authorization: `Basic:${CREDENTIALS}` },
  {
    name: 'two credentials in one header are refused',
    authorization: `Basic ${CREDENTIALS}, Basic ${CREDENTIALS}`,
  },
  { name: 'credentials with a parameter are refused', authorization: `Basic ${CREDENTIALS}; charset=UTF-8` },
]

const BASE64: readonly RefusedCredentials[] = [
  { name: 'base64 with a foreign character in it is refused', authorization: `Basic *${CREDENTIALS}` },
  {
    name: 'base64 with a space in it is refused',
    authorization: `Basic ${CREDENTIALS.slice(0, 8)} ${CREDENTIALS.slice(8)}`,
  },
  // contract: `Authorization: Basic`, scheme in any case
  { name: 'base64 without its padding is refused', authorization: `Basic ${CREDENTIALS.replace('=', '')}` },
  { name: 'base64 with more padding than it needs is refused', authorization: `Basic ${CREDENTIALS}=` },
  // contract: `Authorization: Basic`, scheme in any case
  {
    name: 'base64 whose unused bits are set is refused',
    authorization: `Basic ${CREDENTIALS.replace('k=', 'l=')}`,
  },
  {
    name: 'base64 that goes on after its padding is refused',
    authorization: `Basic ${CREDENTIALS}${CREDENTIALS}`,
  },
  {
    name: 'base64url is refused',
    authorization: `Basic ${encode('8:??>>~~').replaceAll('/', '_').replaceAll('+', '-')}`,
    user: { id: 8, paraphrase: '??>>~~' },
  },
]

const PARTS: readonly RefusedCredentials[] = [
  { name: 'credentials without a colon are refused', authorization: `Basic ${encode('7')}` },
  { name: 'credentials with an empty id are refused', authorization: basic('', PARAPHRASE) },
  { name: 'credentials with an empty paraphrase are refused', authorization: basic(USER, '') },
  { name: 'credentials that are a lone colon are refused', authorization: basic('', '') },
  {
    name: 'a paraphrase cut off at its colon is refused',
    authorization: basic(8, 'one'),
    user: { id: 8, paraphrase: 'one:two' },
  },
  {
    name: 'a paraphrase without what stands before its colon is refused',
    authorization: basic(8, 'two'),
    user: { id: 8, paraphrase: 'one:two' },
  },
  // contract: A paraphrase has 1 to 1024 bytes
  { name: 'a paraphrase of more than 1024 bytes is refused', ...rightFor(8, 'x'.repeat(1025)) },
]

/** Each would be user 7, or user 1000, for a reader that is less strict. */
const IDS: readonly RefusedCredentials[] = [
  { name: 'an id with a space before it is refused', authorization: basic(' 7', PARAPHRASE) },
  { name: 'an id with a space after it is refused', authorization: basic('7 ', PARAPHRASE) },
  // contract: The user id is a plain decimal integer
  { name: 'an id with a leading zero is refused', authorization: basic('07', PARAPHRASE) },
  { name: 'an id with a plus sign is refused', authorization: basic('+7', PARAPHRASE) },
  { name: 'a negative id is refused', authorization: basic('-7', PARAPHRASE) },
  { name: 'an id in hexadecimal is refused', authorization: basic('0x7', PARAPHRASE) },
  { name: 'an id with a fraction is refused', authorization: basic('7.0', PARAPHRASE) },
  { name: 'an id that begins with a number is refused', authorization: basic('7x', PARAPHRASE) },
  {
    name: 'an id with an exponent is refused',
    authorization: basic('1e3', 'thousand'),
    user: { id: 1000, paraphrase: 'thousand' },
  },
  { name: 'an id of 0 is refused', authorization: basic('0', PARAPHRASE) },
  // contract: The user id is a plain decimal integer
  { name: 'an id of 2^53 is refused', authorization: basic('9007199254740992', PARAPHRASE) },
  {
    name: 'an id that rounds to 2^53-1 is refused',
    authorization: basic('9007199254740991.4', 'largest'),
    user: { id: Number.MAX_SAFE_INTEGER, paraphrase: 'largest' },
  },
  { name: 'an id of 10^20 is refused', authorization: basic('100000000000000000000', PARAPHRASE) },
  { name: 'an id in full-width digits is refused', authorization: basic('\uff17', PARAPHRASE) },
  { name: 'an id in Arabic-Indic digits is refused', authorization: basic('\u0667', PARAPHRASE) },
  { name: 'an id that is a word is refused', authorization: basic('Infinity', PARAPHRASE) },
]

const bytes = (...parts: readonly (string | number)[]): string =>
  `Basic ${encode(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part)))))}`

const TEXT: readonly RefusedCredentials[] = [
  {
    name: 'a byte that is never UTF-8 is refused',
    authorization: bytes('8:x', 0xff),
    user: { id: 8, paraphrase: 'x\ufffd' },
  },
  // contract: `Authorization: Basic`, scheme in any case
  {
    name: 'an overlong UTF-8 sequence is refused',
    authorization: bytes('8:x', 0xc1, 0x81),
    user: { id: 8, paraphrase: 'xA' },
  },
  {
    name: 'an encoded surrogate is refused',
    authorization: bytes('8:x', 0xed, 0xa0, 0x80),
    user: { id: 8, paraphrase: 'x\ufffd\ufffd\ufffd' },
  },
  {
    name: 'a UTF-8 sequence that is cut off is refused',
    authorization: bytes('8:x', 0xe2, 0x82),
    user: { id: 8, paraphrase: 'x\ufffd' },
  },
  { name: 'a byte order mark before the id is refused', authorization: basic('\ufeff7', PARAPHRASE) },
  {
    name: 'a byte order mark before the paraphrase is refused',
    authorization: basic(7, `\ufeff${PARAPHRASE}`),
  },
  // contract: `Authorization: Basic`, scheme in any case
  { name: 'NUL in the paraphrase is refused', ...rightFor(8, 'x\0y') },
  { name: 'NUL after the paraphrase is refused', authorization: basic(7, `${PARAPHRASE}\0`) },
  { name: 'NUL after the id is refused', authorization: basic('7\0', PARAPHRASE) },
  { name: 'a line break in the paraphrase is refused', ...rightFor(8, 'x\ny') },
  { name: 'a line break after the id is refused', authorization: basic('7\n', PARAPHRASE) },
  { name: 'a tab in the paraphrase is refused', ...rightFor(8, 'x\ty') },
  { name: 'DEL in the paraphrase is refused', ...rightFor(8, 'x\x7fy') },
  { name: 'a C1 control character in the paraphrase is refused', ...rightFor(8, 'x\x85y') },
]

/** None of them is checked, unless by mistake. */
const CHEAP = { memoryCost: 8, timeCost: 1 }

test('credentials that are not as RFC 7617 and the contract have them are refused', async (t) => {
  const service = await shared()
  const { auth } = service.store
  for (const { name, authorization, user } of [...SCHEMES, ...BASE64, ...PARTS, ...IDS, ...TEXT]) {
    await t.test(name, async (row) => {
      if (
        user !== undefined &&
        (await auth.addUser({ id: user.id, paraphraseHash: await hash(user.paraphrase, CHEAP) }, 0))
      )
        row.after(() => auth.removeUser(user.id))
      const nonce = await service.client.nonce()
      await assertRefused(service, [`X-Authentication: ${nonce}`, `Authorization: ${authorization}`])
    })
  }
})

test('malformed credentials spend no nonce', async () => {
  const service = await shared()
  const nonce = await service.client.nonce()
  for (const authorization of ['Basic', `Basic ${CREDENTIALS}=`, basic('07', PARAPHRASE), basic(7, 'x\0')]) {
    await assertRefused(service, [`X-Authentication: ${nonce}`, `Authorization: ${authorization}`])
  }
  assertExchanged(await service.client.send('GET', '/books', stepB(nonce)))
})

/** As `hydrant user add` sets it. */
async function addUser({ store }: TestService, id: number, text: string): Promise<void> {
  const read = readParaphrase(text)
  assert.ok('paraphrase' in read)
  await store.auth.addUser({ id, paraphraseHash: await hashParaphrase(read.paraphrase) }, 0)
}

const NFC = 'caf\u00e9 \u01d6'
const NFD = NFC.normalize('NFD')

const ACCEPTED: readonly { name: string; set: string; sent: string }[] = [
  // contract: The first colon splits
  { name: 'a paraphrase may contain colons: the first one splits', set: 'one:two::', sent: 'one:two::' },
  { name: 'a paraphrase may begin and end with spaces', set: '  spaced  ', sent: '  spaced  ' },
  // contract: A paraphrase has 1 to 1024 bytes
  { name: 'a paraphrase set in NFC is accepted in NFD', set: NFC, sent: NFD },
  { name: 'a paraphrase set in NFD is accepted in NFC', set: NFD, sent: NFC },
  {
    name: 'a paraphrase may be written in any script',
    set: '\u6b63\u3057\u3044\u99ac \u{1f40e} \u0445\u043e\u0440\u043e\u0448\u043e',
    sent: '\u6b63\u3057\u3044\u99ac \u{1f40e} \u0445\u043e\u0440\u043e\u0448\u043e',
  },
  // contract: A paraphrase has 1 to 1024 bytes
  { name: 'a paraphrase may have 1024 bytes', set: 'x'.repeat(1024), sent: 'x'.repeat(1024) },
  // contract: A paraphrase has 1 to 1024 bytes
  {
    name: 'a paraphrase of 1024 bytes in NFC is accepted in NFD, which has three times as many',
    set: '\u0390'.repeat(512),
    sent: '\u0390'.repeat(512).normalize('NFD'),
  },
  { name: 'a paraphrase may be a single character', set: '?', sent: '?' },
]

test('paraphrases of every form are accepted', async (t) => {
  const service = await shared()
  for (const [index, { name, set, sent }] of ACCEPTED.entries()) {
    await t.test(name, async () => {
      const id = 100 + index
      await addUser(service, id, set)
      const nonce = await service.client.nonce()
      assertExchanged(await service.client.send('GET', '/books', stepB(nonce, id, sent)))
    })
  }
})

// contract: The user id is a plain decimal integer
test('the largest user id, 2^53-1, can sign in', async () => {
  const service = await shared()
  await addUser(service, Number.MAX_SAFE_INTEGER, 'largest')
  await service.client.exchange(Number.MAX_SAFE_INTEGER, 'largest')
})

// contract: `Authorization: Basic`, scheme in any case
test('the scheme Basic is understood in any case', async () => {
  const service = await shared()
  for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
    const nonce = await service.client.nonce()
    const lines = [`X-Authentication: ${nonce}`, `Authorization: ${scheme} ${CREDENTIALS}`]
    assertExchanged(await ask(service, lines), scheme)
  }
})

test('the paraphrase of another user is refused', async () => {
  const service = await shared()
  await addUser(service, 8, 'mine')
  const { client } = service
  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), 8, PARAPHRASE)))
  assertChallenged(await client.send('GET', '/books', stepB(await client.nonce(), USER, 'mine')))
})
