import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBaseUrl } from '../../src/config/values.ts'
import { recordClient } from '../client/recording.ts'
import { type Json, serveSignedIn } from './signed-in.ts'

const SMALL = 'http://h.example/%c3%a9/x%2fy'
const CAPITAL = 'http://h.example/%C3%A9/x%2Fy'
const API = `
classes:
  Author: { properties: { name: string } }
  Book: { iri: "http://z.example/%c3%a4", properties: { title: { type: string, iri: "http://z.example/%c3%bc" }, author: Author } }
`

test('a base URL has the usual percent-encodings, whichever it was given with', () => {
  assert.equal(readBaseUrl(SMALL).base, CAPITAL)
  assert.equal(readBaseUrl(`${CAPITAL}/`).base, CAPITAL)
})

// contract: Every `@id` is absolute
test('an address is recognised with small and with capital letters in its percent-encodings', async (t) => {
  for (const baseUrl of [SMALL, CAPITAL]) {
    const service = await serveSignedIn(t, { api: API, flags: { baseUrl } })
    const { send, post } = service
    const json = { 'Content-Type': 'application/ld+json' }
    const put = await send('PUT', '/authors/a', { ...json, 'If-None-Match': '*' }, '{"name":"Ann"}')
    assert.equal(put.status, 201, put.body)
    assert.equal(put.headers.location ?? put.json()['@id'], `${CAPITAL}/authors/a`)
    for (const spelt of [SMALL, CAPITAL]) {
      const at = (path: string) => `${spelt}${path}`
      const bodies: object[] = [
        { author: at('/authors/a'), title: 'x' },
        { author: { '@id': at('/authors/a') }, title: 'x' },
        { '@type': at('/vocab#Book'), author: at('/authors/a'), title: 'x' },
        { '@context': at('/contexts/Book'), author: at('/authors/a'), title: 'x' },
        {
          '@context': [at('/contexts/Book'), { y: 'http://y.example/' }],
          author: at('/authors/a'),
          title: 'x',
        },
        { [at('/vocab#Book/author')]: { '@id': at('/authors/a') }, 'http://z.example/%C3%BC': 'x' },
        { [at('/vocab#Book/author')]: { '@id': at('/authors/a') }, 'http://z.example/%c3%bc': 'x' },
      ]
      for (const body of bodies) {
        const response = await post('/books', body)
        assert.equal(response.status, 201, `${JSON.stringify(body)} ${response.body}`)
        assert.equal(response.json().author, `${CAPITAL}/authors/a`)
        assert.equal(response.headers.location, response.json()['@id'])
        assert.ok(response.headers.location?.startsWith(`${CAPITAL}/books/`))
      }
      const operation = [{ method: 'PATCH', target: at('/authors/a'), body: { name: `Ann of ${spelt}` } }]
      assert.equal((await post('/batch', { operation })).status, 200)
      const own = await send(
        'PUT',
        '/authors/a',
        json,
        JSON.stringify({ '@id': at('/authors/a'), name: 'Ann' }),
      )
      assert.equal(own.status, 200, own.body)
      const filter = `author=${encodeURIComponent(at('/authors/a'))}`
      const found = (await service.get(`/books?${filter}`)).json() as Json
      assert.equal(found.totalItems, spelt === SMALL ? bodies.length : 2 * bodies.length)
      const events = await service.get(`/events?resource=${encodeURIComponent(at('/authors/a'))}`)
      assert.equal(events.status, 200, events.body)
      // The path of a request, and a client that was given this spelling.
      const token = await service.client.signIn()
      const response = await fetch(`http://localhost:${service.port}${new URL(at('/authors/a')).pathname}`, {
        headers: { 'X-Authorization': token },
      })
      assert.equal(response.status, 200)
    }
  }
})

test('a client that was given another spelling of the base URL follows the links of the server', async (t) => {
  const { port } = await serveSignedIn(t, { api: API, flags: { baseUrl: SMALL } })
  // Nobody listens at h.example. Response.url is where a client finds out where it is.
  const reach: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    const response = await fetch(`http://localhost:${port}${url.pathname}${url.search}`, init)
    return Object.defineProperty(response, 'url', { value: url.href })
  }
  const { client } = recordClient(SMALL, { fetch: reach })
  const made = await client.collection('authors').create({ name: 'Ann' })
  assert.ok(made.iri.startsWith(`${CAPITAL}/authors/`))
  assert.equal((await made.reload()).data.name, 'Ann')
})
