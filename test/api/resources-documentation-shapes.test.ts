import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIBRARY, PARTS, readDocumentation } from './described.ts'
import { quadsOf } from './rdf.ts'
import { serveSignedIn } from './signed-in.ts'

// contract: **Vocabulary**: nested
test('what is checked is described by SHACL shapes beside the classes', async (t) => {
  const service = await serveSignedIn(t, { api: `${LIBRARY}${PARTS}` })
  const { base } = service
  const { shapes } = await readDocumentation(service)
  const shapeOf = (name: string) =>
    shapes.find((shape) => shape['@id'] === `${base}/vocab#shape/${name}`) ?? assert.fail(name)
  assert.deepEqual(shapeOf('Address'), {
    '@id': `${base}/vocab#shape/Address`,
    '@type': 'sh:NodeShape',
    targetClass: `${base}/vocab#Address`,
    property: [
      {
        path: `${base}/vocab#Address/street`,
        maxCount: 1,
        datatype: 'http://www.w3.org/2001/XMLSchema#string',
        maxLength: 100,
      },
    ],
  })
  assert.equal(shapeOf('Book').targetClass, 'http://schema.org/Book')
  assert.equal(shapes.length, 6)
})

// docs/contract/hypermedia.md, Resources and Writing: what holds for every representation and every error.

const API = `
classes:
  Author: { properties: { name: { type: string, required: true } } }
  Address: { collection: false, properties: { street: string, country: Author } }
  Book:
    iri: http://schema.org/Book
    properties:
      title: { type: string, minLength: 1, maxLength: 200, pattern: "^[A-Z]" }
      pages: { type: integer, minimum: 1, maximum: 9 }
      kind: { type: string, enum: [a, b], required: true }
      page: anyURI
      author: Author
      editors: { type: Author, many: true }
      address: Address
  Motto: { collection: false, operations: [read, create], properties: { text: string } }
`

// contract: **Vocabulary**: nested
test('each constraint is in the documentation as SHACL', async (t) => {
  const { get, base } = await serveSignedIn(t, { api: API })
  const quads = await quadsOf((await get('/vocab')).json())
  const said = quads.filter((line) => line.includes('http://www.w3.org/ns/shacl#')).join('\n')
  const about = (name: string) => {
    const [subject = ''] =
      said
        .split('\n')
        .find((line) => line.includes(`#path> <${base}/vocab#Book/${name}> .`))
        ?.split(' ') ?? []
    return said
      .split('\n')
      .filter((line) => line.startsWith(`${subject} `))
      .join('\n')
  }
  const table: [name: string, ...parts: string[]][] = [
    [
      'title',
      '#minLength> "1"',
      '#maxLength> "200"',
      '#pattern> "^[A-Z]"',
      '#maxCount> "1"',
      'XMLSchema#string>',
    ],
    ['pages', '#minInclusive> "1"', '#maxInclusive> "9"', 'XMLSchema#integer>'],
    ['kind', '#in> ', '#minCount> "1"'],
    ['author', `#class> <${base}/vocab#Author>`, '#maxCount> "1"'],
  ]
  for (const [name, ...parts] of table) {
    for (const part of parts) assert.ok(about(name).includes(part), `${name} ${part}: ${about(name)}`)
  }
  assert.ok(!about('editors').includes('#maxCount>'))
})
