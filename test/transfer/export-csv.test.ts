import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import type { Class } from '../../src/vocabulary/index.ts'
import { modelOf } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { SHARED_STORES } from '../support/stores.ts'
import { type Bulk, openBulk, tallyOf } from './transfer.ts'

const LITERALS = {
  string: fc
    .string({
      unit: fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        "'",
        '"',
        ',',
        ' ',
        ';',
        'a',
        '€',
        '\ufeff',
        '😀',
      ),
    })
    .map((text) => text),
  boolean: fc.boolean(),
  integer: fc.maxSafeInteger(),
  decimal: fc.stringMatching(/^[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})$/),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  float: fc.float({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
  date: fc.constantFrom('1937-09-21', '0001-01-01'),
  dateTime: fc.constantFrom('1937-09-21T10:00:00.50+02:00', '2000-01-01T00:00:00Z'),
  time: fc.constantFrom('00:00:00', '12:34:56.789Z'),
  duration: fc.constantFrom('P1D', '-P1Y2M3DT4H5M6S'),
  anyURI: fc.constantFrom('urn:a,b', 'http://example.org/?q=a,b'),
} as const

const NAMES = Object.keys(LITERALS) as (keyof typeof LITERALS)[]
const properties = (suffix: string, more = '') =>
  NAMES.map((name) => `      ${name}${suffix}: { type: ${name}${more} }\n`).join('')

/** Every kind of property, two of which CSV cannot hold: lists of embedded values, here and within an embedded value. */
const API = `
title: Everything
classes:
  Target:
    properties:
      name: { type: string, unique: true }
  Thing:
    properties:
${properties('')}${properties('s', ', many: true')}      texts: langString
      link: Target
      links: { type: Target, many: true }
      place: Place
      parts: { type: Part, many: true }
      constructor: { type: string, title: place.street }
  Place:
    collection: false
    properties:
      street: string
      phones: { type: string, many: true }
      names: langString
      of: Target
      part: Part
      parts: { type: Part, many: true }
  Part:
    collection: false
    properties:
      count: integer
`

const [, THING] = modelOf(API).classes as [Class, Class]
const target = fc.constantFrom('/targets/1', '/targets/2')
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 4 })
const part = fc.record({ count: fc.integer() }, { requiredKeys: [] })
const texts = fc.dictionary(fc.constantFrom('en', 'de', 'zh-Hant-TW', 'x'), LITERALS.string, {
  minKeys: 1,
  noNullPrototype: true,
})
const thing = fc.record(
  {
    ...LITERALS,
    ...Object.fromEntries(NAMES.map((name) => [`${name}s`, some<unknown>(LITERALS[name])])),
    texts,
    link: target,
    links: some(target),
    place: fc.record(
      {
        street: LITERALS.string,
        phones: some(LITERALS.string),
        names: texts,
        of: target,
        part,
        parts: some(part),
      },
      { requiredKeys: [] },
    ),
    parts: some(part),
    constructor: LITERALS.string,
  },
  { requiredKeys: [] },
)

type Values = Readonly<Record<string, unknown>>

/** A member as far as CSV can hold it: without lists of embedded values, and without embedded values that have no value. */
function held(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value)
    .filter(([, one]) => !(Array.isArray(one) && typeof one[0] === 'object'))
    .map(([name, one]) => [name, held(one)] as const)
    .filter(([, one]) => one !== undefined)
  const isEmpty = '@type' in value && value['@type'] !== 'Thing' && kept.length === 1
  return isEmpty ? undefined : Object.fromEntries(kept)
}

async function fill(bulk: Bulk, things: readonly Values[]): Promise<void> {
  const targets = ['1', '2'].map((id) => ({ '@type': 'Target', '@id': `/targets/${id}`, name: id }))
  const { reported } = await bulk.import([...targets, ...things])
  assert.deepEqual(reported, [])
}

