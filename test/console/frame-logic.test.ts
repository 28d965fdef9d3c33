import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectionAt } from '../../console/frame/place.ts'
import { readRoute } from '../../console/routes.ts'

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
