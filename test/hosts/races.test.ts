import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import type {
  ChangeOutcome,
  MemberContent,
  MemberStore,
  StoredMember,
  WholeText,
} from '../../src/members/index.ts'
import { newPostgres, onPostgres } from '../support/postgres.ts'
import { type Kinds, memberOf, select, shapeOf, type Values, valuesOf, writtenOf } from '../support/shapes.ts'
import { inSoak } from '../support/soak.ts'
import { openFor } from '../support/stores.ts'
import { eventually } from './hosts.ts'

const KINDS: Kinds = { isbn: 'unique', code: 'unique', tags: 'texts' }
const SHAPES = ['Author', 'Book'].map((name) => shapeOf(name, KINDS))
const ROUNDS = inSoak(100, 15)

/** Those of one test have three owners, and some none. */
const member = (id: string, values: Values = {}) => ({
  ...memberOf(KINDS, id, values),
  owner: [undefined, 1, 2, 3][(id.length + id.charCodeAt(id.length - 1)) & 3],
})

interface Hosts {
  readonly url: string
  readonly one: MemberStore
  readonly other: MemberStore
}

/** Two processes, as far as PostgreSQL can tell. */
async function openTwice(t: TestContext): Promise<Hosts> {
  const url = newPostgres(t)
  const [one, other] = [await openFor(t, url, SHAPES), await openFor(t, url, SHAPES)]
  return { url, one: one.members, other: other.members }
}

/** In both orders: who is asked first changes from round to round. */
function inBothOrders<T>(round: number, first: () => Promise<T>, second: () => Promise<T>): Promise<T[]> {
  if (round % 2 === 0) return Promise.all([first(), second()])
  const [later, sooner] = [second(), first()]
  return Promise.all([sooner, later])
}

const adding =
  (values: Values) =>
  ({ body }: StoredMember & WholeText): MemberContent =>
    writtenOf(KINDS, { ...valuesOf(body), ...values })

const sorted = (outcomes: readonly { readonly outcome: string }[]): string[] =>
  outcomes.map(({ outcome }) => outcome).sort()

/** Every link leads to a member, and the totals, also those of owners, are what is there. */
async function assertWhole({ url, one }: Hosts): Promise<void> {
  const classes = await onPostgres(url, 'SELECT name, id FROM classes')
  for (const [name, id] of classes) {
    const [row] = await onPostgres(url, `SELECT count(*)::int FROM members_${id}`)
    const page = await one.list(String(name), select({ limit: 1 }))
    assert.equal(page.total, row?.[0])
    for (const owner of [1, 2, 3]) {
      const [own] = await onPostgres(url, `SELECT count(*)::int FROM members_${id} WHERE owner = $1`, [owner])
      assert.equal((await one.list(String(name), select({ owner, limit: 1 }))).total, own?.[0])
    }
    const lost = await onPostgres(
      url,
      `SELECT * FROM links WHERE to_class = $1 AND to_id NOT IN (SELECT id FROM members_${id})
       OR from_class = $1 AND from_id NOT IN (SELECT id FROM members_${id})`,
      [String(name)],
    )
    assert.equal(lost.length, 0)
  }
}

test('of two hosts that add the same id at once one adds it', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (let round = 0; round < ROUNDS; round++) {
    const add = (store: MemberStore) => () => store.add('Book', member(`b${round}`))
    assert.deepEqual(sorted(await inBothOrders(round, add(one), add(other))), ['added', 'exists'])
  }
  await assertWhole(hosts)
})

test('of two hosts that take the same unique value at once one gets it, and the other hears which', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (let round = 0; round < ROUNDS; round++) {
    const add = (store: MemberStore, id: string) => () =>
      store.add('Book', member(`${id}${round}`, { isbn: `${round}` }))
    const added = await inBothOrders(round, add(one, 'a'), add(other, 'b'))
    assert.deepEqual(sorted(added), ['added', 'refused'])
    const refused = added.find(({ outcome }) => outcome === 'refused')
    assert.deepEqual(refused, { outcome: 'refused', dangling: [], taken: ['isbn'] })
  }
  await assertWhole(hosts)
})

