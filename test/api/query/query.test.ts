import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter } from '../../../src/members/index.ts'
import {
  type Bounds,
  indexBounds,
  nextText,
  textKey,
  textsBeginningWith,
} from '../../../src/vocabulary/index.ts'
import { BASE, KINDS, readerOf } from '../queries.ts'

const read = readerOf(KINDS, 'Kind')
const filtersOf = (query: string): readonly Filter[] => read(query).selection.filters

const rangeOf = (bounds: Bounds): Filter => ({
  property: 'text',
  test: 'range',
  ...indexBounds(bounds, 'text'),
})

test('a filter becomes a filter on the key of its value', () => {
  const table: [query: string, filter: Filter][] = [
    ['text=a', { property: 'text', test: 'in', keys: [textKey('a')] }],
    ['text[eq]=a', { property: 'text', test: 'in', keys: [textKey('a')] }],
    ['text=', { property: 'text', test: 'in', keys: [textKey('')] }],
    ['text=b&text=a&text=b', { property: 'text', test: 'in', keys: [textKey('a'), textKey('b')] }],
    ['text=b&text[eq]=a', { property: 'text', test: 'in', keys: [textKey('a'), textKey('b')] }],
    ['text[ne]=a', { property: 'text', test: 'not', key: textKey('a') }],
    ['text[gt]=a', rangeOf({ from: { key: 'a', inclusive: false } })],
    ['text[gte]=Ä', rangeOf({ from: { key: 'a', inclusive: true } })],
    ['text[lt]=a', rangeOf({ to: { key: 'a', inclusive: false } })],
    ['text[lte]=A', rangeOf({ to: { key: 'a', inclusive: true } })],
    ['text[startsWith]=Østby', rangeOf(textsBeginningWith('ostby'))],
    ['text[contains]=STRASSE', { property: 'text', test: 'contains', text: 'strasse' }],
    ['text[contains]=straße', { property: 'text', test: 'contains', text: 'strasse' }],
    ['exists[text]=true', { property: 'text', test: 'exists', exists: true }],
    ['exists[text]=false', { property: 'text', test: 'exists', exists: false }],
    ['iri=https://example.org/a', { property: 'iri', test: 'in', keys: [textKey('https://example.org/a')] }],
    [
      'iri=https://example.org/a+b',
      { property: 'iri', test: 'in', keys: [textKey('https://example.org/a+b')] },
    ],
    ['whole=-12', { property: 'whole', test: 'in', keys: [-12] }],
    ['whole=12.0&whole=1.2e1', { property: 'whole', test: 'in', keys: [12] }],
    ['natural=0', { property: 'natural', test: 'in', keys: [0] }],
    ['size=12.5', { property: 'size', test: 'in', keys: [12.5] }],
    ['size=-0', { property: 'size', test: 'in', keys: [0] }],
    ['small=0.1', { property: 'small', test: 'in', keys: [0.1] }],
    ['flag=true', { property: 'flag', test: 'in', keys: [1] }],
    ['flag=false', { property: 'flag', test: 'in', keys: [0] }],
    ['day=2024-02-29', { property: 'day', test: 'in', keys: ['2024-02-29'] }],
    [`author=${BASE}/authors/7`, { property: 'author', test: 'in', keys: ['7'] }],
    ['author=/api/authors/7', { property: 'author', test: 'in', keys: ['7'] }],
    ['author=authors/7', { property: 'author', test: 'in', keys: ['7'] }],
    [`author[ne]=${encodeURIComponent(`${BASE}/authors/7`)}`, { property: 'author', test: 'not', key: '7' }],
    [`authors=${BASE}/authors/7`, { property: 'authors', test: 'in', keys: ['7'] }],
    ['tags=a', { property: 'tags', test: 'in', keys: [textKey('a')] }],
    ['scores[gt]=5', { property: 'scores', test: 'range', from: { key: 5, inclusive: false } }],
  ]
  for (const [query, filter] of table) {
    // Raw bytes beyond ASCII reach the server one character each.
    const sent = Buffer.from(query).toString('latin1')
    assert.deepEqual(filtersOf(sent), [filter], query)
  }
})

test('values that are equal have one key, whatever their spelling', () => {
  const table: [query: string, same: string][] = [
    ['price=12.5', 'price=12.50'],
    ['price=12.5', 'price=0012.500'],
    ['price=12.5', 'price=+12.5'],
    ['price=12.5', 'price=1.25e1'],
    ['price=0', 'price=-0.00'],
    ['instant=2024-02-29T12:30:00Z', 'instant=2024-02-29T14:30:00%2B02:00'],
    // A "+" that was not encoded is a zone all the same.
    ['instant=2024-02-29T12:30:00Z', 'instant=2024-02-29T14:30:00+02:00'],
    ['instant=2024-02-29T12:30:00Z', 'instant=2024-02-29T12:30:00.000Z'],
    ['text=a%20b', 'text=a+b'],
    ['text=%5B%5D', 'text=[]'],
    ['text%5Bne%5D=a', 'text[ne]=a'],
    ['exists%5btext%5d=true', 'exists[text]=true'],
    ['text=a%3Db', 'text=a=b'],
  ]
  for (const [query, same] of table) assert.deepEqual(filtersOf(query), filtersOf(same), same)
})

