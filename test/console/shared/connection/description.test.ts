import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFeed, otherName } from '../../../../console/shared/connection/description.ts'

test('an API whose `events` is something else has no feed', () => {
  const links = (range: string) => ({
    documentation: { iri: 'http://a/vocab', links: [{ name: 'events', range }] } as never,
  })
  assert.equal(hasFeed(links('http://a/vocab#events')), true)
  assert.equal(hasFeed(links('http://a/vocab#Concert')), false)
})

test('an API that was opened at another address than its own is recognised by its links', () => {
  const base = 'http://127.0.0.1:8080/api'
  const at = (own: string) => ({ books: `${own}/books`, session: `${own}/session` })
  const cases = [
    [`${base}/`, at(base), undefined],
    [base, at(base), undefined],
    [`${base}/`, {}, undefined],
    ['http://localhost:8080/api/', at('http://localhost:8080/api'), 'http://localhost:8080/api/'],
    ['http://127.0.0.1:8080/apis', at(base), 'http://127.0.0.1:8080/apis'],
    // The entry point has a relative address, what it leads to has not.
    [`${base}/`, at('https://example.org/api'), 'https://example.org/api'],
    [`${base}/`, { ...at('https://example.org/api'), home: `${base}/home` }, undefined],
    [`${base}/`, at('http://127.0.0.1:8080'), undefined],
    // Nothing that can be opened.
    ['javascript://%0aalert(1)', at(base), undefined],
    ['urn:80', at(base), undefined],
    [`${base}/`, { books: '_:b0' }, undefined],
  ] as const
  for (const [iri, links, expected] of cases) assert.equal(otherName(base, { iri, links }), expected, iri)
})
