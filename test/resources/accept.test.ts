import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf, serveSignedIn } from './signed-in.ts'

const LD = 'application/ld+json'
const JSON_TYPE = 'application/json'

const CHOICES: [accept: string | undefined, type: string][] = [
  [undefined, LD],
  ['*/*', LD],
  ['application/*', LD],
  [LD, LD],
  [JSON_TYPE, JSON_TYPE],
  [`${LD}, ${JSON_TYPE}`, LD],
  [`${JSON_TYPE}, ${LD}`, LD],
  [`${JSON_TYPE}, */*`, LD],
  [`${JSON_TYPE}, */*;q=0.1`, JSON_TYPE],
  [`${LD};q=0.5, ${JSON_TYPE}`, JSON_TYPE],
  [`${LD};q=0.5, ${JSON_TYPE};q=0.4`, LD],
  [`${LD};q=0, */*`, JSON_TYPE],
  [`${LD}; profile="http://www.w3.org/ns/json-ld#compacted"`, LD],
  ['APPLICATION/JSON', JSON_TYPE],
  ['text/turtle;q=0.1, application/json;q=0.05', JSON_TYPE],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', LD],
  ['text/html', LD],
  ['', LD],
]

test('application/ld+json wins among equals, in any order and for a browser', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const paths = ['/', '/vocab', '/contexts/Author', '/authors', author['@id'].slice(base.length), '/session']
  for (const [accept, type] of CHOICES) {
    for (const path of paths) {
      const response = await get(path, accept === undefined ? {} : { Accept: accept })
      assert.equal(response.status, 200, `${accept} ${path}`)
      assert.equal(response.headers['content-type'], type, `${accept} ${path}`)
      assert.equal(response.headers.vary, 'X-Authorization, Authorization, Accept', `${accept} ${path}`)
    }
  }
})

test('application/json gives the same bytes under an ETag of its own', async (t) => {
  const { get, add, base } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  for (const path of ['/', '/vocab', '/authors', author['@id'].slice(base.length), '/session']) {
    const [ld, json] = [await get(path, { Accept: LD }), await get(path, { Accept: JSON_TYPE })]
    assert.equal(json.body, ld.body, path)
    assert.notEqual(json.headers.etag, ld.headers.etag, path)
    // RFC 9110 §8.8.3.3: one ETag names one representation, and the other type is another one.
    const asked = await get(path, { Accept: JSON_TYPE, 'If-None-Match': ld.headers.etag ?? '' })
    assert.equal(asked.status, 200, path)
  }
})

test('where nothing acceptable can be sent the answer is 406, and a POST has created nothing', async (t) => {
  const { get, post } = await serveSignedIn(t)
  const none = [
    'image/png',
    `${LD};q=0, ${JSON_TYPE};q=0`,
    '*/*;q=0',
    'application/ld',
    'text/*',
    `${LD};q=2`,
  ]
  for (const accept of none) {
    for (const path of ['/', '/vocab', '/authors']) {
      const response = await get(path, { Accept: accept })
      assert.equal(response.status, 406, `${accept} ${path}`)
      assert.match(sentenceOf(response), /application\/ld\+json, application\/json/, accept)
      assert.equal(response.headers['content-type'], LD, accept)
    }
    assert.equal((await post('/authors', { name: 'Ann' }, { Accept: accept })).status, 406, accept)
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})
