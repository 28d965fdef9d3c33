import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDocumentation } from '../../../src/vocabulary/index.ts'
import { quadsOf } from '../../api/rdf.ts'
import { modelOf } from '../api-files.ts'

const BASE = 'https://host.example/api'
const VOCAB = `${BASE}/vocab#`
const SH = 'http://www.w3.org/ns/shacl#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const IS_DEFINED_BY = 'http://www.w3.org/2000/01/rdf-schema#isDefinedBy'

/** The quads of the documentation that are about its shapes, alone. */
async function shapeQuads(text: string): Promise<string[]> {
  const {
    '@context': context,
    '@id': id,
    shapes,
  } = createDocumentation(modelOf(text), BASE, {
    session: false,
    problemTypes: [],
  }) as Record<string, unknown>
  return quadsOf({ '@context': context, '@id': id, shapes })
}

const iri = (id: string) => ({ '@id': id })

const typed = (value: unknown, type: string) => ({ '@value': value, '@type': XSD + type })

/** A shape in expanded form: what a processor must make of it. */
const shape = (name: string, target: string, ...properties: object[]) => ({
  '@id': `${VOCAB}shape/${name}`,
  '@type': `${SH}NodeShape`,
  [IS_DEFINED_BY]: iri(`${BASE}/vocab`),
  [`${SH}targetClass`]: iri(target),
  [`${SH}property`]: properties,
})

const property = (path: string, constraints: Record<string, unknown>) => ({
  [`${SH}path`]: iri(path),
  ...Object.fromEntries(
    Object.entries(constraints).map(([name, value]) => [name.includes(':') ? name : SH + name, value]),
  ),
})

/** For the pickers of forms: the collection that the values come from. */
const link = (cls: string, collection: string) => ({
  nodeKind: iri(`${SH}IRI`),
  class: iri(cls),
  'http://www.w3.org/ns/hydra/core#collection': iri(`${BASE}/${collection}`),
})

const one = typed('1', 'integer')
const datatype = (name: string) => iri(XSD + name)

describe('the SHACL shapes of the documentation', () => {
  const rows: [declared: string, constraints: Record<string, unknown>][] = [
    ['string', { maxCount: one, datatype: datatype('string') }],
    ['{ type: date, required: true }', { minCount: one, maxCount: one, datatype: datatype('date') }],
    ['{ type: string, many: true }', { datatype: datatype('string') }],
    ['langString', { uniqueLang: typed('true', 'boolean'), datatype: iri(`${RDF}langString`) }],
    [
      '{ type: string, minLength: 1, maxLength: 20, pattern: "^[a-z]+$" }',
      {
        maxCount: one,
        datatype: datatype('string'),
        minLength: one,
        maxLength: typed('20', 'integer'),
        pattern: '^[a-z]+$',
      },
    ],
    [
      '{ type: integer, minimum: 1, maximum: 12 }',
      {
        maxCount: one,
        datatype: datatype('integer'),
        minInclusive: one,
        maxInclusive: typed('12', 'integer'),
      },
    ],
    [
      '{ type: decimal, minimum: 0.0000001, maximum: 0.1 }',
      {
        maxCount: one,
        datatype: datatype('decimal'),
        minInclusive: typed('0.0000001', 'decimal'),
        maxInclusive: typed('0.1', 'decimal'),
      },
    ],
    [
      '{ type: double, minimum: -1.5 }',
      { maxCount: one, datatype: datatype('double'), minInclusive: typed('-1.5E0', 'double') },
    ],
    [
      '{ type: string, enum: [b, a] }',
      { maxCount: one, datatype: datatype('string'), in: { '@list': ['b', 'a'] } },
    ],
    [
      '{ type: decimal, enum: [12.50, 3] }',
      {
        maxCount: one,
        datatype: datatype('decimal'),
        in: { '@list': [typed('12.50', 'decimal'), typed('3', 'decimal')] },
      },
    ],
    [
      '{ type: integer, enum: [1, 2] }',
      { maxCount: one, datatype: datatype('integer'), in: { '@list': [one, typed('2', 'integer')] } },
    ],
    [
      '{ type: double, enum: [1.5] }',
      { maxCount: one, datatype: datatype('double'), in: { '@list': [typed('1.5E0', 'double')] } },
    ],
    [
      '{ type: decimal, default: 1.50 }',
      { maxCount: one, datatype: datatype('decimal'), defaultValue: typed('1.50', 'decimal') },
    ],
    [
      '{ type: boolean, default: true }',
      { maxCount: one, datatype: datatype('boolean'), defaultValue: typed('true', 'boolean') },
    ],
    ['{ type: dateTime, default: now }', { maxCount: one, datatype: datatype('dateTime') }],
    ['{ type: string, many: true, default: [a] }', { datatype: datatype('string') }],
    ['Thing', { maxCount: one, ...link(`${VOCAB}Thing`, 'things') }],
    ['{ type: Other, many: true }', link('http://schema.org/Other', 'others')],
  ]
  for (const [declared, constraints] of rows) {
    it(`say in RDF what is checked of ${declared}`, async () => {
      const text = `classes:
  Thing: { properties: { p: ${declared} } }
  Other: { iri: "http://schema.org/Other" }
`
      assert.deepEqual(
        await shapeQuads(text),
        await quadsOf([
          shape('Thing', `${VOCAB}Thing`, property(`${VOCAB}Thing/p`, constraints)),
          shape('Other', 'http://schema.org/Other'),
        ]),
      )
    })
  }

  it('say in RDF that a property is unique', async () => {
    const constraints = { maxCount: one, datatype: datatype('string') }
    const unique = { 'http://datashapes.org/dash#uniqueValueForClass': iri(`${VOCAB}Thing`) }
    assert.deepEqual(
      await shapeQuads('classes: { Thing: { properties: { p: { type: string, unique: true } } } }'),
      await quadsOf([
        shape('Thing', `${VOCAB}Thing`, { ...property(`${VOCAB}Thing/p`, constraints), ...unique }),
      ]),
    )
  })

  it('lead to the shape of an embedded value', async () => {
    const text = `classes:
  Thing: { properties: { p: { type: Value, required: true } } }
  Value: { collection: false, properties: { s: string } }
`
    assert.deepEqual(
      await shapeQuads(text),
      await quadsOf([
        shape(
          'Thing',
          `${VOCAB}Thing`,
          property(`${VOCAB}Thing/p`, {
            minCount: one,
            maxCount: one,
            nodeKind: iri(`${SH}BlankNode`),
            class: iri(`${VOCAB}Value`),
            node: iri(`${VOCAB}shape/Value`),
          }),
        ),
        shape(
          'Value',
          `${VOCAB}Value`,
          property(`${VOCAB}Value/s`, { maxCount: one, datatype: datatype('string') }),
        ),
      ]),
    )
  })

  it('add nothing to what the documentation says of itself', async () => {
    const documentation = createDocumentation(
      modelOf('classes: { A: { properties: { p: string } } }'),
      BASE,
      {
        session: false,
        problemTypes: [],
      },
    ) as Record<string, unknown>
    const { shapes, ...without } = documentation
    assert.ok(Array.isArray(shapes))
    const own = (lines: string[]) => lines.filter((line) => line.startsWith(`<${BASE}/vocab> `)).sort()
    assert.deepEqual(own(await quadsOf(documentation)), own(await quadsOf(without)))
  })
})
