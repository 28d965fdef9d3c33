import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Change, ChangeRange } from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import { execute } from '../support/databases.ts'
import { type Kinds, memberOf, shapeOf, writtenOf } from '../support/shapes.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../support/stores.ts'

const KINDS: Kinds = { isbn: 'unique', title: 'text' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))
const ANN = 1
const DAY = 86_400_000

const shown = ({ position, className, id, kind, owner }: Change) =>
  `${position} ${kind} ${className}/${id}${owner === undefined ? '' : ` of ${owner}`}`

const told = async ({ changes }: Store, after = 0) => (await changes.after(after, 1_000)).changes.map(shown)

const add = ({ members }: Store, id: string, owner?: number) =>
  members.add('Book', { ...memberOf(KINDS, id, { isbn: id }), owner })

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  // contract: The change log is written in the transaction of the change
  test('every change is told once, in the order of the commits, and nothing that was refused', async (t) => {
    const store = await open(t, SHAPES)
    const { members, changes } = store
    assert.equal(await changes.last(), undefined)
    const before = Date.now()
    const added = await add(store, 'a', ANN)
    assert.equal((await add(store, 'a')).outcome, 'exists')
    await members.addAll([
      { className: 'Book', member: memberOf(KINDS, 'b', { isbn: 'a' }) },
      { className: 'Author', member: memberOf(KINDS, 'ann') },
      { className: 'Book', member: memberOf(KINDS, 'c') },
    ])
    const changed = await members.change('Book', 'a', undefined, () => writtenOf(KINDS, { title: 'new' }))
    await members.change('Book', 'none', undefined, () => writtenOf(KINDS, {}))
    await members.remove('Book', 'a', [0])
    await members.remove('Book', 'a', undefined)
    await add(store, 'a')
    const all = await told(store)
    const bulk = all
      .slice(1, 3)
      .map((text) => text.slice(2))
      .toSorted()
    assert.deepEqual(bulk, ['create Author/ann', 'create Book/c'])
    assert.deepEqual(
      [all[0], ...all.slice(3)],
      [
        `1 create Book/a of ${ANN}`,
        `4 update Book/a of ${ANN}`,
        `5 delete Book/a of ${ANN}`,
        '6 create Book/a',
      ],
    )
    assert.deepEqual(await told(store, 5), ['6 create Book/a'])
    assert.deepEqual(
      (await changes.after(0, 2)).changes.map(({ position }) => position),
      [1, 2],
    )
    const [first, , , fourth] = (await changes.after(0, 10)).changes
    assert.ok(added.outcome === 'added' && changed.outcome === 'changed')
    assert.deepEqual([first?.version, fourth?.version], [added.version, changed.member.version])
    assert.ok(first !== undefined && Math.abs(first.at - before) < 60_000, `${first?.at}`)
    assert.equal((await changes.last())?.position, 6)
  })

  test('behind each write of this process a watcher is told, until it ends that', async (t) => {
    const store = await open(t, SHAPES)
    let count = 0
    const end = store.changes.watch(() => {
      count += 1
    })
    await add(store, 'a')
    await store.members.remove('Book', 'a', undefined)
    const member = memberOf(KINDS, 'b')
    await store.members.writeAll([{ kind: 'add', className: 'Book', member }])
    assert.equal(count, 3)
    end()
    await add(store, 'a')
    assert.equal(count, 3)
  })

  test('ranges have the changes that a filter of the whole log has, page by page', async (t) => {
    const store = await open(t, SHAPES)
    for (let index = 0; index < 60; index += 1) {
      const [className, id] = [index % 3 === 0 ? 'Author' : 'Book', `m${index % 7}`]
      const owner = index % 5 === 0 ? undefined : index % 5
      const { outcome } = await store.members.add(className, { ...memberOf(KINDS, id), owner })
      if (outcome === 'exists') await store.members.remove(className, id, undefined)
    }
    const all = (await store.changes.after(0, 1_000)).changes
    const book = { className: 'Book' }
    const RANGES: readonly (readonly ChangeRange[])[] = [
      [],
      [book],
      [book, { className: 'Author' }],
      [{ ...book, id: 'm1' }],
      [{ ...book, owner: ANN }],
      [{ ...book, id: 'm1', owner: ANN }],
      [
        { ...book, owner: 2 },
        { className: 'Author', id: 'm3' },
        { className: 'Author', id: 'm4', owner: 4 },
      ],
      // More than one statement merges.
      Array.from({ length: 250 }, (_, index) => ({ ...book, id: `m${index}` })),
    ]
    for (const ranges of RANGES) {
      const wanted = all.filter((change) =>
        ranges.some(
          ({ className, id = change.id, owner = change.owner }) =>
            className === change.className && id === change.id && owner === change.owner,
        ),
      )
      const found: Change[] = []
      for (let position = 0; ; ) {
        const page = await store.changes.after(position, 4, ranges)
        found.push(...page.changes)
        assert.equal(page.isSwept, false)
        position = page.end?.position ?? 0
        if (page.stop !== 'limit') break
        assert.equal(page.changes.length, 4)
      }
      assert.deepEqual(found, wanted, JSON.stringify(ranges).slice(0, 200))
      const end = await store.changes.after(60, 4, ranges)
      assert.deepEqual([end.changes.length, end.stop], [0, 'end of log'])
    }
    while (await store.changes.sweep(Date.now(), { ageMs: DAY, count: 20 }, 7));
    assert.equal((await store.changes.after(10, 4, [book])).isSwept, true)
    assert.equal((await store.changes.after(all.length - 20, 4, [book])).isSwept, false)
    assert.equal(await store.changes.find(1), undefined)
    assert.deepEqual(await store.changes.find(all.length), all.at(-1))
  })

  const SWEEPS: readonly [what: string, now: number, count: number, left: number][] = [
    ['nothing is too old or too much', 0, 1_000, 30],
    ['all are too old, and the last one is kept', 2 * DAY, 1_000, 1],
    ['there are more than are kept', 0, 4, 4],
  ]
  test('the log is swept from its oldest change on, batch by batch', async (t) => {
    const store = await open(t, SHAPES)
    const member = (id: string) => ({ className: 'Book', member: memberOf(KINDS, id) })
    await store.members.addAll(Array.from({ length: 30 }, (_, index) => member(`m${index}`)))
    await store.changes.last()
    const left = []
    for (const [, later, count] of SWEEPS.toSorted(([, , , one], [, , , other]) => other - one)) {
      while (await store.changes.sweep(Date.now() + later, { ageMs: DAY, count }, 7));
      left.push((await told(store)).length)
    }
    assert.deepEqual(left, [30, 4, 1])
    assert.equal((await store.changes.last())?.position, 30)
    await add(store, 'more')
    assert.deepEqual(await told(store, 29), ['30 create Book/m29', '31 create Book/more'].slice(0, 2))
  })
}

