import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { Filter, MemberStore, Order, Page, Selection } from '../../../src/members/index.ts'
import { textKey } from '../../../src/vocabulary/index.ts'
import { ALL } from '../../support/shapes.ts'
import { newSqlite, openFor } from '../../support/stores.ts'
import { contentOf, MODEL } from '../path-selections.ts'

const AUTHORS = 300
const BOOKS = 6_000

const throughAuthor = (filters: readonly Filter[], test: 'some' | 'none' = 'some'): Filter => ({
  test,
  step: { kind: 'link', property: 'author', className: 'Author' },
  filters,
})
const born = (year: number): Filter => ({ property: 'born', test: 'in', keys: [year] })
const named = (name: string): Filter => ({ property: 'name', test: 'in', keys: [textKey(name)] })
const byName: Order = {
  property: 'name',
  descending: false,
  through: [{ kind: 'link', property: 'author', className: 'Author', filters: [] }],
}

/** Without its promise, a page was read at once: a few rows of indexes were enough. */
const isBounded = (page: unknown): boolean => !(page instanceof Promise)

async function fill(store: MemberStore): Promise<void> {
  const add = (className: string, count: number, valuesOf: (index: number) => object) =>
    store.addAll(
      Array.from({ length: count }, (_, index) => {
        const id = `${className[0]?.toLowerCase()}${index}`
        const values = valuesOf(index) as never
        return { className, member: { ...contentOf({ className, id, sequence: 0, owner: 1, values }), id } }
      }),
    )
  await add('Author', AUTHORS, (index) => ({ name: `Name ${index}`, born: index % 3 }))
  await add('Book', BOOKS, (index) => ({ title: `T${index}`, author: `/authors/a${index % AUTHORS}` }))
}

// contract: A path is answered from indexes
test('a filter or an order through a link reads few rows where few match, however many members there are', async (t) => {
  const { members: store } = await openFor(t, newSqlite(t), classSchemas(MODEL))
  await fill(store)
  const list = (more: Partial<Selection>) => store.list('Book', { ...ALL, limit: 20, ...more })
  const bounded: [more: Partial<Selection>, first: string, total: number | undefined][] = [
    [{ filters: [throughAuthor([named('Name 7')])] }, 'b7', BOOKS / AUTHORS],
    [{ filters: [throughAuthor([named('Name 7'), born(1)])] }, 'b7', BOOKS / AUTHORS],
    [{ filters: [throughAuthor([named('Name 7')])], order: [byName] }, 'b7', BOOKS / AUTHORS],
    [{ filters: [throughAuthor([born(1)])] }, 'b1', undefined],
    [{ order: [byName] }, 'b0', BOOKS],
    [{ order: [{ ...byName, descending: true }] }, 'b5799', BOOKS],
  ]
  for (const [more, first, total] of bounded) {
    const page = list(more)
    assert.ok(isBounded(page), JSON.stringify(more))
    const { members, total: counted } = page as Page
    assert.deepEqual([members[0]?.id, counted], [first, total], JSON.stringify(more))
  }
  // What may read every member is off the main thread.
  for (const filters of [
    [throughAuthor([{ property: 'name', test: 'contains', text: 'x' }])],
    [throughAuthor([named('Name 7')], 'none')],
  ] as const) {
    const page = list({ filters })
    assert.ok(!isBounded(page))
    await page
  }
})
