import assert from 'node:assert/strict'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { ClassSchema, MemberWrite } from '../../../../src/members/index.ts'
import type { Store } from '../../../../src/store/index.ts'
import { run } from '../../../support/processes.ts'
import { type Kinds, memberOf, shapeOf, writtenOf } from '../../../support/shapes.ts'
import { connect, newSqlite, openFor } from '../../../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', tags: 'texts' }
const DAY = 86_400_000
const BYTES = 1_000_000
const BOOK = { className: 'Book', id: 'a' }
/** Its statements are all carried out on this thread, where `statementsOf` sees them. */
const IN_MEMORY = 'sqlite::memory:'
const kept = shapeOf('Book', KINDS, { history: { ageMs: DAY } })

/** The texts of all statements that are carried out while `work` runs, in their order. */
async function statementsOf(t: TestContext, work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const carryOut = StatementSync.prototype[name] as (...values: unknown[]) => unknown
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      texts.push(this.sourceSQL)
      return carryOut.apply(this, values)
    })
  }
  await work()
  t.mock.restoreAll()
  return texts
}

const add = (id: string): MemberWrite => ({
  ...{ kind: 'add', className: 'Book', member: memberOf(KINDS, id, { title: id, tags: ['x'] }) },
})

/** Every kind of write. */
async function write({ members }: Store): Promise<void> {
  const remove: MemberWrite = {
    kind: 'remove',
    className: 'Book',
    id: 'c',
    expected: undefined,
    owner: 1,
    actor: 1,
  }
  await members.add('Book', { ...memberOf(KINDS, 'a', { isbn: 'a' }), owner: 1 })
  await members.change('Book', 'a', undefined, () => writtenOf(KINDS, { isbn: 'b' }))
  await members.addAll([{ className: 'Book', member: { ...memberOf(KINDS, 'c'), owner: 1 } }])
  await members.writeAll([add('d'), { kind: 'unlink', className: 'Book', id: 'c' }, remove])
  await members.remove('Book', 'a', undefined)
}

test('without a history no write carries out a further statement, and none names a table of it', async (t) => {
  const statements = async (shape: ClassSchema) => {
    const store = await openFor(t, IN_MEMORY, [shape])
    return statementsOf(t, () => write(store))
  }
  const [plain, keeping] = [await statements(shapeOf('Book', KINDS)), await statements(kept)]
  const isMore = (text: string) => /history_\d|SELECT property, to_class, to_id FROM links/.test(text)
  assert.deepEqual(plain.filter(isMore), [])
  assert.deepEqual(
    keeping.filter((text) => !isMore(text)),
    plain,
  )
  // An entry for each write, a look at former removals for each that adds, and at the links for each that removes.
  const countOf = (form: RegExp) => keeping.filter(isMore).filter((text) => form.test(text)).length
  assert.deepEqual([/^INSERT/, /^UPDATE/, /^SELECT/].map(countOf), [6, 3, 2])
})

test('a class without a history has no table of it', async (t) => {
  const url = newSqlite(t)
  await openFor(t, url, [shapeOf('Note', KINDS), kept])
  const tables = connect(t, url).prepare(
    "SELECT name FROM sqlite_schema WHERE name LIKE 'history%' AND type = 'table'",
  )
  assert.deepEqual(
    tables.all().map(({ name }) => name),
    ['history_2'],
  )
})

test('an entry keeps the links of its text, also where they were removed before the member', async (t) => {
  const url = newSqlite(t)
  const { members } = await openFor(t, url, [kept], { bulk: true })
  const linking = (id: string, to: string) => memberOf(KINDS, id, { title: to })
  const remove = (id: string): MemberWrite => ({
    ...{ kind: 'remove', className: 'Book', id, expected: undefined, owner: undefined, actor: undefined },
  })
  await members.add('Book', linking('a', 'Book/a'))
  await members.add('Book', linking('b', 'Book/a'))
  const unlinks = ['a', 'b'].map((id) => ({ kind: 'unlink' as const, className: 'Book', id }))
  // Rolled back: what it has kept of the links is forgotten.
  await members.writeAll([...unlinks, remove('none')])
  await members.change('Book', 'b', undefined, () => writtenOf(KINDS, { title: 'Book/b' }))
  await members.remove('Book', 'b', undefined)
  await members.add('Book', linking('c', 'Book/a'))
  await members.writeAll([
    ...['a', 'c'].map((id) => ({ kind: 'unlink' as const, className: 'Book', id })),
    ...['a', 'c'].map(remove),
  ])
  const rows = connect(t, url)
    .prepare('SELECT id, kind, links FROM history_1 WHERE kind = 2 ORDER BY id')
    .all()
  assert.deepEqual(
    rows.map(({ id, links }) => `${id} ${links}`),
    ['a [["title","Book","a"]]', 'b [["title","Book","b"]]', 'c [["title","Book","a"]]'],
  )
})