/** When changes were made, by a clock that was wrong meanwhile, and the positions that a sweep leaves of them. */
const TIMED: readonly [what: string, times: readonly number[], left: readonly number[]][] = [
  ['ahead, before one that is kept', [-2 * DAY, 2 * DAY, -1, -1], [2, 3, 4]],
  ['ahead, before one that is not', [-2 * DAY, 2 * DAY, 2 * DAY, -2 * DAY, -1], [5]],
  ['ahead at first, before one that is not', [2 * DAY, 2 * DAY, -2 * DAY, -1], [4]],
  ['ahead at last', [-2 * DAY, -1, 2 * DAY], [2, 3]],
  ['all ahead', [2 * DAY, 2 * DAY], [1, 2]],
  ['behind, after one that is kept', [-2 * DAY, -1, -2 * DAY, -1], [2, 3, 4]],
]

for (const { name, newDatabase } of SHARED_STORES) {
  // contract: Right clocks are not held up
  test(`${name}: a sweep keeps what it should also where a clock was wrong`, async (t) => {
    const url = newDatabase(t)
    const store = await openFor(t, url, SHAPES)
    for (const [what, times, left] of TIMED) {
      for (const limit of [1, 3, 100]) {
        const now = Date.now()
        const rows = times.map((at, index) => `(${index + 1}, 'Book', 'a', 0, 1, NULL, ${now + at})`)
        const insert = `INSERT INTO changes (position, class, id, kind, version, owner, at) VALUES ${rows}`
        await execute(url, { sqlite: 'DELETE FROM changes', postgres: 'DELETE FROM changes' })
        await execute(url, { sqlite: insert, postgres: insert })
        // As often as it takes: a batch may end within changes that lie ahead.
        for (const _ of times) await store.changes.sweep(now, { ageMs: DAY, count: 1_000 }, limit)
        const found = (await store.changes.after(0, 100)).changes.map(({ position }) => position)
        assert.deepEqual(found, left, `${what}, ${limit} at once`)
      }
    }
  })

  // contract: A host whose API file does not know the class of a change
  test(`${name}: a log ends before a class of a newer file, and goes on where no file has it any more`, async (t) => {
    const url = newDatabase(t)
    const former = await openFor(t, url, SHAPES)
    await add(former, 'a')
    const newer = await openFor(t, url, [...SHAPES, shapeOf('New', KINDS)])
    await newer.members.add('New', memberOf(KINDS, 'n'))
    await add(newer, 'b')
    const ranges: readonly (readonly ChangeRange[] | undefined)[] = [
      undefined,
      [{ className: 'Book' }],
      [{ className: 'Book', id: 'a' }],
      [{ className: 'Author' }],
    ]
    const read = async ({ changes }: Store, position: number, limit = 10) =>
      Promise.all(
        ranges.map(async (some) => {
          const { changes: found, end, stop } = await changes.after(position, limit, some)
          return `${found.map(({ id }) => id)} ${end?.position} ${stop}`
        }),
      )
    const stopped = ['a', 'a', 'a', ''].map((ids) => `${ids} 1 unknown class`)
    assert.deepEqual(await read(former, 0), stopped)
    // Directly before it, and where the limit is reached first.
    assert.deepEqual(await read(former, 1), Array(4).fill(' 1 unknown class'))
    assert.equal((await read(former, 0, 1))[0], 'a 1 limit')
    assert.deepEqual((await read(newer, 0)).slice(0, 2), ['a,n,b 3 end of log', 'a,b 3 end of log'])
    // A process without an API file, such as a command that adds users, changes none of this.
    await openFor(t, url)
    assert.deepEqual(await read(former, 0), stopped)
    // The class has left the file: nothing is to be known of it any more.
    const later = await openFor(t, url, SHAPES)
    assert.deepEqual(await read(later, 0), await read(former, 0))
    assert.equal((await read(later, 0))[0], 'a,b 3 end of log')
  })

  test(`${name}: a migration is not told, and what was told goes by the new name of its class`, async (t) => {
    const url = newDatabase(t)
    const before = await openFor(t, url, SHAPES)
    await add(before, 'a')
    if (name === 'SQLite') await before.changes.last()
    const epoch = await before.changes.epoch()
    await before.close()
    const renamed = shapeOf('Volume', { title: 'text' }, { was: 'Book', fingerprint: 2 })
    const after = await openFor(t, url, [shapeOf('Author', KINDS), renamed])
    assert.deepEqual(await told(after), ['1 create Volume/a'])
    assert.equal(await after.changes.epoch(), epoch)
  })
}
