import assert from 'node:assert/strict'
import { test } from 'node:test'
import { literal, quad, quadsOf, rdf } from './rdf.ts'
import { pathOf, serveSignedIn, withoutContext } from './signed-in.ts'

const TYPE = rdf('type')

// contract: What is served must be right twice
// contract: Datatypes: string, boolean, integer
test('a value of each datatype is a literal of that datatype, and a link is an IRI', async (t) => {
  const types: [type: string, sent: unknown, object: string][] = [
    ['string', 'a "b" \\ ü\n\u{1f4da}', String.raw`"a \"b\" \\ ü\n${'\u{1f4da}'}"`],
    ['string', 'http://example.org/', '"http://example.org/"'],
    ['string', '@type', '"@type"'],
    ['string', '', '""'],
    ['boolean', true, literal('true', 'boolean')],
    ['boolean', false, literal('false', 'boolean')],
    ['integer', -12, literal('-12', 'integer')],
    ['integer', 9007199254740991, literal('9007199254740991', 'integer')],
    ['nonNegativeInteger', 0, literal('0', 'nonNegativeInteger')],
    ['positiveInteger', 3, literal('3', 'positiveInteger')],
    ['decimal', '12.50', literal('12.50', 'decimal')],
    ['decimal', 7, literal('7', 'decimal')],
    ['double', 1.5, literal('1.5E0', 'double')],
    ['double', 2, literal('2.0E0', 'double')],
    ['float', 0.25, literal('2.5E-1', 'float')],
    ['date', '2024-02-29', literal('2024-02-29', 'date')],
    ['dateTime', '2024-02-29T12:00:00+02:00', literal('2024-02-29T12:00:00+02:00', 'dateTime')],
    ['time', '12:30:00', literal('12:30:00', 'time')],
    ['duration', 'P1DT2H', literal('P1DT2H', 'duration')],
    ['anyURI', 'urn:isbn:1', literal('urn:isbn:1', 'anyURI')],
  ]
  const properties = types.map(([type], index) => `      p${index}: ${type}`).join('\n')
  const api = `
classes:
  Target:
  Thing:
    properties:
${properties}
      named: { type: string, iri: "http://schema.org/name" }
      several: { type: decimal, many: true }
      link: Target
      links: { type: Target, many: true }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const [one, two] = [await add('/targets', {}), await add('/targets', {})]
  const thing = await add('/things', {
    ...Object.fromEntries(types.map(([, sent], index) => [`p${index}`, sent])),
    named: 'name',
    several: ['1.0', '2'],
    link: one['@id'],
    links: [one['@id'], two['@id']],
  })
  const own = (name: string) => `${base}/vocab#Thing/${name}`
  const subject = thing['@id']
  const expected = [
    quad(subject, TYPE, `<${base}/vocab#Thing>`),
    ...types.map(([, , object], index) => quad(subject, own(`p${index}`), object)),
    quad(subject, 'http://schema.org/name', '"name"'),
    quad(subject, own('several'), literal('1.0', 'decimal')),
    quad(subject, own('several'), literal('2', 'decimal')),
    quad(subject, own('link'), `<${one['@id']}>`),
    quad(subject, own('links'), `<${one['@id']}>`),
    quad(subject, own('links'), `<${two['@id']}>`),
  ].sort()
  assert.deepEqual((await quadsOf(thing)).sort(), expected)
  assert.deepEqual((await quadsOf((await get(pathOf(base, subject))).json())).sort(), expected)
  const whole = new Set(await quadsOf((await get('/things')).json()))
  for (const line of expected) assert.ok(whole.has(line), `the collection has no ${line}`)
})

// contract: A class without a collection is an embedded value
test('an embedded value is a nested object in JSON and a blank node in RDF, however deep', async (t) => {
  const api = `
classes:
  Country: { properties: { name: string } }
  Person:
    properties:
      home: Address
      former: { type: Address, many: true }
  Address:
    collection: false
    properties: { street: string, rent: decimal, place: Place, greeting: langString }
  Place:
    collection: false
    iri: http://schema.org/Place
    properties: { town: { type: string, iri: "http://schema.org/name" }, country: Country }
`
  const { add, get, base } = await serveSignedIn(t, { api })
  const country = (await add('/countries', { name: 'Iceland' }))['@id']
  const home = {
    street: 'Main',
    rent: '100.50',
    place: { town: 'Vík', country },
    greeting: { is: 'Góðan dag', 'en-GB': 'Hello' },
  }
  const person = await add('/persons', { home, former: [{ street: 'A' }, { street: 'B' }] })
  const served = (await get(pathOf(base, person['@id']))).json()
  assert.deepEqual(withoutContext(served), {
    '@id': person['@id'],
    '@type': 'Person',
    home: { '@type': 'Address', ...home, place: { '@type': 'Place', ...home.place } },
    former: [
      { '@type': 'Address', street: 'A' },
      { '@type': 'Address', street: 'B' },
    ],
  })
  const vocab = (name: string) => `${base}/vocab#${name}`
  const former = (street: string) => ({ '@type': vocab('Address'), [vocab('Address/street')]: street })
  const expected = {
    '@id': person['@id'],
    '@type': vocab('Person'),
    [vocab('Person/home')]: {
      '@type': vocab('Address'),
      [vocab('Address/street')]: 'Main',
      [vocab('Address/rent')]: { '@value': '100.50', '@type': 'http://www.w3.org/2001/XMLSchema#decimal' },
      [vocab('Address/place')]: {
        '@type': 'http://schema.org/Place',
        'http://schema.org/name': 'Vík',
        [vocab('Place/country')]: { '@id': country },
      },
      [vocab('Address/greeting')]: [
        { '@value': 'Góðan dag', '@language': 'is' },
        { '@value': 'Hello', '@language': 'en-gb' },
      ],
    },
    [vocab('Person/former')]: [former('A'), former('B')],
  }
  assert.deepEqual(await quadsOf(served), await quadsOf(expected))
  const collection = (await get('/persons')).json()
  assert.deepEqual(collection.member, [withoutContext(served)])
  assert.deepEqual(
    await quadsOf({
      '@context': collection['@context'],
      '@id': `${base}/persons`,
      member: collection.member,
    }),
    await quadsOf({ '@id': `${base}/persons`, 'http://www.w3.org/ns/hydra/core#member': expected }),
  )
})
