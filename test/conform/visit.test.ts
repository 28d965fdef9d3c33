import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitApi } from '../../src/conform/visit.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const LINK = `<http://api.test/vocab>; rel="${HYDRA}apiDocumentation"`

/** An API whose answers are made from the address, and the addresses that were asked for. */
async function visit(answer: (path: string) => object, address = 'http://api.test/') {
  const asked: string[] = []
  const api = await visitApi({
    address,
    unknown: 'unknown',
    async send(url) {
      asked.push(url)
      const body = JSON.stringify({ '@context': { '@vocab': HYDRA }, ...answer(new URL(url).pathname) })
      return { url, status: 200, headers: { 'content-type': 'application/ld+json', link: LINK }, body }
    },
  })
  return { api, asked }
}

test('an API with very many collections is asked a limited number of times', async () => {
  const collection = Array.from({ length: 1_000 }, (_, index) => ({ '@id': `/c${index}` }))
  const { api, asked } = await visit((path) => ({
    '@id': path,
    collection,
    member: [{ '@id': `${path}/1` }],
  }))
  assert.equal(api.collections.length, 10)
  assert.ok(asked.length <= 60, `${asked.length}`)
  assert.equal(new Set(asked).size, asked.length)
})

test('a context for each resource counts as a request too', async () => {
  const { asked } = await visit((path) => ({ '@context': `${path}/context`, '@id': path }))
  assert.ok(asked.length <= 60, `${asked.length}`)
})

test('from any resource the documentation leads to the entry point', async () => {
  const { api, asked } = await visit(
    (path) =>
      path === '/vocab'
        ? { '@id': '/vocab', '@type': 'ApiDocumentation', entrypoint: { '@id': '/start' } }
        : { '@id': path },
    'http://api.test/books/1',
  )
  assert.equal(api.start.url, 'http://api.test/books/1')
  assert.equal(api.entryPoint.url, 'http://api.test/start')
  assert.deepEqual(asked.slice(0, 3), [
    'http://api.test/books/1',
    'http://api.test/vocab',
    'http://api.test/start',
  ])
})

test('a member that is a part of the page is not asked for by itself', async () => {
  const { api, asked } = await visit((path) => ({
    '@id': path,
    collection: { '@id': '/events' },
    member: [{ '@id': '/events#1' }],
  }))
  assert.equal(api.collections[0]?.member, undefined)
  assert.deepEqual(
    asked.filter((url) => url.includes('#')),
    [],
  )
})

test('members, pages and collections of another server are not asked for', async () => {
  const elsewhere = { '@id': 'http://192.0.2.1/books' }
  const { asked } = await visit((path) => ({
    '@id': path,
    collection: [elsewhere, { '@id': '/books' }],
    member: [elsewhere],
    view: { '@id': '?page=1', next: elsewhere },
  }))
  assert.deepEqual(
    asked.filter((url) => !url.startsWith('http://api.test/')),
    [],
  )
})
