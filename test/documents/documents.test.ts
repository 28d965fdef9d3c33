import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { expand, hasCollection, isSingle, type Model } from '../../src/vocabulary/index.ts'
import { graphOf } from '../../src/vocabulary/long-form/graph.ts'
import { readLongForm } from '../../src/vocabulary/long-form/long-form.ts'
import { HYDRA } from '../../src/vocabulary/names.ts'
import { serveSignedIn } from '../api/signed-in.ts'
import { doRound } from './round.ts'

/** Documents in the shape that others give them; README.md says whose. */
const read = async (name: string): Promise<Model> =>
  (await readApiFile(join(import.meta.dirname, `${name}.jsonld`))).model

/** What was really done with each class, each word once. */
async function roundOf(t: TestContext, name: string): Promise<Record<string, string[]>> {
  const done = await doRound(t, await read(name))
  return Object.fromEntries([...done].map(([cls, words]) => [cls, [...new Set(words)].sort()]))
}

// contract: The older vocabulary is understood as far as
// contract: `{base}/{collection}/{id}` ¦
test('A round on every class of an older Python server: PUT adds a member, POST replaces it', async (t) => {
  assert.deepEqual(await roundOf(t, 'hydrus'), {
    Drone: ['create PUT', 'delete', 'list', 'read', 'read-only refused', 'replace POST'],
    State: [],
    CommandLog: ['create PUT', 'delete', 'list', 'read', 'replace POST'],
    Station: ['create PUT', 'delete', 'read', 'replace POST'],
  })
})

// contract: `If-Match` on a POST to a collection
test('A PUT that adds a member takes no If-Match, as a POST that does', async (t) => {
  const { send, get } = await serveSignedIn(t, { model: await read('hydrus') })
  const headers = { 'Content-Type': 'application/ld+json', 'If-Match': '*' }
  assert.equal((await send('PUT', '/drones', headers, '{}')).status, 412)
  assert.equal((await get('/drones')).json().totalItems, 0)
})

// contract: It is expanded with a JSON-LD processor
test('A round on every class of API Platform, with the prefix hydra:', async (t) => {
  assert.deepEqual(await roundOf(t, 'api-platform'), {
    Cook: ['create POST', 'delete', 'list', 'read', 'update'],
    Recipe: ['create POST', 'delete', 'list', 'read', 'read-only refused', 'replace PUT', 'update'],
    Kitchen: [],
    Review: ['create POST', 'delete', 'list', 'read'],
  })
})

// contract: It is expanded with a JSON-LD processor
test('A round on every class of API Platform, without a prefix', async (t) => {
  assert.deepEqual(await roundOf(t, 'api-platform-unprefixed'), {
    Venue: ['create POST', 'list', 'read', 'update'],
    Concert: ['create POST', 'delete', 'list', 'read', 'read-only refused', 'replace PUT', 'update'],
    Band: ['create POST', 'delete', 'list', 'read'],
  })
})

// contract: It is expanded with a JSON-LD processor
test('A round on every class of the issue tracker of the Hydra specification', async (t) => {
  assert.deepEqual(await roundOf(t, 'issue-tracker'), {
    User: ['create POST', 'delete', 'list', 'read', 'replace PUT'],
    Issue: ['create POST', 'delete', 'list', 'read', 'read-only refused', 'replace PUT'],
    Comment: ['create POST', 'delete', 'list', 'read'],
  })
})

// contract: It is expanded with a JSON-LD processor
test('A round on every class of a flat @graph', async (t) => {
  assert.deepEqual(await roundOf(t, 'flat-graph'), {
    Garden: ['create POST', 'delete', 'list', 'read', 'replace PUT'],
    Species: ['create POST', 'delete', 'list', 'read'],
    Plant: ['create POST', 'delete', 'list', 'read', 'read-only refused', 'replace PUT', 'update'],
    Size: [],
  })
})

const ALL = ['hydrus', 'api-platform', 'api-platform-unprefixed', 'issue-tracker', 'flat-graph']

test('Every document has three classes, a link and a read-only property', async () => {
  for (const name of ALL) {
    const { classes } = await read(name)
    const properties = classes.flatMap((cls) => cls.properties)
    assert.ok(classes.length >= 3, name)
    assert.ok(
      properties.some(({ range }) => range.kind === 'link'),
      name,
    )
    assert.ok(
      properties.some(({ writable }) => !writable),
      name,
    )
  }
})

test('The vocabulary that is served expands without a loss and names every class', async (t) => {
  for (const name of ALL) {
    const model = await read(name)
    const { base, get } = await serveSignedIn(t, { model })
    const { nodes, dropped } = await expand((await get('/vocab')).json(), {
      base: `${base}/vocab`,
      findContext: () => undefined,
    })
    assert.deepEqual(dropped, [], name)
    const listed = graphOf(nodes)
      .get(`${base}/vocab`)
      ?.nodes(`${HYDRA}supportedClass`)
      .map(({ id }) => id)
    for (const cls of model.classes)
      assert.ok(listed?.includes(cls.iri ?? `${base}/vocab#${cls.name}`), cls.name)
  }
})

test('The vocabulary that is served is itself a document that says the same', async (t) => {
  for (const name of ALL) {
    const model = await read(name)
    const { get } = await serveSignedIn(t, { model })
    const again = await readLongForm((await get('/vocab')).body, 'vocab.jsonld')
    assert.deepEqual('model' in again ? again.model : again.problems, model, name)
  }
})

// contract: **Entry point**: first `@type`
test('The entry point leads to every collection and to every single resource', async (t) => {
  for (const name of ALL) {
    const model = await read(name)
    const { base, get } = await serveSignedIn(t, { model })
    const entryPoint = (await get('/')).json()
    for (const cls of model.classes) {
      if (hasCollection(cls)) assert.equal(entryPoint[cls.collection], `${base}/${cls.collection}`)
      else if (isSingle(cls)) assert.equal(entryPoint[cls.name], `${base}/${cls.name}`)
    }
  }
})