test('of two hosts that change members to the same unique value at once one gets it', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (const id of ['a', 'b']) await one.add('Book', member(id))
  for (let round = 0; round < ROUNDS; round++) {
    const change = (store: MemberStore, id: string) => () =>
      store.change('Book', id, undefined, adding({ isbn: `${round}` }))
    const changed = await inBothOrders(round, change(one, 'a'), change(other, 'b'))
    assert.deepEqual(sorted(changed), ['changed', 'refused'])
  }
})

test('a link from one host and the removal of its target by another never leave a link to nothing', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (let round = 0; round < ROUNDS; round++) {
    await one.add('Author', member(`a${round}`))
    const link = async () => (await one.add('Book', member(`b${round}`, { by: `Author/a${round}` }))).outcome
    const remove = async () => (await other.remove('Author', `a${round}`, undefined)).outcome
    const outcomes = await inBothOrders(round, link, remove)
    assert.ok(['added,linked', 'refused,removed'].includes(outcomes.join()), outcomes.join())
  }
  await assertWhole(hosts)
})

test('a change to a link and the removal of its target by another host never leave a link to nothing', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  await one.add('Book', member('book'))
  for (let round = 0; round < ROUNDS; round++) {
    await one.add('Author', member(`a${round}`))
    const link = async () =>
      (await one.change('Book', 'book', undefined, () => writtenOf(KINDS, { by: `Author/a${round}` })))
        .outcome
    const remove = async () => (await other.remove('Author', `a${round}`, undefined)).outcome
    const outcomes = await inBothOrders(round, link, remove)
    assert.ok(['changed,linked', 'refused,removed'].includes(outcomes.join()), outcomes.join())
  }
  await assertWhole(hosts)
})

/** A transaction of another host that is open, and what this one does until it is ended. */
async function during<T>(t: TestContext, url: string, script: string, act: () => Promise<T>): Promise<T> {
  // A test that fails must not leave it open: the schema could not be removed.
  const connection = { idle_in_transaction_session_timeout: 5_000 }
  const other = postgres(url, { max: 1, fetch_types: false, connection })
  t.after(() => other.end())
  const [row] = await other.unsafe('SELECT pg_backend_pid()').values()
  const pid = Number(row?.[0])
  await other.unsafe(`BEGIN; ${script}`)
  const result = act()
  await eventually('somebody waits for the transaction', async () => {
    const [waiting] = await onPostgres(
      url,
      'SELECT count(*)::int FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))',
      [pid],
    )
    return waiting?.[0] !== 0
  })
  await other.unsafe('COMMIT')
  return result
}

test('a removal waits for a link that another host is about to make, and sees it', async (t) => {
  const hosts = await openTwice(t)
  const { url, one } = hosts
  await one.add('Author', member('ann'))
  await one.add('Book', member('book'))
  const removed = await during(
    t,
    url,
    `SELECT FROM ${await membersOf(url, 'Author')} WHERE id = 'ann' FOR KEY SHARE;
     INSERT INTO links VALUES ('Author', 'ann', 'Book', 'by', 'book')`,
    () => one.remove('Author', 'ann', undefined),
  )
  assert.deepEqual(removed, {
    outcome: 'linked',
    isTruncated: false,
    from: [{ className: 'Book', id: 'book', owner: 3, properties: ['by'] }],
  })
  await assertWhole(hosts)
})

