import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressBelow,
  counted,
  hrefOf,
  labelOf,
  linkIn,
  pathBelow,
  readRoute,
  singular,
  wordsOf,
} from '../../../console/shared/names.ts'
import { describedProperty } from '../table-class.ts'

test('an address without a page is distinguished from the overview', () => {
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
  assert.deepEqual(readRoute('#/account'), { page: 'account' })
  assert.equal(hrefOf({ page: 'account' }), '#/account')
})

test('the address of a member survives its way into a route and out of it', () => {
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
  for (const page of ['member', 'edit', 'history'] as const) {
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

test('an address is read from a text or a node, relative to the address of its resource', () => {
  const at = 'http://api.test/books/1'
  assert.equal(linkIn('/people/2', at), 'http://api.test/people/2')
  assert.equal(linkIn({ '@id': 'http://other.test/' }, at), 'http://other.test/')
  assert.equal(linkIn({ '@type': 'x' }, at), undefined)
  assert.equal(linkIn(7, at), undefined)
})

test('a property is labelled by its title, or else by its name, in the singular for one of its values', () => {
  const named = describedProperty({ name: 'createdAt' })
  const titled = describedProperty({ name: 'email', title: 'E-mail' })
  assert.deepEqual([named, titled].map(labelOf), ['Created at', 'E-mail'])
  assert.deepEqual([named, titled].map(wordsOf), ['created at', 'E-mail'])
  const words = ['lines', 'categories', 'addresses', 'boxes', 'address', 'status', 'news item']
  assert.deepEqual(words.map(singular), [
    'line',
    'category',
    'address',
    'box',
    'address',
    'status',
    'news item',
  ])
  assert.deepEqual(
    [counted(5, 'lines'), counted(1, 'lines'), counted(2, 'address'), counted(0, 'child')],
    ['5 lines', '1 line', '2 addresses', '0 childs'],
  )
})
