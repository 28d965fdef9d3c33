import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { classSchemas } from '../../src/members/conversion/conversion.ts'
import type { MemberStore, Page, PageStart, Selection } from '../../src/members/index.ts'
import { inSoak } from '../support/soak.ts'
import { type Open, STORES } from '../support/stores.ts'
import { listBooks } from './path-model.ts'
import {
  addShelf,
  MODEL,
  membersOf,
  type PathMember,
  pathSelections,
  removeShelf,
  shelves,
} from './path-selections.ts'

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('along links, embedded values and alternatives, a selection lists what a model lists', async (t) => {
    const { members: store } = await open(t, classSchemas(MODEL), { scanMs: 60_000 })
    const added = { Author: 0, Book: 0 }
    await fc.assert(
      fc
        .asyncProperty(
          shelves,
          fc.array(pathSelections, { minLength: 12, maxLength: 12 }),
          async (shelf, selections) => {
            const all = membersOf(shelf, added)
            await addShelf(store, all)
            for (const selection of selections) await compare(store, all, selection)
          },
        )
        .afterEach(() => removeShelf(store)),
      { numRuns: inSoak(400, 7) },
    )
  })
}

async function compare(store: MemberStore, all: readonly PathMember[], selection: Selection): Promise<void> {
  const expected = listBooks(all, selection).map(({ id }) => id)
  const list = async (start: PageStart): Promise<Page> => {
    const page = await store.list('Book', { ...selection, start })
    assert.equal(page.total, expected.length)
    return page
  }
  const idsOf = ({ members }: Page) => members.map(({ id }) => id)
  const { limit } = selection
  for (let offset = 0; offset <= expected.length; offset += limit)
    assert.deepEqual(idsOf(await list({ at: 'offset', offset })), expected.slice(offset, offset + limit))
  const forwards: string[] = []
  for (let page = await list({ at: 'offset', offset: 0 }); ; ) {
    forwards.push(...idsOf(page))
    if (!page.more || page.edges === undefined) break
    page = await list({ at: 'after', position: page.edges.last })
  }
  assert.deepEqual(forwards, expected)
  const backwards: string[] = []
  for (let page = await list({ at: 'before', position: 'end' }); ; ) {
    backwards.unshift(...idsOf(page))
    if (!page.more || page.edges === undefined) break
    page = await list({ at: 'before', position: page.edges.first })
  }
  assert.deepEqual(backwards, expected)
}
