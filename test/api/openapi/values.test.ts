import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { createOpenApi } from '../../../src/api/index.ts'
import { readJson } from '../../../src/json.ts'
import { DATATYPE_NAMES, type DatatypeName, datatypeOf } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import { serveWriter } from '../writing.ts'

const API = `classes: { Thing: { properties: { ${DATATYPE_NAMES.map((name) => `${name}: ${name}`)} } } }`
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
for (const name of ['decimal', 'int64']) ajv.addFormat(name, true)
const options = { mode: 'open', pageSizes: { standard: 20, maximum: 100 } } as const
ajv.addSchema(createOpenApi(modelOf(API), 'https://host.example/api', options), 'all')

const isIn = (form: string, name: DatatypeName, value: unknown): boolean =>
  ajv.validate(`all#/components/schemas/Thing${form}/properties/${name}`, value)

const isRead = (name: DatatypeName, value: unknown): boolean =>
  'value' in datatypeOf(name).read(readJson(JSON.stringify(value)))

/** Every value that is valid; and those that JSON Schema's own formats would let pass, or refuse, by mistake. */
const VALUES: Readonly<Partial<Record<DatatypeName, { valid: unknown[]; invalid: unknown[] }>>> = {
  date: { valid: ['2024-02-29', '0001-01-01'], invalid: ['2023-02-29', '2024-2-9', '2024-02-29Z'] },
  dateTime: {
    valid: ['2024-02-29T12:30:00Z', '2024-02-29T12:30:00.123456789+14:00', '0001-01-01T00:00:00-13:59'],
    invalid: ['2024-02-29T12:30:00', '2024-02-29t12:30:00z', '2016-12-31T23:59:60Z', '2024-02-29 12:30:00Z'],
  },
  time: {
    valid: ['12:30:00', '12:30:00.5', '12:30:00Z', '00:00:00-13:59', '23:59:59.999+14:00'],
    invalid: ['12:30', '24:00:00', '12:30:60', '12:30:00+15:00', '12:30:00z'],
  },
  duration: {
    valid: ['P1Y2M10D', '-P1D', 'PT1.5S', 'P1DT0.001S', 'PT36H', '-PT0S', 'P1Y1D', 'PT1H1S'],
    invalid: ['P', 'PT', 'P1DT', 'P1W', 'PT.5S', '+P1D', 'P1S', 'PT1M1H', 'P1234567890D'],
  },
  anyURI: {
    valid: ['https://example.org/größe', 'urn:isbn:1', 'mailto:a@b', 'x:\u{1f4da}', 'http://[', 'a:%'],
    invalid: [
      '/relative',
      'no scheme',
      'http://a b',
      'http://a\u00a0b',
      'http://a\u2003b',
      'x:<y>',
      'x:',
      '1a:b',
    ],
  },
  decimal: { valid: ['12.50', '-0', '.5', '5.', '+7', 12.5, 1e3], invalid: ['1e3', '', 'x', '1,5'] },
  integer: { valid: [9_007_199_254_740_991, -1, 0], invalid: [1.5, '1', 9_007_199_254_740_992] },
  nonNegativeInteger: { valid: [0], invalid: [-1] },
  positiveInteger: { valid: [1], invalid: [0] },
  float: { valid: [3.4e38, -0.5], invalid: [3.5e38, '1'] },
  langString: {
    valid: [{ en: 'x' }, { 'zh-Hant-TW': 'x', de: 'y' }, { en: 'x', de: null }],
    invalid: [{}, { '': 'x' }, { en_GB: 'x' }, { en: 3 }, 'x'],
  },
}

test('every value that is accepted is in the schema, and what is not accepted is not', () => {
  for (const [name, { valid, invalid }] of Object.entries(VALUES) as [
    DatatypeName,
    { valid: []; invalid: [] },
  ][]) {
    for (const value of valid)
      assert.deepEqual([isRead(name, value), isIn('_input', name, value)], [true, true], `${name} ${value}`)
    for (const value of invalid)
      assert.deepEqual([isRead(name, value), isIn('_input', name, value)], [false, false], `${name} ${value}`)
  }
})

test('the schemas of durations, times and IRIs are what is read, on any text', () => {
  const texts = (alphabet: string) =>
    fc.array(fc.constantFrom(...alphabet), { maxLength: 14 }).map((letters) => letters.join(''))
  const iri = texts('a1:/?#[]%<>"{}|\\^` \u0000\u007f\u0085\u00a0\u1680\u2028\u3000\ufeffö書').map(
    (text) => `a:${text}`,
  )
  const samples: readonly [DatatypeName, fc.Arbitrary<string>][] = [
    ['duration', texts('PPTT-1234.YMDHMS')],
    [
      'time',
      fc
        .tuple(fc.constantFrom('12:30:00', '23:59:59', '24:00:00'), texts('.01+-:Z'))
        .map((two) => two.join('')),
    ],
    ['anyURI', iri],
    ['decimal', texts('+-.0123e')],
  ]
  for (const [name, text] of samples)
    fc.assert(fc.property(text, (value) => isRead(name, value) === isIn('_input', name, value)))
})

test('filters take a part of a text, a day for an instant, and are so described', async (t) => {
  const { get } = await serveWriter(t, { api: API })
  const { paths } = (await get('/openapi')).json() as {
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>
  }
  const schemas = new Map(paths['/things']?.get.parameters.map(({ name, schema }) => [name, schema]))
  const queries: readonly [name: string, value: string, isValid: boolean][] = [
    ['anyURI.startsWith', 'http', true],
    ['anyURI.contains', 'example', true],
    ['anyURI.ne', 'example', false],
    ['dateTime.gte', '2024-02-29', true],
    ['dateTime.gte', '2024-02-29T12:00:00Z', true],
    ['dateTime.gte', '2024', false],
    ['sort', 'string,-date', true],
    ['sort', 'string,-dates', false],
    ['sort', 'langString', false],
  ]
  for (const [name, value, isValid] of queries) {
    const { status } = await get(`/things?${name}=${encodeURIComponent(value)}`)
    const schema = schemas.get(name)
    assert.ok(schema, name)
    assert.deepEqual([status, ajv.validate(schema, value)], [isValid ? 200 : 400, isValid], name)
  }
})

test('what has several spellings has no enum, and a bound of the property does not widen its type', async (t) => {
  const api = `
classes:
  Thing:
    properties:
      step: { type: decimal, enum: [0.50, 1] }
      slot: { type: dateTime, enum: ["2026-01-31T12:00:00Z"] }
      natural: { type: nonNegativeInteger, minimum: -5, maximum: 7 }`
  const { add, post } = await serveWriter(t, { api })
  const sent = { step: '0.5', slot: '2026-01-31T13:00:00.0+01:00', natural: 0 }
  const { step, slot } = await add('/things', sent)
  assert.deepEqual([step, slot], [sent.step, sent.slot])
  assert.equal((await post('/things', { natural: -1 })).status, 422)
  const { components } = createOpenApi(modelOf(api), 'https://host.example/api', options) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> }
  }
  const { properties = {} } = components.schemas.Thing_input ?? {}
  assert.partialDeepStrictEqual(properties.natural, { minimum: 0, maximum: 7 })
  for (const name of ['step', 'slot', 'natural'] as const)
    assert.ok(ajv.validate(properties[name] ?? {}, sent[name]), name)
})