test('histories are read and swept by indexes, whatever is asked', async (t) => {
  const { history, members } = await openFor(t, IN_MEMORY, [kept])
  await members.addAll([{ className: 'Book', member: memberOf(KINDS, 'a') }])
  const texts = await statementsOf(t, async () => {
    await history.list(BOOK, { limit: 9 }, BYTES)
    await history.heads(BOOK, { limit: 9 })
    await history.find(BOOK, (await history.first(BOOK))?.version ?? 0)
    await history.findAt(BOOK, Date.now())
    await history.removed('Book', { limit: 9 }, BYTES)
    await history.removed('Book', { limit: 9, owner: 1 }, BYTES)
    await history.sweep(Date.now() + 2 * DAY, 9)
  })
  const asked = new Set(texts.filter((text) => text.includes('history_')))
  assert.equal(asked.size, 9)
  const url = newSqlite(t)
  await openFor(t, url, [kept])
  const db = connect(t, url)
  for (const text of asked) {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as unknown as { readonly detail: string }[]
    for (const { detail } of steps)
      assert.match(detail, /^SEARCH history_1 USING (?:INDEX|INTEGER PRIMARY KEY)/, text)
  }
})

test('the entry at a time is found by few reads among very many', async (t) => {
  const { history } = await openFor(t, newSqlite(t), [kept], { bulk: true })
  const entries = Array.from({ length: 5_000 }, (_, index) => ({
    ...{ id: index % 2 === 0 ? 'a' : 'b', at: index * 10, kind: 'update' as const, actor: undefined },
    ...{ owner: undefined, body: '', baseUrlOffsets: '', hidden: '' },
  }))
  await history.add('Book', entries)
  const texts = await statementsOf(t, async () => {
    for (const time of [-1, 0, 9, 19, 20, 21, 24_980, 49_979, 49_980, 1e9]) {
      const expected = entries.findLast(({ id, at }) => id === 'a' && at <= time)?.at
      assert.equal((await history.findAt(BOOK, time))?.at, expected, String(time))
    }
  })
  assert.ok(texts.length < 10 * 25, String(texts.length))
})

test('a sweep removes few entries at a time, and few that are long', async (t) => {
  const { history } = await openFor(t, newSqlite(t), [kept], { bulk: true })
  const entries = (count: number, length: number) =>
    Array.from({ length: count }, () => ({
      ...{ id: 'a', at: 0, kind: 'update' as const, actor: undefined, owner: undefined },
      ...{ body: `,"title":"${'x'.repeat(length)}"`, baseUrlOffsets: '', hidden: '' },
    }))
  const left = async () => (await history.heads(BOOK, { limit: 999 })).length
  await history.add('Book', entries(3, 300_000))
  assert.equal(await history.sweep(2 * DAY, 1_000), true)
  assert.equal(await left(), 1)
  assert.equal(await history.sweep(2 * DAY, 1_000), false)
  await history.add('Book', entries(150, 1))
  assert.equal(await history.sweep(2 * DAY, 1_000), true)
  assert.equal(await left(), 50)
  assert.equal(await history.sweep(2 * DAY, 1_000), false)
  assert.equal(await left(), 0)
})

const KILL_AT = join(import.meta.dirname, '../../../cli/kill-at.ts')
const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** The number of entries that were written when the process is killed, and the kinds that are there afterwards. */
const KILLED: [entries: number, kinds: string[]][] = [
  [1, []],
  [2, ['create']],
  [3, ['update', 'create']],
]

for (const [entries, kinds] of KILLED)
  test(`a process that is killed at entry ${entries} leaves neither the entry nor its change`, async (t) => {
    const url = newSqlite(t)
    const script = `const { openStore } = await import(${moduleAt('../../../../src/store/open.ts')})
      const { shapeOf, memberOf, writtenOf } = await import(${moduleAt('../../../support/shapes.ts')})
      const kinds = { isbn: 'unique', title: 'text', tags: 'texts' }
      const shape = shapeOf('Book', kinds, { history: { ageMs: undefined } })
      const { members } = await openStore(${JSON.stringify(url)}, [shape], { bulk: true })
      await members.add('Book', memberOf(kinds, 'a', { title: 'one' }))
      await members.change('Book', 'a', undefined, () => writtenOf(kinds, { title: 'two' }))
      await members.remove('Book', 'a', undefined)`
    const { status, stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
      env: { KILL_AT: `${entries} ^INSERT INTO history_`, NODE_OPTIONS: `--import=${KILL_AT}` },
    })
    assert.equal(status, null, stderr)
    const { history, changes, members } = await openFor(t, url, [kept])
    const found = await history.heads(BOOK, { limit: 9 })
    assert.deepEqual(
      found.map(({ kind }) => kind),
      kinds,
    )
    const logged = (await changes.after(0, 9)).changes.map(({ kind }) => kind)
    assert.deepEqual(logged.toReversed(), kinds)
    assert.equal((await members.find('Book', 'a'))?.version, found[0]?.version)
  })
