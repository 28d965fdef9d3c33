import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsonld from 'jsonld'
import { readShortForm } from '../../src/vocabulary/short-form/short-form.ts'
import { hydra, quad, quadsOf, rdf } from './rdf.ts'
import { type Json, pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

const TYPE = rdf('type')

/** Terms of Hydra, JSON-LD and JavaScript that a user may want for a property. */
const AWKWARD = [
  ...['title', 'description', 'member', 'view', 'search', 'first', 'last', 'next', 'previous', 'collection'],
  ...['id', 'type', 'context', 'value', 'graph', 'template', 'mapping', 'variable', 'property', 'object'],
  ...['xsd', 'hydra', 'rdf', 'http', 'https', 'urn', 'vocab', 'totalItems', 'memberAssertion', 'originId'],
  ...['constructor', 'toString', 'valueOf', 'prototype', 'length', 'Collection', 'IriTemplate', 'Thing', '_'],
]

/** A class with all of them, and an embedded one with all of them and its own name. */
const AWKWARD_API = `classes:
  Thing:
    properties:
${AWKWARD.map((name) => `      ${name}: string\n`).join('')}
      part: Part
  Part:
    collection: false
    properties:
${[...AWKWARD, 'Part'].map((name) => `      ${name}: string\n`).join('')}
`

const valuesFor = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `the ${name}`]))

const AWKWARD_THING = { ...valuesFor(AWKWARD), part: valuesFor([...AWKWARD, 'Part']) }

// contract: What is served must be right twice
// contract: Scoped contexts keep a user's
test('any name works for a property: it survives as plain JSON and as RDF, alone, embedded and in a collection', async (t) => {
  const { add, get, base } = await serveSignedIn(t, { api: AWKWARD_API })
  const vocab = (name: string) => `${base}/vocab#${name}`
  const thing = await add('/things', AWKWARD_THING)
  const subject = thing['@id']
  const named = (cls: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [vocab(`${cls}/${name}`), `the ${name}`]))
  const expected = {
    '@id': subject,
    '@type': vocab('Thing'),
    ...named('Thing', AWKWARD),
    [vocab('Thing/part')]: { '@type': vocab('Part'), ...named('Part', [...AWKWARD, 'Part']) },
  }

  const alone = (await get(pathOf(base, subject))).json()
  const { part, ...values } = AWKWARD_THING
  // A property has taken the name of its class, so that the class is named by its IRI.
  assert.deepEqual(withoutContext(alone), {
    '@id': subject,
    '@type': vocab('Thing'),
    ...values,
    part: { '@type': vocab('Part'), ...part },
  })
  assert.deepEqual(await quadsOf(alone), await quadsOf(expected))

  const collection = (await get('/things')).json()
  assert.deepEqual(collection.member, [withoutContext(alone)])
  const { '@context': context, '@id': id, member } = collection
  assert.deepEqual(
    await quadsOf({ '@context': context, '@id': id, member }),
    await quadsOf({ '@id': id, [hydra('member')]: expected }),
  )
})

// contract: Scoped contexts keep a user's
test('what was read can be sent back, its context and class included, and makes an equal member', async (t) => {
  const { add } = await serveSignedIn(t, { api: AWKWARD_API })
  const { '@id': firstId, ...first } = await add('/things', AWKWARD_THING)
  const { '@id': secondId, ...second } = await add('/things', first)
  assert.notEqual(secondId, firstId)
  assert.deepEqual(second, first)
})

test('what is sent in expanded form, with any name, is the same member', async (t) => {
  const { add, post, get, base } = await serveSignedIn(t, { api: AWKWARD_API })
  const { '@id': firstId, ...first } = await add('/things', AWKWARD_THING)
  const [expanded] = (await jsonld.expand((await get(pathOf(base, firstId))).json() as never)) as [Json]
  const { '@id': _, ...sent } = expanded
  const response = await post('/things', [sent])
  assert.equal(response.status, 201, response.body)
  const { '@id': secondId, ...second } = response.json()
  assert.notEqual(secondId, firstId)
  assert.deepEqual(second, first)
})

test('a class of another vocabulary expands to its IRI, also where a property has its name', async (t) => {
  const api = `
classes:
  Book: { iri: "http://schema.org/Book", properties: { title: string } }
  Film: { iri: "http://schema.org/Movie", properties: { Film: string } }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const [book, film] = [await add('/books', { title: 'a' }), await add('/films', { Film: 'b' })]
  assert.deepEqual(
    await quadsOf(book),
    [
      quad(book['@id'], TYPE, '<http://schema.org/Book>'),
      quad(book['@id'], `${base}/vocab#Book/title`, '"a"'),
    ].sort(byPredicate),
  )
  assert.deepEqual(
    await quadsOf(film),
    [
      quad(film['@id'], `${base}/vocab#Film/Film`, '"b"'),
      quad(film['@id'], TYPE, '<http://schema.org/Movie>'),
    ].sort(byPredicate),
  )
  const object = `<${hydra('object')}> <http://schema.org/Movie>`
  const films = await quadsOf((await get('/films')).json())
  assert.ok(films.some((line) => line.includes(object)))
  assert.ok(films.includes(quad(film['@id'], TYPE, '<http://schema.org/Movie>')))
})

const byPredicate = (left: string, right: string) => (left < right ? -1 : 1)

test('an API file whose context no processor could read is refused with its place', () => {
  const table: [properties: string, refused: boolean][] = [
    ['urn: { type: string, iri: "urn:example:p" }', true],
    ['urn: string, p: { type: string, iri: "urn:example:p" }', true],
    ['urn: string, p: { type: string, iri: "tag:example" }', false],
    ['http: { type: string, iri: "http://schema.org/name" }', false],
  ]
  for (const [properties, refused] of table) {
    const read = readShortForm(`classes: { Thing: { properties: { ${properties} } } }`, 'api.yaml')
    assert.equal('problems' in read, refused, properties)
    if ('problems' in read) assert.match(JSON.stringify(read.problems), /"SchemeIsProperty"/)
  }
})

// contract: Scoped contexts keep a user's
test('a class may have the name of one of Hydra’s, and is not taken for it', async (t) => {
  const names = ['Collection', 'IriTemplate', 'Class', 'Link', 'Operation', 'Error', 'Resource']
  const classes = names.map((name) => `  ${name}: { collection: c-${name}, properties: { title: string } }`)
  const { add, get, base } = await serveSignedIn(t, { api: `classes:\n${classes.join('\n')}\n` })
  const documentation = await quadsOf((await get('/vocab')).json())
  for (const name of names) {
    const own = `${base}/vocab#${name}`
    const member = await add(`/c-${name}`, { title: 'a' })
    const expected = [quad(member['@id'], TYPE, `<${own}>`), quad(member['@id'], `${own}/title`, '"a"')]
    assert.deepEqual((await quadsOf(member)).sort(), expected.sort())
    const collection = await quadsOf((await get(`/c-${name}`)).json())
    const within = collection.filter((line) => line.startsWith(`<${member['@id']}>`))
    assert.deepEqual(within.sort(), expected)
    assert.ok(documentation.includes(quad(`${base}/vocab`, hydra('supportedClass'), `<${own}>`)))
  }
})
