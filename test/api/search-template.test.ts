import assert from 'node:assert/strict'
import { test } from 'node:test'
import { representSearch } from '../../src/api/output/page.ts'
import { BASE, classOf, KINDS, readerOf } from './queries.ts'
import { type Json, serveSignedIn } from './signed-in.ts'

interface Search extends Json {
  readonly template: string
  readonly mapping: readonly { readonly variable: string; readonly property: string }[]
}

function searchOf(api: string, name: string): Search {
  return representSearch(classOf(api, name), BASE) as Search
}

/** RFC 6570 §3.2.8, for one variable of one value: its name goes out as it stands in the template. */
function expand({ template, mapping }: Search, variable: string, value: string): string {
  const [, names = ''] = /\{\?(.*)\}$/.exec(template) ?? []
  const index = mapping.findIndex((one) => one.variable === variable)
  const name = names.split(',')[index]?.replace('*', '')
  return `?${name}=${encodeURIComponent(value)}`
}

// contract: Datatypes: string, boolean, integer
// contract: **Collection**: `@type`
// contract: **Filters**: `p=v`
test('the search template has one mapping for every filter, order and paging variable', () => {
  const { mapping, template } = searchOf(
    `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      title: { type: string, iri: "http://schema.org/name" }
      pages: integer
      author: Author
      genres: { type: string, many: true }
      noon: time
      notes: { type: string, filterable: false }
`,
    'Book',
  )
  const vocab = (name: string) => `${BASE}/vocab#${name}`
  const own = (name: string, ...operators: string[]): [string, string][] => [
    [name, name],
    ...operators.map((operator): [string, string] => [`${name}[${operator}]`, vocab(`${operator}/${name}`)]),
    [`exists[${name}]`, vocab(`exists/${name}`)],
  ]
  const order = (name: string): [string, string] => [`order[${name}]`, vocab(`order/${name}`)]
  const compared = ['ne', 'gt', 'gte', 'lt', 'lte']
  const table = [
    ...own('title', ...compared, 'startsWith', 'contains'),
    order('title'),
    ...own('pages', ...compared),
    order('pages'),
    ...own('author', 'ne'),
    order('author'),
    ...own('genres', ...compared, 'startsWith', 'contains'),
    ['q', 'hydra:freetextQuery'],
    ['include', vocab('include')],
    ['sort', vocab('sort')],
    ['page', 'hydra:pageIndex'],
    ['itemsPerPage', 'hydra:limit'],
    ['after', vocab('after')],
    ['before', vocab('before')],
  ]
  assert.deepEqual(
    mapping,
    table.map(([variable, property]) => ({
      '@type': 'IriTemplateMapping',
      variable,
      property,
      required: false,
    })),
  )
  // A filter by equality may be repeated for any-of: exploded, a list of values becomes just that.
  const repeated = ['title', 'pages', 'author', 'genres', 'include']
  const names = table.map(
    ([name = '']) => name.replace('[', '%5B').replace(']', '%5D') + (repeated.includes(name) ? '*' : ''),
  )
  assert.equal(template, `${BASE}/books{?${names.join(',')}}`)
})

test('every character that RFC 6570 does not allow in a variable is percent-encoded', () => {
  const { template, mapping } = searchOf('classes: { A: { properties: { first-name: boolean } } }', 'A')
  assert.match(template, /\{\?first%2Dname\*,first%2Dname%5Bne%5D,/)
  assert.match(template, /\{\?(?:(?:[A-Za-z0-9_]|%[0-9A-F]{2})+\*?,?)+\}$/)
  assert.equal(mapping[0]?.variable, 'first-name')
})

// contract: Scoped contexts keep a user's
test('a property whose name means something else in a query has a filter of its own', () => {
  const names = ['page', 'q', 'sort', 'order', 'exists', 'after', 'itemsPerPage', 'constructor', 'toString']
  const api = `classes: { Odd: { properties: { ${names.map((name) => `${name}: integer`).join(', ')}, eq: integer, text: string } } }`
  const { mapping } = searchOf(api, 'Odd')
  const read = readerOf(classOf(api, 'Odd'))
  const filtered = (query: string) => read(query).selection.filters

  const table: [variable: string, property: string][] = [
    ['page[eq]', 'page'],
    ['q[eq]', 'q'],
    ['sort[eq]', 'sort'],
    ['order', 'order'],
    ['exists', 'exists'],
    ['after[eq]', 'after'],
    ['itemsPerPage[eq]', 'itemsPerPage'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['eq', 'eq'],
  ]
  for (const [variable, property] of table) {
    assert.deepEqual(filtered(`${variable}=5`), [{ property, test: 'in', keys: [5] }], variable)
    const documented = mapping.filter((one) => one.property === property).map((one) => one.variable)
    assert.deepEqual(documented, [variable])
  }
  assert.deepEqual(filtered('page=2'), [])
  assert.deepEqual(filtered('constructor[gt]=5&order[constructor]=asc')[0]?.property, 'constructor')
  // Where a property is called as an operator is, sorting and existence win.
  assert.deepEqual(read('order[eq]=desc').selection.order, [{ property: 'eq', descending: true }])
  assert.deepEqual(filtered('exists[eq]=true'), [{ property: 'eq', test: 'exists', exists: true }])
  const variables = mapping.map(({ variable }) => variable)
  assert.equal(new Set(variables).size, variables.length)
})

// contract: **Collection**: `@type`
// contract: **Sorting**: `order[p]=asc|desc`
test('the server accepts every variable of its own template', async (t) => {
  const service = await serveSignedIn(t, { api: KINDS, flags: { pageSize: '1' } })
  const author = await service.add('/authors', { name: 'Ann' })
  for (const text of ['a', 'b', 'c']) await service.add('/kinds', { text })
  const { search, view } = (await service.get('/kinds')).json() as { search: Search; view: Json }
  const middle = (await service.get(String(view.next).slice(service.base.length))).json().view as Json

  const cursorIn = (link: unknown, name: string) => new URL(String(link)).searchParams.get(name) ?? ''
  const values: Record<string, string> = {
    include: 'author',
    text: 'a',
    iri: 'https://example.org/',
    whole: '1',
    natural: '1',
    positive: '1',
    price: '1.50',
    size: '1.5',
    small: '1.5',
    day: '2024-02-29',
    instant: '2024-02-29T12:30:00+02:00',
    flag: 'true',
    author: author['@id'],
    authors: author['@id'],
    tags: 'a',
    scores: '1',
    q: 'a',
    sort: 'text,-whole',
    page: '1',
    itemsPerPage: '5',
    after: cursorIn(view.next, 'after'),
    before: cursorIn(middle.previous, 'before'),
  }
  assert.ok(search.mapping.length > 80)
  for (const { variable } of search.mapping) {
    const [, outer = variable] = /^(\w+)\[/.exec(variable) ?? []
    const value = outer === 'order' ? 'desc' : outer === 'exists' ? 'false' : values[outer]
    assert.ok(value, variable)
    const response = await service.get(`/kinds${expand(search, variable, value)}`)
    assert.equal(response.status, 200, `${variable}: ${response.body}`)
  }
})
