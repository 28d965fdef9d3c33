import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changesOf } from '../../console/form/changes.ts'
import { type Draft, draftsOf, type PropertyDraft } from '../../console/form/draft.ts'
import { readForm } from '../../console/form/reading.ts'
import type { ClassDescription, Documentation, PropertyDescription } from '../../src/client/index.ts'
import {
  cls,
  type Described,
  documentation,
  LANG_STRING,
  property,
  THING,
  THINGS,
} from './form-descriptions.ts'

const COUNTRY = 'http://api.example/countries/ch'

type Data = Readonly<Record<string, unknown>>

/** What a form for these values sends when `edit` has been at it; a violation fails the test. */
function edited(data: Data, edit: Readonly<Record<string, (draft: Draft) => Draft>>): Data {
  const drafts = draftsOf(THING, data, THINGS).map(({ property: described, draft }) => ({
    property: described,
    draft: edit[described.name]?.(draft) ?? draft,
  }))
  const { values, violations } = readForm(drafts, data)
  assert.deepEqual(violations, [])
  return changesOf(drafts, data, values)
}

const typed =
  (text: string) =>
  (draft: Draft): Draft => {
    assert.ok('text' in draft, `${draft.kind} is not typed as one text`)
    return { ...draft, text }
  }

const number = fc.double({ noDefaultInfinity: true, noNaN: true })
const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null)
const texts = fc.dictionary(fc.constantFrom('en', 'de', 'en-GB'), fc.string())
const address = fc.record(
  {
    '@type': fc.constant('Address'),
    street: fc.string(),
    lines: fc.array(fc.string(), { minLength: 1 }),
    greeting: texts.filter((one) => Object.keys(one).length > 0),
    country: fc.webUrl(),
    checked: fc.constant('2020-02-02'),
    undocumented: json,
  },
  { requiredKeys: [] },
)

/** As an API serves them: of the right type, also with odd spellings. */
const served = fc.record(
  {
    text: fc.string({ unit: 'binary' }),
    yes: fc.boolean(),
    whole: fc.maxSafeInteger(),
    price: fc.oneof(fc.constantFrom('12.50', '-.5', '+007', '1.', '9'.repeat(40)), number),
    ratio: number,
    day: fc.constantFrom('2024-02-29', '2024-02-29Z', '-0044-03-15', 'yesterday'),
    moment: fc.constantFrom('2024-02-29T12:30:00Z', '2024-02-29T12:30:00.000+02:00', 'noon'),
    clock: fc.constantFrom('12:30:00', '12:30:00.5Z', '12:30'),
    length: fc.constantFrom('P1Y', 'PT0.5S', 'long'),
    page: fc.oneof(fc.webUrl(), fc.string()),
    motto: texts,
    tags: fc.array(fc.string()),
    sizes: fc.array(fc.integer()),
    kind: fc.constantFrom('a', 'b', 'neither'),
    country: fc.oneof(fc.webUrl(), fc.constant('/countries/ch'), fc.constant({ '@id': COUNTRY, name: 'CH' })),
    countries: fc.array(fc.webUrl()),
    address,
    others: fc.array(address),
    anything: json,
    foreign: json,
    constructor: fc.string(),
  },
  { requiredKeys: [] },
)

test('what is read and sent back unchanged gives no changes, for every datatype', () => {
  fc.assert(
    fc.property(served, (data) => {
      assert.deepEqual(edited(data, {}), {})
    }),
    { numRuns: 300 },
  )
})

test('the same holds for values that are nothing like what was documented', () => {
  const names = THING.properties.map(({ name }) => name)
  const anything = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(anything, (data) => {
      assert.deepEqual(edited(data, {}), {})
    }),
    { numRuns: 300 },
  )
})