test('a link waits for the removal of its target by another host, and is refused', async (t) => {
  const { url, one } = await openTwice(t)
  await one.add('Author', member('ann'))
  await one.add('Book', member('book'))
  const table = await membersOf(url, 'Author')
  const refused = {
    outcome: 'refused',
    dangling: [{ property: 'by', className: 'Author', id: 'ann' }],
    taken: [],
  }
  const values = { by: 'Author/ann' }
  const added = await during(t, url, `DELETE FROM ${table} WHERE id = 'ann'`, () =>
    one.add('Book', member('other', values)),
  )
  assert.deepEqual(added, refused)
  await one.add('Author', member('ann'))
  const changed = await during(t, url, `DELETE FROM ${table} WHERE id = 'ann'`, () =>
    one.change('Book', 'book', undefined, adding(values)),
  )
  assert.deepEqual(changed, refused)
})

const membersOf = async (url: string, className: string): Promise<string> =>
  `members_${(await onPostgres(url, 'SELECT id FROM classes WHERE name = $1', [className]))[0]?.[0]}`

test('of two hosts that change the same version at once one does', async (t) => {
  const { one, other } = await openTwice(t)
  const added = await one.add('Book', member('book'))
  assert.ok(added.outcome === 'added')
  let { version } = added
  for (let round = 0; round < ROUNDS; round++) {
    const change = (store: MemberStore) => () => store.change('Book', 'book', [version], adding({ round }))
    const changed = await inBothOrders<ChangeOutcome>(round, change(one), change(other))
    assert.deepEqual(sorted(changed), ['changed', 'stale'])
    const winner = changed.find(({ outcome }) => outcome === 'changed')
    assert.ok(winner?.outcome === 'changed' && winner.member.version > version)
    version = winner.member.version
  }
})

test('changes of one member by two hosts at once are all made, each on the one before', async (t) => {
  const { one, other } = await openTwice(t)
  await one.add('Book', member('book', { count: 0, tags: [] }))
  const count = (store: MemberStore) => () =>
    store.change('Book', 'book', undefined, (current) => {
      const seen = Number(valuesOf(current.body).count)
      return writtenOf(KINDS, { count: seen + 1, tags: [`t${seen}`, `t${seen + 1}`] })
    })
  for (let round = 0; round < ROUNDS; round++) {
    assert.deepEqual(sorted(await inBothOrders(round, count(one), count(other))), ['changed', 'changed'])
  }
  const found = await one.find('Book', 'book')
  assert.equal(valuesOf(found?.body ?? '').count, 2 * ROUNDS)
  // What it is found by belongs to the last one.
  const by = async (key: string) =>
    (await other.list('Book', select({ filters: [{ property: 'tags', test: 'in', keys: [key] }] }))).members
      .length
  const last = 2 * ROUNDS
  assert.deepEqual([await by(`t${last - 2}`), await by(`t${last - 1}`), await by(`t${last}`)], [0, 1, 1])
})

test('a change and a removal by two hosts at once are one after the other', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (let round = 0; round < ROUNDS; round++) {
    await one.add('Book', member('book'))
    const change = async () =>
      (await one.change('Book', 'book', undefined, adding({ isbn: 'taken', tags: ['x'] }))).outcome
    const remove = async () => (await other.remove('Book', 'book', undefined)).outcome
    const outcomes = await inBothOrders(round, change, remove)
    assert.ok(['changed,removed', 'missing,removed'].includes(outcomes.join()), outcomes.join())
    assert.equal(await one.find('Book', 'book'), undefined)
  }
  await assertWhole(hosts)
})

test('hosts that add the same members in opposite orders add each of them once', async (t) => {
  const hosts = await openTwice(t)
  const { one, other } = hosts
  for (let round = 0; round < inSoak(10, 5); round++) {
    const ids = Array.from({ length: 20 }, (_, index) => `${round}-${index}`)
    const add = (store: MemberStore, order: readonly string[]) =>
      order.map((id) => store.add('Book', member(id, { isbn: `i${id}`, code: `c${id}` })))
    const added = await Promise.all([...add(one, ids), ...add(other, ids.toReversed())])
    assert.equal(added.filter(({ outcome }) => outcome === 'added').length, ids.length)
    assert.equal(added.filter(({ outcome }) => outcome === 'exists').length, ids.length)
  }
  await assertWhole(hosts)
})
