import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTimes, createLeast } from '../../support/timing.ts'
import { serveSignedIn } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

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
/** A hundred books, for a batch. */
const operation = Array.from({ length: 100 }, (_, index) => {
  const lines = [1, 2, 3].map((count) => ({ of: '/api/books/b0', count, note: 'a "note"' }))
  const texts = { title: `Title ${index}`, tags: ['a', 'b "c"'], summary: 'words '.repeat(40), note: 'n' }
  return { method: 'PUT', target: `books/b${index}`, ifNoneMatch: '*', body: { ...texts, lines } }
})
const REQUESTS = 20
const MOST = 1.5

test('a page with fields costs at most half as much again as the page without', async (t) => {
  const service = await serveSignedIn(t, { api: API })
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

const RESTRICTED = API.replace('classes:', 'roles: [staff]\nclasses:').replace(
  'summary: string',
  'summary: { type: string, view: staff, write: staff }',
)

// contract: Served text is cut at known places, never parsed
test('a page for a user who may not see a property costs at most half as much again as for one who may', async (t) => {
  const { as, port, client } = await serveUsers(
    t,
    { staff: [21, 'staff'], reader: [22] },
    { api: RESTRICTED },
  )
  assert.equal((await as.staff.send('POST', '/batch', { operation })).status, 200)
  let asked = 0
  const pagesOf = async (userId: number, isShown: boolean) => {
    const headers = { 'X-Authorization': await client.signIn(userId) }
    return () => async () => {
      for (let request = 0; request < REQUESTS; request += 1) {
        asked += 1
        const address = `http://127.0.0.1:${port}/api/books?itemsPerPage=100&title.ne=${asked}`
        const text = await (await fetch(address, { headers })).text()
        assert.equal(text.includes('words words'), isShown)
      }
    }
  }
  const least = createLeast([await pagesOf(21, true), await pagesOf(22, false)])
  await compareTimes(async () => {
    const [whole, cut] = await least(3)
    assert.ok(cut <= MOST * whole, `${cut} µs cut, ${whole} µs whole`)
  })
})
