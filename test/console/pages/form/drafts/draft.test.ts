import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from '../../../../../console/pages/form/drafts/changes.ts'
import {
  type Draft,
  draftsOf,
  newItem,
  type PropertyDraft,
  withLinks,
} from '../../../../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { cls, documentation, property, THING, THINGS } from '../../../descriptions.ts'

test('text of an unknown datatype is shown so that it stays text', () => {
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

test('a new form has the defaults of the documentation, and sends them', () => {
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

test('a class that requires a value of its own class still has a form', () => {
  const of = cls('Self', property('name', 'string'), property('self', 'Self', { required: true }))
  const drafts = draftsOf(of, undefined, documentation([of]))
  assert.equal(drafts[1]?.draft.kind, 'embedded')
  assert.ok(readForm(drafts).violations.length > 0)
})

/** Groups that are there to be filled in, on all levels. */
const groupsIn = (drafts: readonly PropertyDraft[]): number =>
  drafts.reduce((sum, { draft }) => sum + groupsOf(draft), 0)

function groupsOf(draft: Draft): number {
  if (draft.kind === 'list') return draft.items.reduce((sum, item) => sum + groupsOf(item.draft), 0)
  return draft.kind === 'embedded' && draft.present ? 1 + groupsIn(draft.properties) : 0
}

test('a class that requires several values of its own class has a form of two levels, and more on demand', () => {
  const names = ['a', 'b', 'c', 'd']
  const single = cls('Self', ...names.map((name) => property(name, 'Self', { required: true })))
  assert.equal(groupsIn(draftsOf(single, undefined, documentation([single]))), 4 + 16)
  const several = cls('Self', ...names.map((name) => property(name, 'Self', { required: true, many: true })))
  const all = documentation([several])
  assert.equal(groupsIn(draftsOf(several, undefined, all)), 4 + 16)
  const [first] = several.properties
  assert.ok(first)
  assert.equal(groupsOf(newItem(first, all)), 1 + 4)
  // What is there is shown, however deep.
  const deep = { a: { a: { a: { a: {} } } } }
  const optional = cls('Self', property('a', 'Self'))
  assert.equal(groupsIn(draftsOf(optional, deep, documentation([optional]))), 4)
})

test('of two properties with the same name, the form shows and sends the writable one', () => {
  const twice = cls(
    'Twice',
    property('text', 'string', { writable: false }),
    property('text', 'string'),
    property('text', 'integer'),
    property('other', 'string'),
  )
  const data = { text: 'a', other: 'b' }
  const described = documentation([twice])
  const drafts = draftsOf(twice, data, described)
  assert.deepEqual(
    drafts.map((one) => [one.property.name, one.draft.kind]),
    [
      ['text', 'text'],
      ['other', 'text'],
    ],
  )
  const typed = drafts.map((one, index) =>
    index === 0 ? { ...one, draft: { ...one.draft, text: 'c' } as Draft } : one,
  )
  assert.deepEqual(changesOf(typed, data, readForm(typed, data).values, described), { text: 'c' })
})

test('a new member begins with the links that its form was opened with, and with nothing else', () => {
  const order = cls(
    'Order',
    property('customer', 'Customer', { isLink: true }),
    property('people', 'Person', { isLink: true, many: true }),
    property('note', 'string'),
  )
  const links = [
    ['customer', 'http://a/customers/1'],
    ['people', 'http://a/people/1'],
    ['people', 'http://a/people/2'],
    ['note', 'http://a/evil'],
    ['other', 'http://a/other'],
  ] as const
  const drafts = draftsOf(order, undefined, documentation([order]))
  assert.deepEqual(readForm(withLinks(drafts, links)).values, {
    customer: 'http://a/customers/1',
    people: ['http://a/people/1', 'http://a/people/2'],
  })
  assert.deepEqual(readForm(withLinks(drafts, [['customer', 'no address']])).values, {})
})
