import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { checkApi } from '../../src/conform/index.ts'
import { visitServer } from '../../src/conform/server.ts'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { hydrant } from '../cli/command.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'
import { serve, temporaryFolder } from '../support/service.ts'

const known = () => ({ id: USER, paraphrase: PARAPHRASE })

/** An example as it is bundled, with its data, behind a token. */
async function serveExample(t: TestContext, name: string) {
  const file = join(ROOT, 'examples', name)
  const db = `sqlite:${join(temporaryFolder(t), 'example.db')}`
  const imported = await hydrant(['import', `${file}.yaml`, `${file}.ndjson`, '--db', db])
  assert.equal(imported.status, 0, imported.stderr)
  const { model } = await readApiFile(`${file}.yaml`)
  return serve(t, { model, db })
}

/** What a new member of one of its collections needs. */
const NEW: Readonly<Record<string, readonly [collection: string, values: Record<string, unknown>]>> = {
  library: ['authors', { name: 'Ann Leckie' }],
  business: ['customers', { name: 'Ann Leckie', email: 'ann@example.org' }],
}

for (const [name, [collection, values]] of Object.entries(NEW))
  test(`${name}, as we serve it behind a token, has no finding, and neither have its events`, async (t) => {
    const { base } = await serveExample(t, name)
    const conforms = async () => {
      const api = await visitServer(base, known)
      assert.deepEqual(checkApi(api), [])
      return api
    }
    const api = await conforms()
    const complete = api.collections.filter(
      ({ member, filtered }) => member?.status === 200 && filtered?.status === 200,
    )
    assert.ok(complete.length >= 2)
    assert.ok(api.collections.some(({ next }) => next?.status === 200))
    assert.deepEqual([api.unknownMember?.status, api.unknownParameter?.status], [404, 400])

    const client = createClient({ base, credentials: known() })
    const made = await client.collection(collection).create(values)
    const changed = await made.update({ name: 'A. Leckie' })
    await changed.remove()
    const later = await conforms()
    assert.ok(
      later.collections.some(({ first, next }) => first.url.endsWith('/events') && next !== undefined),
    )
  })

/** A server that is not ours, and the requests that it has got. */
async function listen(
  t: TestContext,
  answer: RequestListener,
): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.setHeader('Link', '</vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"')
    response.setHeader('Content-Type', 'application/ld+json')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

const CONTEXT = { '@vocab': 'http://www.w3.org/ns/hydra/core#' }

test('only GET requests are sent, and none to another server', async (t) => {
  const { address, asked } = await listen(t, ({ url }, response) => {
    const collection = [{ '@id': '/books' }, { '@id': 'http://192.0.2.1/books' }]
    response.end(JSON.stringify({ '@context': CONTEXT, '@id': url, collection }))
  })
  const { collections } = await visitServer(address, () => undefined)
  assert.deepEqual(
    collections.map(({ first }) => first.url),
    [`${address}books`],
  )
  assert.ok(asked.length > 3)
  assert.deepEqual(
    asked.filter((line) => !line.startsWith('GET ')),
    [],
  )
})

test('addresses are relative to where a redirect has led', async (t) => {
  const { address, asked } = await listen(t, ({ url }, response) => {
    if (url === '/') response.writeHead(302, { Location: '/api/' }).end()
    else response.end(JSON.stringify({ '@context': CONTEXT, '@id': '', collection: { '@id': 'books' } }))
  })
  const { start, collections } = await visitServer(address, () => undefined)
  assert.equal(start.url, `${address}api/`)
  assert.deepEqual(
    collections.map(({ first }) => first.url),
    [`${address}api/books`],
  )
  assert.deepEqual(asked.slice(0, 3), ['GET /', 'GET /api/', 'GET /vocab'])
})
