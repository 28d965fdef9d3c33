import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { HistoryEntry, ImportedEntry } from '../../../../src/members/index.ts'
import { createClassStatements } from '../../../../src/members/postgres/class-statements.ts'
import { tablesOf } from '../../../../src/members/postgres/tables.ts'
import { ADD, CHANGE, removeText } from '../../../../src/members/postgres/write-statements.ts'
import { emptyPostgres, newPostgres, onPostgres } from '../../../support/postgres.ts'
import { type Kinds, memberOf, shapeOf, type Values, writtenOf } from '../../../support/shapes.ts'
import { openFor } from '../../../support/stores.ts'

const TARGETS = { find: () => ({ id: 1, members: 'members_1' }), isKnown: () => true }
const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts', author: 'text' }
const DAY = 86_400_000
const SHAPES = [
  shapeOf('Author', KINDS),
  shapeOf('Book', KINDS, { history: { ageMs: 90 * DAY } }),
  shapeOf('Note', KINDS, { history: { ageMs: undefined } }),
]
const [ANN, BEN] = [1, 2]
const ALL = { limit: 100 }
const ANY_BYTES = 1_000_000
const MEMBER = { className: 'Book', id: 'a' }

const open = async (t: TestContext) => openFor(t, await emptyPostgres(t, SHAPES), SHAPES)

const book = (id: string, values: Values = {}) => memberOf(KINDS, id, values)
const written = (values: Values, actor?: number) => () => ({ ...writtenOf(KINDS, values), actor })

const shown = ({ kind, actor, body, id }: HistoryEntry) => `${kind} ${id} by ${actor ?? 'none'}: ${body}`

const headOf = ({ version, kind, actor, at }: HistoryEntry) => ({ version, kind, actor, at })

test('every way to write a member writes entries, with the links of the member', async (t) => {
  const url = newPostgres(t)
  const { members, history } = await openFor(t, url, SHAPES)
  const authors = ['ann', 'ben'].map((id) => ({ className: 'Author', member: book(id) }))
  const books = ['b', 'c'].map((id) => ({ className: 'Book', member: book(id, { author: 'Author/ann' }) }))
  await members.addAll([...authors, ...books, { className: 'Book', member: book('free') }])
  const add = {
    kind: 'add',
    className: 'Book',
    member: book('d', { author: 'Author/ben', title: 'Book/d' }),
  } as const
  const change = {
    kind: 'change',
    className: 'Book',
    id: 'b',
    expected: undefined,
    written: written({ author: 'Author/ben' })(),
  } as const
  await members.writeAll([add, change])
  const removed = ['b', 'd'].map((id) => ({ className: 'Book', id }))
  const outcomes = await members.writeAll([
    ...removed.map((name) => ({ ...name, kind: 'unlink' }) as const),
    ...removed.map(
      (name) => ({ ...name, kind: 'remove', expected: undefined, owner: undefined, actor: ANN }) as const,
    ),
  ])
  assert.ok(outcomes.every(({ outcome }) => outcome === 'unlinked' || outcome === 'removed'))
  await members.remove('Book', 'c', undefined)
  await members.remove('Book', 'free', undefined)
  const table = (await onPostgres(url, "SELECT 'history_' || id FROM classes WHERE name = 'Book'"))[0]?.[0]
  const rows = await onPostgres(url, `SELECT id, kind, gone, links FROM ${table} ORDER BY id, version`)
  const ann = [['author', 'Author', 'ann']]
  const ben = [['author', 'Author', 'ben']]
  const own = [...ben, ['title', 'Book', 'd']]
  assert.deepEqual(
    rows.map(([id, kind, gone, links]) => [
      id,
      kind,
      gone,
      links === '' ? [] : JSON.parse(String(links)).toSorted(),
    ]),
    [
      ...[
        ['b', 0, null, ann],
        ['b', 1, null, ben],
        ['b', 2, 1, ben],
      ],
      ...[
        ['c', 0, null, ann],
        ['c', 2, 1, ann],
      ],
      ...[
        ['d', 0, null, own],
        ['d', 2, 1, own],
      ],
      ...[
        ['free', 0, null, []],
        ['free', 2, 1, []],
      ],
    ],
  )
  const bodies = await history.list({ className: 'Book', id: 'd' }, ALL, ANY_BYTES)
  assert.deepEqual(bodies.map(shown), [
    `delete d by ${ANN}: ,"author":"Author/ben","title":"Book/d"`,
    'create d by none: ,"author":"Author/ben","title":"Book/d"',
  ])
})

