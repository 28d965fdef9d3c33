import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FOUND_IN_ANY_ORDER } from '../../src/members/history.ts'
import type { HistoryEntry, ImportedEntry, MemberWrite } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { type Kinds, memberOf, shapeOf, type Values, valuesOf, writtenOf } from '../support/shapes.ts'
import { type Open, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text', author: 'text' }
const DAY = 86_400_000
const SHAPES = [
  shapeOf('Author', KINDS, { history: { ageMs: undefined } }),
  shapeOf('Book', KINDS, { history: { ageMs: 90 * DAY } }),
  shapeOf('Note', KINDS),
]
const [ANN, BOB] = [1, 2]
const BYTES = 1_000_000
const BOOK = { className: 'Book', id: 'a' }

const shown = ({ kind, actor, owner, body }: HistoryEntry) =>
  `${kind} by ${actor}, of ${owner}: ${Object.values(valuesOf(body)).join(' ')}`

const listed = async ({ history }: Store, member = BOOK) =>
  (await history.list(member, { limit: 100 }, BYTES)).map(shown)

const removed = async ({ history }: Store, owner?: number, className = 'Book') =>
  (await history.removed(className, { limit: 100, owner }, BYTES)).map(({ id }) => id)

const add = ({ members }: Store, id: string, values: Values = {}, owner?: number) =>
  members.add('Book', { ...memberOf(KINDS, id, values), owner, actor: owner })

const change = ({ members }: Store, id: string, values: Values, actor?: number) =>
  members.change('Book', id, undefined, () => ({ ...writtenOf(KINDS, values), actor }))

const entry = (id: string, at: number, kind: ImportedEntry['kind'] = 'update'): ImportedEntry => ({
  ...{ id, at, kind, actor: BOB, owner: ANN, body: `,"title":"${at}"`, baseUrlOffsets: '', hidden: '' },
})

const removal = (className: string, id: string): MemberWrite => ({
  ...{ kind: 'remove', className, id, expected: undefined, owner: undefined, actor: BOB },
})

for (const { name, open } of STORES)
  describe(name, () => {
    writes(open)
    reads(open)
    removals(open)
    sweeps(open)
  })

function writes(open: Open): void {
  test('every write of a member makes an entry, with who made it and with its owner, newest first', async (t) => {
    const store = await open(t, SHAPES)
    const { members, history, changes } = store
    const before = Date.now()
    const added = await add(store, 'a', { title: 'one' }, ANN)
    const changed = await change(store, 'a', { title: 'two' }, BOB)
    await members.remove('Book', 'a', undefined, undefined, BOB)
    assert.deepEqual(await listed(store), [
      `delete by ${BOB}, of ${ANN}: two`,
      `update by ${BOB}, of ${ANN}: two`,
      `create by ${ANN}, of ${ANN}: one`,
    ])
    const entries = await history.list(BOOK, { limit: 100 }, BYTES)
    const [last, second, first] = entries.map(({ version }) => version) as [number, number, number]
    assert.equal(added.outcome === 'added' && added.version, first)
    assert.equal(changed.outcome === 'changed' && changed.member.version, second)
    assert.ok(last > second)
    const logged = (await changes.after(0, 100)).changes.map(({ at }) => at)
    assert.deepEqual(entries.map(({ at }) => at).reverse(), logged)
    assert.ok(logged.every((at) => at >= before && at <= Date.now()))
  })

  test('an entry has the hidden values and the offsets of its text', async (t) => {
    const { members, history } = await open(t, SHAPES)
    const texts = { body: ',"title":"/x"', baseUrlOffsets: '10', hidden: '{"old":1}' }
    await members.add('Book', { ...memberOf(KINDS, 'a'), ...texts })
    await members.remove('Book', 'a', undefined)
    for (const found of await history.list(BOOK, { limit: 100 }, BYTES)) {
      const { body, baseUrlOffsets, hidden, owner, actor } = found
      assert.deepEqual(
        { body, baseUrlOffsets, hidden, owner, actor },
        { ...texts, owner: undefined, actor: undefined },
      )
    }
  })

  test('the writes of a batch and of an import make entries, and nothing that was refused does', async (t) => {
    const store = await open(t, SHAPES)
    const { members } = store
    await members.addAll([
      { className: 'Book', member: memberOf(KINDS, 'a', { isbn: 'a' }) },
      { className: 'Book', member: memberOf(KINDS, 'b', { isbn: 'a' }) },
    ])
    const written = { ...writtenOf(KINDS, { isbn: 'b' }), actor: BOB }
    const update: MemberWrite = { kind: 'change', ...BOOK, expected: undefined, written }
    await members.writeAll([update, removal('Book', 'a'), removal('Book', 'none')])
    assert.deepEqual(await listed(store), ['create by undefined, of undefined: a'])
    assert.deepEqual(await listed(store, { className: 'Book', id: 'b' }), [])
    await members.writeAll([update, removal('Book', 'a')])
    assert.deepEqual(await listed(store), [
      `delete by ${BOB}, of undefined: b`,
      `update by ${BOB}, of undefined: b`,
      'create by undefined, of undefined: a',
    ])
    await change(store, 'a', {})
    await members.remove('Book', 'a', undefined)
    assert.equal((await listed(store)).length, 3)
  })

  test('members that link to each other make entries when they are removed together', async (t) => {
    const store = await open(t, SHAPES)
    const { members } = store
    await add(store, 'a', { title: 'one' })
    await members.add('Author', memberOf(KINDS, 'ann', { title: 'Book/a' }))
    await change(store, 'a', { author: 'Author/ann' })
    const unlinks = [BOOK, { className: 'Author', id: 'ann' }].map((name) => ({
      kind: 'unlink' as const,
      ...name,
    }))
    const outcomes = await members.writeAll([...unlinks, removal('Book', 'a'), removal('Author', 'ann')])
    assert.equal(outcomes.at(-1)?.outcome, 'removed')
    assert.equal((await listed(store))[0], `delete by ${BOB}, of undefined: Author/ann`)
    assert.deepEqual([await removed(store), await removed(store, undefined, 'Author')], [['a'], ['ann']])
  })

  test('a class without a history has no entries', async (t) => {
    const store = await open(t, SHAPES)
    const { members, history } = store
    const note = { className: 'Note', id: 'a' }
    await members.add('Note', memberOf(KINDS, 'a'))
    await members.remove('Note', 'a', undefined)
    assert.deepEqual(await history.list(note, { limit: 100 }, BYTES), [])
    assert.deepEqual(await history.heads(note, { limit: 100 }), [])
    assert.equal(await history.find(note, 1), undefined)
    assert.equal(await history.findAt(note, Date.now()), undefined)
    assert.equal(await history.first(note), undefined)
    assert.deepEqual(await removed(store, undefined, 'Note'), [])
    await history.add('Note', [entry('a', 1)])
    assert.deepEqual(await history.heads(note, { limit: 100 }), [])
  })
}

function reads(open: Open): void {
  const filled = async (t: Parameters<Open>[0]) => {
    const store = await open(t, SHAPES)
    const { history } = store
    await history.add('Book', [entry('a', 10, 'create'), entry('b', 11, 'create'), entry('a', 20)])
    await history.add('Book', [entry('a', 20), entry('a', 30, 'delete')])
    return store
  }
  const timeOf = (found: { readonly at: number } | undefined) => found?.at

  test('entries are read in pages, with their texts or without, up to a number of bytes', async (t) => {
    const { history } = await filled(t)
    const heads = await history.heads(BOOK, { limit: 100 })
    assert.deepEqual(
      heads.map(({ kind, at, actor }) => ({ kind, at, actor })),
      [
        { kind: 'delete', at: 30, actor: BOB },
        { kind: 'update', at: 20, actor: BOB },
        { kind: 'update', at: 20, actor: BOB },
        { kind: 'create', at: 10, actor: BOB },
      ],
    )
    const page = await history.list(BOOK, { limit: 2 }, BYTES)
    assert.deepEqual(page.map(timeOf), [30, 20])
    const before = page[1]?.version
    assert.deepEqual((await history.list(BOOK, { before, limit: 2 }, BYTES)).map(timeOf), [20, 10])
    assert.deepEqual((await history.heads(BOOK, { before, limit: 1 })).map(timeOf), [20])
    assert.deepEqual((await history.list(BOOK, { limit: 4 }, 13)).map(timeOf), [30, 20])
    assert.deepEqual((await history.list(BOOK, { limit: 4 }, 12)).map(timeOf), [30])
  })

  test('an entry is found with those beside it, which are of the same member', async (t) => {
    const { history } = await filled(t)
    const heads = await history.heads(BOOK, { limit: 100 })
    for (const [index, head] of heads.entries()) {
      const found = await history.find(BOOK, head.version)
      assert.deepEqual([found?.previous, found?.next], [heads[index + 1], heads[index - 1]])
      assert.equal(found?.body, `,"title":"${head.at}"`)
      assert.equal(await history.find({ ...BOOK, id: 'b' }, head.version), undefined)
    }
    assert.equal(await history.find(BOOK, (heads[0]?.version ?? 0) + 1), undefined)
    assert.deepEqual(await history.first(BOOK), heads.at(-1))
    assert.equal(await history.first({ ...BOOK, id: 'none' }), undefined)
  })

  test('the entry at a time is the last one up to it', async (t) => {
    const { history } = await filled(t)
    const heads = await history.heads(BOOK, { limit: 100 })
    const indexAt = async (time: number) => {
      const found = await history.findAt(BOOK, time)
      return heads.findIndex(({ version }) => version === found?.version)
    }
    assert.deepEqual(await Promise.all([9, 10, 19, 20, 29, 30, 31].map(indexAt)), [-1, 3, 3, 1, 1, 0, 0])
    const found = await history.findAt(BOOK, 25)
    assert.deepEqual([found?.previous, found?.next], [heads[2], heads[0]])
  })

  // authentication.md, Time: "Right clocks are not held up by what a wrong one wrote"
  test('the entry at a time is found although the clock was ahead for some', async (t) => {
    const { history } = await open(t, SHAPES)
    const ahead = 2 * DAY
    const times = [ahead + 1, ahead + 2, 3, 4, ahead + 5, 6, 7]
    await history.add(
      'Book',
      times.map((at, index) => entry('a', at, index === 0 ? 'create' : 'update')),
    )
    const timeAt = async (time: number) => (await history.findAt(BOOK, time))?.at
    const asked = [1, 2, 3, 4, 5, 6, 7, ahead, ahead + 9]
    const found = [undefined, undefined, 3, 4, 4, 6, 7, 7, 7]
    assert.deepEqual(await Promise.all(asked.map(timeAt)), found)
  })

  test('the entry at a time is found among any number of entries', async (t) => {
    const { history } = await open(t, SHAPES)
    const times = Array.from({ length: 2 * FOUND_IN_ANY_ORDER + 1 }, (_, index) => index * 10)
    const newest = times.length - FOUND_IN_ANY_ORDER
    // The clock was ahead for one of those that are found in any order.
    times[newest + 1] = DAY
    await history.add(
      'Book',
      times.map((at) => entry('a', at)),
    )
    const asked = [-1, 0, 9, 10, 5_000, ...[-2, -1, 0, 1, 2].map((by) => (newest + by) * 10), 1e6, DAY]
    for (const time of asked) {
      const expected = times.findLast((at) => at <= time)
      assert.equal((await history.findAt(BOOK, time))?.at, expected, String(time))
    }
  })
}

function removals(open: Open): void {
  test('the entries of a member up to a version are removed, and no others', async (t) => {
    const { history } = await open(t, SHAPES)
    await history.add('Book', [entry('a', 1), entry('b', 2), entry('a', 3), entry('a', 4)])
    const versionsOf = async (id: string) =>
      (await history.heads({ ...BOOK, id }, { limit: 9 })).map(({ version }) => version)
    const [last, second] = (await versionsOf('a')) as [number, number]
    await history.remove(BOOK, second)
    await history.remove({ className: 'Note', id: 'a' }, second)
    assert.deepEqual([await versionsOf('a'), (await versionsOf('b')).length], [[last], 1])
  })

  test('the removal of a member is found from any of its versions, also if its id is used again', async (t) => {
    const store = await open(t, SHAPES)
    const { members, history } = store
    for (const title of ['one', 'two']) {
      await add(store, 'a', { title })
      await change(store, 'a', { title: `${title} later` })
      await members.remove('Book', 'a', undefined, undefined)
    }
    await add(store, 'a', { title: 'three' })
    const found: (string | undefined)[] = []
    for (const { version } of await history.heads(BOOK, { limit: 10 })) {
      const one = await history.removalFrom(BOOK, version)
      found.push(one && String(valuesOf(one.body).title))
    }
    const [first, second] = ['one later', 'two later']
    assert.deepEqual(found, [undefined, second, second, second, first, first, first])
  })

  test('removed members are those that are gone, newest first, each once', async (t) => {
    const store = await open(t, SHAPES)
    const { members, history } = store
    for (const [id, owner] of [
      ['a', ANN],
      ['b', BOB],
      ['c', ANN],
      ['d', undefined],
    ] as const)
      await add(store, id, { title: id }, owner)
    assert.deepEqual(await removed(store), [])
    for (const id of ['b', 'a', 'c', 'd']) await members.remove('Book', id, undefined)
    assert.deepEqual(await removed(store), ['d', 'c', 'a', 'b'])
    assert.deepEqual(await removed(store, ANN), ['c', 'a'])
    await add(store, 'a')
    assert.deepEqual(await removed(store), ['d', 'c', 'b'])
    await members.remove('Book', 'a', undefined)
    assert.deepEqual(await removed(store), ['a', 'd', 'c', 'b'])
    assert.deepEqual(await removed(store, ANN), ['c'])
    const page = await history.removed('Book', { limit: 2 }, BYTES)
    const rest = await history.removed('Book', { limit: 9, before: page[1]?.version }, BYTES)
    assert.deepEqual(
      rest.map(({ id, kind, body }) => [id, kind, body]),
      [
        ['c', 'delete', ',"title":"c"'],
        ['b', 'delete', ',"title":"b"'],
      ],
    )
    assert.equal((await history.removed('Book', { limit: 9 }, 1)).length, 2)
  })

  test('a member is among the removed ones after an import, unless it is there or was brought back', async (t) => {
    const store = await open(t, SHAPES)
    const { history } = store
    await add(store, 'here')
    await history.add('Book', [
      entry('gone', 1, 'create'),
      entry('gone', 2, 'delete'),
      entry('gone', 3, 'create'),
      entry('gone', 4, 'delete'),
      entry('back', 1, 'delete'),
      entry('back', 2, 'create'),
      entry('here', 1, 'delete'),
    ])
    assert.deepEqual(await removed(store), ['gone'])
    assert.equal((await history.removed('Book', { limit: 9 }, BYTES))[0]?.at, 4)
    await add(store, 'gone')
    assert.deepEqual(await removed(store), [])
  })
}

function sweeps(open: Open): void {
  const NOW = 1_000 * DAY
  const timesOf = async ({ history }: Store, id: string, className = 'Book') =>
    (await history.heads({ className, id }, { limit: 100 })).map(({ at }) => NOW / DAY - at / DAY)

  test('entries are removed when they are older than their class keeps them, some at a time', async (t) => {
    const store = await open(t, SHAPES)
    const { history } = store
    const days = (...ages: number[]) => ages.map((age) => entry('a', NOW - age * DAY))
    await history.add('Book', days(200, 100, 90, 89))
    // Imported later, and older.
    await history.add('Book', days(150, 10))
    await history.add('Author', days(1_000))
    assert.equal(await history.sweep(NOW, 2), true)
    assert.deepEqual(await timesOf(store, 'a'), [10, 89, 90, 100])
    assert.equal(await history.sweep(NOW, 100), false)
    assert.deepEqual(await timesOf(store, 'a'), [10, 89])
    assert.equal(await history.sweep(NOW, 100), false)
    assert.deepEqual(await timesOf(store, 'a', 'Author'), [1_000])
    await history.sweep(NOW + 365 * DAY, 100)
    assert.deepEqual(await timesOf(store, 'a'), [])
  })

  test('an entry of a clock that was ahead is removed with those after it', async (t) => {
    const store = await open(t, SHAPES)
    const { history } = store
    await history.add('Book', [
      entry('a', NOW - 95 * DAY),
      entry('a', NOW + 400 * DAY),
      entry('a', NOW - 94 * DAY),
      entry('a', NOW - 10 * DAY),
      entry('a', NOW + 300 * DAY),
      entry('a', NOW),
    ])
    assert.equal(await history.sweep(NOW, 100), false)
    assert.deepEqual(await timesOf(store, 'a'), [0, -300, 10])
  })
}
