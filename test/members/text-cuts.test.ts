import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { insertBaseUrl, type MemberValues, writeMember } from '../../src/members/index.ts'
import { ALL_FIELDS, createFindCuts, type FieldTree, joinFields } from '../../src/members/text-cuts.ts'
import { modelOf } from '../support/service.ts'
import { classIn } from '../vocabulary/api-files.ts'

const API = `
classes:
  Thing:
    properties:
      text: string
      texts: { type: string, many: true }
      number: decimal
      flag: boolean
      byLanguage: langString
      to: Thing
      all: { type: Thing, many: true }
      part: Part
      parts: { type: Part, many: true }
  Part: { collection: false, properties: { Part: string, size: integer, of: Thing, inner: Inner } }
  Inner: { collection: false, properties: { name: string, names: { type: string, many: true } } }
`
const [thing] = modelOf(API).classes
assert.ok(thing !== undefined)
const BASE = 'http://x/api'

/** Texts that look like the end of a value, or of a member. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '{', '}', '[', ']', 'a', '\n', '/', 'ü', '😀') }),
)
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })
const link = fc.constantFrom('a', 'b').map((id) => `/things/${id}`)
const record = <T>(of: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(of, { requiredKeys: [] })
const inner = record({ name: text, names: some(text) })
const part = record({ Part: text, size: fc.integer(), of: link, inner })
const values = record({
  ...{ text, texts: some(text), number: fc.constantFrom('1.50', '-0'), flag: fc.boolean() },
  byLanguage: fc.dictionary(fc.constantFrom('en', 'de'), text, { minKeys: 1 }),
  ...{ to: link, all: some(link), part, parts: some(part) },
})

const PATHS =
  'text texts number flag byLanguage to all part parts part.Part part.size part.of part.inner part.inner.name parts.size parts.of parts.inner.names @id'.split(
    ' ',
  )
const paths = fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 5 })

const treeOf = (path: string): FieldTree => {
  const [first = '', ...rest] = path.split('.')
  return new Map([[first, rest.length === 0 ? new Map() : treeOf(rest.join('.'))]])
}

function only(value: unknown, fields: FieldTree): unknown {
  if (Array.isArray(value)) return value.map((one) => only(one, fields))
  if (fields.size === 0 || typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const within = name === '@type' ? new Map() : fields.get(name)
    return within === undefined ? [] : [[name, only(one, within)] as const]
  })
  return Object.fromEntries(kept)
}

const read = (body: string): unknown => JSON.parse(`{${body.slice(1)}}`)

test('a text without its cuts is what remains of the values, whatever is in the texts', () => {
  fc.assert(
    fc.property(values, paths, (all, asked) => {
      const stored = writeMember(thing, all as MemberValues, '')
      const fields = joinFields(asked.map(treeOf))
      const cuts = createFindCuts(thing, fields)(stored.body)
      const whole = read(insertBaseUrl(stored, BASE))
      assert.deepEqual(read(insertBaseUrl(stored, BASE, { cuts })), only(whole, fields))
      for (const [index, at] of cuts.entries()) assert.ok(index === 0 || at > (cuts[index - 1] as number))
    }),
    { numRuns: 2_000 },
  )
})

test('an address that is replaced stays replaced beside cuts, and one that is cut is gone', () => {
  const stored = writeMember(
    thing,
    { text: '"', to: '/things/a', all: ['/things/b', '/things/c'], flag: true },
    '',
  )
  const [to, , second] = stored.baseUrlOffsets.split(',').map(Number)
  const nodes = new Map([
    [to as number, '{"@id":"a"}'],
    [second as number, '{"@id":"c"}'],
  ])
  const shown = (path: string) =>
    read(insertBaseUrl(stored, BASE, { nodes, cuts: createFindCuts(thing, treeOf(path))(stored.body) }))
  assert.deepEqual(shown('to'), { to: { '@id': 'a' } })
  assert.deepEqual(shown('all'), { all: [`${BASE}/things/b`, { '@id': 'c' }] })
  assert.deepEqual(shown('flag'), { flag: true })
})

test('fields of several places are joined: everything wins over a part', () => {
  const joined = joinFields(['part.size', 'text', 'part.of', 'parts', 'parts.size'].map(treeOf))
  assert.deepEqual(
    joined,
    new Map([...treeOf('text'), ...treeOf('parts'), ['part', new Map([...treeOf('size'), ...treeOf('of')])]]),
  )
  assert.deepEqual(joinFields([treeOf('text'), new Map()]), new Map())
})

test('a text that was damaged in the database ends the walk', () => {
  const { body } = writeMember(
    thing,
    { text: 'a', texts: ['"', '\\'], part: { Part: 'x', inner: { name: 'y' } } },
    '',
  )
  for (let end = 0; end < body.length; end += 1)
    for (const path of PATHS) createFindCuts(thing, treeOf(path))(body.slice(0, end))
})

test('hidden properties are left out, also of a text in another order or with others in it', () => {
  const cls = classIn(
    modelOf(
      'classes: { Job: { properties: { memo: string, title: string, rate: decimal, at: Place, note: string } }, Place: { collection: false, properties: { rate: decimal } } }',
    ),
    'Job',
  )
  const hidden = new Set(['memo', 'rate'])
  const cut = (body: string, fields: FieldTree = ALL_FIELDS) =>
    insertBaseUrl({ body, baseUrlOffsets: '' }, '', { cuts: createFindCuts(cls, fields, hidden)(body) })
  const place = ',"at":{"@type":"Place","rate":"2"}'
  const note = ',"note":"a \\",\\"rate\\":1"'
  for (const [body, shown] of [
    [`,"memo":"x","title":"t","rate":"1"${place}${note}`, `,"title":"t"${place}${note}`],
    [`,"title":"t"${place}${note}`, `,"title":"t"${place}${note}`],
    [`,"title":"t","memo":"x"${place},"rate":"1"`, `,"title":"t"${place}`],
    [`${note},"rate":"1","title":"t"`, `${note},"title":"t"`],
    [',"later":"?","rate":"1","title":"t"', ',"title":"t"'],
    ['', ''],
  ] as const)
    assert.equal(cut(body), shown, body)
  const asked = new Map([
    ['title', ALL_FIELDS],
    ['rate', ALL_FIELDS],
  ])
  assert.equal(cut(',"memo":"x","title":"t","rate":"1","note":"n"', asked), ',"title":"t"')
  assert.equal(cut(',"memo":"x","rate":"1","note":"n"', new Map([['rate', ALL_FIELDS]])), '')
})
