import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Filter, Order, Selection } from '../../../src/members/index.ts'
import { toQuery } from '../../../src/members/query/filters.ts'
import { indexPlan } from '../../../src/members/query/plan.ts'
import {
  countMatching,
  createUnfilteredRows,
  type LimitedReader,
  readerOf,
  readRows,
} from '../../../src/members/sqlite/pages.ts'
import { countingPath, indexPath, scanningPaths, selectivePath } from '../../../src/members/sqlite/paths.ts'
import { dialectOf, tablesOf } from '../../../src/members/sqlite/tables.ts'
import type { Key } from '../../../src/vocabulary/index.ts'
import { type Kinds, memberOf, select, shapeOf } from '../../support/shapes.ts'
import { inSoak } from '../../support/soak.ts'
import { connect, newSqlite, openFor } from '../../support/stores.ts'
import { combinedSelections } from '../combined-selections.ts'
import { keepsCreation, singleFilters, startsOf } from '../single-selections.ts'

const KINDS: Kinds = { title: 'text', size: 'number', tags: 'texts' }
const KEYS = { title: ['b', 'c'], size: [1, 2], tags: ['b', 'c'] }
type Name = keyof typeof KEYS

/** Looked up, or gone through from a place in the order; never a table from its beginning, never sorted. */
const FROM_AN_INDEX = [
  /^SEARCH \w+ (EXISTS )?USING (COVERING INDEX|INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)/,
  /^SCAN \w+ VIRTUAL TABLE INDEX \d+:\S*M/,
  // The rows that come out of an index, what puts several together, and what counts a member with several values once.
  /^(CO-ROUTINE \S+|SCAN [wd]|USE TEMP B-TREE FOR DISTINCT|SCAN \(subquery-\d+\)|CORRELATED SCALAR SUBQUERY \d+|MERGE \(UNION( ALL)?\)|LEFT|RIGHT|MULTI-INDEX OR|INDEX \d+)$/,
]

/** Every selection of one filter, or of one order and at most a filter on the same property. */
function* singleSelections(): Generator<Selection> {
  for (const property of Object.keys(KEYS) as Name[]) {
    const [key] = KEYS[property] as [Key]
    const ways = [false, true].map((descending): Order[] => [{ property, descending }])
    for (const filter of singleFilters(property, KEYS[property] as [Key, Key])) {
      const orders = keepsCreation(filter) ? [[], ...ways] : ways
      for (const order of orders) {
        for (const start of startsOf(order, key, 5, 7)) yield select({ filters: [filter], order, start })
      }
    }
    if (KINDS[property] === 'texts') continue
    for (const order of ways) for (const start of startsOf(order, key, 5, 7)) yield select({ order, start })
  }
  for (const start of startsOf([], '', 5, 7)) yield select({ words: ['b'], start })
}

async function openTables(t: TestContext) {
  const url = newSqlite(t)
  const all = shapeOf('Thing', KINDS)
  const keys = all.keys.map((key) => (key.many ? { ...key, isToAccounts: true as const } : key))
  const shape = { ...all, keys }
  const { members } = await openFor(t, url, [shape])
  await members.addAll(
    Array.from({ length: 10 }, (_, index) => ({
      className: 'Thing',
      member: {
        ...memberOf(KINDS, `m${index}`, index < 5 ? { title: 'b', size: index, tags: ['b', 'c'] } : {}),
        owner: index % 2,
      },
    })),
  )
  const db = connect(t, url)
  const { statement, limit } = readerOf(db, 1_000)
  const asked = new Set<string>()
  const reader: LimitedReader = {
    limit,
    statement(sql) {
      asked.add(sql)
      return statement(sql)
    },
  }
  const explain = (sql: string) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as readonly Step[]
  return { db, reader, dialect: dialectOf(tablesOf(1, shape), new Map()), asked, explain }
}

