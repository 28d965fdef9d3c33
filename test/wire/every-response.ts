import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawExchange, type RawResponse, sendRaw } from '../support/raw.ts'
import { shareService } from '../support/service.ts'

/** authentication.md, On every response: what does not depend on the request. */
export function assertEveryHeader({ status, headers, headerNames }: RawResponse, base: string): void {
  assert.equal(headers.link, `<${base}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(
    headers['access-control-expose-headers'],
    'X-Authentication, X-Authorization, WWW-Authenticate, Link, Location, ETag, Retry-After, Allow, ' +
      'Accept-Patch, Preference-Applied, X-Request-Id, Memento-Datetime, Content-Location',
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  // RFC 9110 §5.6.7: the one form of a date that may be sent.
  assert.equal(headers.date, new Date(headers.date ?? '').toUTCString())
  const bodiless = status === 204 || status === 304
  const isTyped = !bodiless && !(status === 201 && headers['content-length'] === '0')
  assert.equal(headers['content-type'], isTyped ? 'application/ld+json' : undefined)
  assert.equal('content-length' in headers, !bodiless)
  assert.equal('transfer-encoding' in headers, false)
  const names = headerNames.map((name) => name.toLowerCase())
  assert.equal(new Set(names).size, names.length, `a header is repeated: ${names.join(', ')}`)
}

/** An error in the seed's form: one member, the status as its key, a sentence as its value; in no cache. */
export function assertError(response: RawResponse, status: number, base: string): void {
  assert.equal(response.status, status, response.body)
  assertEveryHeader(response, base)
  assert.equal(response.headers['content-length'], String(Buffer.byteLength(response.body)))
  assert.equal(response.headers['cache-control'], 'no-store')
  assert.equal(response.headers.vary, undefined)
  const [[key, sentence] = [], ...more] = Object.entries(JSON.parse(response.body))
  assert.equal(key, String(status))
  assert.match(String(sentence), /^\S.+$/)
  assert.deepEqual(more, [])
}

/** authentication.md, Before the gate: one response with everything that every response has, then the end. */
export function assertRefused(exchange: RawExchange, status: number, base: string): void {
  assert.deepEqual(statuses(exchange), [status])
  assertClosedBy(exchange, status, base)
}

/** The last of several responses on a connection is the error, and the server closes it. */
export function assertClosedBy({ responses, closed }: RawExchange, status: number, base: string): void {
  const last = responses.at(-1)
  assert.ok(last, 'there is no response')
  assertError(last, status, base)
  assert.equal(last.headers.connection, 'close')
  assert.equal(closed, true)
}

export const statuses = ({ responses }: RawExchange): number[] => responses.map(({ status }) => status)

/** A request that must be refused before the gate. `who` is the header line that says who asks, or says nothing. */
interface RefusedCase {
  readonly name: string
  readonly request: (who: string) => string
}

/** Refused with this status for everyone alike, token or not, and without an effect: the requests try to add an author. */
export function testRefusals(casesByStatus: Readonly<Record<number, readonly RefusedCase[]>>): void {
  const shared = shareService()
  for (const [status, cases] of Object.entries(casesByStatus)) {
    for (const { name, request } of cases) {
      test(name, async () => {
        const { client, base, port } = await shared()
        const expected = Number(status)
        const token = await client.signIn()
        const anonymous = await sendRaw(port, [Buffer.from(request('X-Nobody: 1'), 'latin1')], 5_000)
        const known = await sendRaw(
          port,
          [Buffer.from(request(`X-Authorization: ${token}`), 'latin1')],
          5_000,
        )
        assertRefused(anonymous, expected, base)
        assertRefused(known, expected, base)
        assert.equal(known.responses[0]?.body, anonymous.responses[0]?.body)
        const authors = await client.send('GET', '/authors', { 'X-Authorization': token })
        assert.equal(authors.json().totalItems, 0, 'the refused request had an effect')
      })
    }
  }
}