test('what was typed is sent as the API takes it, and nothing else is', () => {
  const table: [name: string, before: unknown, text: string, sent: unknown][] = [
    ['text', undefined, 'a', 'a'],
    ['text', 'a', '', null],
    ['text', 'a', ' a ', ' a '],
    ['yes', undefined, 'false', false],
    ['yes', true, '', null],
    ['whole', undefined, '12', 12],
    ['whole', 1, ' -9007199254740991 ', -9007199254740991],
    ['whole', undefined, '1e3', 1000],
    ['whole', '1', '9007199254740993', '9007199254740993'],
    ['price', undefined, '12.50', '12.50'],
    ['price', '1', '0.1234567890123456789', '0.1234567890123456789'],
    ['price', 1.5, '12.50', 12.5],
    ['price', 1.5, '0.1234567890123456789', '0.1234567890123456789'],
    ['price', undefined, '1e2', 100],
    ['ratio', undefined, '12.5', 12.5],
    ['ratio', 1, '1E-7', 1e-7],
    ['day', undefined, '2024-02-29', '2024-02-29'],
    ['moment', undefined, '2024-02-29T12:30:00Z', '2024-02-29T12:30:00Z'],
    ['kind', 'a', 'b', 'b'],
    ['country', COUNTRY, '', null],
    ['country', { '@id': '/countries/fr' }, COUNTRY, COUNTRY],
    ['anything', undefined, 'plain text', 'plain text'],
    ['anything', undefined, '12', 12],
    ['anything', undefined, '"12"', '12'],
    ['anything', undefined, '{"a": [1]}', { a: [1] }],
    ['foreign', true, 'false', false],
    ['constructor', undefined, 'x', 'x'],
  ]
  for (const [name, before, text, sent] of table) {
    const data = before === undefined ? {} : { [name]: before }
    assert.deepEqual(edited(data, { [name]: typed(text) }), { [name]: sent }, `${name} ${text}`)
  }
})

test('text of an unknown kind is shown so that it stays text', () => {
  const shown = (value: unknown) => {
    const drafts = draftsOf(THING, { anything: value }, THINGS)
    const draft = drafts.find((one) => one.property.name === 'anything')?.draft
    return draft && 'text' in draft ? draft.text : undefined
  }
  assert.equal(shown('hello'), 'hello')
  assert.equal(shown('12'), '"12"')
  assert.equal(shown(12), '12')
  assert.equal(shown('true'), '"true"')
})

/** The sentences about a class of one property, for what was typed into it. */
function wrong(
  described: PropertyDescription,
  text: string,
  whole: Documentation = THINGS,
): readonly string[] {
  const of: ClassDescription = cls('One', described)
  const drafts = draftsOf(of, undefined, whole).map((one) => ({ ...one, draft: filled(one.draft, text) }))
  return readForm(drafts).violations.map(({ sentence }) => sentence)
}

function filled(draft: Draft, text: string): Draft {
  if ('text' in draft) return { ...draft, text }
  if (draft.kind !== 'list') return draft
  return { ...draft, items: [{ key: 4, draft: { kind: 'text', text } }] }
}

test('what is certainly wrong is said in a sentence that names the field', () => {
  const table: [range: string, more: Described, text: string, said: RegExp][] = [
    ['string', { required: true }, '', /^Field one is required\.$/],
    [LANG_STRING, { required: true, many: true }, '', /^Field one is required\.$/],
    [
      'string',
      { constraints: { maxLength: 2 } },
      'abc',
      /^Field one must have at most 2 characters; it has 3\.$/,
    ],
    ['string', { constraints: { minLength: 1, maxLength: 1 } }, '😀😀', /at most 1 character; it has 2/],
    ['string', { constraints: { pattern: '^\\p{Lu}' } }, 'a', /must match the pattern/],
    ['string', { constraints: { pattern: '[\\p{Lu}--[A]]' } }, 'A', /must match the pattern/],
    ['integer', {}, 'twelve', /must be a whole number/],
    ['integer', {}, '1.5', /must be a whole number/],
    ['integer', {}, '9007199254740993', /must be between -9007199254740991 and 9007199254740991/],
    ['integer', { constraints: { minimum: 1 } }, '0', /must be at least 1\./],
    ['positiveInteger', {}, '0', /must be at least 1\./],
    ['decimal', {}, '12,50', /such as 12\.50, with a point/],
    ['decimal', { constraints: { maximum: 5 } }, '5.01', /must be at most 5\./],
    ['double', {}, '0.1234567890123456789', /more digits than can be kept/],
    ['double', {}, 'INF', /must be a number/],
    ['double', {}, '1e400', /is too large/],
    ['decimal', {}, '-1e400', /is too large/],
    ['date', {}, '2023-02-29', /must be a date such as/],
    ['date', {}, '29.2.2024', /must be a date such as/],
    ['dateTime', {}, '2024-02-29', /must be a date and time/],
    ['time', {}, '12:30', /must be a time with seconds/],
    ['duration', {}, '1 day', /must be a duration/],
    ['duration', {}, 'P1DT', /must be a duration/],
    ['Country', { isLink: true }, 'Switz', /must be chosen from the list: "Switz"/],
  ]
  for (const [range, more, text, said] of table) {
    const [sentence, ...others] = wrong(property('fieldOne', range, more), text)
    assert.match(sentence ?? 'nothing is wrong', said, `${range} ${text}`)
    assert.deepEqual(others, [])
  }
  assert.match(wrong(property('anything', undefined), '12345678901234567890')[0] ?? '', /more digits/)
  assert.match(wrong(property('anything', undefined), '1e400')[0] ?? '', /too large/)
})