test('bounds on one property are one range, the narrower bound on each side', () => {
  const range = (from: unknown, to: unknown) => [{ property: 'whole', test: 'range', from, to }]
  const at = (key: number, inclusive: boolean) => ({ key, inclusive })
  const table: [query: string, filters: unknown][] = [
    ['whole[gt]=1&whole[lt]=5', range(at(1, false), at(5, false))],
    ['whole[lte]=5&whole[gte]=1', range(at(1, true), at(5, true))],
    ['whole[gte]=2&whole[gt]=1&whole[lt]=9&whole[lte]=5', range(at(2, true), at(5, true))],
    ['whole[gte]=2&whole[gt]=2&whole[lt]=5&whole[lte]=5', range(at(2, false), at(5, false))],
    // Nothing is between them: that is no error.
    ['whole[gt]=5&whole[lt]=1', range(at(5, false), at(1, false))],
  ]
  for (const [query, filters] of table) assert.deepEqual(filtersOf(query), filters, query)

  const [text] = filtersOf('text[startsWith]=ab&text[lt]=abc')
  const narrowed = { from: { key: 'ab', inclusive: true }, to: { key: 'abc', inclusive: false } }
  assert.deepEqual(text, rangeOf(narrowed))
})

// contract: What a value means is the same on both stores
test('texts are compared by code point, not by the halves of surrogate pairs', () => {
  const bounds = 'text[gte]=%EF%BF%BD&text[gt]=%F0%9F%98%80'
  assert.deepEqual(filtersOf(bounds), [rangeOf({ from: { key: '\u{1f600}', inclusive: false } })])
})