for (const { name, newDatabase } of SHARED_STORES) {
  for (const spreadsheet of [false, true]) {
    // contract: What was exported can be imported.
    // contract: A text that begins with `=`
    test(`${name}: members of every kind are exported as CSV and imported again${spreadsheet ? ', through a spreadsheet' : ''}`, async (t) => {
      const seed = Math.trunc(Math.random() * 2 ** 31)
      const things = fc
        .sample(thing, { numRuns: inSoak(1_000, 60), seed })
        .map((values, id) => ({ '@type': 'Thing', '@id': `/things/t-${id}`, ...values }))
      const [from, to] = [await openBulk(t, API, newDatabase(t)), await openBulk(t, API, newDatabase(t))]
      await fill(from, things)
      await fill(to, [])
      const csv = await from.export('csv', { cls: THING, spreadsheet })
      const imported = await to.import(csv, { format: 'csv', file: 'things.csv', csv: { spreadsheet } })
      assert.deepEqual([imported.reported, tallyOf(imported)], [[], [things.length, 0, 0]], `seed ${seed}`)
      const members = Object.entries(await from.members())
      const expected = Object.fromEntries(members.map(([path, values]) => [path, held(values)]))
      assert.deepEqual(await to.members(), expected, `seed ${seed}`)
      // What was imported is exported in the same way, and is not imported twice.
      assert.equal(await to.export('csv', { cls: THING, spreadsheet }), csv)
      const again = await to.import(csv, { format: 'csv', file: 'things.csv', csv: { spreadsheet } })
      assert.deepEqual(tallyOf(again), [0, things.length, 0])
    })
  }
}

const LISTS = `
title: Lists
classes:
  Thing:
    properties:
      tags: { type: string, many: true }
      texts: langString
`

const bulkOfLists = (t: TestContext) => openBulk(t, LISTS)
const LISTED = modelOf(LISTS).classes[0] as Class

test('more members than are read at once share the columns of the one with most values', async (t) => {
  const bulk = await bulkOfLists(t)
  const things = Array.from({ length: 1_500 }, (_, id) => ({
    '@id': `/things/${id}`,
    ...(id === 1_400 && { tags: ['a', 'b', 'c'] }),
    ...(id === 3 && { texts: { en: 'x' } }),
  }))
  await bulk.import(things)
  const lines = (await bulk.export('csv', { cls: LISTED })).split('\r\n')
  assert.equal(lines.length, 1_502)
  assert.equal(lines[0], '@id,tags,tags,tags,texts.en')
  assert.equal(lines[1_401], 'http://localhost:8080/api/things/1400,a,b,c,')
  assert.equal(lines[4], 'http://localhost:8080/api/things/3,,,,x')
})

test('an export ends with an error where a member got more values than there are columns', async (t) => {
  const bulk = await bulkOfLists(t)
  await bulk.import([{ '@id': '/things/1', tags: ['a'] }])
  let isFirst = true
  const { members } = bulk.store
  const list = members.list.bind(members)
  t.mock.method(members, 'list', async (...args: Parameters<typeof list>) => {
    const page = await list(...args)
    // The first call counts the members, and the second one measures them.
    if (args[1].limit > 1 && isFirst) {
      isFirst = false
      await bulk.import([{ '@id': '/things/2', texts: { en: 'x' } }])
    }
    return page
  })
  await assert.rejects(bulk.export('csv', { cls: LISTED }), { code: 'ColumnsChanged' })
})

test('a class without members is exported as its header, which can be imported', async (t) => {
  const bulk = await bulkOfLists(t)
  const csv = await bulk.export('csv', { cls: LISTED })
  assert.equal(csv, '@id,tags,texts\r\n')
  assert.deepEqual(tallyOf(await bulk.import(csv, { format: 'csv', file: 'things.csv' })), [0, 0, 0])
})

test('as NDJSON and JSON-LD, the members of one class can be exported alone', async (t) => {
  const bulk = await openBulk(t, API)
  await fill(bulk, [{ '@type': 'Thing', '@id': '/things/1' }])
  const line = '{"@id":"http://localhost:8080/api/things/1","@type":"Thing"}'
  assert.equal(await bulk.export('ndjson', { cls: THING }), `${line}\n`)
  assert.deepEqual(JSON.parse(await bulk.export('jsonld', { cls: THING }))['@graph'], [JSON.parse(line)])
})
