import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  createMac,
  createNumberCipher,
  createNumberCiphers,
  createTextCipher,
  sealedLength,
} from '../src/seal.ts'

const secret = randomBytes(32)
const { seal, open } = createNumberCipher(secret, 'cursors')

test('a sealed number is opened by who has the secret, for the same purpose', () => {
  for (const number of [0, 1, 255, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    const sealed = seal(number)
    assert.match(sealed, /^[\w-]{22}$/)
    assert.equal(createNumberCipher(secret, 'cursors').open(sealed), number)
    assert.equal(createNumberCipher(secret, 'events').open(sealed), undefined)
    assert.equal(createNumberCipher(randomBytes(32), 'cursors').open(sealed), undefined)
  }
})

test('what was not sealed is not opened: each sealed number has one spelling', () => {
  const sealed = seal(7)
  const other = sealed.slice(0, -1) + (sealed.endsWith('A') ? 'B' : 'A')
  for (const text of [
    '',
    '7',
    `${sealed}A`,
    sealed.slice(1),
    other,
    `${sealed.slice(0, -1)}=`,
    ' '.repeat(22),
  ])
    assert.equal(open(text), undefined, text)
})

test('seals of one secret and purpose are the same, and open more numbers than are cached', () => {
  const sealOf = createNumberCiphers(secret)
  assert.equal(sealOf('cursors'), sealOf('cursors'))
  const texts = Array.from({ length: 3_000 }, (_, number) => sealOf('cursors').seal(number))
  for (const [number, text] of texts.entries()) {
    assert.equal(text, seal(number))
    assert.equal(sealOf('cursors').open(text), number)
    assert.equal(sealOf('events').open(text), undefined)
  }
  assert.equal(sealOf('cursors').open('7'), undefined)
})

test('a sealed text is opened by who has the secret, for the same purpose, and not where a bit differs', () => {
  const { seal: sealText, open: openText } = createTextCipher(secret, 'cursors')
  for (const text of ['', 'a', 'größe\0名前', '\u{10ffff}'.repeat(900), 'x'.repeat(4_000)]) {
    const sealed = sealText(text)
    assert.equal(sealed.length, sealedLength(Buffer.byteLength(text)))
    assert.match(sealed, /^(?:[\w-]{64})+$/)
    assert.equal(createTextCipher(secret, 'cursors').open(sealed), text)
    assert.equal(sealText(text), sealed, 'the same each time')
    assert.equal(createTextCipher(secret, 'events').open(sealed), undefined)
    assert.equal(createTextCipher(randomBytes(32), 'cursors').open(sealed), undefined)
    const bytes = Buffer.from(sealed, 'base64url')
    for (let bit = 0; bit < Math.min(bytes.length * 8, 1_024); bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.equal(openText(changed.toString('base64url')), undefined)
    }
  }
})

test('the MAC is HMAC-SHA-256, for keys and texts of any length', () => {
  for (const keyLength of [16, 32, 64, 65, 200])
    for (const length of [0, 9, 55, 64, 100, 8_192]) {
      const [key, text] = [Buffer.alloc(keyLength, 7), Buffer.alloc(length, 5)]
      assert.deepEqual(createMac(key)(text), createHmac('sha256', key).update(text).digest())
    }
})
