import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClassDescription, Documentation, PropertyDescription } from 'hydrant-client'
import {
  type Draft,
  draftsOf,
  type EmbeddedDraft,
  newItem,
} from '../../../../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { cls, type Described, documentation, LANG_STRING, property, THINGS } from '../../../descriptions.ts'

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

test('a value that is certainly wrong is reported in a sentence that names the field', () => {
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
    ['integer', {}, 'twelve', /must be a whole number/],
    ['integer', {}, '1.5', /must be a whole number/],
    ['integer', {}, '9007199254740993', /must be between -9007199254740991 and 9007199254740991/],
    ['integer', { constraints: { minimum: 1 } }, '0', /must be at least 1\./],
    ['positiveInteger', {}, '0', /must be at least 1\./],
    ['decimal', {}, '12,50', /such as 12\.50, with a decimal point/],
    ['decimal', { constraints: { maximum: 5 } }, '5.01', /must be at most 5\./],
    ['double', {}, '0.1234567890123456789', /more digits than can be stored/],
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

test('a value that the server might accept is left to the server', () => {
  const table: [range: string, more: Described, text: string][] = [
    ['string', { constraints: { pattern: '^a+$' } }, 'b'],
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

test('a bound that is written as text is compared as a number', () => {
  const half = '0.5' as unknown as number
  assert.deepEqual(wrong(property('x', 'decimal', { constraints: { minimum: half } }), '0.4'), [
    'X must be at least 0.5.',
  ])
  assert.deepEqual(wrong(property('x', 'decimal', { constraints: { minimum: half } }), '0.50'), [])
})

test('a required value may stay missing in a member that lacks it, but may not be removed or left out', () => {
  const of = cls('Strict', property('name', 'string', { required: true }))
  const violationsWithoutName = (data: Readonly<Record<string, unknown>> | undefined) => {
    const drafts = draftsOf(of, data, THINGS).map((one) => ({ ...one, draft: filled(one.draft, '') }))
    return readForm(drafts, data).violations.length
  }
  assert.equal(violationsWithoutName({}), 0)
  assert.equal(violationsWithoutName({ name: 'a' }), 1)
  assert.equal(violationsWithoutName(undefined), 1)
})

test('a pattern is left to the server, since it could freeze the page', () => {
  const of = cls('Odd', property('text', 'string', { constraints: { pattern: '^(a+)+$' } }))
  const typed = draftsOf(of, { text: '' }, THINGS).map((one) => ({
    ...one,
    draft: { ...one.draft, text: `${'a'.repeat(60)}!` } as Draft,
  }))
  assert.deepEqual(readForm(typed).violations, [])
})

test('a new row of a table that nobody has filled in is no value, and a required list is missed in its first row', () => {
  const line = cls(
    'Line',
    property('article', 'string', { required: true }),
    property('quantity', 'integer', { constraints: { default: 1 } }),
  )
  const read = (required: boolean, ...articles: readonly string[]) => {
    const lines = property('lines', 'Line', { many: true, required })
    const whole = documentation([line])
    const items = articles.map((article, key) => {
      const item = newItem(lines, whole) as EmbeddedDraft
      const properties = item.properties.map((one, index) =>
        index === 0 ? { ...one, draft: filled(one.draft, article) } : one,
      )
      return { key, draft: { ...item, properties } }
    })
    const { values, violations } = readForm([{ property: lines, draft: { kind: 'list', items } }])
    return [values.lines, violations.map(({ sentence }) => sentence)]
  }
  assert.deepEqual(read(false, 'Tea', ''), [[{ article: 'Tea', quantity: 1 }], []])
  assert.deepEqual(read(true, '', 'Tea'), [[{ article: 'Tea', quantity: 1 }], []])
  assert.deepEqual(read(false, ''), [undefined, []])
  assert.deepEqual(read(true, '', '')[1], ['Line 1: Article is required.'])
})
