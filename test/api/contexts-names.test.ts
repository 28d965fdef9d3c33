import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsonld from 'jsonld'
import { modelOf } from '../support/service.ts'
import { CREATE } from './newsroom.ts'
import { hydra, quad, quadsOf, rdf } from './rdf.ts'
import { assertSame, quadsByStream, quadsOfText } from './rdf-text.ts'
import { type Json, pathOf, type SignedIn, serveSignedIn, withoutContext } from './signed-in.ts'

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
    const read = () => modelOf(`classes: { Thing: { properties: { ${properties} } } }`)
    if (refused) assert.throws(read, /"SchemeIsProperty"/, properties)
    else assert.ok(read(), properties)
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

/** Names that come again where another name leads: in embedded values, behind links, and as one of Hydra's words. */
const NESTED = `
classes:
  Machine: { properties: { name: string, part: Part, next: Team } }
  Part: { collection: false, properties: { name: string, part: Screw, size: integer } }
  Screw: { collection: false, iri: "http://schema.org/Screw", properties: { name: string, next: Team } }
  Team: { properties: { name: string, next: Category, member: { type: string, many: true }, search: string } }
  Category: { collection: categories, properties: { name: string, next: Category } }
`

async function serveNested(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const served = await serveSignedIn(t, { api: NESTED })
  const put = async (path: string, body: object) => {
    const headers = { ...CREATE, 'Content-Type': 'application/json' }
    const { status, body: text } = await served.send('PUT', path, headers, JSON.stringify(body))
    assert.equal(status, 201, text)
  }
  await put('/categories/top', { name: 'Top' })
  await put('/categories/low', { name: 'Low', next: '/api/categories/top' })
  await put('/teams/a', { name: 'A', next: '/api/categories/low', member: ['Ann', 'Ben'], search: 'none' })
  const part = { name: 'Wheel', size: 3, part: { name: 'Bolt', next: '/api/teams/a' } }
  await put('/machines/m', { name: 'Mill', next: '/api/teams/a', part })
  return served
}

