import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../support/databases.ts'
import { pathOf, serveSignedIn } from './signed-in.ts'
import { serveWriter } from './writing.ts'

// contract: `If-Match` compares the version alone
test('of two writers with one ETag exactly one wins, a hundred times over', async (t) => {
  const { addAt, put, patch, etag, values } = await serveWriter(t, { db: newDatabase(t) })
  const path = await addAt('/authors', { name: 'Ann' })
  for (let round = 0; round < 100; round++) {
    const headers = { 'If-Match': await etag(path) }
    const writers = [
      () => put(path, { name: `put ${round}` }, headers),
      () => (round % 3 === 0 ? put : patch)(path, { name: `other ${round}` }, headers),
    ]
    const responses = await Promise.all(
      (round % 2 === 0 ? writers : writers.reverse()).map((write) => write()),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 412])
    const winner = responses.find(({ status }) => status === 200)
    assert.equal((await values(path)).name, winner?.json().name)
  }
})

// contract: Validation: 422; in the default form
test('of two creations of one unique value at the same time exactly one succeeds, by whatever method', async (t) => {
  const { post, put, get } = await serveWriter(t, { db: newDatabase(t) })
  for (let round = 0; round < 30; round++) {
    const book = { title: 'A', isbn: `${round}` }
    const create = { 'If-None-Match': '*' }
    const statuses = await Promise.all([
      post('/books', book),
      round % 2 === 0 ? post('/books', book) : put(`/books/${round}`, book, create),
    ])
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [201, 422])
  }
  assert.equal((await get('/books')).json().totalItems, 30)
})

// contract: Validation: 422; in the default form
test('of two changes to one unique value at the same time exactly one succeeds', async (t) => {
  const { addAt, put, patch } = await serveWriter(t, { db: newDatabase(t) })
  const [first, second] = [await addAt('/books', { title: 'A' }), await addAt('/books', { title: 'B' })]
  for (let round = 0; round < 20; round++) {
    const isbn = `${round}`
    const statuses = await Promise.all([put(first, { title: 'A', isbn }), patch(second, { isbn })])
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 422])
  }
})

test('of two creations at one address at the same time exactly one succeeds', async (t) => {
  const { put, get } = await serveWriter(t, { db: newDatabase(t) })
  for (let round = 0; round < 30; round++) {
    const responses = await Promise.all(
      ['A', 'B'].map((name) => put(`/authors/${round}`, { name }, { 'If-None-Match': '*' })),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 412])
    const winner = responses.find(({ status }) => status === 201)
    assert.equal((await get(`/authors/${round}`)).body, winner?.body)
  }
})

// contract: Validation: 422; in the default form
test('a link that is made by any write while its target is removed never leads to nothing', async (t) => {
  const api = `
classes:
  Author: { properties: { name: string } }
  Note: { collection: false, properties: { by: Author } }
  Book: { properties: { author: Author, note: Note } }
`
  const { add, addAt, post, put, patch, remove, get, base } = await serveWriter(t, {
    db: newDatabase(t),
    api,
  })
  const book = await addAt('/books', {})
  for (let round = 0; round < 60; round++) {
    const author = (await add('/authors', { name: 'Ann' }))['@id']
    const path = pathOf(base, author)
    const body = round % 2 === 0 ? { author } : { note: { by: author } }
    const write = [
      () => post('/books', body),
      () => put(book, body),
      () => patch(book, body),
      () => put(`/books/new-${round}`, body, { 'If-None-Match': '*' }),
    ][round % 4] as () => ReturnType<typeof post>
    const both = round % 3 === 0 ? [write(), remove(path)] : [remove(path), write()].reverse()
    const [written, removed] = await Promise.all(both)
    const outcome = `${removed?.status} ${written?.status}`
    assert.ok(['204 422', '409 200', '409 201'].includes(outcome), outcome)
    assert.equal((await get(path)).status, removed?.status === 204 ? 404 : 200)
    // So that the next one may go.
    assert.equal((await put(book, {})).status, 200)
  }
})

test('a replacement while the member is removed either comes first or finds nothing', async (t) => {
  const { addAt, put, remove, get } = await serveWriter(t, { db: newDatabase(t) })
  for (let round = 0; round < 30; round++) {
    const path = await addAt('/authors', { name: 'Ann' })
    const both = [() => put(path, { name: 'Bob' }), () => remove(path)]
    const responses = await Promise.all((round % 2 === 0 ? both : both.reverse()).map((act) => act()))
    const statuses = responses.map(({ status }) => status).sort()
    assert.ok(['200,204', '204,404'].includes(statuses.join()), statuses.join())
    assert.equal((await get(path)).status, 404)
  }
})

// contract: `If-Match` compares the version alone
test('of two removals with one ETag at the same time exactly one succeeds', async (t) => {
  const { add, get, send, base } = await serveSignedIn(t)
  const path = pathOf(base, (await add('/authors', { name: 'Ann' }))['@id'])
  const headers = { 'If-Match': (await get(path)).headers.etag ?? '' }
  const responses = await Promise.all([1, 2].map(() => send('DELETE', path, headers)))
  const statuses = responses.map(({ status }) => status).sort()
  // 412 where it went away while the other was being read.
  assert.match(statuses.join(' '), /^204 (404|412)$/)
})

// contract: Validation: 422; in the default form
test('a link that is made while its target is removed never leads to nothing', async (t) => {
  const { add, post, get, send, base } = await serveSignedIn(t)
  for (let round = 0; round < 50; round++) {
    const author = (await add('/authors', { name: 'Ann' }))['@id']
    const path = pathOf(base, author)
    const remove = () => send('DELETE', path)
    const link = () => post('/books', { title: 'a', author })
    const [removed, linked] =
      round % 2 === 0
        ? await Promise.all([remove(), link()])
        : (await Promise.all([link(), remove()])).reverse()
    const outcome = `${removed?.status} ${linked?.status}`
    assert.ok(['204 422', '409 201'].includes(outcome), outcome)
    assert.equal((await get(path)).status, linked?.status === 201 ? 200 : 404)
  }
})
