import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from 'hydrant-client'
import { collectionAt } from '../../console/shared/connection/collections.ts'
import { sentenceOf } from '../../console/shared/connection/error-sentence.ts'
import { mayHaveChanged } from '../../console/shared/connection/wire-log.ts'
import { addressBelow, hrefOf, pathBelow, readRoute } from '../../console/shared/names.ts'

test('a place belongs to the collection of its table, its form or its member', () => {
  const base = 'http://localhost/api'
  const collections = [
    { name: 'books', iri: `${base}/books` },
    { name: 'loans', iri: `${base}/book-loans` },
    { name: 'elsewhere', iri: 'http://example.org/things' },
  ]
  const cases = [
    ['#/', undefined],
    ['#/table/books?page=2', 'books'],
    ['#/create/loans', 'loans'],
    ['#/member/books/emma', 'books'],
    ['#/edit/book-loans/7', 'loans'],
    ['#/member/bookshops/7', undefined],
    ['#/member/books', undefined],
    ['#/documentation/books', undefined],
  ] as const
  for (const [hash, name] of cases) assert.equal(collectionAt(readRoute(hash), base, collections), name, hash)
})

test('an address that names no page is told from the overview', () => {
  for (const hash of ['', '#', '#/']) assert.deepEqual(readRoute(hash), { page: 'home' })
  for (const hash of [
    '#/foo/bar',
    '#/table',
    '#/table/',
    '#/member',
    '#/member/',
    '#/edit',
    '#/Table/books',
  ]) {
    const route = readRoute(hash)
    assert.equal(route.page, 'missing', hash)
    assert.equal(hrefOf(route), hash)
  }
  assert.deepEqual(readRoute('#/documentation'), { page: 'documentation', name: undefined })
})

test('the address of a member goes into a place and out of it character by character', () => {
  const base = 'http://localhost/api'
  const addresses = [
    'books/5',
    'books/a%2Fb',
    'books/..%2F..%2Fetc',
    'books?id=5',
    'books/?id=5&x=a/b?c',
    '?id=5',
    'books#5',
    'books/100%',
    'books/%25',
    'books/a%20b+c',
    'books//5/',
    'people/Zo%C3%AB',
    'a;b=1,2/@me:you',
  ]
  for (const page of ['member', 'edit'] as const) {
    for (const address of addresses) {
      const path = pathBelow(base, `${base}/${address}`)
      assert.ok(path !== undefined, address)
      // As a browser has it in its address.
      const { hash } = new URL(hrefOf({ page, path }), 'http://localhost:8081/')
      const route = readRoute(hash)
      assert.equal(route.page, page, address)
      assert.equal('path' in route && addressBelow(base, route.path), `${base}/${address}`)
    }
  }
  for (const elsewhere of [base, `${base}ok/1`, 'http://localhost/other', 'javascript:alert(1)'])
    assert.equal(pathBelow(base, elsewhere), undefined)
})

test('an answer that leads elsewhere is told from any other refusal, with what to try', () => {
  const refused = (status: number) => new ApiError('refused', 'http://api.test/ said no.', { status })
  for (const status of [301, 302, 308])
    assert.match(sentenceOf(refused(status)), /redirects this address.*slash at the end/)
  for (const status of [200, 400, 403]) assert.equal(sentenceOf(refused(status)), 'http://api.test/ said no.')
})

test('a new token, or a collection of the entry point that is not there, is a reason to look at the API anew', () => {
  const base = 'http://localhost/api'
  const collections = [{ iri: `${base}/books` }]
  const token = { 'x-authorization': '<token>' }
  const basic = { authorization: 'Basic <credentials>', 'x-authentication': '<nonce>' }
  const cases = [
    [`${base}/`, basic, 200, token, true],
    [`${base}/`, basic, 401, { 'x-authentication': '<nonce>' }, false],
    [`${base}/`, basic, undefined, {}, false],
    [`${base}/books?page=2`, token, 404, {}, true],
    [`${base}/books`, token, 200, {}, false],
    [`${base}/books/emma`, token, 404, {}, false],
  ] as const
  for (const [url, requestHeaders, status, responseHeaders, expected] of cases) {
    const seen = { method: 'GET', url, requestHeaders, status, responseHeaders }
    assert.equal(mayHaveChanged(seen, collections), expected, url)
  }
  // What was offered is forbidden now; not for a GET, by which the API is looked at anew.
  for (const method of ['GET', 'DELETE', 'PATCH']) {
    const seen = {
      method,
      url: `${base}/books/emma`,
      requestHeaders: token,
      status: 403,
      responseHeaders: {},
    }
    assert.equal(mayHaveChanged(seen, collections), method !== 'GET', method)
  }
})
