import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInput } from '../../../src/api/index.ts'
import type { JsonObject } from '../../../src/json.ts'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import { readText, type Selection } from '../../../src/members/index.ts'
import { Problem } from '../../../src/problem.ts'
import { copyStore, openStore } from '../../../src/store/open.ts'
import { type Class, indexedKey, type Property } from '../../../src/vocabulary/index.ts'
import { execute, keptDatabase } from '../../support/databases.ts'
import { newPostgres } from '../../support/postgres.ts'
import { modelOf } from '../../support/service.ts'
import { ALL } from '../../support/shapes.ts'

/** More than one portion; the class says that it has so many that they are converted while it is served. */
const COUNT = 60
const FORMER =
  'classes: { Book: { properties: { title: string, notes: { type: string, filterable: false }, gone: string } } }'
const NEW =
  'classes: { Book: { properties: { language: { type: string, default: en }, title: string, notes: string } } }'

const classIn = (api: string) => modelOf(api).classes.find(({ name }) => name === 'Book') as Class
const shapesOf = (api: string) => classSchemas(modelOf(api))

const asking = (name: string, value: string): Selection => {
  const property = classIn(NEW).properties.find((one) => one.name === name) as Property
  return {
    ...ALL,
    limit: 3,
    count: 'exact',
    filters: [{ property: name, test: 'in', keys: [indexedKey(property, value)] }],
  }
}

test('a process serves many members of a former file, and converts them meanwhile', async (t) => {
  const db = keptDatabase(t)
  const input = createInput(classIn(FORMER), 'http://x.example/api')
  const first = await openStore(db, shapesOf(FORMER), { bulk: true })
  const members = Array.from({ length: COUNT }, (_, index) => {
    const body = { title: `T${index}`, notes: `n${index % 10}`, gone: 'g' } as JsonObject
    return { className: 'Book', member: input.create(body, `b${index}`, 0) }
  })
  await first.members.addAll(members)
  await first.close()
  const addToTotal = (more: number) =>
    execute(db, { sqlite: `UPDATE classes SET total = total + ${more} WHERE name = 'Book'`, postgres: '' })
  await addToTotal(20_000)
  const store = await openStore(db, shapesOf(NEW))
  await addToTotal(-20_000)
  try {
    const shown = async (id: string) => readText((await store.members.find('Book', id))?.body ?? '')
    assert.deepEqual(await shown('b9'), { language: 'en', title: 'T9', notes: 'n9' })
    await assert.rejects(
      async () => store.members.list('Book', asking('language', 'en')),
      (error) => error instanceof Problem && error.code === 'KeysPending',
    )
    const version = (await store.members.find('Book', 'b9'))?.version
    const to = newPostgres(t)
    await assert.rejects(
      copyStore(db, to, () => {}),
      (error) => error instanceof Problem && error.code === 'StillConverting',
    )
    assert.equal((await store.members.remove('Book', 'b50', undefined)).outcome, 'removed')
    while (await store.catchUp.turn());
    assert.equal((await store.members.list('Book', asking('language', 'en'))).total, COUNT - 1)
    assert.equal((await store.members.list('Book', asking('notes', 'n7'))).total, 6)
    assert.equal((await store.members.find('Book', 'b9'))?.version, version)
    const last = { language: 'en', title: 'T51', notes: 'n1' }
    assert.deepEqual(await shown('b51'), last)
    await copyStore(db, to, () => {})
    const copied = await openStore(to, shapesOf(FORMER))
    assert.deepEqual(readText((await copied.members.find('Book', 'b51'))?.body ?? ''), {
      ...{ title: 'T51', notes: 'n1', gone: 'g' },
    })
    await copied.close()
  } finally {
    await store.close()
  }
})
