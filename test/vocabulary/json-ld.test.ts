import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { expand, findBundledContext, LinkedDataError } from '../../src/vocabulary/json-ld.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'

const options = { base: 'http://example.org/doc', findContext: findBundledContext }

describe('Contexts that are known by their address', () => {
  const known = [
    'http://www.w3.org/ns/hydra/context.jsonld',
    'https://www.w3.org/ns/hydra/context.jsonld',
    'http://www.w3.org/ns/hydra/core',
    'https://www.w3.org/ns/hydra/core',
    'http://www.w3.org/ns/hydra/core#',
    'https://schema.org',
    'http://schema.org/',
    'https://schema.org/docs/jsonldcontext.jsonld',
  ]
  for (const address of known) it(address, () => assert.ok(findBundledContext(address) !== undefined))

  const others = [
    'https://example.org/context.jsonld',
    'https://www.w3.org.example.org/ns/hydra/core',
    'http://www.w3.org/ns/hydra/context.jsonld?x=1',
    'file:///www.w3.org/ns/hydra/core',
    'www.w3.org/ns/hydra/core',
    '',
    '__proto__',
  ]
  for (const address of others)
    it(`not ${JSON.stringify(address)}`, () => assert.equal(findBundledContext(address), undefined))
})

test("Hydra's terms mean what the vocabulary says", async () => {
  const { nodes, dropped } = await expand(
    {
      '@context': 'http://www.w3.org/ns/hydra/context.jsonld',
      '@type': 'ApiDocumentation',
      title: 'T',
      entrypoint: '/',
      supportedClass: {
        '@id': '#A',
        supportedProperty: { property: 'xsd:x', required: true, writeable: false },
      },
    },
    options,
  )
  assert.deepEqual(dropped, [])
  assert.deepEqual(nodes, [
    {
      '@type': [`${HYDRA}ApiDocumentation`],
      [`${HYDRA}title`]: [{ '@value': 'T' }],
      [`${HYDRA}entrypoint`]: [{ '@id': 'http://example.org/' }],
      [`${HYDRA}supportedClass`]: [
        {
          '@id': 'http://example.org/doc#A',
          [`${HYDRA}supportedProperty`]: [
            {
              [`${HYDRA}property`]: [{ '@id': 'http://www.w3.org/2001/XMLSchema#x' }],
              [`${HYDRA}required`]: [{ '@value': true }],
              [`${HYDRA}writeable`]: [{ '@value': false }],
            },
          ],
        },
      ],
    },
  ])
})

describe('Nothing is fetched', () => {
  const remote = 'http://127.0.0.1:9/context.jsonld'
  const cases: [what: string, document: object][] = [
    ['a context', { '@context': remote }],
    ['a context among others', { '@context': [{}, remote] }],
    ['a relative context', { '@context': '/contexts/Book' }],
    ['@import', { '@context': { '@version': 1.1, '@import': remote } }],
    [
      'a context of a property',
      { '@context': { a: { '@id': 'http://example.org/a', '@context': remote } }, a: {} },
    ],
    [
      'a context of a type',
      { '@context': { T: { '@id': 'http://example.org/T', '@context': remote } }, '@type': 'T' },
    ],
    ['a context of a node', { 'http://example.org/a': { '@context': remote } }],
  ]
  for (const [what, document] of cases) {
    it(what, async () => {
      const error = await expand(document, options).catch((reason: unknown) => reason)
      assert.ok(error instanceof LinkedDataError)
      assert.equal(error.code, 'ForeignContext')
      assert.match((error.values as { address: string }).address, /^http:/)
    })
  }
})

test('What has no meaning is reported, not lost silently', async () => {
  const { dropped } = await expand(
    { '@id': 'http://example.org/a', nonsense: 1, 'http://example.org/b': 2 },
    options,
  )
  assert.deepEqual(dropped, [{ code: 'invalid property', what: 'nonsense' }])
})

test('Broken JSON-LD is an error that says what is wrong', async () => {
  const error = await expand({ '@id': 7 }, options).catch((reason: unknown) => reason)
  assert.ok(error instanceof LinkedDataError)
  assert.equal(error.code, 'InvalidJsonLd')
})
