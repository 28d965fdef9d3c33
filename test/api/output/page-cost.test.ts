import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTimes, createLeast } from '../../support/timing.ts'
import { serveSignedIn } from '../signed-in.ts'

const API = `
classes:
  Line: { collection: false, properties: { of: Book, count: integer, note: string } }
  Book:
    properties:
      title: string
      tags: { type: string, many: true }
      lines: { type: Line, many: true }
      summary: string
      note: string
`
const REQUESTS = 40
const MOST = 1.5

test('a page with fields costs at most half as much again as the page without', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const of = '/api/books/b0'
  const operation = Array.from({ length: 100 }, (_, index) => {
    const lines = [1, 2, 3].map((count) => ({ of, count, note: 'a "note"' }))
    const texts = { title: `Title ${index}`, tags: ['a', 'b "c"'], summary: 'words '.repeat(40), note: 'n' }
    return { method: 'PUT', target: `books/b${index}`, ifNoneMatch: '*', body: { ...texts, lines } }
  })
  assert.equal((await service.post('/batch', { operation })).status, 200)
  const headers = { 'X-Authorization': await service.client.signIn() }
  let asked = 0
  const pages = (query: string) => () => async () => {
    for (let request = 0; request < REQUESTS; request += 1) {
      // Each page is new, so that none comes from memory.
      asked += 1
      const response = await fetch(
        `http://127.0.0.1:${service.port}/api/books?itemsPerPage=100&title.ne=${asked}${query}`,
        { headers },
      )
      assert.equal(response.status, 200)
      await response.arrayBuffer()
    }
  }
  const least = createLeast([
    pages(''),
    pages('&fields=note'),
    pages('&fields=title,lines.count,lines.of,summary'),
  ])
  await compareTimes(async () => {
    const [whole, ...cut] = await least(3)
    for (const one of cut) assert.ok(one <= MOST * whole, `${one} µs with fields, ${whole} µs without`)
  })
})
