import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AddOutcome } from '../../../src/members/index.ts'
import { newPostgres, onPostgres } from '../../support/postgres.ts'
import { select, type Values } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor } from '../../support/stores.ts'
import { book, idsOf, open, outcomes, SHAPES, totalOf } from './books.ts'

test('many are added in their order, whatever they link to, each as if it came alone', async (t) => {
  const { store } = await open(t)
  const added = await store.addAll([
    { className: 'Book', member: book('b', { by: 'Author/ann' }) },
    { className: 'Author', member: book('ann') },
    { className: 'Book', member: book('c', { by: 'Author/ann' }) },
    { className: 'Book', member: book('a') },
    { className: 'Book', member: book('e', { isbn: '1', after: 'Book/c' }) },
    { className: 'Book', member: book('d', { isbn: '1' }) },
    { className: 'Book', member: book('d') },
  ])
  assert.deepEqual(outcomes(added), ['refused', 'added', 'added', 'added', 'added', 'refused', 'added'])
  assert.deepEqual(await idsOf(store), ['c', 'a', 'e', 'd'])
  assert.equal(await totalOf(store), 4)
})

test('many that link to each other, have the same ids and unique values, have the outcomes of SQLite', async (t) => {
  const [{ store }, { members: sqlite }] = [await open(t), await openFor(t, 'sqlite::memory:', SHAPES)]
  const [id, unique] = [fc.integer({ min: 0, max: 7 }), fc.option(fc.integer({ min: 0, max: 20 }))]
  const one = fc.record({
    className: fc.constantFrom('Book', 'Author'),
    id,
    unique,
    to: fc.option(id),
    isBook: fc.boolean(),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 16 }), fc.nat(8), async (all, first) => {
      run += 1
      const members = all.map(({ className, id, unique, to, isBook }) => {
        const values: Values = {
          ...(unique !== null && { isbn: `${run} ${unique}` }),
          ...(to !== null && { by: `${isBook ? 'Book' : 'Author'}/${run}-${to}` }),
        }
        return { className, member: book(`${run}-${id}`, values) }
      })
      for (const some of [members.slice(0, first), members]) {
        const [found, expected] = [await store.addAll(some), await sqlite.addAll(some)]
        const withoutVersions = (outcomes: readonly AddOutcome[]) =>
          outcomes.map((one) => (one.outcome === 'added' ? 'added' : one))
        assert.deepEqual(withoutVersions(found), withoutVersions(expected))
      }
    }),
    { numRuns: inSoak(500, 30) },
  )
  assert.equal(await totalOf(store), (await sqlite.list('Book', select())).total)
})

test('thousands are added in one transaction, a chain of links among them', async (t) => {
  const { members: store } = await openFor(t, newPostgres(t), SHAPES, { bulk: true })
  const members = Array.from({ length: 3_000 }, (_, index) => {
    const values: Values = {
      isbn: `${index}`,
      title: `Title ${index}`,
      tags: ['x', `${index % 7}`],
      number: index,
    }
    const after = index % 10 === 0 ? {} : { after: `Book/${index - 1}` }
    return { className: 'Book', member: book(`${index}`, { ...values, ...after }) }
  })
  assert.ok((await store.addAll(members)).every(({ outcome }) => outcome === 'added'))
  assert.equal(await totalOf(store), 3_000)
  assert.deepEqual(
    (await idsOf(store)).slice(0, 12),
    Array.from({ length: 12 }, (_, index) => `${index}`),
  )
  assert.ok((await store.addAll(members)).every(({ outcome }) => outcome === 'exists'))
  assert.equal(await totalOf(store), 3_000)
})

test('bulk data has more time than a request, also in a store that serves requests', async (t) => {
  const { store, url, number } = await open(t)
  await onPostgres(
    url,
    `CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END'`,
  )
  await onPostgres(
    url,
    `CREATE TRIGGER slow AFTER INSERT ON members_${number} FOR EACH STATEMENT EXECUTE FUNCTION be_slow()`,
  )
  const [added] = await store.addAll([{ className: 'Book', member: book('one') }])
  assert.equal(added?.outcome, 'added')
})
