import assert from 'node:assert/strict'
import { test } from 'node:test'
import UrlTemplate from 'es6-url-template'
import uritemplate from 'uritemplate'
import { representSearch } from '../../../src/api/output/search.ts'
import { modelOf } from '../../support/service.ts'
import { BASE, classOf, KINDS, readerOf } from '../queries.ts'
import { type Json, serveSignedIn } from '../signed-in.ts'

interface Search extends Json {
  readonly template: string
  readonly mapping: readonly { readonly variable: string; readonly property: string }[]
}

function searchOf(api: string, name: string): Search {
  return representSearch(classOf(api, name), modelOf(api), BASE) as Search
}

type Expand = (template: string, values: object) => string

/** Expanders that other clients use: that of alcaeus encodes the "%" of a name again, that of Comunica does not. */
const EXPANDERS: Readonly<Record<string, Expand>> = {
  alcaeus: (template, values) => new UrlTemplate(template).expand(values as Record<string, string>),
  comunica: (template, values) => uritemplate.parse(template).expand(values),
}

// contract: Datatypes: string, boolean, integer
// contract: **Collection**: `@type`
// contract: **Filters**: `p=v`
// contract: Where the request has filters the collection is a resource of its own
test('the search template has one mapping for every filter, order and paging variable', () => {
  const { mapping, template } = searchOf(
    `
classes:
  Author: { properties: { name: string, works: { type: Book, many: true }, home: Home, notes: { type: string, filterable: false } } }
  Home: { collection: false, properties: { city: string, flag: boolean } }
  Book:
    properties:
      title: { type: string, iri: "http://schema.org/name" }
      pages: integer
      author: Author
      genres: { type: string, many: true }
      noon: time
      notes: { type: string, filterable: false }
      printed: Home
      homes: { type: Home, many: true }
`,
    'Book',
  )
  const vocab = (name: string) => `${BASE}/vocab#${name}`
  const own = (name: string, ...operators: string[]): [string, string][] => [
    [name, name],
    ...operators.map((operator): [string, string] => [`${name}.${operator}`, vocab(`${operator}/${name}`)]),
    [`${name}.exists`, vocab(`exists/${name}`)],
  ]
  const within = (name: string, ...operators: string[]): [string, string][] =>
    own(name, ...operators).with(0, [name, vocab(`eq/${name}`)])
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
    ...within('printed.city', ...compared, 'startsWith', 'contains'),
    order('printed.city'),
    ...within('printed.flag', 'ne'),
    order('printed.flag'),
    ...within('homes.city', ...compared, 'startsWith', 'contains'),
    ...within('homes.flag', 'ne'),
    // One step beyond a link, by equality; texts of the author's home are two steps away.
    ['author.name', vocab('eq/author.name')],
    order('author.name'),
    ['author.works', vocab('eq/author.works')],
    ['q', 'hydra:freetextQuery'],
    ['include', vocab('include')],
    ['fields', vocab('fields')],
    ['sort', vocab('sort')],
    ['page', 'hydra:pageIndex'],
    ['itemsPerPage', 'hydra:limit'],
    ['after', 'hydra:pageReference'],
    ['before', 'hydra:pageReference'],
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
  const paths = ['printed.city', 'printed.flag', 'homes.city', 'homes.flag', 'author.name', 'author.works']
  const repeated = ['title', 'pages', 'author', 'genres', 'include', 'fields', ...paths]
  const names = table.map(
    ([name = '']) => name.replace('[', '%5B').replace(']', '%5D') + (repeated.includes(name) ? '*' : ''),
  )
  assert.equal(template, `${BASE}/books{?${names.join(',')}}`)
})

// contract: Template and mapping name a variable alike
test('template and mapping name a variable alike, by a legal name, except for order[p]', () => {
  const api = 'classes: { A: { properties: { first-name: boolean, größe: integer, page: integer } } }'
  const { template, mapping } = searchOf(api, 'A')
  const [, list = ''] = /\{\?(.*)\}$/.exec(template) ?? []
  const names = list.split(',').map((spec) => spec.replace('*', ''))
  const name = /^(?:\w|%[0-9A-F]{2})+(?:\.(?:\w|%[0-9A-F]{2})+)*$/
  for (const one of names) assert.match(one, name)
  assert.deepEqual(names.slice(0, 4), [
    'first%2Dname',
    'first%2Dname.ne',
    'first%2Dname.exists',
    'order%5Bfirst%2Dname%5D',
  ])
  const isOrder = ({ property }: { property: string }) => property.includes('#order/')
  assert.deepEqual(
    mapping.map((one, index) => (isOrder(one) ? 'order' : one.variable === names[index])),
    mapping.map((one) => (isOrder(one) ? 'order' : true)),
  )
  assert.deepEqual(
    mapping.filter(isOrder).map(({ variable }) => variable),
    ['order[first-name]', 'order[größe]', 'order[page]'],
  )
})

