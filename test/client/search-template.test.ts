import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTemplate } from '../../packages/client/src/search-template.ts'

/** The variables of RFC 6570 §3.2, as far as a query can have them. */
const VALUES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  v: 6,
  x: 1024,
  y: 768,
  empty: '',
  undef: null,
}

test('Templates are expanded as RFC 6570 says', () => {
  for (const [template, filled] of [
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World!'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World!,768'],
    ['?{x,empty}', '?1024,'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{#var}', '#value'],
    ['{#x,hello,y}', '#1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['foo{#undef}', 'foo'],
    ['{.who,who}', '.fred.fred'],
    ['www{.dom*}', 'www.example.com'],
    ['X{.list}', 'X.red,green,blue'],
    ['X{.list*}', 'X.red.green.blue'],
    ['{/who,who}', '/fred/fred'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{/list}', '/red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{;who}', ';who=fred'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;list*}', ';list=red;list=green;list=blue'],
    ['{?who}', '?who=fred'],
    ['{?half}', '?half=50%25'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?list}', '?list=red,green,blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?undef}', ''],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&list*}', '&list=red&list=green&list=blue'],
  ] as const) {
    const named = [...template.matchAll(/[a-z]+/g)].map(([name]) => name)
    const query = Object.fromEntries(Object.entries(VALUES).filter(([name]) => named.includes(name)))
    assert.equal(fillTemplate(template, query), filled, template)
  }
})

test('Names with percent-encoded brackets are recognised', () => {
  const template = '/books{?title*,pages%5Bgte%5D,order%5Btitle%5D,%24q}'
  const query = { 'pages[gte]': 10, 'order[title]': 'asc', $q: 'a&b=c' }
  assert.equal(fillTemplate(template, query), '/books?pages%5Bgte%5D=10&order%5Btitle%5D=asc&%24q=a%26b%3Dc')
})

test('An operator may be written in brackets or after a dot, whichever the template has', () => {
  const dotted = '/books{?pages*,pages.gte,pages.exists,order.gte,order%5Bgte%5D,gr%C3%B6%C3%9Fe.ne}'
  const bracketed = '/books{?pages%5Bgte%5D,exists%5Bpages%5D,author.name,a%zz}'
  for (const [template, query, filled] of [
    [dotted, { 'pages.gte': 1, 'pages.exists': true }, 'pages.gte=1&pages.exists=true'],
    [dotted, { 'pages[gte]': 1, 'exists[pages]': true }, 'pages.gte=1&pages.exists=true'],
    [dotted, { 'größe[ne]': 1 }, 'gr%C3%B6%C3%9Fe.ne=1'],
    // Where the template has both names, they are two variables.
    [dotted, { 'order[gte]': 'desc' }, 'order%5Bgte%5D=desc'],
    [dotted, { 'order.gte': 5 }, 'order.gte=5'],
    [bracketed, { 'pages[gte]': 1, 'exists[pages]': false }, 'pages%5Bgte%5D=1&exists%5Bpages%5D=false'],
    [bracketed, { 'pages.gte': 1, 'pages.exists': false }, 'pages%5Bgte%5D=1&exists%5Bpages%5D=false'],
    [bracketed, { 'author.name': 'Ann' }, 'author.name=Ann'],
  ] as const)
    assert.equal(fillTemplate(template, query), `/books?${filled}`, JSON.stringify(query))
  assert.throws(() => fillTemplate(dotted, { 'pages.lt': 1 }), { kind: 'malformed' })
})

test('A name that the template does not have is an error, since the query would mean something else', () => {
  assert.throws(() => fillTemplate('/books{?title}', { titel: 'Emma', page: 2 }), {
    kind: 'malformed',
    code: 'unknown-parameter',
    parameter: 'titel',
    message: 'The search template has no titel, page; it has title.',
  })
  assert.throws(() => fillTemplate('/books{?title,title.ne,order%5Btitle%5D,q}', { titel: 'Emma' }), {
    message: 'The search template has no titel; it has title, q.',
  })
  assert.equal(fillTemplate('/books{?title}', { titel: undefined, page: null }), '/books')
})

test('Inherited properties of every object are not parameters', () => {
  const template = '/cars{?name,constructor*,toString,valueOf}'
  assert.equal(fillTemplate(template, { name: 'Beetle' }), '/cars?name=Beetle')
  assert.equal(
    fillTemplate(template, { constructor: ['VW', 'Fiat'] }),
    '/cars?constructor=VW&constructor=Fiat',
  )
})

test('Getters of a class are parameters', () => {
  class Wanted {
    readonly colour = 'red'
    get name() {
      return 'Beetle'
    }
  }
  const filled = fillTemplate('/cars{?name,colour,constructor}', new Wanted() as never)
  assert.equal(filled, '/cars?name=Beetle&colour=red')
})

test('Values of any type are written as people write them', () => {
  const query = { a: false, b: 0, c: [1, true], d: [] }
  assert.equal(fillTemplate('{?a,b,c*,d}', query), '?a=false&b=0&c=1&c=true')
})
