import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from 'hydrant-client'
import { addParameters, fillTemplate } from '../../packages/client/src/search-template.ts'

const PLAIN = '/books{?title*,pages.gte,author*,author.exists,order%5Btitle%5D,sort,page}'
const ASKING = PLAIN.replace(',page}', ',page,fields}')

const filled = (query: Readonly<Record<string, unknown>>): string =>
  decodeURIComponent(fillTemplate(ASKING, query)).slice('/books'.length)

test('Paths, which a template does not list, are sent as they are written', () => {
  for (const [query, sent] of [
    [{ 'author.name': 'Ann' }, '?author.name=Ann'],
    [{ title: 'Emma', 'author.name': ['Ann', 'Ben'] }, '?title=Emma&author.name=Ann&author.name=Ben'],
    [{ 'author.born.lt': '1900-01-01', page: 2 }, '?page=2&author.born.lt=1900-01-01'],
    [{ 'author.born[lt]': '1900-01-01' }, '?author.born[lt]=1900-01-01'],
    [{ 'exists[author.born]': false }, '?exists[author.born]=false'],
    [{ 'order[author.name]': 'desc' }, '?order[author.name]=desc'],
    [{ 'order[title]': 'asc', 'order[author.name]': 'desc' }, '?order[title]=asc&order[author.name]=desc'],
    [{ 'author.name': undefined, 'author.born': null }, ''],
    [{ fields: ['title', 'author.name'] }, '?fields=title,author.name'],
    [{ fields: 'title' }, '?fields=title'],
  ] as const)
    assert.equal(filled(query), sent, JSON.stringify(query))
})

test('The names and values of paths are percent-encoded', () => {
  const sent = fillTemplate(ASKING, { 'autor.größe': 'a&b=c#d+e' })
  assert.equal(sent, `/books?${encodeURIComponent('autor.größe')}=a%26b%3Dc%23d%2Be`)
})

test('Alternatives are parameters of their group, with their operators behind a dot', () => {
  for (const [or, sent] of [
    [{ a: { title: 'Emma', isbn: '978' } }, '?or[a][title]=Emma&or[a][isbn]=978'],
    [{ a: { 'pages.gte': 500 }, 1: { q: 'ann' } }, '?or[1][q]=ann&or[a][pages.gte]=500'],
    [{ a: { 'pages[gte]': 500 } }, '?or[a][pages.gte]=500'],
    [{ a: { 'exists[isbn]': false } }, '?or[a][isbn.exists]=false'],
    [{ a: { 'author.name[startsWith]': 'A' } }, '?or[a][author.name.startsWith]=A'],
    [{ a: { 'exists[author.born]': true } }, '?or[a][author.born.exists]=true'],
    [{ a: { 'title.contains': ['x', 'y'] } }, '?or[a][title.contains]=x&or[a][title.contains]=y'],
    [{ a: { title: undefined } }, ''],
  ] as const)
    assert.equal(filled({ or }), sent, JSON.stringify(or))
})

test('A template without fields belongs to a server that would ignore a path: it is refused', () => {
  for (const query of [{ 'author.name': 'Ann' }, { or: { a: { title: 'Emma' } } }, { fields: 'title' }]) {
    assert.throws(
      () => fillTemplate(PLAIN, query),
      ({ kind, code, parameter }: ApiError) =>
        kind === 'malformed' && code === 'unknown-parameter' && parameter === Object.keys(query)[0],
    )
  }
})

test('A name that is no path has to be in the template', () => {
  assert.throws(
    () => fillTemplate(ASKING, { 'author.name': 'Ann', titel: 'Emma' }),
    ({ code, parameter }: ApiError) => code === 'unknown-parameter' && parameter === 'titel',
  )
})

test('A variable that is called or, and a path that the template lists, are filled in as any other', () => {
  assert.equal(fillTemplate('/books{?or}', { or: 'x' }), '/books?or=x')
  assert.equal(
    fillTemplate('/books{?author.name*,fields}', { 'author.name': ['a', 'b'] }),
    '/books?author.name=a&author.name=b',
  )
})

test('Parameters are added to an address with and without a query', () => {
  assert.equal(addParameters('/books', {}), '/books')
  assert.equal(addParameters('/books', { include: [], fields: undefined }), '/books')
  assert.equal(addParameters('/books', { include: ['a', 'b'] }), '/books?include=a&include=b')
  assert.equal(addParameters('/books?page=2', { fields: 'a' }), '/books?page=2&fields=a')
})
