import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addressOf,
  isFilter,
  nothingFound,
  orderOf,
  readQuery,
  refusedBy,
  summaryFilters,
  withFilter,
  withOrder,
  withoutFilters,
  withoutPair,
  withoutPosition,
  withPageSize,
  withValue,
} from '../../../../console/pages/table/query.ts'
import { readVariables } from '../../../../console/shared/connection/index.ts'
import { queryOf } from '../../../../console/shared/queries.ts'
import { describedClass } from '../../table-class.ts'

const NAMES = ['title*', 'title[gte]', 'order[title]', 'sort', 'q', 'page', 'after', 'itemsPerPage']
const variables = readVariables(
  {
    template: `http://shop.example/books{?${NAMES.map(encodeURIComponent).join(',').replace('title%2A', 'title*')}}`,
    variables: NAMES.map((name) => ({
      name: name.replace('*', ''),
      property: `http://shop.example/docs#${name}`,
      required: false,
    })),
  },
  describedClass({ name: 'title', range: 'string' }),
)
const read = (query: string) => readQuery(query, variables)
const order = variables.find(({ role }) => role === 'order') ?? assert.fail('There is no order.')

test('a changed query begins at the first page, and keeps everything else as the API wrote it', () => {
  const query = 'title=a%20b&odd=%7E&order%5Btitle%5D=asc&itemsPerPage=50&after=xyz'
  const pairs = read(query)
  const one = { instead: undefined, repeatable: false }
  const some = { instead: undefined, repeatable: true }
  const cases: readonly (readonly [string, string])[] = [
    [withoutPosition(pairs), 'title=a%20b&odd=%7E&order%5Btitle%5D=asc&itemsPerPage=50'],
    [withoutFilters(pairs), 'order%5Btitle%5D=asc&itemsPerPage=50'],
    [withOrder(pairs, order, 'desc'), 'title=a%20b&odd=%7E&itemsPerPage=50&order%5Btitle%5D=desc'],
    [withOrder(pairs, order, undefined), 'title=a%20b&odd=%7E&itemsPerPage=50'],
    [withOrder(read('sort=-title&page=3'), order, 'asc'), 'order%5Btitle%5D=asc'],
    [withValue(pairs, 'itemsPerPage', '10'), 'title=a%20b&odd=%7E&order%5Btitle%5D=asc&itemsPerPage=10'],
    [withValue(read('q=x&page=2'), 'q', undefined), ''],
    [withFilter(read('page=2'), { name: 'title', value: 'a&b' }, some), 'title=a%26b'],
    [withFilter(read('title=a'), { name: 'title', value: 'b' }, some), 'title=a&title=b'],
    [withFilter(read('title=a'), { name: 'title', value: 'a' }, some), 'title=a'],
    [withFilter(read('title[gte]=a'), { name: 'title[gte]', value: 'b' }, one), 'title%5Bgte%5D=b'],
    [
      withFilter(
        read('title=a&q=x&title=c'),
        { name: 'title', value: 'b' },
        { ...some, instead: { name: 'title', value: 'a' } },
      ),
      'title=b&q=x&title=c',
    ],
  ]
  for (const [made, expected] of cases) assert.equal(made, expected)
  const [first] = pairs
  assert.ok(first)
  assert.equal(withoutPair(pairs, first), 'odd=%7E&order%5Btitle%5D=asc&itemsPerPage=50')
})

test('a random filter is read from the address as it was written', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  fc.assert(
    fc.property(text, text, text, (name, value, other) => {
      const query = withFilter(
        read(`title=${encodeURIComponent(other)}`),
        { name, value },
        {
          instead: undefined,
          repeatable: true,
        },
      )
      assert.ok(read(query).some((pair) => pair.name === name && pair.value === value))
    }),
  )
})

test('filters and free text narrow a query; order, page size and position do not', () => {
  const pairs = read('title=a&q=x&nobody=knows&order[title]=asc&sort=title&itemsPerPage=5&page=2&after=z')
  assert.deepEqual(
    pairs.filter(isFilter).map(({ name }) => name),
    ['title', 'q', 'nobody'],
  )
})

