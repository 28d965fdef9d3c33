import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { DatatypeName } from '../../src/vocabulary/index.ts'
import { datatypeOf } from '../../src/vocabulary/index.ts'
import { indexKey, textKey } from '../../src/vocabulary/index-keys.ts'
import { isSearched, keyOf, keyShapes, keysOf } from '../../src/vocabulary/keys.ts'
import { classIn, modelOf, propertyIn } from './api-files.ts'

const API = `classes:
  Author:
  Book:
    properties:
      title: string
      isbn: { type: string, unique: true, filterable: false }
      home: anyURI
      printed: dateTime
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
      lines: { type: Line, many: true }
  Size: { collection: false, properties: { width: decimal } }
  Line: { collection: false, properties: { editor: Author, size: Size, within: Within } }
  Within: { collection: false, properties: { by: { type: Author, many: true } } }
`

const book = classIn(modelOf(API), 'Book')

describe('the keys of a class', () => {
  it('are those of its filterable and its unique properties, in the order of the file', () => {
    const shapes = keyShapes(book)
    assert.deepEqual(
      shapes.map(({ property }) => property),
      [
        'title',
        'isbn',
        'home',
        'printed',
        'pages',
        'price',
        'open',
        'genres',
        'author',
        'readers',
        'size.width',
        'lines.editor',
        'lines.size.width',
        'lines.within.by',
      ],
    )
    const named = (flag: 'many' | 'unique' | 'long') =>
      shapes.filter((shape) => shape[flag]).map(({ property }) => property)
    assert.deepEqual(named('many'), [
      'genres',
      'readers',
      'lines.editor',
      'lines.size.width',
      'lines.within.by',
    ])
    assert.deepEqual(named('unique'), ['isbn'])
    assert.deepEqual(named('long'), ['title', 'isbn', 'home', 'printed', 'genres'])
  })

  it('are null without a value, a list where there may be many, and the id of a link', () => {
    const { values } = keysOf(book, {
      title: 'T',
      pages: 12,
      price: '12.50',
      open: true,
      genres: ['b', 'a', 'b'],
      author: '/authors/7',
      lines: [
        { editor: '/authors/1', within: { by: ['/authors/2', '/authors/3'] } },
        { within: {} },
        { editor: '/authors/1' },
      ],
    })
    const price = datatypeOf('decimal').key('12.5')
    const keyIn = (one: (typeof values)[number]): unknown =>
      one !== null && 'key' in one ? one.key : (one?.map(keyIn) ?? null)
    assert.deepEqual(values.map(keyIn), [
      textKey('T'),
      null,
      null,
      null,
      12,
      price,
      1,
      [textKey('b'), textKey('a')],
      '7',
      [],
      null,
      // One for each embedded value that has it.
      ['1', '1'],
      [],
      ['2', '3'],
    ])
  })

  it('keep what ranges compare where the key does not hold it: of a text folded, of an id nothing', () => {
    const [word, long, id] = ['É'.repeat(201), 'x'.repeat(201), 'Y'.repeat(201)]
    const printed = `2024-02-29T12:30:00.${'1'.repeat(201)}Z`
    const { values, words } = keysOf(book, {
      title: `${word} a`,
      printed,
      genres: ['A', 'a', long, '\u0001', 'e\u0301'.repeat(150)],
      readers: [`/authors/${id}`],
    })
    const [title, , , instant, , , , genres, , readers] = values
    assert.deepEqual(title, { key: textKey(`${word} a`), whole: `${'e'.repeat(201)} a` })
    const instantKey = String(keyOf(propertyIn(book, 'printed'), printed))
    assert.deepEqual(instant, { key: indexKey(instantKey), whole: instantKey })
    assert.deepEqual(genres, [
      { key: textKey('A'), whole: null },
      { key: textKey('a'), whole: null },
      { key: textKey(long), whole: long },
      { key: textKey('\u0001'), whole: '\u0001' },
      { key: textKey('e\u0301'.repeat(150)), whole: null },
    ])
    // Ids are found, and not compared by range.
    assert.deepEqual(readers, [{ key: indexKey(id), whole: null }])
    assert.deepEqual(words, [indexKey('e'.repeat(201)), 'a', indexKey(long), 'e'.repeat(150)])
  })

  it('are taken from the values alone, not from what every object has', () => {
    const odd = classIn(modelOf('classes: { A: { properties: { constructor: string } } }'), 'A')
    assert.deepEqual(keysOf(odd, {}).values, [null])
  })
})

describe('the words of a member', () => {
  it('are those of its filterable texts, in every language, folded, each once', () => {
    const { words } = keysOf(book, {
      title: 'Straße am Meer',
      isbn: 'hidden',
      home: 'http://home.example/',
      genres: ['am', 'Ärger'],
      notes: 'secret',
      blurb: { en: 'The Sea', de: 'Das Meer' },
    })
    assert.deepEqual([...words].sort(), ['am', 'das', 'meer', 'sea', 'strasse', 'the', 'arger'].sort())
    assert.deepEqual(
      book.properties.filter(isSearched).map(({ name }) => name),
      ['title', 'genres', 'blurb'],
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
