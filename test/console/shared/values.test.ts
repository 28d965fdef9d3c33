import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cut, exactText, kindOf, phraseOf, textOf } from '../../../console/shared/values.ts'
import { describedClass, describedProperty } from '../table-class.ts'

test('the kind of a property follows from its range', () => {
  const kinds: readonly (readonly [string, string])[] = [
    ['string', 'text'],
    ['decimal', 'decimal'],
    ['nonNegativeInteger', 'integer'],
    ['unsignedInt', 'integer'],
    ['boolean', 'boolean'],
    ['date', 'date'],
    ['dateTime', 'dateTime'],
    ['duration', 'duration'],
    ['anyURI', 'iri'],
  ]
  for (const [range, kind] of kinds)
    assert.equal(kindOf(describedProperty({ name: 'p', range })), kind, range)
  assert.equal(kindOf({ isLink: true, range: 'http://shop.example/docs#Author' }), 'link')
  assert.equal(kindOf({ isLink: false, range: 'http://shop.example/docs#Address' }), 'embedded')
  assert.equal(
    kindOf({ isLink: false, range: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' }),
    'languages',
  )
  assert.equal(kindOf({ isLink: false, range: undefined }), 'text')
})

test('values are formatted for people, unless that would lose information', () => {
  assert.equal(textOf('12.50', 'decimal', { locale: 'en' }), '12.50')
  assert.equal(textOf(1984, 'integer', { locale: 'en' }), '1984')
  assert.equal(textOf(false, 'boolean', { locale: 'en' }), 'No')
  assert.equal(textOf('true', 'boolean', { locale: 'en' }), 'Yes')
  assert.equal(textOf('1937-09-21', 'date', { locale: 'en-US' }), 'Sep 21, 1937')
  assert.equal(textOf('1937-05-21', 'date', { locale: 'de' }), '21. Mai 1937')
  assert.equal(textOf('1937-09-21Z', 'date', { locale: 'en-US' }), 'Sep 21, 1937')
  assert.equal(textOf('-0044-03-15', 'date', { locale: 'en' }), '-0044-03-15')
  assert.equal(textOf('1937-02-31', 'date', { locale: 'en' }), '1937-02-31')
  assert.equal(textOf('2020-01-01T10:00:00', 'dateTime', { locale: 'en' }), '2020-01-01T10:00:00')
  // With the zone of the clock that is meant.
  assert.match(
    textOf('2020-06-15T12:00:00Z', 'dateTime', { locale: 'en' }),
    /^Jun 1[456], 2020, \d+:\d\d [AP]M [A-Z]{2}/,
  )
  assert.match(exactText('2020-06-15T12:00:05Z', 'en'), /:05 [AP]M/)
  assert.match(exactText('2020-06-15T12:00:05.120Z', 'en'), /:05\.120 [AP]M/)
  assert.equal(textOf(['a', 'b'], 'text', { locale: 'en' }), 'a, b')
  assert.equal(textOf({ en: 'Hello', 'de-AT': 'Servus' }, 'languages', { locale: 'de' }), 'Servus')
  assert.equal(textOf({ en: 'Hello' }, 'languages', { locale: 'fr' }), 'Hello')
  assert.equal(textOf({ '@value': 'x', '@language': 'en' }, 'text'), 'x')
  assert.equal(
    textOf({ '@type': 'Address', street: 'A 1', zipCode: 12, geo: { lat: 1 } }, 'embedded'),
    'A 1, zip code 12, lat 1',
  )
  assert.equal(textOf(null, 'text'), '')
})

test('long text is cut to one line, and the whole text is available', () => {
  assert.deepEqual(cut('short\ntext', 20), { text: 'short text' })
  assert.deepEqual(cut('a long text', 6), { text: 'a long…', whole: 'a long text' })
  const huge = cut('x'.repeat(1_000_000), 80)
  assert.equal(huge.text.length, 81)
  assert.equal(huge.whole?.length, 2_000)
  assert.deepEqual(cut(`${' '.repeat(50)}end`, 10).whole, `${' '.repeat(50)}end`)
})

test('an embedded value is shown as a phrase, with names beside values that do not explain themselves', () => {
  const line = describedClass(
    { name: 'product', isLink: true },
    { name: 'quantity', range: 'integer' },
    { name: 'vatRate', title: 'VAT', range: 'decimal' },
    { name: 'sentOn', range: 'date' },
    { name: 'gift', range: 'boolean' },
    { name: 'notes', range: 'string', many: true },
  )
  const linked = () => 'Teapot'
  const phrases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ product: 'http://shop.example/products/1', quantity: 2 }, 'Teapot, quantity 2'],
    [{ vatRate: '7.0', sentOn: '2024-02-29', gift: true }, 'VAT 7.0, Feb 29, 2024, gift'],
    [{ gift: false, notes: ['fragile', 'late'], '@type': 'Line' }, 'fragile, late'],
    [{ notes: [] }, ''],
  ]
  for (const [value, phrase] of phrases)
    assert.equal(phraseOf(value, line, { linked, locale: 'en-US' }), phrase)
  assert.equal(phraseOf({ street: 'Main Street 1', city: 'Berlin' }, undefined), 'Main Street 1, Berlin')
  assert.equal(phraseOf({ parts: [{ a: 1 }, { a: 2 }] }, undefined), '2 parts')
})