test('what the server might accept is left to the server', () => {
  const table: [range: string, more: Described, text: string][] = [
    ['string', { constraints: { pattern: '[' } }, 'a'],
    ['string', { constraints: { pattern: '\\i\\c*' } }, 'a'],
    ['string', { constraints: { pattern: '^a+$' } }, 'b'.repeat(2000)],
    ['string', { constraints: { maxLength: 1 } }, '😀'],
    ['decimal', { constraints: { minimum: 0.1 } }, '0.1'],
    ['decimal', {}, '12345678901234567890.5'],
    ['date', {}, '2024-02-29+02:00'],
    ['dateTime', {}, '2024-02-29T12:30:00'],
    ['anyURI', {}, 'relative/address'],
    // A default that the documentation cannot tell may fill these in.
    ['date', { required: true }, ''],
    ['dateTime', { required: true }, ''],
    ['string', { required: true, many: true }, ''],
  ]
  for (const [range, more, text] of table) {
    assert.deepEqual(wrong(property('fieldOne', range, more), text), [], `${range} ${text}`)
  }
})

test('a bound that is written as text counts like a number', () => {
  const half = '0.5' as unknown as number
  assert.deepEqual(wrong(property('x', 'decimal', { constraints: { minimum: half } }), '0.4'), [
    'X must be at least 0.5.',
  ])
  assert.deepEqual(wrong(property('x', 'decimal', { constraints: { minimum: half } }), '0.50'), [])
})

const listOf = (draft: Draft): Extract<Draft, { kind: 'list' }> => {
  assert.equal(draft.kind, 'list')
  return draft as Extract<Draft, { kind: 'list' }>
}

test('lists are sent whole without their empty places, and an empty list is no value', () => {
  const add =
    (...added: string[]) =>
    (draft: Draft) => {
      const list = listOf(draft)
      const items = added.map((text, index) => ({ key: 10 + index, draft: { kind: 'text' as const, text } }))
      return { ...list, items: [...list.items, ...items] }
    }
  const empty = (draft: Draft) => ({ ...listOf(draft), items: [] })
  assert.deepEqual(edited({ tags: ['a'] }, { tags: add('', 'b', '') }), { tags: ['a', 'b'] })
  assert.deepEqual(edited({ tags: ['a'] }, { tags: add('') }), {})
  assert.deepEqual(edited({}, { tags: add('') }), {})
  assert.deepEqual(edited({ tags: ['a'] }, { tags: empty }), { tags: null })
  assert.deepEqual(edited({ tags: 'a' }, { tags: add('b') }), { tags: ['a', 'b'] })
  assert.deepEqual(edited({ text: ['a', 'b'] }, { text: empty }), { text: null })
})

const within =
  (name: string, edit: (draft: Draft) => Draft) =>
  (draft: Draft): Draft => {
    assert.equal(draft.kind, 'embedded')
    const value = draft as Extract<Draft, { kind: 'embedded' }>
    const properties = value.properties.map((one) =>
      one.property.name === name ? { ...one, draft: edit(one.draft) } : one,
    )
    return { ...value, properties }
  }

