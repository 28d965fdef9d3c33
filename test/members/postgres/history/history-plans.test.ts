import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOUND_IN_ANY_ORDER } from '../../../../src/members/history.ts'
import type { HistoryStore } from '../../../../src/members/index.ts'
import { createHistory } from '../../../../src/members/postgres/history/history.ts'
import { tablesOf } from '../../../../src/members/postgres/tables.ts'
import { newPostgres, onPostgres } from '../../../support/postgres.ts'
import { shapeOf } from '../../../support/shapes.ts'
import { openFor } from '../../../support/stores.ts'
import { connectAs, ELSEWHERE, explain, type PlanNode, type Pool, type RunSql, readIn } from '../explained.ts'

const SHAPE = shapeOf('Thing', {}, { history: { ageMs: 1_000 } })
/** Entries of one member, and members that are gone. */
const MANY = 20_000
const LIMIT = 20

const never = () => assert.fail('one statement is enough')

const READS: Readonly<Record<string, (history: HistoryStore) => unknown>> = {
  list: (history) =>
    history.list({ className: 'Thing', id: 'many' }, { limit: LIMIT, before: 15_000 }, 1_000),
  heads: (history) => history.heads({ className: 'Thing', id: 'many' }, { limit: LIMIT }),
  find: (history) => history.find({ className: 'Thing', id: 'many' }, 10_001),
  'find at a time': (history) => history.findAt({ className: 'Thing', id: 'many' }, MANY - 10),
  first: (history) => history.first({ className: 'Thing', id: 'many' }),
  'removal from a version on': (history) => history.removalFrom({ className: 'Thing', id: 'many' }, 10),
  removed: (history) => history.removed('Thing', { limit: LIMIT, before: 35_000 }, 1_000),
  'removed of an owner of most': (history) => history.removed('Thing', { limit: LIMIT, owner: 1 }, 1_000),
  'removed of an owner of few': (history) => history.removed('Thing', { limit: LIMIT, owner: 7 }, 1_000),
  'removed of an owner of none': (history) => history.removed('Thing', { limit: LIMIT, owner: 8 }, 1_000),
}

test('no read of a history, and no sweep, reads more of a large one than its limit', async (t) => {
  const url = newPostgres(t)
  await openFor(t, url, [SHAPE])
  await onPostgres(
    url,
    `INSERT INTO history_1
     SELECT 'many', n, 1, n, NULL::bigint, 1, NULL::int, 'text', '', '', '' FROM generate_series(1, ${MANY}) AS n
     UNION ALL SELECT 'gone ' || n, n, 2, n, NULL, CASE WHEN n % 5000 = 0 THEN 7 ELSE 1 END, 1, 'text', '', '', ''
     FROM generate_series(${MANY + 1}, ${2 * MANY}) AS n`,
  )
  let nodes: PlanNode[] = []
  const explained = (run: RunSql): Pool => ({
    run: async (text, params = []) => {
      nodes = await explain(run, text, params)
      return []
    },
    ...{ write: never, transaction: never, close: never, generation: () => 0 },
  })
  const pools = {
    quick: explained(connectAs(t, url, 'READING')),
    writes: explained(connectAs(t, url, 'WRITING')),
  }
  const history = createHistory(pools, [SHAPE], () => tablesOf(1, SHAPE.keys, SHAPE))

  async function check(name: string, read: () => unknown, most = 2 * LIMIT + 1): Promise<void> {
    nodes = []
    await read()
    assert.ok(nodes.length > 0, name)
    for (const node of nodes) {
      const said = `${name}: ${readIn(node)} ${node['Node Type']}`
      assert.doesNotMatch(node['Node Type'], ELSEWHERE, said)
      assert.ok(readIn(node) <= most, said)
    }
  }

  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await onPostgres(url, 'ANALYZE history_1, members_1')
    for (const [name, read] of Object.entries(READS)) await check(name, () => read(history))
    const findOld = () => history.findAt({ className: 'Thing', id: 'many' }, 501)
    await check('find at a time long ago', findOld, FOUND_IN_ANY_ORDER + 1)
    await check('sweep', () => history.sweep(11_000, LIMIT))
  }
})
