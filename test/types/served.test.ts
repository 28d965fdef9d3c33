import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeModel, writeTypes } from '../../src/types/index.ts'
import { describeServed } from '../../src/types/served.ts'
import { readApiFile } from '../../src/vocabulary/api-file.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'
import { serve } from '../support/service.ts'
import {
  BREAKING_OUT,
  CHOICES,
  EMBEDDED,
  EVERY_DATATYPE,
  NAMES,
  OPERATED,
  OPERATIONS,
  REMEMBERING,
} from './api-files.ts'
import { compile, typesOf } from './compiling.ts'
import { KITCHEN, serveOthers } from './foreign.ts'

const nobody = () => {
  throw new Error('Nobody is to be asked.')
}

// contract: `hydrant types <api-file or url>` ¦
test('what is served of the library has the types of its API file; the token that it took is revoked', async (t) => {
  const { model } = await readApiFile(join(ROOT, 'examples/library.yaml'))
  for (const flags of [{}, { token: false }]) {
    const { base, store } = await serve(t, { model, flags })
    let asked = 0
    const api = await describeServed(base, () => {
      asked += 1
      return { id: USER, paraphrase: PARAPHRASE }
    })
    assert.equal(writeTypes(api), writeTypes(describeModel(model)))
    assert.equal(asked, 1)
    assert.deepEqual(await store.auth.listTokens(Date.now()), [])
  }
})

test('what an open server has of any API file has the types of the file, and nobody is asked', async (t) => {
  for (const api of [EVERY_DATATYPE, CHOICES, EMBEDDED, NAMES, BREAKING_OUT, REMEMBERING]) {
    const { base } = await serve(t, { api, flags: { auth: false } })
    assert.equal(writeTypes(await describeServed(`${base}/`, nobody)), typesOf(api))
  }
  const operated = { api: OPERATED, program: { operations: OPERATIONS } }
  const { base } = await serve(t, { ...operated, flags: { auth: false } })
  assert.equal(writeTypes(await describeServed(base, nobody)), typesOf(OPERATED, OPERATIONS))
})

test('members of every class are as their types say, also where a property has the name of its class', async (t) => {
  const { base, client } = await serve(t, { api: NAMES, flags: { auth: false } })
  const headers = { 'Content-Type': 'application/json' }
  for (const path of ['/books', '/links', '/records'])
    assert.equal((await client.send('POST', path, headers, '{}')).status, 201)
  assert.equal(writeTypes(await describeServed(base, nobody)), typesOf(NAMES))
})

test('the server of somebody else has types too, by its documentation and its search templates', async (t) => {
  const address = await serveOthers(t, KITCHEN)
  const api = await describeServed(address, nobody)
  assert.deepEqual(api.leftOut, [])
  const types = writeTypes(api)
  const { 'Recipe {': recipe, 'RecipeQuery {': asked, 'KitchenApi {': kitchen } = interfacesIn(types)
  assert.deepEqual(recipe, [
    "readonly '@id': Link<Recipe>",
    "readonly '@type': string | readonly string[]",
    'name: string',
    'portions: number',
    'price?: string',
    'vegan?: boolean',
    'cook: Link<Cook>',
    'readonly reviews?: Link<Review>[]',
    'notes?: string',
    'readonly createdAt?: string',
  ])
  assert.deepEqual(asked, [
    'page?: number',
    'name?: string',
    "'name[]'?: string",
    "'price[between]'?: string",
    "'price[gt]'?: string | number",
    'cook?: Link<Cook>',
    "'order[name]'?: 'asc' | 'desc'",
    "'exists[price]'?: boolean",
    "'createdAt[strictly_before]'?: string",
    "'cook.name'?: string",
  ])
  assert.deepEqual(interfacesIn(types)['ReviewQuery {'], ['body: string | readonly string[]'])
  assert.deepEqual(kitchen, [
    "recipe: { class: 'Recipe'; member: Recipe; input: RecipeInput; query: RecipeQuery }",
    "cook: { class: 'Cook'; member: Cook; input: CookInput; query: never }",
    "review: { class: 'Review'; member: Review; input: ReviewInput; query: ReviewQuery }",
  ])
  assert.deepEqual(await compile(t, { 'kitchen.ts': types }), [])
})

test('what the entry point does not lead to is not in the API, but can be linked to', async (t) => {
  const { documentation, body } = KITCHEN['/']
  const { review: _, ...others } = body
  const address = await serveOthers(t, { ...KITCHEN, '/': { documentation, body: others } })
  const types = writeTypes(await describeServed(address, nobody))
  assert.deepEqual(interfacesIn(types)['KitchenApi {'], [
    "recipe: { class: 'Recipe'; member: Recipe; input: RecipeInput; query: RecipeQuery }",
    "cook: { class: 'Cook'; member: Cook; input: CookInput; query: never }",
  ])
  assert.ok(types.includes('readonly reviews?: Link<Review>[]'))
  assert.deepEqual(await compile(t, { 'kitchen.ts': types }), [])
})

test('names that this server could not serve are as good as any on another one', async (t) => {
  const hydra = 'http://www.w3.org/ns/hydra/core#'
  const property = (title: string, iri: string) => ({
    title,
    property: { '@id': `#${iri}`, range: 'http://www.w3.org/2001/XMLSchema#string' },
  })
  const documentation = {
    '@context': {
      '@vocab': hydra,
      range: { '@id': 'http://www.w3.org/2000/01/rdf-schema#range', '@type': '@id' },
    },
    '@id': '/docs',
    '@type': 'ApiDocumentation',
    supportedClass: [
      {
        '@id': '#EntryPoint',
        supportedProperty: [
          {
            property: {
              '@id': '#EntryPoint/events',
              range: `${hydra}Collection`,
              memberAssertion: { object: { '@id': '#Event' } },
            },
          },
        ],
      },
      {
        '@id': '#Event',
        supportedOperation: [{ method: 'GET' }],
        supportedProperty: [
          property('name', 'a'),
          property('name', 'b'),
          property('@type', 'c'),
          property('d', 'hasOwnProperty'),
        ],
      },
    ],
  }
  const address = await serveOthers(t, {
    '/': { documentation: '/docs', body: { '@id': '/', events: '/events' } },
    '/docs': { body: documentation },
    '/events': { body: { '@id': '/events', member: [] } },
  })
  const { leftOut, ...api } = await describeServed(address, nobody)
  const types = writeTypes(api)
  assert.deepEqual(await compile(t, { 'api.ts': types }), [])
  assert.deepEqual(leftOut, [])
  assert.deepEqual(interfacesIn(types)['Event {'], [
    "readonly '@id': Link<Event>",
    "readonly '@type': 'Event'",
    'name?: string',
    'd?: string',
  ])
})

/** The lines of each interface, without comments. */
function interfacesIn(types: string): Record<string, string[]> {
  const found = types.matchAll(/^export interface (.*)\n([\s\S]*?)^\}/gm)
  return Object.fromEntries(
    [...found].map(([, name, lines = '']) => [
      name,
      lines
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !/^\/?\*/.test(line)),
    ]),
  )
}
