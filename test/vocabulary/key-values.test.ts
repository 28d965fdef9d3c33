import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { indexedKey, type Literal, type Property, valueOfKey } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'

const [thing] = modelOf(`
classes:
  Thing:
    properties:
      string: string
      anyURI: anyURI
      boolean: boolean
      integer: integer
      decimal: decimal
      money: { type: decimal, scale: 2 }
      double: double
      date: date
      dateTime: dateTime
      link: Thing
`).classes
const propertyNamed = (name: string) => thing?.properties.find((one) => one.name === name) as Property

test('the key of a value holds the value, in one spelling', () => {
  const table: [name: string, value: Literal, read: Literal | undefined][] = [
    ['string', 'Größe', 'Größe'],
    ['string', '', ''],
    ['string', '\u0001a\u0002', '\u0001a\u0002'],
    ['string', 'x'.repeat(200), 'x'.repeat(200)],
    ['string', 'x'.repeat(201), undefined],
    ['string', 'ﬃ'.repeat(100), undefined],
    ['anyURI', 'https://A.example/', 'https://A.example/'],
    ['boolean', true, true],
    ['boolean', false, false],
    ['integer', -5, -5],
    ['decimal', '012.50', '12.5'],
    ['decimal', '-0.05', '-0.05'],
    ['decimal', '1200', '1200'],
    ['decimal', '-0', '0'],
    ['money', '12.5', '12.50'],
    ['money', '0', '0.00'],
    ['money', '-1200', '-1200.00'],
    ['double', 1e300, 1e300],
    ['date', '1937-09-21', '1937-09-21'],
    ['dateTime', '1937-09-21T23:30:00.50-05:00', '1937-09-22T04:30:00.5Z'],
    ['dateTime', '0001-01-01T00:00:00+14:00', '0001-01-01T00:00:00+14:00'],
    ['dateTime', '0001-01-01T12:00:00+13:00', '0001-01-01T13:00:00+14:00'],
    ['dateTime', '9999-12-31T23:59:59.9-14:00', '9999-12-31T23:59:59.9-14:00'],
    ['dateTime', `2024-01-01T00:00:00.${'1'.repeat(200)}Z`, undefined],
    ['link', '/things/7', '/things/7'],
  ]
  for (const [name, value, read] of table) {
    const property = propertyNamed(name)
    const found = valueOfKey(property, indexedKey(property, value))
    assert.equal(found, read, `${name} ${value}`)
    if (found !== undefined) assert.equal(indexedKey(property, found), indexedKey(property, value))
  }
})

test('any short text, and any decimal, comes back with the same key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const property = propertyNamed('string')
      const found = valueOfKey(property, indexedKey(property, text))
      assert.ok(found === text || found === undefined)
    }),
  )
  fc.assert(
    fc.property(fc.bigInt(), fc.nat(40), (digits, places) => {
      const property = propertyNamed('decimal')
      const whole = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
      const text = `${digits < 0n ? '-' : ''}${whole.slice(0, whole.length - places)}.${whole.slice(whole.length - places)}0`
      const key = indexedKey(property, text)
      assert.equal(indexedKey(property, valueOfKey(property, key) as string), key)
    }),
  )
})
