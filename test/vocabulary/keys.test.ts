import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DatatypeName, datatypeOf } from '../../src/vocabulary/datatypes.ts'
import { isSearched, keyOf, keyShapes, keysOf } from '../../src/vocabulary/keys.ts'
import { classIn, modelOf, propertyIn } from './api-files.ts'

const API = `classes:
  Author:
  Book:
    properties:
      title: string
      isbn: { type: string, unique: true, filterable: false }
      home: anyURI
      pages: integer
      price: decimal
      open: boolean
      genres: { type: string, many: true }
      author: Author
      readers: { type: Author, many: true }
      notes: { type: string, filterable: false }
      span: duration
      blurb: langString
      size: Size
  Size: { collection: false, properties: { width: decimal } }
`

const book = classIn(modelOf(API), 'Book')

describe('the keys of a class', () => {
  it('are those of its filterable and its unique properties, in the order of the file', () => {
    const shapes = keyShapes(book)
    assert.deepEqual(
      shapes.map(({ property }) => property),
      ['title', 'isbn', 'home', 'pages', 'price', 'open', 'genres', 'author', 'readers'],
    )
    const named = (flag: 'many' | 'unique' | 'folded') =>
      shapes.filter((shape) => shape[flag]).map(({ property }) => property)
    assert.deepEqual(named('many'), ['genres', 'readers'])
    assert.deepEqual(named('unique'), ['isbn'])
    assert.deepEqual(named('folded'), ['title', 'isbn', 'home', 'genres'])
  })

  it('are null without a value, a list where there may be many, and the id of a link', () => {
    const { values } = keysOf(book, {
      title: 'T',
      pages: 12,
      price: '12.50',
      open: true,
      genres: ['b', 'a', 'b'],
      author: '/authors/7',
    })
    const price = datatypeOf('decimal').key('12.5')
    assert.deepEqual(values, ['T', null, null, 12, price, 1, ['b', 'a'], '7', []])
  })

  it('are taken from the values alone, not from what every object has', () => {
    const odd = classIn(modelOf('classes: { A: { properties: { constructor: string } } }'), 'A')
    assert.deepEqual(keysOf(odd, {}).values, [null])
  })
})

describe('the words of a member', () => {
  it('are those of its filterable strings, folded, each once', () => {
    const { words } = keysOf(book, {
      title: 'Straße am Meer',
      isbn: 'hidden',
      home: 'http://home.example/',
      genres: ['am', 'Ärger'],
      notes: 'secret',
    })
    assert.deepEqual([...words].sort(), ['am', 'meer', 'strasse', 'ärger'].sort())
    assert.deepEqual(
      book.properties.filter(isSearched).map(({ name }) => name),
      ['title', 'genres'],
    )
  })
})

describe('keys sort as values do', () => {
  const ascending: [DatatypeName, ...values: (string | number | boolean)[]][] = [
    ['integer', -10, -9, 0, 9, 10, 100],
    ['double', -1e300, -0.5, 0, 5e-324, 1.5, 1e300],
    ['boolean', false, true],
    [
      'decimal',
      '-100',
      '-12.51',
      '-12.5',
      '-1',
      '-0.05',
      '0',
      '0.05',
      '0.1',
      '1',
      '9',
      '10',
      '12.5',
      '12.51',
      '100',
    ],
    ['date', '0001-01-01', '1969-12-31', '2024-02-28', '2024-02-29', '9999-12-31'],
    [
      'dateTime',
      ...[
        '0001-01-01T00:00:00+14:00',
        '1969-12-31T23:59:59Z',
        '1969-12-31T23:59:59.5Z',
        '1970-01-01T00:00:00Z',
      ],
      ...['2024-02-29T14:29:59+02:00', '2024-02-29T12:30:00Z', '9999-12-31T23:59:59-14:00'],
    ],
    ['string', '', 'A', 'B', 'a', 'ab', 'b', 'ä'],
  ]
  for (const [name, ...values] of ascending) {
    it(`${name}: ${values.join(' < ')}`, () => {
      const keys = values.map(datatypeOf(name).key)
      for (const [index, key] of keys.entries()) {
        const next = keys[index + 1]
        if (next !== undefined) assert.ok(key < next, `${values[index]} < ${values[index + 1]}`)
      }
    })
  }

  it('decimals of any size and any spelling', () => {
    const key = (text: string) => keyOf(propertyIn(book, 'price'), text)
    const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20))
    const spell = ([units, scale]: [bigint, number]) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
      return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
    }
    const value = ([units, scale]: [bigint, number]) => units * 10n ** BigInt(20 - scale)
    const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
    fc.assert(
      fc.property(scaled, scaled, (a, b) =>
        assert.equal(compare(key(spell(a)), key(spell(b))), compare(value(a), value(b))),
      ),
      { numRuns: 2000 },
    )
  })
})
