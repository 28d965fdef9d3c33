import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryEngine } from '@comunica/query-sparql'
import { serveSignedIn } from '../api/signed-in.ts'

const API = `
classes:
  Book:
    properties:
      title: { type: string, required: true, iri: http://schema.org/name }
      pages: integer
`

const PREFIXES = 'PREFIX hydra: <http://www.w3.org/ns/hydra/core#> PREFIX schema: <http://schema.org/>'

// contract: **Collection**: `@type`
// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('Comunica follows next by itself, with a token, and counts what it finds', async (t) => {
  const { base, client, add } = await serveSignedIn(t, { api: API, flags: { pageSize: '5' } })
  for (let index = 1; index <= 13; index++) {
    await add('/books', { title: `Book ${index}`, pages: index * 10 })
  }
  const token = await client.signIn()
  const asked: string[] = []
  /** The token in its headers is all that it is given. */
  const authorized: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    request.headers.set('X-Authorization', token)
    asked.push(request.url)
    return fetch(request)
  }
  const engine = new QueryEngine()
  for (const { pattern, source, count, pages } of [
    { pattern: '?book schema:name ?title', source: 'books?itemsPerPage=5', count: 13, pages: 3 },
    { pattern: '?books hydra:member ?book', source: 'books?page=1&itemsPerPage=4', count: 13, pages: 4 },
    { pattern: '?books hydra:member ?book', source: 'books?page=2', count: 8, pages: 2 },
    {
      pattern: `?book schema:name ?title; <${base}/vocab#Book/pages> ?pages FILTER(?pages > 100)`,
      source: 'books?page=1',
      count: 3,
      pages: 3,
    },
    {
      pattern: '?books hydra:member ?book',
      source: 'books?itemsPerPage=4&sort=-title&pages%5Bgte%5D=30',
      count: 11,
      pages: 3,
    },
    // The view has the address of the request, which is that of the filtered collection too.
    { pattern: '?books hydra:member ?book', source: 'books?pages.gte=30', count: 11, pages: 3 },
  ]) {
    asked.length = 0
    const bindings = await engine.queryBindings(
      `${PREFIXES} SELECT (COUNT(DISTINCT ?book) AS ?count) WHERE { ${pattern} }`,
      { sources: [`${base}/${source}`], fetch: authorized },
    )
    const [row] = await bindings.toArray()
    assert.deepEqual([row?.get('count')?.value, asked.length], [String(count), pages], asked.join())
  }
})
