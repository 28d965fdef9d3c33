import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canChange,
  canRead,
  collectionAt,
  collectionHolding,
  collectionTitle,
  membersWord,
  routeTo,
} from '../../../../console/shared/connection/collections.ts'
import { readRoute } from '../../../../console/shared/names.ts'
import { cls, collectionOf, link, operationsFor, property } from '../../descriptions.ts'

const person = cls('Person', property('name', 'string'), link('friend', 'Person'))
const people = collectionOf('people', person)
const books = collectionOf('books', cls('Book', link('author', 'Person')))

test('a collection leads to its list, or to a form where a list is not offered', () => {
  const notes = (...methods: string[]) => collectionOf('notes', person, ...methods)
  assert.deepEqual(routeTo(notes('GET', 'POST')), { page: 'table', name: 'notes', query: '' })
  assert.deepEqual(routeTo(notes('GET')), { page: 'table', name: 'notes', query: '' })
  assert.deepEqual(routeTo(notes('POST')), { page: 'create', name: 'notes' })
  // Other documentations leave operations out.
  assert.deepEqual(routeTo(notes()), { page: 'table', name: 'notes', query: '' })
})

// contract: **`plural: time entries`**
test('several members are called by the plural of their class, or else by the name of their collection', () => {
  const entry = { ...cls('TimeEntry'), plural: 'time entries' }
  const collections = [
    collectionOf('timeentries', entry),
    people,
    { name: 'oldNews', memberClass: undefined },
  ]
  assert.deepEqual(collections.map(membersWord), ['time entries', 'people', 'old news'])
  assert.deepEqual(collections.map(collectionTitle), ['Time entries', 'People', 'Old news'])
})

test('a member can be changed if an operation other than GET and DELETE is offered', () => {
  for (const method of ['PATCH', 'PUT', 'POST']) assert.equal(canChange(operationsFor('GET', method)), true)
  assert.equal(canChange(operationsFor('GET', 'DELETE')), false)
})

test('members of a class can be read if the API offers it, or says nothing about it', () => {
  assert.equal(canRead({ ...person, operations: operationsFor('GET') }), true)
  assert.equal(canRead({ ...person, operations: operationsFor('POST') }), false)
  assert.equal(canRead({ ...person, operations: [], properties: [] }), false)
  assert.equal(canRead({ ...person, operations: [] }), true)
  assert.equal(canRead(undefined), true)
})

test('a route belongs to the collection of its table, its form or its member', () => {
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
    ['#/history/books/emma', 'books'],
    ['#/deleted/books', 'books'],
    ['#/nowhere/books', undefined],
    ['#/member/bookshops/7', undefined],
    ['#/member/books', undefined],
    ['#/documentation/books', undefined],
  ] as const
  for (const [hash, name] of cases) assert.equal(collectionAt(readRoute(hash), base, collections), name, hash)
})

test('a member belongs to the collection whose address its own begins with, or to that of its class', () => {
  const all = [people, books]
  assert.equal(collectionHolding(all, 'http://api.test/books/1'), books)
  assert.equal(collectionHolding(all, 'http://api.test/booksmith/1'), undefined)
  assert.equal(collectionHolding(all, 'http://api.test/p/1', person), people)
  assert.equal(collectionHolding(all, 'http://api.test/Settings', cls('Settings')), undefined)
})
