import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf, serveSignedIn } from './signed-in.ts'

// contract: `{base}/contexts/{name}` ¦
// contract: They are also at `{base}/contexts/{name}`
test('every context that is inline in a representation has an address of its own', async (t) => {
  const { get, add, post } = await serveSignedIn(t)
  const author = await add('/authors', { name: 'Ann' })
  const invalid = await post('/authors', {}, { Accept: 'application/problem+json, */*' })
  const contexts: [name: string, inline: unknown][] = [
    ['EntryPoint', (await get('/')).json()['@context']],
    ['ApiDocumentation', (await get('/vocab')).json()['@context']],
    ['AuthorCollection', (await get('/authors')).json()['@context']],
    ['Author', author['@context']],
    ['Session', (await get('/session')).json()['@context']],
    ['ConstraintViolationList', invalid.json()['@context']],
    ['OperationBatch', (await post('/batch', { operation: [] })).json()['@context']],
  ]
  for (const [name, inline] of contexts) {
    const response = await get(`/contexts/${name}`)
    assert.equal(response.status, 200, name)
    assert.equal(response.headers['content-type'], 'application/ld+json', name)
    assert.deepEqual(response.json(), { '@context': inline }, name)
  }
})

test('a context that does not exist is 404, whatever its name', async (t) => {
  const { get } = await serveSignedIn(t)
  for (const name of ['book', 'constructor', '__proto__', 'Book.jsonld', '%00', '..']) {
    const response = await get(`/contexts/${name}`)
    assert.equal(response.status, 404, name)
    assert.ok(sentenceOf(response).length > 0, name)
  }
  assert.equal((await get('/contexts')).status, 404)
  assert.equal((await get('/contexts/')).status, 404)
})

test('a class may be called like anything that has a context', async (t) => {
  const api =
    'classes: { ApiDocumentation: { properties: { name: string } }, Error: { properties: { a: string } } }'
  const { get, base } = await serveSignedIn(t, { api })
  const context = async (name: string) => (await get(`/contexts/${name}`)).json()['@context']
  assert.deepEqual(await context('ApiDocumentation'), {
    '@version': 1.1,
    '@vocab': `${base}/vocab#`,
    name: { '@id': `${base}/vocab#ApiDocumentation/name` },
  })
  assert.deepEqual(Object.keys((await context('Error')) as object), ['@version', '@vocab', 'a'])
})

test('a class without a collection has a context, and no context of a collection', async (t) => {
  const api = `
classes:
  Author: { properties: { address: Address } }
  Address: { collection: false, properties: { street: string } }
  Settings: { collection: false, operations: [read], properties: { motto: string } }
`
  const { get, base } = await serveSignedIn(t, { api })
  const context = async (name: string) =>
    (await get(`/contexts/${name}`)).json()['@context'] as Record<string, { '@context': unknown }>
  const address = await context('Address')
  assert.deepEqual(address.street, { '@id': `${base}/vocab#Address/street` })
  assert.deepEqual((await context('Author')).address?.['@context'], [null, address])
  assert.ok('motto' in (await context('Settings')))
  for (const name of ['AddressCollection', 'SettingsCollection'])
    assert.equal((await get(`/contexts/${name}`)).status, 404, name)
})