test('of an embedded value only what was changed is sent, as a merge patch', () => {
  const home = { '@type': 'Address', street: 'A', checked: '2020-02-02', more: 1, country: COUNTRY }
  assert.deepEqual(edited({ address: home }, { address: within('street', typed('B')) }), {
    address: { street: 'B' },
  })
  assert.deepEqual(edited({ address: home }, { address: within('country', typed('')) }), {
    address: { country: null },
  })
  const remove = (draft: Draft): Draft => ({ ...draft, present: false }) as Draft
  assert.deepEqual(edited({ address: home }, { address: remove }), { address: null })
  const second = (draft: Draft): Draft => {
    const list = listOf(draft)
    const items = list.items.map((item, index) =>
      index === 1 ? { ...item, draft: within('street', typed('C'))(item.draft) } : item,
    )
    return { ...list, items }
  }
  assert.deepEqual(edited({ others: [home, { street: 'B' }] }, { others: second }), {
    others: [home, { street: 'C' }],
  })
})

test('texts by language are sent as a merge patch, and need a language each', () => {
  const rows =
    (...given: [tag: string, text: string][]) =>
    (draft: Draft): Draft => ({
      ...(draft as Extract<Draft, { kind: 'languages' }>),
      rows: given.map(([tag, text], key) => ({ key, tag, text })),
    })
  const before = { motto: { en: 'Hi', de: 'Ho' } }
  assert.deepEqual(edited(before, { motto: rows(['en', 'Hello'], ['de', 'Ho']) }), { motto: { en: 'Hello' } })
  assert.deepEqual(edited(before, { motto: rows(['en', 'Hi']) }), { motto: { de: null } })
  assert.deepEqual(edited(before, { motto: rows() }), { motto: null })
  assert.deepEqual(edited({}, { motto: rows([' fr ', 'Salut'], ['it', '']) }), { motto: { fr: 'Salut' } })
  const said = (...given: [string, string][]) => {
    const drafts: readonly PropertyDraft[] = draftsOf(THING, {}, THINGS).map((one) =>
      one.property.name === 'motto' ? { ...one, draft: rows(...given)(one.draft) } : one,
    )
    return readForm(drafts).violations
  }
  assert.match(said(['', 'Hi'])[0]?.sentence ?? '', /^Motto needs a language for each text/)
  assert.deepEqual(said(['en', 'Hi'], ['en', 'Ho']), [
    { place: 'field-10-1', sentence: 'Motto has two texts for "en".', checked: true },
  ])
  for (const tag of ['enen', 'english', 'e', 'de_CH', 'x']) {
    assert.match(
      said([tag, 'Hi'])[0]?.sentence ?? '',
      /is not a language tag; for example en or de-CH\.$/,
      tag,
    )
  }
  for (const tag of ['en', 'de-CH', 'gsw', 'zh-Hant-TW', 'x-mine', 'i-klingon'])
    assert.deepEqual(said([tag, 'Hi']), [])
})

test('a new form has the defaults that the API tells, and sends them', () => {
  const of = cls(
    'New',
    property('yes', 'boolean', { constraints: { default: true } }),
    property('price', 'decimal', { constraints: { default: { '@value': '1.50', '@type': 'xsd:decimal' } } }),
    property('kind', 'string', { constraints: { default: 'a', values: ['a', 'b'] } }),
    property('rest', 'string'),
  )
  const drafts = draftsOf(of, undefined, documentation([of]))
  assert.deepEqual(readForm(drafts).values, { yes: true, price: '1.50', kind: 'a' })
})

test('what a member lacks already it may go on lacking; what it has, and what is new, may not', () => {
  const of = cls('Strict', property('name', 'string', { required: true }))
  const said = (data: Data | undefined, edit: (draft: Draft) => Draft) => {
    const drafts = draftsOf(of, data, THINGS).map((one) => ({ ...one, draft: edit(one.draft) }))
    return readForm(drafts, data).violations.length
  }
  assert.equal(said({}, typed('')), 0)
  assert.equal(said({ name: 'a' }, typed('')), 1)
  assert.equal(said(undefined, typed('')), 1)
})

test('a class that requires a value of its own class still has a form', () => {
  const of = cls('Self', property('name', 'string'), property('self', 'Self', { required: true }))
  const drafts = draftsOf(of, undefined, documentation([of]))
  assert.equal(drafts[1]?.draft.kind, 'embedded')
  assert.ok(readForm(drafts).violations.length > 0)
})
