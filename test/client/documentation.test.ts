import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient, type Documentation } from 'hydrant-client'
import { expand } from '../../src/vocabulary/index.ts'
import { ROOT } from '../support/markdown.ts'
import { serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

/** What a client reads at `url`, to which the entry point links. */
const open = (body: unknown, url: string): Promise<Documentation> =>
  createClient({
    base: new URL(url).origin,
    fetch: async (input) =>
      Response.json(String(input) === url ? body : {}, {
        headers: { Link: `<${url}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"` },
      }),
  }).documentation()

const bodyOf = (name: string): object =>
  JSON.parse(readFileSync(join(ROOT, `test/documents/${name}.jsonld`), 'utf8'))

/** Documents in the shape that others give them, and where they would be. */
const DOCUMENTS = {
  hydrus: 'https://drones.example/api/vocab',
  'api-platform': 'https://kitchen.example/docs.jsonld',
  'api-platform-unprefixed': 'https://concerts.example/docs.jsonld',
  'issue-tracker': 'http://api.example.com/doc/',
  'flat-graph': 'https://garden.example/vocab',
}

const documentation = (name: keyof typeof DOCUMENTS): Promise<Documentation> =>
  open(bodyOf(name), DOCUMENTS[name])

/** `Book: name! title? (GET PUT)`: names with `!` are required, with `?` read-only, with `*` many, with `>` links. */
function summaryOf({ title, classes, links }: Documentation) {
  return {
    title,
    classes: classes
      .filter(({ properties, operations }) => properties.length + operations.length > 0)
      .map((one) => {
        const properties = one.properties.map(
          ({ name, required, writable, many, isLink }) =>
            `${name}${required ? '!' : ''}${writable ? '' : '?'}${many ? '*' : ''}${isLink ? '>' : ''}`,
        )
        return `${one.title}: ${properties.join(' ')} (${one.operations.map(({ method }) => method).join(' ')})`
      }),
    links: links.map(
      ({ name, isCollection, memberClass, range, operations }) =>
        `${name} ${isCollection ? `of ${memberClass}` : `is ${range}`} (${operations.map(({ method }) => method).join(' ')})`,
    ),
  }
}

test('The documentation of an older Python server', async () => {
  assert.deepEqual(summaryOf(await documentation('hydrus')), {
    title: 'Drone control',
    classes: [
      'Drone: name! Model of the drone maxSpeed DroneState! registeredAt? (POST PUT GET DELETE)',
      'State: battery! Position ()',
      'command_log: drone!> text! acknowledged (GET)',
      'Station: name! (POST PUT GET DELETE)',
      'Collection: members? ()',
      'Fleet: members? (GET PUT)',
      'Commands:  (GET PUT POST DELETE)',
      'EntryPoint: station?> fleet?> commands?> (GET)',
    ],
    links: [
      'Station is https://drones.example/api/vocab#Station (POST GET)',
      'drones of https://drones.example/api/vocab#Drone (PUT)',
      'Commands of https://drones.example/api/vocab#command_log (GET PUT POST DELETE)',
    ],
  })
  const { classes } = await documentation('hydrus')
  const fleet = classes.find(({ title }) => title === 'Fleet')
  assert.equal(fleet?.memberClass, 'https://drones.example/api/vocab#Drone')
  const drone = classes[0]
  assert.deepEqual(drone?.operations[0], {
    method: 'POST',
    types: ['http://schema.org/UpdateAction'],
    title: 'SubmitDrone',
    description: '',
    expects: 'https://drones.example/api/vocab#Drone',
    returns: undefined,
    contentType: undefined,
  })
  const speed = drone.properties.find(({ name }) => name === 'maxSpeed')
  assert.equal(speed?.range, 'http://www.w3.org/2001/XMLSchema#decimal')
  assert.equal(speed.description, 'In metres per second')
})

test('The documentation of API Platform, with the prefix hydra:', async () => {
  assert.deepEqual(summaryOf(await documentation('api-platform')), {
    title: 'Kitchen',
    classes: [
      'Recipe: name! portions! price vegan cook!> reviews?> notes createdAt? (GET PUT PATCH DELETE)',
      'Cook: name! homepage kitchen (GET PATCH DELETE)',
      'Kitchen: stoves! ()',
      'Review: body! rating! recipe!> (GET DELETE)',
      'The API entrypoint: The collection of Recipe resources?> The collection of Cook resources?> The collection of Review resources?> (GET)',
      'A constraint violation: propertyPath? message? ()',
      'A constraint violation list: violations? ()',
    ],
    links: [
      'recipe of https://schema.org/Recipe (GET POST)',
      'cook of https://kitchen.example/docs.jsonld#Cook (GET POST)',
      'review of https://kitchen.example/docs.jsonld#Review (GET POST)',
    ],
  })
})

test('The documentation of API Platform, without a prefix, under a context that is not fetched', async () => {
  const { classes, ...rest } = await documentation('api-platform-unprefixed')
  assert.deepEqual(summaryOf({ classes, ...rest }), {
    title: 'Concerts',
    classes: [
      'Concert: title! startsAt! venue!> bands> ticketsSold? (GET PUT PATCH DELETE)',
      'Venue: name! seats (GET PATCH)',
      'Band: name! founded (GET DELETE)',
      'Error: title? status? (GET)',
      'Entrypoint: getConcertCollection?> getVenueCollection?> getBandCollection?> (GET)',
      'ConstraintViolationList: propertyPath? message? ()',
    ],
    links: [
      'concert of https://concerts.example/docs.jsonld#Concert (GET POST)',
      'venue of https://schema.org/Place (GET POST)',
      'band of https://concerts.example/docs.jsonld#Band (GET POST)',
    ],
  })
  const patch = classes[0]?.operations.find(({ method }) => method === 'PATCH')
  assert.equal(patch?.contentType, 'application/merge-patch+json')
  assert.equal(patch.description, 'Updates the Concert resource.')
})

test('The documentation of the issue tracker of the Hydra specification', async () => {
  assert.deepEqual(summaryOf(await documentation('issue-tracker')), {
    title: 'An issue tracker',
    classes: [
      'Collection: members? ()',
      'EntryPoint: issues?> registerUser?> users?> (GET)',
      'Issue: title! description! is_open! raised_by!> created_at!? comments?> (GET PUT DELETE)',
      'Comment: text! issue!> (GET DELETE)',
      'User: name! email! raised_issues?> (GET PUT DELETE)',
    ],
    links: [
      'issues of http://api.example.com/doc/#Issue (POST GET)',
      'registerUser is http://api.example.com/doc/#User (POST)',
      'users of undefined (GET)',
    ],
  })
})

const GARDENS = {
  title: 'Gardens',
  classes: [
    'EntryPoint: gardens> plants> species> ()',
    'GardenCollection:  (GET POST)',
    'Garden: name! area opened (GET PUT DELETE)',
    'Plants:  (GET POST)',
    'Plant: garden!> species!> planted size labels* addedAt? (GET PUT PATCH DELETE)',
    'SpeciesList:  (GET POST)',
    'Species: latinName! commonName height (GET DELETE)',
    'Size: width! depth ()',
  ],
  links: [
    'gardens of https://garden.example/vocab#Garden (GET POST)',
    'plants of https://garden.example/vocab#Plant (GET POST)',
    'species of https://garden.example/vocab#Species (GET POST)',
  ],
}

test('The documentation as a flat @graph, at any address', async () => {
  for (const url of [DOCUMENTS['flat-graph'], 'https://garden.example/elsewhere']) {
    const read = await open(bodyOf('flat-graph'), url)
    assert.deepEqual(summaryOf(read), GARDENS)
    assert.equal(read.iri, DOCUMENTS['flat-graph'])
    const constraints = new Map(
      read.classes.flatMap(({ properties }) => properties.map((one) => [one.name, one.constraints])),
    )
    assert.deepEqual(constraints.get('labels'), { minLength: 1, maxLength: 20 })
    assert.deepEqual(constraints.get('latinName'), { pattern: '^[A-Z][a-z]+ [a-z]+$' })
    assert.deepEqual(constraints.get('height'), { minimum: 0.5, maximum: 120 })
  }
})

test('An expanded document means the same', async () => {
  for (const name of ['api-platform', 'flat-graph'] as const) {
    const base = DOCUMENTS[name]
    const { nodes } = await expand(bodyOf(name), { base, findContext: () => undefined })
    assert.deepEqual(summaryOf(await open(nodes, base)), summaryOf(await documentation(name)))
  }
})

test('Constraints, types and texts of Hydrant’s own documentation', async (t) => {
  const api = `
title: Shapes
classes:
  Thing:
    description: Anything
    properties:
      text: { type: string, required: true, minLength: 2, maxLength: 9, pattern: "^[a-z]+$", unique: true }
      size: { type: integer, minimum: 0, maximum: 5, default: 0 }
      count: { type: integer, enum: [0, 1, 2] }
      words: { type: string, many: true, multiline: true, title: All words }
      others: { type: Thing, many: true, description: What it is related to }
      other: Thing
`
  const { base } = await serve(t, { api, flags: { auth: false } })
  const { classes } = await recordClient(base).client.documentation()
  const thing = classes.find(({ title }) => title === 'Thing')
  assert.equal(thing?.description, 'Anything')
  const found = Object.fromEntries(
    thing.properties.map(({ name, many, isLink, constraints }) => [name, { many, isLink, ...constraints }]),
  )
  assert.deepEqual(found, {
    text: { many: false, isLink: false, minLength: 2, maxLength: 9, pattern: '^[a-z]+$', unique: true },
    size: { many: false, isLink: false, minimum: 0, maximum: 5, default: 0 },
    count: { many: false, isLink: false, values: [0, 1, 2] },
    words: { many: true, isLink: false, multiline: true },
    others: { many: true, isLink: true },
    other: { many: false, isLink: true },
  })
  assert.equal(thing.properties.find(({ name }) => name === 'others')?.description, 'What it is related to')
  assert.deepEqual(
    thing.properties.map(({ title }) => title),
    ['text', 'size', 'count', 'All words', 'others', 'other'],
  )
})

test('A property of another vocabulary has the title of its class, and events are not listed', async (t) => {
  const api = `
classes:
  Author: { properties: { label: { type: string, title: Full name, iri: "http://schema.org/name" } } }
  Book: { properties: { title: { type: string, iri: "http://schema.org/name", description: Printed } } }
`
  const { base } = await serve(t, { api, flags: { auth: false } })
  const { client } = recordClient(base)
  const { classes, links } = await client.documentation()
  const titled = (wanted: string) =>
    classes
      .find(({ title }) => title === wanted)
      ?.properties.map(({ name, title, description }) => [name, title, description])
  assert.deepEqual(titled('Author'), [['label', 'Full name', '']])
  assert.deepEqual(titled('Book'), [['title', 'title', 'Printed']])
  const events = links.find(({ name }) => name === 'events')
  assert.deepEqual([events?.isCollection, events?.range], [false, `${base}/vocab#events`])
  assert.deepEqual(
    (await client.collections()).map(({ name }) => name),
    ['authors', 'books'],
  )
})

test('Allowed values as an explicit list of JSON-LD', async () => {
  const { classes } = await open(
    {
      '@context': { sh: 'http://www.w3.org/ns/shacl#' },
      supportedClass: {
        '@id': '#Thing',
        supportedProperty: { property: '#size' },
        'sh:property': {
          'sh:path': { '@id': '#size' },
          'sh:in': { '@list': [0, 1] },
          'sh:maxCount': { '@value': 1 },
        },
      },
    },
    'http://example.com/vocab',
  )
  const [property] = classes[0]?.properties ?? []
  assert.deepEqual(property?.constraints, { values: [0, 1] })
  assert.equal(property.many, false)
})

test('A malformed document describes nothing, and causes no error', async () => {
  const hostile = [
    null,
    [],
    [null, 7, 'x'],
    {},
    { '@graph': [null, 7, { '@id': null }] },
    { 'hydra:supportedClass': [null, 7, 'x', { 'hydra:supportedProperty': [null, 'y'] }] },
    { supportedClass: { '@id': 5, '@type': 7, title: { '@value': null }, supportedOperation: 'GET' } },
    JSON.parse(
      '{"__proto__": {"supportedClass": []}, "@context": {"__proto__": {"x": "y"}}, "constructor": 1}',
    ),
    { '@context': [null, 'http://example.com', 7, { title: null, a: { '@id': 7 } }], title: 'x' },
    { '@context': { a: 'b', b: 'a', p: 'q:', q: 'p:' }, a: 1, 'p:x': 2, '@type': 'q:y', '@id': 'p:z' },
    { '@context': { a: 'a:a' }, 'a:a': 1, a: 2, '@id': 'a:b' },
    { '@context': { '@vocab': 7, '@type': 'x' }, title: 'x' },
    { '@graph': [{ '@id': '_:a', '@type': { '@id': '_:a' }, supportedClass: { '@id': '_:a' } }] },
  ]
  for (const body of hostile) {
    const { links } = await open(body, 'http://example.com/vocab')
    assert.deepEqual(links, [], JSON.stringify(body))
  }
  assert.ok(!('supportedClass' in {}))
})

test('A link from the other side is no property, and goes back with the member as it is', async (t) => {
  const api =
    'classes: { Author: { properties: { name: string } }, Book: { properties: { author: { type: Author, reverse: books } } } }'
  const { base } = await serve(t, { api, flags: { auth: false } })
  const client = createClient({ base })
  const { classes } = await client.documentation()
  const author = classes.find(({ title }) => title === 'Author')
  assert.deepEqual(
    author?.properties.map(({ name }) => name),
    ['name'],
  )
  assert.deepEqual(
    author?.reverseLinks.map(({ name, range, writable, isLink }) => [name, range, writable, isLink]),
    [['books', `${base}/vocab#BookCollection`, false, true]],
  )
  const ann = await client.collection('authors').create({ name: 'Ann' })
  const book = await client.collection('books').create({ author: ann.iri })
  const page = await client.collectionAt(String(ann.data.books)).page()
  assert.deepEqual(
    page.members.map(({ iri }) => iri),
    [book.iri],
  )
  const changed = await ann.replace({ ...ann.data, name: 'Anna' })
  assert.deepEqual([changed.data.name, changed.data.books], ['Anna', ann.data.books])
})