// contract: Scoped contexts keep a user's
test('a property whose name means something else in a query has a filter of its own', () => {
  const names = ['page', 'q', 'sort', 'order', 'exists', 'after', 'itemsPerPage', 'constructor', 'toString']
  const api = `classes: { Odd: { properties: { ${names.map((name) => `${name}: integer`).join(', ')}, eq: integer, text: string } } }`
  const { mapping } = searchOf(api, 'Odd')
  const read = readerOf(api, 'Odd')
  const filtered = (query: string) => read(query).selection.filters

  const table: [variable: string, property: string][] = [
    ['page.eq', 'page'],
    ['q.eq', 'q'],
    ['sort.eq', 'sort'],
    ['order', 'order'],
    ['exists', 'exists'],
    ['after.eq', 'after'],
    ['itemsPerPage.eq', 'itemsPerPage'],
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
  const [greater] = filtered('constructor[gt]=5&order[constructor]=asc')
  assert.ok(greater?.test === 'range' && greater.property === 'constructor')
  // Where a property is called as an operator is, sorting and existence win.
  assert.deepEqual(read('order[eq]=desc').selection.order, [{ property: 'eq', descending: true }])
  assert.deepEqual(filtered('exists[eq]=true'), [{ property: 'eq', test: 'exists', exists: true }])
  const variables = mapping.map(({ variable }) => variable)
  assert.equal(new Set(variables).size, variables.length)
})

// contract: **Collection**: `@type`
// contract: Template and mapping name a variable alike
test('expanders of other clients fill every mapping, and the server applies each', async (t) => {
  const numbers = [
    'größe',
    '名前',
    'मूल्य',
    'first-name',
    'page',
    'order',
    'exists',
    'sort',
    'q',
    'after',
    'eq',
  ]
  // The API file refuses `__proto__` itself.
  const inherited = ['constructor', '__proto', 'toString', 'valueOf']
  const properties = [...numbers, ...inherited].map((name) => `      ${name}: integer`).join('\n')
  const api = `classes:\n  Odd:\n    properties:\n${properties}\n      the-текст: string\n`
  const service = await serveSignedIn(t, { api })
  const member = (value: number | string | undefined) =>
    Object.fromEntries([...numbers, ...inherited].map((name) => [name, value]))
  for (const value of [1, 2, 3]) await service.add('/odds', { ...member(value), 'the-текст': `x${value}y` })
  await service.add('/odds', {})
  // How many of the four members each finds: those with 1, 2 and 3, and one without values.
  const found: Readonly<Record<string, number>> = {
    eq: 1,
    ne: 2,
    gt: 1,
    gte: 2,
    lt: 1,
    lte: 2,
    exists: 1,
    startsWith: 1,
    contains: 1,
  }
  const { search } = (await service.get('/odds')).json() as { search: Search }
  for (const [client, expand] of Object.entries(EXPANDERS)) {
    let filled = 0
    for (const { variable, property } of search.mapping) {
      const name = decodeURIComponent(variable)
      const [, test = 'eq'] = /\.(\w+)$/.exec(name) ?? []
      if (/#(order|sort|fields)\b|hydra:/.test(property)) continue
      const text = test === 'contains' ? '2' : 'x2y'
      const value = test === 'exists' ? 'false' : name.startsWith('the-') ? text : '2'
      const address = expand(search.template, { __proto__: null, [variable]: value })
      assert.match(address, /\?/, `${client} ${variable}`)
      const page = (await service.get(address.slice(service.base.length))).json()
      assert.equal(page.totalItems, found[test], `${client} ${address} ${JSON.stringify(page)}`)
      filled += 1
    }
    assert.equal(filled, 15 * 7 + 9, client)
    const sorted = expand(search.template, { __proto__: null, sort: '-first-name' })
    const { member: members } = (await service.get(sorted.slice(service.base.length))).json() as {
      member: Json[]
    }
    assert.deepEqual(
      members.map((one) => one['first-name']),
      [3, 2, 1, undefined],
      client,
    )
  }
})

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
    fields: 'text,author',
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
    'author.name': 'Ann',
    'authors.name': 'Ann',
    'address.street': 'Main',
    q: 'a',
    sort: 'text,-whole',
    page: '1',
    itemsPerPage: '5',
    after: cursorIn(view.next, 'after'),
    before: cursorIn(middle.previous, 'before'),
  }
  assert.ok(search.mapping.length > 80)
  for (const { variable } of search.mapping) {
    const name = variable.replace(/\.(?:eq|ne|gte?|lte?|startsWith|contains|exists)$/, '')
    const isExistence = variable.endsWith('.exists')
    const value = name.startsWith('order[') ? 'desc' : isExistence ? 'false' : values[name]
    assert.ok(value, variable)
    const response = await service.get(`/kinds?${encodeURIComponent(variable)}=${encodeURIComponent(value)}`)
    assert.equal(response.status, 200, `${variable}: ${response.body}`)
  }
})
