import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { indexed } from '../../src/vocabulary/index-keys.ts'
import { API, temporaryFolder } from '../support/service.ts'
import { BASE, openBulk, tallyOf } from './transfer.ts'

test('the class and the id of a member come from its type and its address, however they are written', async (t) => {
  const bulk = await openBulk(t, API)
  const rows: readonly (readonly [object, string])[] = [
    [{ '@type': 'Author', '@id': '/authors/1', name: 'a' }, '/authors/1'],
    [{ '@type': 'Author', '@id': 'authors/2', name: 'a' }, '/authors/2'],
    [{ '@type': 'Author', '@id': `${BASE}/authors/3`, name: 'a' }, '/authors/3'],
    [{ '@type': `${BASE}/vocab#Author`, '@id': '/authors/4', name: 'a' }, '/authors/4'],
    [{ '@type': ['Author'], '@id': '/authors/5', name: 'a' }, '/authors/5'],
    [{ '@id': '/authors/6', name: 'a' }, '/authors/6'],
    [
      { '@context': { n: `${BASE}/vocab#Author/name` }, '@type': `${BASE}/vocab#Author`, id: 13, n: 'a' },
      '/authors/13',
    ],
    [{ '@id': '/books/7', title: 'b', author: '/authors/1' }, '/books/7'],
    [{ '@id': '/books/8', title: 'b', author: `${BASE}/authors/1` }, '/books/8'],
    [{ '@id': '/books/9', title: 'b', author: { '@id': 'authors/1' } }, '/books/9'],
    [{ '@type': 'Book', id: 'b10', title: 'b', author: '/authors/1' }, '/books/b10'],
    [{ '@type': 'Book', id: 11, title: 'b', author: '/authors/1' }, '/books/11'],
    [{ '@id': '/books/12', id: 12, title: 'b', author: '/authors/1' }, '/books/12'],
  ]
  const { reported } = await bulk.import(rows.map(([member]) => member))
  assert.deepEqual(reported, [])
  const members = await bulk.members()
  assert.deepEqual(
    Object.keys(members),
    rows.map(([, address]) => address),
  )
  for (const id of [7, 8, 9]) assert.equal(members[`/books/${id}`]?.author, `${BASE}/authors/1`)
})

test('every line that is refused is reported with its number, with everything that is wrong, and the others are added', async (t) => {
  const bulk = await openBulk(t, API)
  const lines = [
    '{"@type":"Author","name":"good"}',
    '{"@type":"Author"}',
    'not JSON',
    '',
    '{"@type":"Author","name":1,"nme":"x"}',
    '{"name":"which class?"}',
    '{"@type":"Athor","name":"x"}',
    '{"@type":7,"name":"x"}',
    '{"@type":["Author","Book"],"name":"x"}',
    '{"@type":"Author","@id":"/books/1","name":"x"}',
    '{"@id":"http://elsewhere/authors/1","name":"x"}',
    '{"@id":"/authors/a%20b","name":"x"}',
    '{"@id":7,"name":"x"}',
    '["Author"]',
    '{"@type":"Author","name":"a","name":"b"}',
    '{"@type":"Book","title":"x","author":"/authors/nobody"}',
    '{"@type":"Book","title":"x","author":"/books/1"}',
    '{"@type":"Author","name":"also good"}',
    '{"@type":"Book","title":"x","price":1e100}',
    '{"@id":"/authors/1","id":2,"name":"x"}',
    '{"@type":"Author","id":"a b","name":"x"}',
  ]
  const { reported, ...tally } = await bulk.import(lines.join('\n'))
  assert.deepEqual(tallyOf(tally), [2, 0, 18])
  assert.deepEqual(reported, [
    '2: name RequiredValue',
    '3: 3:1 MalformedJson(value, n)',
    '5: name WrongDatatype(string, number)',
    '5: nme UnknownProperty(Author, nme, → name)',
    '6: @type MissingClass(of Author … Book)',
    '7: @type UnknownClass(Athor, → Author)',
    '8: @type NotAClassName',
    '9: @type NotOneClass',
    '10: @id AddressOfOtherClass(Book, Author)',
    `11: @id NotAnAddress(${BASE}, /authors/1)`,
    `12: @id NotAnAddress(${BASE}, /authors/1)`,
    `13: @id NotAnAddress(${BASE}, /authors/1)`,
    '14: NotAnObject',
    '15: 15:30 DuplicateKey(name)',
    `17: author InvalidLink(authors, ${BASE}/authors/{id} /api/authors/{id}, false)`,
    '19: price TooManyDigits(100)',
    '20: id ConflictingIds(2, 1)',
    '21: id InvalidId',
    '16: author DanglingLink(nobody)',
  ])
})

