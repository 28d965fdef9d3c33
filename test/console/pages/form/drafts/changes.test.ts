import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changesOf } from '../../../../../console/pages/form/drafts/changes.ts'
import { type Draft, draftsOf, type PropertyDraft } from '../../../../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { THING, THINGS } from '../../../descriptions.ts'

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
  return changesOf(drafts, data, values, THINGS)
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

test('an unchanged form sends no changes, for every datatype', () => {
  fc.assert(
    fc.property(served, (data) => {
      assert.deepEqual(edited(data, {}), {})
    }),
    { numRuns: 300 },
  )
})

test('an unchanged form sends no changes, also if values do not match the documentation', () => {
  const names = THING.properties.map(({ name }) => name)
  const anything = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(anything, (data) => {
      assert.deepEqual(edited(data, {}), {})
    }),
    { numRuns: 300, examples: [[{ motto: { '': '' } }], [{ motto: { ' ': 'a', '': 'b' } }]] },
  )
})

test('typed values are sent in the form that the API accepts, and nothing else is sent', () => {
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

const listOf = (draft: Draft): Extract<Draft, { kind: 'list' }> => {
  assert.equal(draft.kind, 'list')
  return draft as Extract<Draft, { kind: 'list' }>
}

test('lists are sent whole without empty items, and an empty list is no value', () => {
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

test('only the changed parts of an embedded value are sent, as a merge patch', () => {
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

test('texts by language are sent as a merge patch, and each needs a language', () => {
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
    { id: 'field-10-1', sentence: 'Motto has two texts for "en".', checked: true },
  ])
  for (const tag of ['enen', 'english', 'e', 'de_CH', 'x']) {
    assert.match(said([tag, 'Hi'])[0]?.sentence ?? '', /is not a language tag such as en or de-CH\.$/, tag)
  }
  for (const tag of ['en', 'de-CH', 'gsw', 'zh-Hant-TW', 'x-mine', 'i-klingon'])
    assert.deepEqual(said([tag, 'Hi']), [])
})