test('an entry is found by its version and by a time, with those beside it', async (t) => {
  const { members, history } = await open(t)
  const day = (number: number): ImportedEntry => ({
    ...{ id: 'a', kind: number === 0 ? 'create' : 'update', actor: ANN, at: number * DAY, owner: BEN },
    ...{ body: `,"title":"${number}"`, baseUrlOffsets: '', hidden: `{"old":${number}}` },
  })
  await history.add(
    'Book',
    Array.from({ length: 40 }, (_, number) => day(number)),
  )
  // Versions of other members come between.
  await members.add('Book', book('other'))
  await history.add(
    'Book',
    Array.from({ length: 5 }, (_, number) => day(40 + number)),
  )
  const entries = (await history.list(MEMBER, ALL, ANY_BYTES)).toReversed()
  assert.equal(entries.length, 45)
  for (const [index, entry] of entries.entries()) {
    assert.deepEqual(entry, { ...day(index), version: entry.version })
    const head = (one: HistoryEntry | undefined) => one && headOf(one)
    const expected = { ...entry, previous: head(entries[index - 1]), next: head(entries[index + 1]) }
    assert.deepEqual(await history.find(MEMBER, entry.version), expected)
    assert.deepEqual(await history.findAt(MEMBER, entry.at), expected)
    assert.deepEqual(await history.findAt(MEMBER, entry.at + DAY - 1), expected)
  }
  assert.equal(await history.findAt(MEMBER, -1), undefined)
  assert.equal(await history.findAt({ ...MEMBER, id: 'none' }, DAY), undefined)
  assert.equal(await history.find(MEMBER, 41), undefined)
  const [newest, second] = await history.list(MEMBER, { limit: 2 }, ANY_BYTES)
  assert.deepEqual([newest, second], entries.slice(-2).toReversed())
  assert.deepEqual(
    await history.heads(MEMBER, { limit: 1, before: second?.version ?? 0 }),
    entries.slice(-3, -2).map(headOf),
  )
  // The entry at which the texts exceed the bytes is the last one.
  assert.equal((await history.list(MEMBER, ALL, 30)).length, 2)
  assert.equal((await history.list(MEMBER, ALL, 0)).length, 1)
})

test('long texts are swept a few megabytes at a time', async (t) => {
  const { history } = await open(t)
  const body = `,"title":"${'x'.repeat(1_000_000)}"`
  const entry = {
    kind: 'update',
    actor: undefined,
    owner: undefined,
    at: 0,
    body,
    baseUrlOffsets: '',
    hidden: '',
  } as const
  for (let number = 0; number < 12; number++) await history.add('Book', [{ ...entry, id: 'a' }])
  assert.equal(await history.sweep(90 * DAY, 1_000), true)
  assert.equal((await history.heads(MEMBER, ALL)).length, 4)
  assert.equal(await history.sweep(90 * DAY, 1_000), false)
  assert.equal((await history.heads(MEMBER, ALL)).length, 0)
})

test('the entries of a member that many write at once have ascending versions and times', async (t) => {
  const url = await emptyPostgres(t, SHAPES)
  const stores = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
  const work = stores.flatMap(({ members }) =>
    ['x', 'y', 'z'].map(async (title) => {
      for (let round = 0; round < 60; round++) {
        await members.add('Book', book('a', { title })).catch(() => {})
        await members.change('Book', 'a', undefined, written({ title: `${title} ${round}` })).catch(() => {})
        if (round % 3 === 0) await members.remove('Book', 'a', undefined).catch(() => {})
      }
    }),
  )
  await Promise.all(work)
  const [{ history, members, changes }] = stores as [(typeof stores)[0]]
  const entries = (await history.list(MEMBER, { limit: 10_000 }, ANY_BYTES * 10)).toReversed()
  const events = (await changes.after(0, 10_000)).changes
  assert.deepEqual(
    entries.map(({ kind, at, version }) => ({ kind, at, version })),
    events.map(({ kind, at, version }) => ({ kind, at, version })),
  )
  // A creation follows a removal, and nothing else does.
  for (const [index, { kind }] of entries.entries())
    assert.equal(kind === 'create', index === 0 || entries[index - 1]?.kind === 'delete', `${index} ${kind}`)
  assert.equal(entries.at(-1)?.body, (await members.find('Book', 'a'))?.body ?? entries.at(-1)?.body)
})

test('without a history no table is made, and no statement does more', async (t) => {
  const url = await emptyPostgres(t, SHAPES)
  await openFor(t, url, SHAPES)
  const tables = await onPostgres(
    url,
    `SELECT name FROM classes WHERE to_regclass('history_' || id) IS NOT NULL ORDER BY name`,
  )
  assert.deepEqual(tables.flat(), ['Book', 'Note'])
  const [plain, kept] = SHAPES.map((shape) => {
    const cls = createClassStatements('Book', tablesOf(7, shape.keys, shape), TARGETS)
    const given = [{ member: book('a', { author: 'Author/ann' }), sequence: 1, version: 1 }]
    return [cls.statement(ADD, given).text, cls.statement(CHANGE, given).text, removeText(cls)]
  })
  for (const text of plain ?? []) assert.doesNotMatch(text, /history|clock_timestamp|is_last/)
  for (const text of kept ?? []) assert.match(text, /INSERT INTO history_7 /)
})
