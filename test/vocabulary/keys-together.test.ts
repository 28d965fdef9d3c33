import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Indexed } from '../../src/vocabulary/index.ts'
import { keyShapes, keysOf, namesInKey, togetherKey, togetherName } from '../../src/vocabulary/keys.ts'
import { classIn, modelOf } from './api-files.ts'

const API = `
classes:
  Customer: {}
  Invoice:
    unique: [[customer, number], [number, issued]]
    properties:
      customer: Customer
      number: { type: decimal, filterable: false }
      issued: { type: dateTime, filterable: false }
`
const invoice = classIn(modelOf(API), 'Invoice')
const values = { customer: '/customers/7', number: '12.50', issued: '2026-01-01T00:00:00Z' }

describe('properties that are unique together', () => {
  // contract: **Unique together**
  test('have one key more, named by all of them, whether or not they have filters', () => {
    const shapes = keyShapes(invoice)
    assert.deepEqual(
      shapes.map(({ property, unique }) => [property, unique]),
      [
        ['customer', false],
        ['customer number', true],
        ['number issued', true],
      ],
    )
    assert.deepEqual(shapes.map(namesInKey), [['customer'], ['customer', 'number'], ['number', 'issued']])
    assert.equal(togetherName(['number', 'issued']), 'number issued')
  })

  test('have a key that is equal for equal values alone, and none where one lacks', () => {
    const keyOf = (more: object) => togetherKey(invoice, ['customer', 'number'], { ...values, ...more })
    assert.equal(keyOf({ number: '12.5' }), keyOf({}))
    assert.equal(keyOf({ issued: undefined }), keyOf({}))
    assert.notEqual(keyOf({ number: '12.51' }), keyOf({}))
    assert.notEqual(keyOf({ customer: '/customers/71' }), keyOf({}))
    for (const lacking of [{ number: undefined }, { customer: null }]) assert.equal(keyOf(lacking), undefined)
    const long = 'x'.repeat(1_000)
    assert.ok(String(keyOf({ customer: `/customers/${long}` })).length < 300)
    assert.notEqual(keyOf({ customer: `/customers/${long}y` }), keyOf({ customer: `/customers/${long}z` }))
  })

  test('have that key behind those of the properties', () => {
    const keys = keysOf(invoice, values).values.map((one) => (one as Indexed | null)?.key)
    assert.deepEqual(keys, [
      '7',
      togetherKey(invoice, ['customer', 'number'], values),
      togetherKey(invoice, ['number', 'issued'], values),
    ])
    assert.deepEqual(keysOf(invoice, { number: '1' }).values, [null, null, null])
  })
})