// contract: Scoped contexts keep a user's `title`
// contract: **Related members**: `include=author`
test('a name that comes again in an embedded or included value means what its own class says', async (t) => {
  const { get, base } = await serveNested(t)
  const expected: [path: string, ...properties: string[]][] = [
    ['/machines/m', 'Machine/part', 'Part/name', 'Part/part', 'Part/size', 'Screw/name', 'Screw/next'],
    ['/machines', 'Machine/part', 'Part/name', 'Part/part', 'Part/size', 'Screw/name', 'Screw/next'],
    ['/machines/m?include=next.next', 'Team/name', 'Team/next', 'Team/member', 'Category/name', 'Part/part'],
    ['/machines?include=next.next', 'Team/name', 'Team/next', 'Team/member', 'Category/name', 'Part/part'],
    ['/teams', 'Team/member', 'Team/search'],
    ['/categories/low?include=next', 'Category/name', 'Category/next'],
    ['/categories?include=next.next', 'Category/name', 'Category/next'],
  ]
  for (const [path, ...properties] of expected) {
    const response = await get(path)
    const quads = await quadsOf(response.json())
    for (const property of properties)
      assert.ok(
        quads.some((line) => line.includes(` <${base}/vocab#${property}> `)),
        `${path} ${property}`,
      )
    assert.ok(!quads.some((line) => /vocab#(?:name|next|part|size|member)>/.test(line)), path)
    assertSame(await quadsByStream(response.body), quads, `${path} by another parser`)
    const turtle = await get(path, { Accept: 'text/turtle' })
    assertSame(await quadsOfText(turtle.body, 'text/turtle'), quads, path)
  }
})

// contract: Bodies: `application/ld+json`
test('a name that comes again in an embedded value is understood in any shape', async (t) => {
  const { get, send, base } = await serveNested(t)
  const { '@context': context, ...read } = (await get('/machines/m')).json()
  const bodies: object[] = [
    await jsonld.expand({ '@context': context, ...read } as never),
    { ...read, name: { '@value': 'Mill' } },
    { '@context': `${base}/contexts/Machine`, ...read, name: { '@value': 'Mill' } },
    {
      name: { '@value': 'Mill' },
      next: `${base}/teams/a`,
      part: { name: 'Wheel', size: 3, part: { name: 'Bolt', next: { '@id': `${base}/teams/a` } } },
    },
  ]
  for (const body of bodies) {
    const headers = { 'Content-Type': 'application/ld+json' }
    const response = await send('PUT', '/machines/m', headers, JSON.stringify(body))
    assert.equal(response.status, 200, response.body)
    assert.deepEqual(response.json(), { '@context': context, ...read })
  }
})

// contract: Bodies: `application/ld+json`
test('an embedded value with a context of its own needs no type', async (t) => {
  const { get, send, base } = await serveNested(t)
  const part = { [`${base}/vocab#Part/size`]: 7 }
  for (const own of [null, { '@vocab': 'http://x.example/' }, { Part: 'http://x.example/Part' }]) {
    const body = JSON.stringify({ name: { '@value': 'Mill' }, part: { '@context': own, ...part } })
    const response = await send('PUT', '/machines/m', { 'Content-Type': 'application/ld+json' }, body)
    assert.equal(response.status, 200, response.body)
    assert.deepEqual((await get('/machines/m')).json().part, { '@type': 'Part', size: 7 })
  }
  // A context that only adds names leaves ours as they are, also one that comes again.
  const inner = { name: 'Wheel', part: { name: 'Bolt' } }
  for (const own of [{}, [], { other: 'http://x.example/' }, [{ count: `${base}/vocab#Part/size` }]]) {
    const body = JSON.stringify({ name: { '@value': 'Mill' }, part: { '@context': own, ...inner } })
    const response = await send('PUT', '/machines/m', { 'Content-Type': 'application/ld+json' }, body)
    assert.equal(response.status, 200, response.body)
    const { part } = (await get('/machines/m')).json()
    assert.deepEqual(part, { '@type': 'Part', name: 'Wheel', part: { '@type': 'Screw', name: 'Bolt' } })
  }
})

for (const name of ['name', 'Drone'])
  test(`a member that is included by the name of its class has that class, also within a name that comes again, and with a property ${name}`, async (t) => {
    const api = `
classes:
  Drone: { properties: { ${name}: string } }
  Car: { properties: { Drone: Drone, next: Car } }
`
    const { get, send, base } = await serveSignedIn(t, { api })
    for (const [path, body] of [
      ['/drones/d', { [name]: 'D' }],
      ['/cars/a', { Drone: '/api/drones/d' }],
      ['/cars/b', { Drone: '/api/drones/d', next: '/api/cars/a' }],
    ] as const) {
      const headers = { ...CREATE, 'Content-Type': 'application/json' }
      assert.equal((await send('PUT', path, headers, JSON.stringify(body))).status, 201)
    }
    for (const query of ['next.Drone', 'next.Drone&include=Drone', 'next.Drone&include=next.next', 'Drone']) {
      const response = await get(`/cars/b?include=${query}`)
      const quads = await quadsOf(response.json())
      const types = quads.flatMap(
        (line) => /^<[^>]*\/drones\/d> <[^>]*#type> <([^>]*)>/.exec(line)?.[1] ?? [],
      )
      assert.deepEqual(types, [`${base}/vocab#Drone`], query)
      assert.ok(quads.includes(`<${base}/drones/d> <${base}/vocab#Drone/${name}> "D" .`), query)
      const turtle = await get(`/cars/b?include=${query}`, { Accept: 'text/turtle' })
      assertSame(await quadsOfText(turtle.body, 'text/turtle'), quads, query)
    }
  })
