import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from 'hydrant-client'
import { serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

test('Everything begins at the entry point: collections by name, the session, the documentation', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(`${base}/`)
  const { iri, links, documentation, data } = await client.entryPoint()
  assert.equal(client.base, base)
  assert.equal(iri, `${base}/`)
  assert.deepEqual(links, {
    authors: `${base}/authors`,
    books: `${base}/books`,
    session: `${base}/session`,
    batch: `${base}/batch`,
    events: `${base}/events`,
    openapi: `${base}/openapi`,
  })
  assert.equal(documentation, `${base}/vocab`)
  assert.deepEqual(data['@type'], ['EntryPoint', 'hydra:Resource'])
})

test('An unknown name in the entry point is an error that lists the known ones', async (t) => {
  const { base } = await serve(t, { flags: { auth: false } })
  const { client } = recordClient(base)
  for (const name of ['boks', 'constructor', '__proto__']) {
    await assert.rejects(client.collection(name).page(), {
      kind: 'not-found',
      code: 'unknown-link',
      message: `${base}/ has no ${name}; it has authors, books, batch, events, openapi.`,
    })
  }
})

test('Collections come with their address, class and operations', async (t) => {
  const { base } = await serve(t)
  const { client } = recordClient(base)
  const found = (await client.collections()).map(({ name, iri, memberClass, operations }) => ({
    name,
    iri,
    title: memberClass?.title,
    methods: operations.map(({ method }) => method),
  }))
  assert.deepEqual(found, [
    { name: 'authors', iri: `${base}/authors`, title: 'Author', methods: ['GET', 'POST'] },
    { name: 'books', iri: `${base}/books`, title: 'Book', methods: ['GET', 'POST'] },
  ])
})

const HOSTILE = `
title: Names
classes:
  Thing:
    properties:
      title: string
      member: string
      view: string
      search: { type: string, many: true }
      operation: Method
      next: Thing
      type: string
      home: Place
      texts: langString
  Method:
    collection: false
    properties: { method: string, title: string }
  Place:
    collection: false
    properties: { town: string, street: string }
  Collection:
    collection: collections
    properties: { description: string, totalItems: integer }
`

async function serveHostile(t: TestContext): Promise<Client> {
  const { base } = await serve(t, { api: HOSTILE, flags: { auth: false } })
  return recordClient(base).client
}

test('Properties named like terms of Hydra are ordinary properties', async (t) => {
  const client = await serveHostile(t)
  const things = client.collection('things')
  const input = {
    title: 'A title',
    member: 'a member',
    view: 'a view',
    search: ['a', 'b'],
    operation: { '@type': 'Method', method: 'DELETE', title: 'not an operation' },
    type: 'a type',
    home: { '@type': 'Place', town: 'Bath', street: 'Gay Street' },
    texts: { en: 'Text', de: 'Text' },
  }
  const made = await things.create(input)
  assert.deepEqual(
    (await made.operations()).map(({ method }) => method),
    ['GET', 'PATCH', 'PUT', 'DELETE'],
  )
  await made.update({ next: made.iri })
  const page = await things.page()
  assert.equal(page.members.length, 1)
  assert.equal(page.next, undefined)
  const { '@id': id, '@type': type, ...data } = page.members[0]?.data ?? {}
  assert.deepEqual(data, { ...input, next: id })
  assert.equal(type, 'Thing')
  const titles: unknown[] = []
  for await (const { data } of things) titles.push(data.title)
  assert.deepEqual(titles, ['A title'])
})

test('A class may be called Collection', async (t) => {
  const client = await serveHostile(t)
  const made = await client.collection('collections').create({ description: 'Paintings', totalItems: 7 })
  const { members, totalItems } = await client.collection('collections').page()
  assert.equal(totalItems, 1)
  assert.deepEqual(members[0]?.types, made.types)
  assert.match(made.types[0] ?? '', /vocab#Collection$/)
  const changed = await members[0]?.update({ totalItems: 8 })
  assert.equal(changed?.data.totalItems, 8)
  const described = (await client.collections()).find(({ name }) => name === 'collections')
  assert.equal(described?.memberClass?.title, 'Collection')
})