test('where the API has one collection a member need not say its class', async (t) => {
  const bulk = await openBulk(t, 'title: T\nclasses:\n  Note:\n    properties:\n      text: string\n')
  assert.deepEqual(tallyOf(await bulk.import([{ text: 'a' }, { '@id': '_:b0', text: 'b' }])), [2, 0, 0])
})

test('a second import of the same data adds nothing, with ids and without', async (t) => {
  const bulk = await openBulk(t, API)
  const data = [
    { '@type': 'Author', '@id': '/authors/1', name: 'a' },
    { '@type': 'Author', name: 'b' },
    { '@type': 'Author', name: 'b' },
    { '@type': 'Book', title: 'c', author: '/authors/1', price: 12.5 },
  ]
  assert.deepEqual(tallyOf(await bulk.import(data, { now: 1 })), [4, 0, 0])
  const before = await bulk.export()
  assert.deepEqual(tallyOf(await bulk.import(data, { now: 2 })), [0, 4, 0])
  assert.equal(await bulk.export(), before)
  assert.deepEqual(tallyOf(await bulk.import(data, { file: 'other.ndjson' })), [3, 1, 0])
})

test('a member that is there with other values is refused where the data gives its id, and left alone elsewhere', async (t) => {
  const bulk = await openBulk(t, API)
  await bulk.import([{ '@id': '/authors/1', name: 'a' }])
  const other = await bulk.import([{ '@id': '/authors/1', name: 'b' }])
  assert.deepEqual(other.reported, ['1: @id OtherValues'])

  const derived = [{ '@type': 'Author', name: 'c' }]
  await bulk.import(derived)
  const address = Object.keys(await bulk.members()).at(-1) ?? ''
  const id = address.slice('/authors/'.length)
  await bulk.store.members.change('Author', id, undefined, (current) => ({
    ...current,
    body: ',"name":"changed since"',
    links: [],
    keys: { values: [indexed('changed since', 'text'), null], words: ['changed', 'since'] },
  }))
  assert.deepEqual(tallyOf(await bulk.import(derived)), [0, 1, 0])
  assert.equal((await bulk.members())[address]?.name, 'changed since')
})

test('a single resource that was renamed is there already', async (t) => {
  const api = (name: string) =>
    `classes: { ${name}, collection: false, operations: [create, read], properties: { motto: string } } }`
  const db = `sqlite:${join(temporaryFolder(t), 'test.db')}`
  const first = await openBulk(t, api('Settings: { title: Settings'), db)
  await first.import([{ '@type': 'Settings', motto: 'a' }])
  await first.store.close()
  const second = await openBulk(t, api('Config: { was: Settings'), db)
  const exported = await second.export()
  assert.deepEqual(tallyOf(await second.import(exported)), [0, 1, 0])
  const other = await second.import([{ '@type': 'Config', motto: 'b' }])
  assert.equal(String(other.reported), '1: @id OtherValues')
  assert.equal(await second.export(), exported)
})

test('a unique value that another member has is refused, within the data and beyond it', async (t) => {
  const bulk = await openBulk(t, API)
  const data = ['1', '2', '1'].map((isbn) => ({ '@type': 'Book', title: 'x', isbn }))
  const first = await bulk.import(data)
  assert.deepEqual(tallyOf(first), [2, 0, 1])
  assert.deepEqual(first.reported, ['3: isbn NotUnique'])
  assert.deepEqual(tallyOf(await bulk.import(data, { file: 'other' })), [0, 0, 3])
})

test('read-only values are taken as they are, and set where the data has none', async (t) => {
  const bulk = await openBulk(t, API)
  const createdAt = '2001-02-03T04:05:06Z'
  await bulk.import(
    [
      { '@id': '/books/1', title: 'a', createdAt },
      { '@id': '/books/2', title: 'b' },
    ],
    { now: 1000 },
  )
  const members = await bulk.members()
  assert.equal(members['/books/1']?.createdAt, createdAt)
  assert.equal(members['/books/2']?.createdAt, '1970-01-01T00:00:01.000Z')
})

test('properties called like what every object has are read and left out like any other', async (t) => {
  const api = `
title: T
classes:
  Thing:
    properties:
      constructor: Thing
      toString: string
`
  const bulk = await openBulk(t, api)
  const data =
    '{"@id":"/things/1"}\n{"@id":"/things/2","constructor":"/things/1","toString":"x"}\n{"__proto__":{}}\n'
  const { reported } = await bulk.import(data)
  assert.deepEqual(reported, ['3: __proto__ UnknownProperty(Thing, __proto__, of constructor … toString)'])
  assert.deepEqual(await bulk.members(), {
    '/things/1': { '@type': 'Thing' },
    '/things/2': { '@type': 'Thing', constructor: `${BASE}/things/1`, toString: 'x' },
  })
})
