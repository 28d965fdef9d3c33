import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { serve } from '../support/service.ts'
import { CREDENTIALS, recordClient } from './recording.ts'

const CATALOGUE = `
classes:
  Product:
    access: { view: anyone, write: everyone }
    properties: { name: string }
  Order:
    access: { all: everyone }
    properties: { number: string }
`

async function serveCatalogue(t: TestContext, flags = {}) {
  const { base } = await serve(t, { api: CATALOGUE, flags })
  const seller = createClient({ base, credentials: CREDENTIALS })
  const pen = await seller.collection('products').create({ name: 'Pen' })
  return { base, pen: pen.iri.slice(base.length + 1) }
}

// contract: The client reads it without credentials
test('Without credentials the client reads what anyone may read, and sends no header of the sign-in', async (t) => {
  const { base, pen } = await serveCatalogue(t)
  const { client, sent, exchanges } = recordClient(base, { credentials: undefined })
  const { links } = await client.entryPoint()
  assert.deepEqual(Object.keys(links), ['products', 'openapi'])
  const names = []
  for await (const { data } of client.collection('products')) names.push(data.name)
  assert.deepEqual(names, ['Pen'])
  assert.equal((await client.get(pen)).data.name, 'Pen')
  assert.deepEqual(
    (await client.collections()).map(({ name, operations }) => [
      name,
      operations.map(({ method }) => method),
    ]),
    [['products', ['GET']]],
  )
  const before = sent.length
  await assert.rejects(client.get('orders'), { kind: 'credentials', code: 'credentials-missing' })
  await assert.rejects(client.collection('products').create({ name: 'Quill' }), { kind: 'credentials' })
  assert.equal(sent.length, before + 2)
  for (const { headers } of sent)
    for (const name of ['authorization', 'x-authorization', 'x-authentication'])
      assert.equal(headers.has(name), false, name)
  assert.deepEqual(exchanges(), [])
})

test('With credentials the client signs in before it takes a public answer', async (t) => {
  const { base, pen } = await serveCatalogue(t)
  const { client, lines } = recordClient(base)
  assert.equal((await client.get(pen)).data.name, 'Pen')
  assert.deepEqual(lines(), [`GET /${pen} 200`, 'GET /session 401', 'GET  200', `GET /${pen} 200`])
  const { links } = await client.entryPoint()
  assert.ok(links.orders !== undefined && links.session !== undefined)
  await client.signOut()
  assert.equal((await client.get(pen)).data.name, 'Pen')
  await assert.rejects(client.get('orders'), { code: 'credentials-missing' })
})

test('A client that signs in although the entry point is public finds the challenge', async (t) => {
  const { base } = await serveCatalogue(t)
  for (const credentials of [CREDENTIALS, () => CREDENTIALS]) {
    const { client } = recordClient(base, { credentials })
    await client.signIn()
    assert.equal((await client.session())?.user, CREDENTIALS.id)
  }
  const { client } = recordClient(base, { credentials: undefined })
  await client.signIn(CREDENTIALS)
  assert.equal((await client.collection('orders').create({ number: '1' })).data.number, '1')
})

test('A function is asked for credentials only where they are needed', async (t) => {
  const { base, pen } = await serveCatalogue(t)
  let questions = 0
  const credentials = () => {
    questions += 1
    return CREDENTIALS
  }
  const { client } = recordClient(base, { credentials })
  await client.get(pen)
  assert.equal(questions, 0)
  await client.request('GET', 'orders')
  assert.equal(questions, 1)
})

test('With tokens switched off, a user is not served what anyone may read', async (t) => {
  const { base, pen } = await serveCatalogue(t, { token: false })
  const { client } = recordClient(base)
  const all = await Promise.all([1, 2, 3].map(() => client.get(pen)))
  assert.ok(all.every(({ data }) => data.name === 'Pen'))
  const { data } = await client.entryPoint()
  assert.ok(data.orders)
})
