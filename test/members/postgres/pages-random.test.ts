import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPool } from '../../../src/database/postgres/pool.ts'
import type { Page, PageStart, Selection } from '../../../src/members/index.ts'
import { pageOf, readPage, rowOf } from '../../../src/members/postgres/page-statement.ts'
import { type SearchSteps, searchPage } from '../../../src/members/postgres/pages.ts'
import { dialectOf, tablesOf } from '../../../src/members/postgres/tables.ts'
import { toQuery } from '../../../src/members/query/filters.ts'
import { newPostgres } from '../../support/postgres.ts'
import { select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { openFor } from '../../support/stores.ts'
import { indexedSelection, KINDS, manySelections, ownerOf, thingOf, valuesOf } from '../random-selections.ts'
import { listAll, listFrom, type ModelMember, shownOf } from '../selection-model.ts'

/** As if there were so many members that each step is the last one, now and then. */
const EVERY_STEP: readonly SearchSteps[] = [
  { few: 1_000, near: 1_000 },
  { few: 0, near: 1_000 },
  { few: 0, near: 4 },
  { few: 0, near: 0 },
]

test('whichever step gives the page, it is the same', async (t) => {
  const url = newPostgres(t)
  const shape = shapeOf('Thing', KINDS)
  const { members: store } = await openFor(t, url, [shape])
  const pool = createPool(url, { connections: 1, pipeline: 10, limitMs: 60_000, prepare: false })
  t.after(() => pool.close())
  const dialect = dialectOf(tablesOf(1, shape.keys), () => undefined)

  const pagesOf = (selection: Selection): Promise<Page[]> => {
    const query = toQuery(dialect, selection)
    const read = (steps: SearchSteps) => {
      const parts = searchPage(dialect, query, steps)
      const readRow = rowOf(pool.run, (test) => pageOf(dialect.tables, query, test, parts))
      return readPage(readRow, query, dialect.read)
    }
    return Promise.all(EVERY_STEP.map(read))
  }

  await fc.assert(
    fc
      .asyncProperty(fc.array(valuesOf, { maxLength: 20 }), manySelections, async (given, selections) => {
        await store.addAll(
          given.map((values, index) => ({
            className: 'Thing',
            member: thingOf(`m${index}`, values, ownerOf(index)),
          })),
        )
        const rows = await pool.run<[string, number]>('SELECT id, sequence FROM members_1')
        const numbers = new Map(rows)
        const members = given.map((values, index) => ({
          id: `m${index}`,
          sequence: numbers.get(`m${index}`) as number,
          owner: ownerOf(index),
          values,
        }))
        for (const [chosen, { keys, sequence }] of selections) {
          const from = { keys, sequence: (members[0]?.sequence ?? 0) + sequence }
          const all = listAll(members, chosen)
          const behind = listFrom(members, chosen, from, 1)
          const before = listFrom(members, chosen, from, -1)
          const expectEach = async (start: PageStart, left: readonly ModelMember[], side: 1 | -1) => {
            const ids = shownOf(left, chosen, side).map(({ id }) => id)
            const more = ids.length < left.length
            // Of those that are not few, only an exact count knows how many there are.
            for (const page of await pagesOf({ ...indexedSelection(chosen), start, count: 'exact' })) {
              assert.deepEqual([idsOf(page), page.total, page.more], [ids, all.length, more])
            }
          }
          await expectEach({ at: 'offset', offset: 2 }, all.slice(2), 1)
          await expectEach({ at: 'before', position: 'end' }, all, -1)
          await expectEach({ at: 'after', position: from }, behind, 1)
          await expectEach({ at: 'before', position: from }, before, -1)
        }
      })
      .afterEach(async () => {
        const { members } = await store.list('Thing', select())
        await Promise.all(members.map(({ id }) => store.remove('Thing', id, undefined)))
      }),
    { numRuns: inSoak(20, 4) },
  )
})

const idsOf = ({ members }: Page): string[] => members.map(({ id }) => id)
