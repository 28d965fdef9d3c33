import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResource } from '../../src/conform/resource.ts'

const URL_HERE = 'http://api.test/books'
const HYDRA = 'http://www.w3.org/ns/hydra/core#'

const replyOf = (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200) => ({
  url: URL_HERE,
  status,
  headers: { 'content-type': 'application/ld+json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const nothing = async () => undefined

test('links are read with all of their relations, and resolved', async () => {
  const link = `</vocab>; rel="${HYDRA}apiDocumentation up", <next?a=1,2>;title="x" ; REL=next,<x>`
  const { links } = await readResource(replyOf({}, { link }), nothing)
  assert.deepEqual(links, [
    { target: 'http://api.test/vocab', rel: `${HYDRA}apiDocumentation` },
    { target: 'http://api.test/vocab', rel: 'up' },
    { target: 'http://api.test/next?a=1,2', rel: 'next' },
  ])
})

test('contexts that the API has itself are loaded, each once', async () => {
  const asked: string[] = []
  const body = { '@context': ['/contexts/a', '/contexts/b'], '@id': '', a: 1, b: 2 }
  const { graph, unreadable } = await readResource(replyOf(body), async (address) => {
    asked.push(address)
    const name = address.at(-1) as string
    return { [name]: `${HYDRA}${name}` }
  })
  assert.equal(unreadable, undefined)
  assert.deepEqual([...(graph.get(URL_HERE)?.keys() ?? [])], [`${HYDRA}a`, `${HYDRA}b`])
  assert.deepEqual(asked, ['http://api.test/contexts/a', 'http://api.test/contexts/b'])
})

test('a chain of contexts ends after eight', async () => {
  let loaded = 0
  const { unreadable } = await readResource(replyOf({ '@context': '/contexts/0' }), async () => {
    loaded += 1
    return [`/contexts/${loaded}`]
  })
  assert.equal(unreadable, 'no-context')
  assert.equal(loaded, 8)
})

test('plain JSON has the context that its Link names', async () => {
  const link = '<http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#context"'
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', link }
  const reply = replyOf({ '@type': `${HYDRA}Error`, status: 404 }, headers, 404)
  const { graph, mediaType } = await readResource(reply, nothing, true)
  assert.equal(mediaType, 'application/problem+json')
  const [error] = [...graph.values()]
  assert.ok(error?.isA('hydra:Error'))
  assert.equal(error?.text('hydra:statusCode'), '404')
})

test('what cannot be read says why, and has an empty graph', async () => {
  for (const [reply, reason] of [
    [replyOf('', {}, 0), 'no-answer'],
    [replyOf({}, {}, 500), 'status'],
    [replyOf('<h1>Hello</h1>'), 'not-json'],
    [replyOf('"text"'), 'not-json'],
    [replyOf({ '@id': 42 }), 'not-json-ld'],
    [replyOf(`${'{"@id":"a:b","a:b":'.repeat(20_000)}1${'}'.repeat(20_000)}`), 'not-json-ld'],
    [replyOf({ '@context': 'http://192.0.2.1/context' }), 'no-context'],
  ] as const) {
    const { unreadable, graph } = await readResource(reply, nothing)
    assert.equal(unreadable, reason)
    assert.equal(graph.size, 0)
  }
})

test('keys without a meaning are listed', async () => {
  const { dropped } = await readResource(replyOf({ '@context': {}, '@id': '', colour: 'green' }), nothing)
  assert.deepEqual(dropped, ['colour'])
})