test('a beginning is a range up to the least text behind all that have it', () => {
  const table: [prefix: string, behind: string | undefined][] = [
    ['a', 'b'],
    ['ab', 'ac'],
    ['\u007f', '\u0080'],
    ['a\ud7ff', 'a\ue000'],
    ['\uffff', '\u{10000}'],
    ['\u{1f600}', '\u{1f601}'],
    ['a\u{10ffff}', 'b'],
    ['a\u{10ffff}\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
    ['', undefined],
  ]
  for (const [prefix, behind] of table) {
    assert.equal(nextText(prefix), behind, JSON.stringify(prefix))
    assert.deepEqual(filtersOf(`text[startsWith]=${encodeURIComponent(prefix)}`), [
      rangeOf({
        from: { key: prefix, inclusive: true },
        ...(behind !== undefined && { to: { key: behind, inclusive: false } }),
      }),
    ])
  }
})

test('free text is its words, folded, each once', () => {
  const table: [query: string, words: string[]][] = [
    ['q=Hello', ['hello']],
    ['q=the+STRA%C3%9FE,the%20sea', ['sea', 'strasse', 'the']],
    ['q=%CE%A3%CE%BF%CF%86%CF%8C%CF%82', ['σοφοσ']],
    ['q=rin*+Rings+LO*rd*', ['lo*', 'rd*', 'rin*', 'rings']],
    ['q=%EC%9D%B4*', ['\u110b\u1175*']],
    [`q=${'A'.repeat(201)}*`, [`${'a'.repeat(200)}*`]],
  ]
  for (const [query, words] of table) assert.deepEqual(read(query).selection.words, words, query)
})

test('the order of the parameters does not matter, but among what sorts', () => {
  const parts = [
    'text[startsWith]=a',
    'whole[gt]=1',
    'whole[lt]=9',
    'price=2',
    'price=1',
    'q=a+b',
    'itemsPerPage=5',
  ]
  const asked = (sorting: string, filters: readonly string[]) => read([...filters, sorting].join('&'))
  const sorting = 'order[day]=desc&sort=whole,-price&order[text]=asc'
  const { selection, linkQuery } = asked(sorting, parts)
  assert.deepEqual(asked(sorting, parts.toReversed()).selection, selection)
  assert.deepEqual(
    selection.filters.map((filter) => 'property' in filter && filter.property),
    ['text', 'whole', 'price'],
  )
  assert.deepEqual(selection.order, [
    { property: 'day', descending: true },
    { property: 'whole', descending: false },
    { property: 'price', descending: true },
    { property: 'text', descending: false },
  ])
  // Every link repeats it so.
  assert.deepEqual(read(linkQuery).selection, selection)
})

test('what is asked for explicitly is the order; otherwise that of creation, or the one that the filter has', () => {
  const ascending = (property: string) => [{ property, descending: false }]
  const table: [query: string, order: unknown[]][] = [
    ['', []],
    ['sort=text', ascending('text')],
    ['sort=-text', [{ property: 'text', descending: true }]],
    [
      'sort=-whole,text',
      [
        { property: 'whole', descending: true },
        { property: 'text', descending: false },
      ],
    ],
    ['sort=whole%2C-text&text=a', [...ascending('whole'), { property: 'text', descending: true }]],
    ['order[flag]=asc', ascending('flag')],
    ['text=a', []],
    ['text=a&text=a', []],
    ['author=authors/1', []],
    ['text[ne]=a', []],
    ['text[contains]=a', []],
    ['exists[text]=false', []],
    ['q=a', []],
    ['text=a&text=b', ascending('text')],
    ['author=authors/1&author=authors/2', ascending('author')],
    ['exists[text]=true', ascending('text')],
    ['text[startsWith]=a', ascending('text')],
    ['whole[gt]=1', ascending('whole')],
    ['tags[gt]=a', ascending('tags')],
    ['whole[gt]=1&text[gt]=a', ascending('text')],
    ['whole[gt]=1&price=2', []],
    ['whole[gt]=1&exists[price]=false', []],
    ['whole[gt]=1&q=a', []],
    ['whole[gt]=1&text[ne]=a', ascending('whole')],
    ['whole[gt]=1&price=2&sort=text', ascending('text')],
  ]
  for (const [query, order] of table) assert.deepEqual(read(query).selection.order, order, query)
})

test('links repeat filters as they were sent, order and size in one spelling, and leave the place out', () => {
  const table: [query: string, linkQuery: string][] = [
    ['', ''],
    ['page=3', ''],
    ['itemsPerPage=20&page=3', 'itemsPerPage=20'],
    ['text[eq]=a+b%26c', 'text%5Beq%5D=a+b%26c'],
    ['text=a%2Bb%3Dc', 'text=a%2Bb%3Dc'],
    ['text.eq=a&&sort=text&text=b&', 'text.eq=a&text=b&sort=text'],
    ['text%5bne%5d=%e2%82%ac', 'text%5bne%5d=%e2%82%ac'],
    ['whole.gt=1&exists[text]=true', 'whole.gt=1&exists%5Btext%5D=true'],
    ['sort=-whole%2Ctext&whole[gt]=1', 'whole%5Bgt%5D=1&sort=-whole,text'],
    ['order[text]=DESC&text="', 'text=%22&order%5Btext%5D=DESC'],
    ['instant=2024-02-29T14:30:00+02:00', 'instant=2024-02-29T14:30:00+02:00'],
    [`author=${BASE}/authors/1&q=%22a`, `author=${BASE}/authors/1&q=%22a`],
  ]
  for (const [query, linkQuery] of table) {
    assert.equal(read(query).linkQuery, linkQuery, query)
    assert.deepEqual(read(linkQuery).selection.filters, read(query).selection.filters, query)
  }
})

// contract: **Filters**: `p=v`
test('an operator means the same in brackets, behind a dot, and as a variable whose name was encoded again', () => {
  const readOdd = readerOf(
    'classes: { Odd: { properties: { größe: integer, first-name: string, page: integer, exists: integer } } }',
    'Odd',
  )
  const table: [bracketed: string, dotted: string, ...more: string[]][] = [
    ['größe[eq]=1', 'größe.eq=1', 'größe=1', 'gr%25C3%25B6%25C3%259Fe=1'],
    ['größe[gte]=1', 'größe.gte=1', 'gr%C3%B6%C3%9Fe%2Egte=1', 'gr%25C3%25B6%25C3%259Fe.gte=1'],
    ['exists[größe]=true', 'größe.exists=true'],
    [
      'first-name[startsWith]=a',
      'first-name.startsWith=a',
      'first%2Dname.startsWith=a',
      'first%252Dname.startsWith=a',
    ],
    ['page[eq]=1', 'page.eq=1'],
    ['exists[exists]=false', 'exists.exists=false'],
    ['exists[lt]=1', 'exists.lt=1'],
  ]
  for (const [bracketed, ...others] of table) {
    const { filters } = readOdd(encodeURI(decodeURI(bracketed))).selection
    assert.equal(filters.length, 1, bracketed)
    for (const other of others) {
      const sent = other.includes('%') ? other : encodeURI(other)
      assert.deepEqual(readOdd(sent).selection.filters, filters, other)
    }
  }
})
