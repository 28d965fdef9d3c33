import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Page, PageStart, Selection } from '../../../src/members/index.ts'
import { type StoredQuery, toQuery } from '../../../src/members/query/filters.ts'
import { toPage } from '../../../src/members/query/page.ts'
import { indexPlan } from '../../../src/members/query/plan.ts'
import { type AccessPath, countMatching, readerOf, readRows } from '../../../src/members/sqlite/pages.ts'
import {
  countingPath,
  indexPath,
  scanningPaths,
  selectivePath,
  sortedPath,
} from '../../../src/members/sqlite/paths.ts'
import { dialectOf, tablesOf } from '../../../src/members/sqlite/tables.ts'
import { shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { connect, newSqlite, openFor } from '../../support/stores.ts'
import { indexedSelection, KINDS, manySelections, ownerOf, thingOf, valuesOf } from '../random-selections.ts'
import { listAll, listFrom, type ModelMember, shownOf } from '../selection-model.ts'

test('whatever access path is chosen, the answer is the same', async (t) => {
  const url = newSqlite(t)
  const shape = shapeOf('Thing', KINDS)
  const { members: store } = await openFor(t, url, [shape])
  const db = connect(t, url)
  const reader = readerOf(db, 1_000)
  const dialect = dialectOf(tablesOf(1, shape), new Map())

  await fc.assert(
    fc
      .asyncProperty(fc.array(valuesOf, { maxLength: 20 }), manySelections, async (given, selections) => {
        await store.addAll(
          given.map((values, index) => ({
            className: 'Thing',
            member: thingOf(`m${index}`, values, ownerOf(index)),
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
          owner: ownerOf(index),
          values,
        }))
        for (const [chosen, { keys, sequence }] of selections) {
          const from = { keys, sequence: (members[0]?.sequence ?? 0) + sequence }
          const all = listAll(members, chosen)
          const behind = listFrom(members, chosen, from, 1)
          const before = listFrom(members, chosen, from, -1)
          const expectEach = (start: PageStart, shown: readonly ModelMember[]) => {
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
    { numRuns: inSoak(60, 15) },
  )

  /** By every path there is. */
  function pagesOf(selection: Selection): Page[] {
    const query = toQuery(dialect, selection)
    const drivers = query.filters.filter(({ test: kind }) => kind !== 'contains')
    const plan = indexPlan(dialect, query)
    const paths = [
      plan && indexPath(dialect, query, plan),
      selectivePath(reader, dialect, query, 1_000),
      ...drivers.map((driver) => sortedPath(dialect, query, driver)),
      sortedPath(dialect, query, undefined),
      ...scanningPaths(dialect, query, 1_000),
      countingPath(dialect, query),
    ]
    return paths.filter((path) => path !== undefined).map((path) => pageBy(path, query))
  }

  function pageBy(path: AccessPath, query: StoredQuery): Page {
    const rows = readRows(reader, dialect, query, path)
    return toPage(rows, countMatching(reader, query, path, rows), query, dialect.read)
  }
})

const idsOf = ({ members }: Page): string[] => members.map(({ id }) => id)
