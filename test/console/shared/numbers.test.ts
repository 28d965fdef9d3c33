import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberText } from '../../../console/shared/numbers.ts'

const decimal = (text: string, locale: string, scale?: number): string =>
  numberText(text, false, { locale, property: { constraints: scale === undefined ? {} : { scale } } })

// contract: **`scale: 2`** on a decimal
test('a decimal is shown with the digits of its scale and the separators of the locale', () => {
  assert.equal(decimal('1234567.5', 'en', 2), '1,234,567.50')
  assert.equal(decimal('1234567.5', 'de', 2), '1.234.567,50')
  assert.equal(decimal('1234567.5', 'en-IN', 2), '12,34,567.50')
  assert.equal(decimal('85', 'en', 2), '85.00')
  assert.equal(decimal('85.000', 'en', 2), '85.00')
  assert.equal(decimal('85', 'en', 0), '85')
  assert.equal(decimal('-0.5', 'en', 2), '-0.50')
  assert.equal(decimal('12.50', 'en'), '12.50')
})

test('no digit is lost: neither beyond those of a double, nor those of older data beyond the scale', () => {
  assert.equal(
    decimal('12345678901234567890.12345678901234567890', 'en'),
    '12,345,678,901,234,567,890.12345678901234567890',
  )
  assert.equal(decimal('1.2345', 'en', 2), '1.2345')
  assert.equal(decimal('1.2300', 'en', 2), '1.23')
  for (const other of ['1e21', 'NaN', 'twelve', '', '9'.repeat(201)])
    assert.equal(decimal(other, 'en', 2), other)
})

test('a whole number of four digits may be a year, and one that identifies something has no separators', () => {
  const whole = (text: string, more = {}) => numberText(text, true, { locale: 'en', ...more })
  assert.equal(whole('1984'), '1984')
  assert.equal(whole('12345'), '12,345')
  assert.equal(whole('100234', { property: { constraints: { unique: true } } }), '100234')
  assert.equal(whole('100234', { property: { constraints: {}, always: 'user' } }), '100234')
})
