import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Query, toQuery } from '../../src/store/query/filters.ts'
import { toPage } from '../../src/store/query/page.ts'
import { indexPlan } from '../../src/store/query/plan.ts'
import { createStatements } from '../../src/store/sqlite/connection.ts'
import { dialectOf } from '../../src/store/sqlite/dialect.ts'
import { createRowBudget, everyRow, nowAndThen, unguarded } from '../../src/store/sqlite/row-budget.ts'
import { countingWay, scanningWays } from '../../src/store/sqlite/search.ts'
import { tablesOf } from '../../src/store/sqlite/tables.ts'
import {
  countMatching,
  drivenWay,
  indexWay,
  readRows,
  sortedWay,
  type Way,
} from '../../src/store/sqlite/ways.ts'
import type { Page, Selection, Start } from '../../src/store/store.ts'
import { indexedSelection, KINDS, manySelections, thingOf, valuesOf } from './any-selection.ts'
import { listAll, listFrom, type ModelMember, shownOf } from './model.ts'
import { shapeOf } from './shapes.ts'
import { connect, newDatabase, openFor } from './stores.ts'

test('whatever way to the answer is chosen, the answer is the same', async (t) => {
  const url = newDatabase(t)
  const shape = shapeOf('Thing', KINDS)
  const { members: store } = await openFor(t, url, [shape])
  const db = connect(t, url)
  createRowBudget(db)
  const statements = createStatements(db)
  const dialect = dialectOf(tablesOf(1, shape.keys))

  await fc.assert(
    fc
      .asyncProperty(fc.array(valuesOf, { maxLength: 20 }), manySelections, async (given, selections) => {
        await store.addAll(
          given.map((values, index) => ({
            className: 'Thing',
            member: thingOf(`m${index}`, values),
          })),
        )
        const numbers = new Map(
          db
            .prepare('SELECT id, sequence FROM members_1')
            .all()
            .map(({ id, sequence }) => [id, Number(sequence)]),
        )
        const members = given.map((values, index) => ({
          id: `m${index}`,
          sequence: numbers.get(`m${index}`) as number,
          values,
        }))
        for (const [chosen, { keys, sequence }] of selections) {
          const from = { keys, sequence: (members[0]?.sequence ?? 0) + sequence }
          const all = listAll(members, chosen)
          const behind = listFrom(members, chosen, from, 1)
          const before = listFrom(members, chosen, from, -1)
          const expectEach = (start: Start, shown: readonly ModelMember[]) => {
            const ids = shown.map(({ id }) => id)
            for (const page of pagesOf({ ...indexedSelection(chosen), start })) {
              assert.deepEqual([idsOf(page), page.total], [ids, all.length])
            }
          }
          expectEach({ at: 'offset', offset: 2 }, shownOf(all.slice(2), chosen))
          expectEach({ at: 'before', position: 'end' }, shownOf(all, chosen, -1))
          expectEach({ at: 'after', position: from }, shownOf(behind, chosen))
          expectEach({ at: 'before', position: from }, shownOf(before, chosen, -1))
        }
      })
      .afterEach(async () => {
        for (const { id } of db.prepare('SELECT id FROM members_1').all()) {
          await store.remove('Thing', String(id), undefined)
        }
      }),
    { numRuns: 60 },
  )

  /** By every way there is. */
  function pagesOf(selection: Selection): Page[] {
    const query = toQuery(dialect, selection)
    const drivers = query.filters.filter(({ test: kind }) => kind !== 'contains')
    const plan = indexPlan(dialect, query)
    const ways = [
      plan && indexWay(dialect, query, plan, unguarded),
      drivenWay(statements, dialect, query, 1_000, unguarded),
      ...drivers.map((driver) => sortedWay(dialect, query, driver, everyRow)),
      sortedWay(dialect, query, undefined, nowAndThen),
      ...scanningWays(dialect, query, 1_000),
      countingWay(dialect, query),
    ]
    return ways.filter((way) => way !== undefined).map((way) => pageBy(way, query))
  }

  function pageBy(way: Way, query: Query): Page {
    const rows = readRows(statements, dialect, way, query, false)
    return toPage(rows, countMatching(statements, way, query, rows), query, dialect.read)
  }
})

const idsOf = ({ members }: Page): string[] => members.map(({ id }) => id)
