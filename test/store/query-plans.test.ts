import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMeter, unguarded } from '../../src/store/sqlite/meter.ts'
import { counting, driven, scanning, straight } from '../../src/store/sqlite/planning.ts'
import { countMatching, readRows } from '../../src/store/sqlite/reading.ts'
import { createStatements } from '../../src/store/sqlite/statements.ts'
import { tablesOf } from '../../src/store/sqlite/tables.ts'
import type { Condition, Order, Selection } from '../../src/store/store.ts'
import type { Key } from '../../src/vocabulary/keys.ts'
import { combinedSelections } from './combined-selections.ts'
import { type Kinds, memberOf, select, shapeOf } from './shapes.ts'
import { keepsCreation, singleFilters, startsOf } from './single-selections.ts'
import { connect, newDatabase, openFor } from './stores.ts'

const KINDS: Kinds = { title: 'text', size: 'number', tags: 'texts' }
const KEYS = { title: ['b', 'c'], size: [1, 2], tags: ['b', 'c'] }
type Name = keyof typeof KEYS

/** Looked up, or gone through from a place in the order; never a table from its beginning, never sorted. */
const FROM_AN_INDEX = [
  /^SEARCH \w+ (EXISTS )?USING (COVERING INDEX|INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)/,
  /^SCAN \w+ VIRTUAL TABLE INDEX \d+:\S*M/,
  // The rows that come out of a walk, and what puts several together.
  /^(CO-ROUTINE \S+|SCAN w|SCAN \(subquery-\d+\)|CORRELATED SCALAR SUBQUERY \d+|MERGE \(UNION( ALL)?\)|LEFT|RIGHT)$/,
]

/** Every selection of one filter, or of one order and at most a filter on the same property. */
function* singleSelections(): Generator<Selection> {
  for (const property of Object.keys(KEYS) as Name[]) {
    const [key] = KEYS[property] as [Key]
    const ways = [false, true].map((descending): Order[] => [{ property, descending }])
    for (const condition of singleFilters(property, KEYS[property] as [Key, Key])) {
      const orders = keepsCreation(condition) ? [[], ...ways] : ways
      for (const order of orders) {
        for (const start of startsOf(order, key, 5, 7))
          yield select({ conditions: [condition], order, start })
      }
    }
    if (KINDS[property] === 'texts') continue
    for (const order of ways) for (const start of startsOf(order, key, 5, 7)) yield select({ order, start })
  }
  for (const start of startsOf([], '', 5, 7)) yield select({ words: ['b'], start })
}

async function openTables(t: TestContext) {
  const url = newDatabase(t)
  const shape = shapeOf('Thing', KINDS)
  const { members } = await openFor(t, url, [shape])
  await members.addAll(
    Array.from({ length: 10 }, (_, index) => ({
      className: 'Thing',
      member: memberOf(KINDS, `m${index}`, index < 5 ? { title: 'b', size: index, tags: ['b', 'c'] } : {}),
    })),
  )
  const db = connect(t, url)
  createMeter(db)
  const prepared = createStatements(db)
  const asked = new Set<string>()
  const statements = (sql: string) => {
    asked.add(sql)
    return prepared(sql)
  }
  const explain = (sql: string) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as readonly Step[]
  return { statements, tables: tablesOf(1, shape.keys), asked, explain }
}

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

// contract: **Paging**: `page` and `itemsPerPage`
// contract: **Cost**: each single filter
test('each single filter, q and each single order is answered from an index, without sorting', async (t) => {
  const { statements, tables, asked, explain } = await openTables(t)
  for (const selection of singleSelections()) {
    const plan = straight(tables, selection)
    assert.ok(plan, JSON.stringify(selection))
    const rows = readRows(statements, tables, plan.walks(false), selection)
    countMatching(statements, () => plan.walks(true), selection, rows)
  }
  assert.ok(asked.size > 50, String(asked.size))
  for (const sql of asked) {
    for (const { detail } of explain(sql)) {
      assert.ok(
        FROM_AN_INDEX.some((form) => form.test(detail)),
        `${detail}\n${sql}`,
      )
    }
  }
})

// contract: **Cost**: each single filter
test('a combination is driven from the index of the filter that fewest members match', async (t) => {
  const { statements, tables, asked, explain } = await openTables(t)
  const conditions: Condition[] = [
    { property: 'title', test: 'in', keys: ['b'] },
    { property: 'size', test: 'range', from: { key: 3, inclusive: true } },
    { property: 'tags', test: 'in', keys: ['c'] },
  ]
  const selection = select({ conditions, order: [{ property: 'title', descending: false }] })
  const plan = driven(statements, tables, selection, 1_000, unguarded)
  assert.ok(plan)
  asked.clear()
  assert.equal(readRows(statements, tables, plan.walks(false), selection).rows.length, 2)
  const [sql] = asked
  const details = explain(sql ?? '').map(({ detail }) => detail)
  assert.ok(
    details.some((detail) => /^SEARCH k USING INDEX keys_1_1 \(k1>\?\)$/.test(detail)),
    details.join('\n'),
  )
  assert.ok(!details.some((detail) => /^SCAN (k|v|m)\b/.test(detail)), details.join('\n'))
})

/** One member, or the values of one. */
const OF_ONE_MEMBER = /\((rowid=\?|sequence=\? AND property=\?.*)\)$|VIRTUAL TABLE INDEX \d+:=/

/** What is made for each row of something else, and yet is not bounded by one member. */
function unboundedIn(steps: readonly Step[]): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const isWithinRow = ({ parent }: Step): boolean => {
    const around = byId.get(parent)
    return around !== undefined && (around.detail.startsWith('CORRELATED') || isWithinRow(around))
  }
  const loops = steps.filter(({ detail }) => /^(SCAN|SEARCH|MULTI-INDEX OR)/.test(detail))
  return loops
    .filter((step) => {
      const outer = loops.find(({ parent }) => parent === step.parent)
      return (outer !== step || isWithinRow(step)) && !OF_ONE_MEMBER.test(step.detail)
    })
    .map(({ detail }) => detail)
}

// contract: **Cost**: each single filter
test('whatever a scan asks of each member, it looks at that member alone', async (t) => {
  const { statements, tables, asked, explain } = await openTables(t)
  const keys = KEYS as unknown as Readonly<Record<Name, readonly [Key, Key]>>
  for (const selection of combinedSelections({ kinds: KINDS, keys, words: ['b'], sequence: 7 })) {
    const plans = [
      driven(statements, tables, selection, 1_000, unguarded),
      ...scanning(tables, selection, 1_000),
      counting(tables, selection),
    ]
    for (const plan of plans) {
      if (plan === undefined) continue
      const rows = readRows(statements, tables, plan.walks(false), selection)
      countMatching(statements, () => plan.walks(true), selection, rows)
    }
  }
  assert.ok(asked.size > 500, String(asked.size))
  for (const sql of asked) assert.deepEqual(unboundedIn(explain(sql)), [], sql)
})
