import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, type CollectionDescription, type OperationDescription } from 'hydrant-client'
import { incomingTo } from '../../console/pages/member/incoming.ts'
import { entriesOf, firstLinks } from '../../console/pages/member/representation.ts'
import { canChange, canRead, routeTo } from '../../console/shared/connection/collections.ts'
import { isForbidden } from '../../console/shared/connection/error-sentence.ts'
import { HYDRA } from '../../packages/client/src/terms.ts'
import { cls as classOf, property } from './form-descriptions.ts'

const offering = (...methods: string[]): OperationDescription[] =>
  methods.map((method) => ({
    method,
    types: [],
    title: '',
    description: '',
    expects: undefined,
    returns: undefined,
    contentType: undefined,
  }))

const topic = classOf('Topic', property('name', 'string'))
const note = classOf('Note', property('topic', 'Topic', { isLink: true }))
const notes = (...methods: string[]): CollectionDescription => ({
  name: 'notes',
  iri: 'http://api.test/notes',
  description: '',
  memberClass: note,
  operations: offering(...methods),
})

test('a collection leads to its list, or to a form where a list is not offered', () => {
  assert.deepEqual(routeTo(notes('GET', 'POST')), { page: 'table', name: 'notes', query: '' })
  assert.deepEqual(routeTo(notes('GET')), { page: 'table', name: 'notes', query: '' })
  assert.deepEqual(routeTo(notes('POST')), { page: 'create', name: 'notes' })
  // Other documentations leave operations out.
  assert.deepEqual(routeTo(notes()), { page: 'table', name: 'notes', query: '' })
})

test('a class that is not offered to be read is not read for the names of its members', () => {
  assert.equal(canRead({ ...topic, operations: offering('GET') }), true)
  assert.equal(canRead({ ...topic, operations: offering('POST') }), false)
  assert.equal(canRead({ ...topic, operations: [], properties: [] }), false)
  assert.equal(canRead({ ...topic, operations: [] }), true)
  assert.equal(canRead(undefined), true)
  const member = { iri: 'http://api.test/notes/1', data: { topic: 'http://api.test/topics/1' } }
  const linked = (target: typeof topic) => [...firstLinks(member, note, [note, target], 5)]
  assert.deepEqual(linked(topic), ['http://api.test/topics/1'])
  assert.deepEqual(linked({ ...topic, properties: [] }), [])
})

test('a collection without a list is not asked for what links to a member', () => {
  assert.equal(incomingTo(topic, [notes('GET', 'POST')]).length, 1)
  assert.equal(incomingTo(topic, [notes('POST')]).length, 0)
})

test('what changes a member is offered, and a refusal is no reason to try again', () => {
  for (const method of ['PATCH', 'PUT', 'POST']) assert.equal(canChange(offering('GET', method)), true)
  assert.equal(canChange(offering('GET', 'DELETE')), false)
  assert.equal(isForbidden(new ApiError('refused', 'Only an editor may.', { status: 403 })), true)
  assert.equal(isForbidden(new ApiError('not-found', 'There is nothing.', { status: 404 })), false)
})

test('the operations of a member are buttons, not values; a property of that name is a value', () => {
  const labels = (data: object, cls = topic) => entriesOf(data as never, cls).map(({ label }) => label)
  assert.deepEqual(labels({ name: 'x', operation: [] }), ['Name'])
  assert.deepEqual(labels({ name: 'x', 'hydra:operation': [] }), ['Name'])
  const surgery = classOf('Surgery', property('operation', 'string'))
  assert.deepEqual(labels({ operation: 'appendectomy', [`${HYDRA}operation`]: [] }, surgery), ['Operation'])
})