test('the refused filter is the one whose parameter the error names', () => {
  const pairs = read('title=a&title[gte]=b&page=2')
  assert.equal(refusedBy('title[gte]', pairs), pairs[1])
  // An address from before, or from another program, may spell the operator in the other way.
  const [other] = read('title.gte=b')
  assert.equal(other?.name, 'title[gte]')
  assert.equal(refusedBy('title.gte', other ? [other, ...pairs] : []), other)
  assert.equal(
    withFilter(
      read('title.gte=b'),
      { name: 'title[gte]', value: 'c' },
      { instead: other, repeatable: false },
    ),
    'title%5Bgte%5D=c',
  )
  assert.equal(refusedBy('title', pairs), pairs[0])
  const several = read('title=a&title=b&title=c')
  assert.equal(refusedBy('title', several), several[2])
  assert.equal(refusedBy('page', pairs), undefined)
  assert.equal(refusedBy(undefined, pairs), undefined)
  assert.equal(refusedBy(undefined, read('title=a&page=2'))?.name, 'title')
})

test('a plus is read as a space in texts only', () => {
  assert.deepEqual(
    read('q=le+guin&title=a+b&page=+1').map(({ value }) => value),
    ['le guin', 'a b', '+1'],
  )
})

test('a query that cannot be decoded is shown as it is', () => {
  assert.deepEqual(
    read('%ff=%&&=').map(({ name, value }) => [name, value]),
    [
      ['%ff', '%'],
      ['', ''],
    ],
  )
})

test('the order is read in both spellings', () => {
  assert.deepEqual(orderOf(read('order[title]=desc')), { name: 'title', direction: 'desc' })
  assert.deepEqual(orderOf(read('sort=-pages,title')), { name: 'pages', direction: 'desc' })
  assert.deepEqual(orderOf(read('sort=pages')), { name: 'pages', direction: 'asc' })
  assert.equal(orderOf(read('title=a')), undefined)
})

test('an address is split into collection and query, and joined again', () => {
  assert.equal(queryOf('http://shop.example/books?a=1&b=?#c'), 'a=1&b=?')
  assert.equal(queryOf('http://shop.example/books'), '')
  assert.equal(addressOf('http://shop.example/books', ''), 'http://shop.example/books')
  assert.equal(
    addressOf('http://shop.example/?of=books', 'of=books&page=2'),
    'http://shop.example/?of=books&page=2',
  )
})

test('“No member has the word” is shown only if the search covers every text of the class', () => {
  const toldOf = (text: string, isHydrant: boolean, ...more: readonly { name: string; range?: string }[]) =>
    nothingFound(text, {
      collection: {
        name: 'books',
        iri: 'http://shop.example/books',
        description: '',
        operations: [],
        memberClass: describedClass({ name: 'title', range: 'string' }, ...more),
      },
      variables,
      isHydrant,
      answered: read('q=some+word'),
    })
  const told = toldOf.bind(undefined, 'some word*')
  const certain = 'No book has all of the words “some word”.'
  const careful = 'The API found no book for “some word”.'
  assert.equal(told(true), certain)
  assert.equal(told(true, { name: 'size', range: 'integer' }), certain)
  assert.equal(toldOf('word', true), 'No book has the word “word”.')
  assert.equal(toldOf('wor*', true), 'No book has a word that begins with “wor”.')
  assert.equal(told(false), careful)
  // Not filterable: neither is it searched.
  assert.equal(told(true, { name: 'notes', range: 'string' }), careful)
})

test('an alternative of a group means what it would on its own, and goes on its own', () => {
  const pairs = read('or[a][title]=x+y&or[a][title.gte]=b&q=z')
  assert.deepEqual(
    pairs.map(({ group, variable, value, role }) => [group, variable?.name, value, role]),
    [
      ['a', 'title', 'x y', 'filter'],
      ['a', 'title[gte]', 'b', 'filter'],
      [undefined, 'q', 'z', 'text'],
    ],
  )
  assert.ok(pairs[0])
  assert.equal(withoutPair(pairs, pairs[0]), 'or[a][title.gte]=b&q=z')
})

test('a summary gets the filters of a table, and an export its filters and order from the first page on', () => {
  const pairs = read('title=a&q=b&sum=5&order%5Btitle%5D=asc&itemsPerPage=10&after=xyz')
  assert.equal(summaryFilters(pairs), 'title=a&q=b&sum.eq=5')
  const all = 'title=a&q=b&sum=5&order%5Btitle%5D=asc'
  assert.equal(withPageSize(pairs, variables, '100'), `${all}&itemsPerPage=100`)
  assert.equal(withPageSize(pairs, variables, undefined), all)
})
