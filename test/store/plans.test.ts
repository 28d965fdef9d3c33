import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMeter, everyRow, nowAndThen, unguarded } from '../../src/store/sqlite/meter.ts'
import { counting, driven, type Plan, scanning, sorting, straight } from '../../src/store/sqlite/planning.ts'
import { countMatching, readRows, toPage } from '../../src/store/sqlite/reading.ts'
import { createStatements } from '../../src/store/sqlite/statements.ts'
import { tablesOf } from '../../src/store/sqlite/tables.ts'
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
  createMeter(db)
  const statements = createStatements(db)
  const tables = tablesOf(1, shape.keys)

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
    const drivers = selection.filters.filter(({ test: kind }) => kind !== 'contains')
    const plans = [
      straight(tables, selection),
      driven(statements, tables, selection, 1_000, unguarded),
      ...drivers.map((driver) => sorting(tables, selection, driver, everyRow)),
      sorting(tables, selection, undefined, nowAndThen),
      ...scanning(tables, selection, 1_000),
      counting(tables, selection),
    ]
    return plans.filter((plan) => plan !== undefined).map((plan) => pageBy(plan, selection))
  }

  function pageBy(plan: Plan, selection: Selection): Page {
    const rows = readRows(statements, tables, plan.walks(false), selection)
    return toPage(
      rows,
      countMatching(statements, () => plan.walks(true), selection, rows),
      selection,
    )
  }
})

const idsOf = ({ members }: Page): string[] => members.map(({ id }) => id)
