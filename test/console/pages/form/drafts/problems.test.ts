import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, type PropertyViolation } from 'hydrant-client'
import { draftsOf } from '../../../../../console/pages/form/drafts/draft.ts'
import { inOrder, placeViolations, problemsOf } from '../../../../../console/pages/form/drafts/problems.ts'
import { cls, documentation, LANG_STRING, property, THING, THINGS } from '../../../descriptions.ts'

const data = {
  tags: ['', 'b', 'c'],
  motto: { en: 'Hi', de: 'Ho' },
  address: { street: 'A', lines: ['x', 'y'] },
  others: [{ street: 'A' }, { street: 'B' }],
}
const drafts = draftsOf(THING, data, THINGS)
const refused = (propertyPath: string, message = 'is wrong.', code = 'ValidationFailed') => ({
  code,
  violations: [{ propertyPath, message }],
})
const at = (name: string): string => `field-${drafts.findIndex((one) => one.property.name === name)}`

test('violations are placed beside their fields, at any depth', () => {
  const table: [path: string, id: string | undefined, sentence: string][] = [
    ['text', at('text'), 'Text is wrong.'],
    ['tags', at('tags'), 'Tags is wrong.'],
    ['tags/1', `${at('tags')}-1`, 'Tag 2 is wrong.'],
    ['tags[1]', `${at('tags')}-1`, 'Tag 2 is wrong.'],
    ['tags/99', at('tags'), 'Tags is wrong.'],
    ['motto/de', `${at('motto')}-1`, 'Motto is wrong.'],
    ['motto/DE', `${at('motto')}-1`, 'Motto is wrong.'],
    ['motto', at('motto'), 'Motto is wrong.'],
    ['address/street', `${at('address')}-0`, 'Address: Street is wrong.'],
    ['address.street', `${at('address')}-0`, 'Address: Street is wrong.'],
    ['/address/lines/1', `${at('address')}-1-1`, 'Address: Line 2 is wrong.'],
    ['others/1/street', `${at('others')}-1-0`, 'Other 2: Street is wrong.'],
    ['others[1].street', `${at('others')}-1-0`, 'Other 2: Street is wrong.'],
    ['others/1/checked', `${at('others')}-1`, 'Other 2 is wrong.'],
    ['text/deeper', at('text'), 'Text is wrong.'],
    ['unknown', undefined, 'unknown: is wrong.'],
    ['@id', undefined, '@id: is wrong.'],
    ['', undefined, 'is wrong.'],
    ['tex', undefined, 'tex: is wrong.'],
  ]
  for (const [propertyPath, id, sentence] of table) {
    assert.deepEqual(placeViolations(refused(propertyPath), drafts), [{ id, sentence }], propertyPath)
  }
})

test('the index of a violation counts the items that were sent, not the empty ones', () => {
  const table: [texts: string[], id: string, sentence: string][] = [
    [['', 'b', '', 'c'], `${at('tags')}-3`, 'Tag 4 is wrong.'],
    [['a', ''], at('tags'), 'Tags is wrong.'],
  ]
  for (const [texts, id, sentence] of table) {
    const items = texts.map((text, key) => ({ key, draft: { kind: 'text' as const, text } }))
    const typed = drafts.map((one) =>
      one.property.name === 'tags' ? { ...one, draft: { kind: 'list' as const, items } } : one,
    )
    assert.deepEqual(placeViolations(refused('tags/1'), typed), [{ id, sentence }])
  }
})

test('a violation is placed at the text of its language, whose tag is compared without regard to case', () => {
  const of = cls('Odd', property('title', LANG_STRING), property('Title', LANG_STRING))
  const odd = draftsOf(of, { title: { en: 'a' }, Title: { en: 'b' } }, documentation([of])).map((one) =>
    one.draft.kind === 'languages'
      ? { ...one, draft: { ...one.draft, rows: [...one.draft.rows, { key: 7, tag: 'en', text: '' }] } }
      : one,
  )
  for (const [propertyPath, id] of [
    ['title/en', 'field-0-0'],
    ['title/EN', 'field-0-0'],
    ['Title/EN', 'field-1-0'],
    ['TITLE/en', undefined],
  ] as const) {
    const [placed] = placeViolations(refused(propertyPath), odd)
    assert.equal(placed?.id, id, propertyPath)
  }
})

test('a property name with a dot is distinguished from an inner property with the same path', () => {
  const home = cls('Home', property('street', 'string'))
  const of = cls('Odd', property('home', 'Home'), property('home.street', 'string'))
  const odd = draftsOf(of, { home: { street: 'a' } }, documentation([of, home]))
  for (const [propertyPath, id] of [
    ['home.street', 'field-1'],
    ['home/street', 'field-0-0'],
  ] as const) {
    const [placed] = placeViolations(refused(propertyPath), odd)
    assert.equal(placed?.id, id, propertyPath)
  }
})

test('a message of another server follows the name of the field, and the longer name wins', () => {
  const of = cls('Odd', property('a', 'string'), property('a.b', 'string'))
  const odd = draftsOf(of, {}, documentation([of]))
  assert.deepEqual(placeViolations(refused('a.b', 'This value is wrong.', 'invalid'), odd), [
    { id: 'field-1', sentence: 'A b: This value is wrong.' },
  ])
})

test('violations are listed in the order of the form, those without a field last', () => {
  const sorted = ['field-10', undefined, 'field-2-1-0', 'field-2', 'field-2-1'].map((id) => ({
    id,
    sentence: '',
  }))
  assert.deepEqual(
    inOrder(sorted).map(({ id }) => id),
    ['field-2', 'field-2-1', 'field-2-1-0', 'field-10', undefined],
  )
})

test('an error without violations, or with one that has no property, is shown above the form', () => {
  const told = (...violations: readonly PropertyViolation[]) => {
    const details = { status: 422, violations }
    const { list } = problemsOf(new ApiError('invalid', 'It is not allowed.', details), drafts)
    return list.map(({ id, sentence }) => [id, sentence])
  }
  assert.deepEqual(told(), [[undefined, 'It is not allowed.']])
  assert.deepEqual(told({ propertyPath: '', message: 'No.' }), [[undefined, 'No.']])
  assert.deepEqual(told({ propertyPath: 'text', message: 'No.' }), [[at('text'), 'Text: No.']])
})
