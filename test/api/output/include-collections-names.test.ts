import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quadsOf } from '../rdf.ts'
import { assertSame, quadsByStream, quadsOfText } from '../rdf-text.ts'
import { pathOf, serveSignedIn } from '../signed-in.ts'
import { put } from '../walks.ts'

/** Every term of a collection, and names that JSON-LD or an address could take for something else. */
const NAMES = [
  ...['member', 'view', 'totalItems', 'memberAssertion', 'search', 'Collection', 'BookCollection'],
  ...['PartialCollectionView', 'hydra', 'rdf', 'first', 'next', 'property', 'object', 'http'],
]

/**
 * The author has links from the other side of these names, and the book has texts of the same names. Only `member` is not
 * both: `jsonld-streaming-parser` takes the text for a member, and `jsonld` does not.
 */
const TEXTS = NAMES.filter((name) => name !== 'member')
const API = `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
${NAMES.map((name) => `      by-${name}: { type: Author, reverse: ${name} }\n`).join('')}
${TEXTS.map((name) => `      ${name}: string\n`).join('')}
`

// contract: Scoped contexts keep a user's
test('a link from the other side of any name can be included, and means the same in every form', async (t) => {
  const service = await serveSignedIn(t, { api: API })
  const { get, base } = service
  await put(service, '/authors/ann', { name: 'Ann' })
  const texts = Object.fromEntries(TEXTS.map((name) => [name, `the ${name}`]))
  for (const name of NAMES) {
    await put(service, `/books/${name}`, { ...texts, [`by-${name}`]: '/api/authors/ann' })
    const ann = (await get('/authors/ann')).json()
    const collection = (await get(pathOf(base, ann[name]))).json()
    const expected = await quadsOf([ann, collection])
    const path = `/authors/ann?include=${name}`
    const response = await get(path)
    assert.equal(typeof response.json()[name], 'object', name)
    assertSame(await quadsOf(response.json()), expected, name)
    assertSame(await quadsByStream(response.body), expected, `${name} by another parser`)
    const turtle = (await get(path, { Accept: 'text/turtle' })).body
    assertSame(await quadsOfText(turtle, 'text/turtle'), expected, `${name} as Turtle`)
  }
})
