import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClassDescription } from 'hydrant-client'
import {
  labelLinks,
  nameOf,
  namesOf,
  namingProperty,
  ownName,
  withLabelLinks,
} from '../../../console/shared/labels.ts'
import { cls, LANG_STRING, link, property } from '../descriptions.ts'

const VOCAB = 'http://api.example/vocab#'

/** A class with a label of these properties. */
const labelled = (described: ClassDescription, ...names: readonly string[]): ClassDescription => {
  const properties = described.properties.map((one) => ({ ...one, iri: `${described.iri}/${one.name}` }))
  return { ...described, properties, label: names.map((name) => `${described.iri}/${name}`) }
}

const CUSTOMER = labelled(cls('Customer', property('code', 'string'), property('name', 'string')), 'name')
const PROJECT = labelled(
  cls('Project', property('name', 'string'), link('customer', 'Customer')),
  'customer',
  'name',
)
const ENTRY = labelled(
  cls('Entry', link('project', 'Project'), property('day', 'date'), property('text', 'string')),
  'project',
  'day',
)
const CLASSES = [CUSTOMER, PROJECT, ENTRY]

const customer = { '@id': '/customers/1', code: 'C1', name: 'Café Mond' }
const project = { '@id': '/projects/1', name: 'Website', customer }

// contract: Console, pickers, table orders and refusals
test('a member is named by its label, in which a link stands for the label of its target, one step deep', () => {
  assert.equal(ownName(customer, CUSTOMER, CLASSES), 'Café Mond')
  assert.equal(ownName(project, PROJECT, CLASSES), 'Café Mond Website')
  // The customer of the project would be a second step.
  assert.match(ownName({ project, day: '2026-03-02' }, ENTRY, CLASSES) ?? '', /^Website .*2026/)
  // A linked member that the user may not read stays an address.
  assert.equal(ownName({ ...project, customer: '/customers/1' }, PROJECT, CLASSES), 'Website')
  assert.equal(ownName({ name: '  ', customer: '/customers/1' }, PROJECT, CLASSES), undefined)
  assert.equal(nameOf({ iri: 'http://api.test/projects/7', data: {} }, PROJECT, CLASSES), '7')
})

test('a label may have texts by language, and numbers without separators', () => {
  const order = labelled(
    cls('Order', property('number', 'integer'), property('title', LANG_STRING, { many: true })),
    'number',
    'title',
  )
  assert.equal(ownName({ number: 100234, title: { en: 'Tea' } }, order, []), '100234 Tea')
  assert.equal(ownName({ number: { '@id': '/x' } }, order, []), undefined)
})

test('if the API does not say which properties name a member, or hides them, a likely one is used', () => {
  const described = cls('Book', property('code', 'string'), property('title', 'string'))
  assert.equal(ownName({ code: 'x', title: 'Emma' }, described, []), 'Emma')
  const hidden = { ...described, label: [`${VOCAB}Book/secret`] }
  assert.equal(ownName({ code: 'x', title: 'Emma' }, hidden, []), 'Emma')
  assert.equal(ownName({ code: 'x' }, undefined, []), undefined)
})

test('people search for the text of a label, and its links are included', () => {
  assert.deepEqual(CLASSES.map(namingProperty), ['name', 'name', undefined])
  assert.deepEqual(CLASSES.map(labelLinks), [[], ['customer'], ['project']])
  assert.equal(withLabelLinks(undefined, CUSTOMER), undefined)
  assert.deepEqual(withLabelLinks({ page: '2' }, PROJECT), { page: '2', include: ['customer'] })
})

test('a label of which a part is missing is not remembered', () => {
  const members = [
    { iri: '/projects/1', data: project },
    { iri: '/projects/2', data: { name: 'Website', customer: '/customers/2' } },
  ]
  assert.deepEqual(namesOf(members, PROJECT, CLASSES), [['/projects/1', 'Café Mond Website']])
})
