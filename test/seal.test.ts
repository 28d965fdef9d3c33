import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSeal, createSeals } from '../src/seal.ts'

const secret = randomBytes(32)
const { seal, open } = createSeal(secret, 'cursors')

test('a sealed number is opened by who has the secret, for the same purpose', () => {
  for (const number of [0, 1, 255, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    const sealed = seal(number)
    assert.match(sealed, /^[\w-]{22}$/)
    assert.equal(createSeal(secret, 'cursors').open(sealed), number)
    assert.equal(createSeal(secret, 'events').open(sealed), undefined)
    assert.equal(createSeal(randomBytes(32), 'cursors').open(sealed), undefined)
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
  const sealOf = createSeals(secret)
  assert.equal(sealOf('cursors'), sealOf('cursors'))
  const texts = Array.from({ length: 3_000 }, (_, number) => sealOf('cursors').seal(number))
  for (const [number, text] of texts.entries()) {
    assert.equal(text, seal(number))
    assert.equal(sealOf('cursors').open(text), number)
    assert.equal(sealOf('events').open(text), undefined)
  }
  assert.equal(sealOf('cursors').open('7'), undefined)
})
