import assert from 'node:assert/strict'
import { test } from 'node:test'
import { select, valuesOf, writtenOf } from '../../support/shapes.ts'
import { begin, book, KINDS, open, outcomes } from './books.ts'

test('whatever text a member has is stored as it is', async (t) => {
  const { store } = await open(t)
  const texts = [
    '"',
    '\\',
    '\\"',
    '{}',
    '{a,b}',
    'NULL',
    '',
    ' ',
    ' a ',
    ',',
    "'",
    '$1',
    '\n',
    '\u{1f40e}',
    'İ',
  ]
  const bodies = new Map(texts.map((text, index) => [`${index} ${text}`, `,"title":${JSON.stringify(text)}`]))
  const added = await Promise.all(
    Array.from(bodies, ([id, body]) => store.add('Book', { ...book(id, { isbn: id }), body, hidden: id })),
  )
  assert.deepEqual(new Set(outcomes(added)), new Set(['added']))
  for (const [id, body] of bodies) {
    assert.equal((await store.find('Book', id))?.body, body)
    const [found] = (
      await store.list('Book', select({ filters: [{ property: 'isbn', test: 'in', keys: [id] }] }))
    ).members
    assert.equal(found?.id, id)
    await store.change('Book', id, undefined, (current) => {
      assert.equal(current.hidden, id)
      return { ...book(id), body: `${body},"more":1` }
    })
    assert.equal((await store.find('Book', id))?.body, `${body},"more":1`)
  }
})

test('a member whose id PostgreSQL could not store is missing', async (t) => {
  const { store } = await open(t)
  const id = 'a\0b'
  const never = () => assert.fail('nothing to compute')
  assert.equal(await store.find('Book', id), undefined)
  assert.deepEqual(await store.change('Book', id, undefined, never), { outcome: 'missing' })
  assert.deepEqual(await store.remove('Book', id, undefined), { outcome: 'missing' })
})

test('a change of a member that somebody holds is refused with 503, and those behind it do not wait anew', async (t) => {
  const { store, url, number } = await open(t)
  await store.add('Book', book('one', { title: 'A' }))
  const other = await begin(t, url)
  await other.unsafe(`SELECT FROM members_${number} WHERE id = 'one' FOR UPDATE`)
  const began = performance.now()
  const changes = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => store.change('Book', 'one', undefined, () => writtenOf(KINDS, {}))),
    store.remove('Book', 'one', undefined),
  ])
  for (const change of changes)
    assert.ok(change.status === 'rejected' && change.reason.code === 'DatabaseBusy')
  // The issue: 503 within 3 s; one after the other they would take six times as long as one.
  assert.ok(performance.now() - began < 3_000)
  await other.unsafe('ROLLBACK')
  const changed = await store.change('Book', 'one', undefined, ({ body }) => writtenOf(KINDS, valuesOf(body)))
  assert.equal(changed.outcome, 'changed')
})