interface Step {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

// contract: **Paging**: `page` and `itemsPerPage`
// contract: **Cost**: each single filter
test('each single filter, q and each single order is answered from an index, without sorting', async (t) => {
  const { reader, dialect, asked, explain } = await openTables(t)
  for (const selection of singleSelections()) {
    const query = toQuery(dialect, selection)
    const plan = indexPlan(dialect, query)
    // Of many values, a member stands at the least that matches: its other rows are passed over.
    assert.ok(plan?.isSingle || (plan?.sortFilter && plan.others.length === 0), JSON.stringify(selection))
    const path = indexPath(dialect, query, plan, plan.isSingle ? undefined : 1_000)
    const rows = readRows(reader, dialect, query, path)
    if (query.filters.length > 0) countMatching(reader, query, path, rows)
  }
  assert.ok(asked.size > 50, String(asked.size))
  for (const sql of asked) {
    const details = explain(sql).map(({ detail }) => detail)
    // Behind a cursor, the index is entered at the key and the number of the row: equal keys are not gone through.
    if (/\) [<>] \(\?, \?/.test(sql))
      assert.match(details.join('\n'), /\(\w+,(rowid|sequence)\)[<>]\(\?,\?\)/, sql)
    for (const detail of details) {
      assert.ok(
        FROM_AN_INDEX.some((form) => form.test(detail)),
        `${detail}\n${sql}`,
      )
    }
  }
})

/** The statements for pages, with their plans: a range of a table by owner or account, with the members that are not copied. */
async function rangesOf(t: TestContext, selection: Partial<Selection>, columns: string) {
  const { db, dialect, explain } = await openTables(t)
  const asked: string[] = []
  const prepare = (text: string) => {
    asked.push(text)
    return db.prepare(text)
  }
  const rowsOf = createUnfilteredRows({ prepare } as DatabaseSync, dialect.tables)
  const rows = startsOf([], '', 2, 5).flatMap(
    (start) => rowsOf(select({ ...selection, start, limit: 3 })).rows,
  )
  const [first = ''] = columns.split(' AND ')
  const ranges = asked.filter((text) => text.includes(`o.${first.replace('=', ' = ')}`))
  assert.equal(ranges.length, 3)
  for (const text of ranges) {
    const [outer, inner, ...further] = explain(text).map(({ detail }) => detail)
    const behind = /sequence [<>]/.exec(text) ? ` AND sequence${/sequence ([<>])/.exec(text)?.[1]}?` : ''
    assert.equal(outer, `SEARCH o USING PRIMARY KEY (${columns}${behind})`)
    assert.equal(inner, 'SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN')
    assert.deepEqual(further, [])
  }
  return rows
}

// contract: The unfiltered list in its default order
test('of the members of one owner, each page is a range of their table, and the total a counter', async (t) => {
  const rows = await rangesOf(t, { owner: 1 }, 'owner=?')
  for (const [, , , , owner] of rows) assert.equal(owner, 1)
})

// contract: The unfiltered list and its total are answered from indexes for one-step paths
test('of the members that link to an account, each page is a range of their table', async (t) => {
  const filters: Filter[] = [{ property: 'tags', test: 'in', keys: ['b'], isScope: true }]
  const rows = await rangesOf(t, { filters }, 'property=? AND account=?')
  assert.ok(rows.length > 0)
  for (const [id] of rows) assert.match(id, /^m[0-4]$/)
})

// contract: **Cost**: each single filter
test('a combination is driven from the index of the filter that fewest members match', async (t) => {
  const { reader, dialect, asked, explain } = await openTables(t)
  const filters: Filter[] = [
    { property: 'title', test: 'in', keys: ['b'] },
    { property: 'size', test: 'range', from: { key: 3, inclusive: true } },
    { property: 'tags', test: 'in', keys: ['c'] },
  ]
  const selection = select({ filters, order: [{ property: 'title', descending: false }] })
  const query = toQuery(dialect, selection)
  const path = selectivePath(reader, dialect, query, 1_000)
  assert.ok(path)
  asked.clear()
  assert.equal(readRows(reader, dialect, query, path).rows.length, 2)
  const [sql] = asked
  const details = explain(sql ?? '').map(({ detail }) => detail)
  assert.ok(
    details.some((detail) => /^SEARCH k USING INDEX keys_1_1 \(k1>\?\)$/.test(detail)),
    details.join('\n'),
  )
  assert.ok(!details.some((detail) => /^SCAN (k|v|m)\b/.test(detail)), details.join('\n'))
})

/** The members of a user by rules that follow one link (people.md): by one of them, or by being the owner as well. */
const RULES: readonly Filter[] = [
  { property: 'title', test: 'in', keys: ['b'] },
  { property: 'tags', test: 'in', keys: ['b'] },
  {
    test: 'any',
    filters: [
      { test: 'owner', owner: 1 },
      { property: 'size', test: 'in', keys: [0] },
    ],
  },
]

// contract: The unfiltered list and its total are answered from indexes for one-step paths
test('the members that a link to an account leads to, and their total, are read from indexes', async (t) => {
  const { reader, dialect, asked, explain } = await openTables(t)
  for (const filter of RULES) {
    const query = toQuery(dialect, select({ filters: [filter], count: 'exact' }))
    const path = selectivePath(reader, dialect, query, 1_000)
    assert.ok(path)
    asked.clear()
    const rows = readRows(reader, dialect, query, path)
    assert.equal(countMatching(reader, query, path, rows), filter.test === 'any' ? 6 : 5)
    for (const sql of asked)
      for (const { detail } of explain(sql)) assert.doesNotMatch(detail, /^SCAN (?:k|v|m|o)\b/, sql)
    assert.ok(asked.size > 0)
  }
  for (const filter of RULES.slice(0, 2))
    assert.ok(indexPlan(dialect, toQuery(dialect, select({ filters: [filter] })))?.isSingle)
})

/** Not all of them, by a number that divides none of the loops that they come from. */
const STRIDE = inSoak(1, 7)

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
  const { reader, dialect, asked, explain } = await openTables(t)
  const keys = KEYS as unknown as Readonly<Record<Name, readonly [Key, Key]>>
  const all = [...combinedSelections({ kinds: KINDS, keys, words: ['b'], sequence: 7 })]
  for (const selection of all.filter((_, index) => index % STRIDE === 0)) {
    const query = toQuery(dialect, selection)
    const paths = [
      selectivePath(reader, dialect, query, 1_000),
      ...scanningPaths(dialect, query, 1_000),
      countingPath(dialect, query),
    ]
    for (const path of paths) {
      if (path === undefined) continue
      const rows = readRows(reader, dialect, query, path)
      countMatching(reader, query, path, rows)
    }
  }
  assert.ok(asked.size > inSoak(500, 150), String(asked.size))
  for (const sql of asked) assert.deepEqual(unboundedIn(explain(sql)), [], sql)
})
