// The members that link to an account, by which users list them (people.md, Rules that follow a link).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUnavailable } from '../../src/database/index.ts'
import {
  type Filter,
  idOf,
  type MemberStore,
  type MemberValues,
  type MemberWrite,
  readText,
  type Selection,
  type StoredMember,
  writeMember,
} from '../../src/members/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { Class, Model } from '../../src/vocabulary/index.ts'
import { accountModel, addAccount } from '../support/accounts.ts'
import { modelOf, schemasOf } from '../support/service.ts'
import { select } from '../support/shapes.ts'
import { inSoak } from '../support/soak.ts'
import { type Open, openFor, SHARED_STORES, STORES } from '../support/stores.ts'

const RULES = 'access: { all: [manager, assignee, members], create: everyone }'

const modelWith = (rules: string, properties: string, className = 'Task'): Model =>
  accountModel(
    modelOf(`
roles: [manager]
accounts: { view: everyone }
classes:
  ${className}:
    ${rules}
    properties: { ${properties} }
  Note:
    properties: { text: string, assignee: Account }
`),
  )

const PROPERTIES = 'title: string, assignee: Account, members: { type: Account, many: true }'
const MODEL = modelWith(RULES, PROPERTIES)
const UNRULED = modelWith('', PROPERTIES)
const [SHAPES, UNRULED_SHAPES] = [schemasOf(MODEL), schemasOf(UNRULED)]
const USERS = [2, 3, 4]
const LINKS = ['assignee', 'members']

const toAccounts = (...ids: number[]) => ids.map((id) => `/accounts/${id}`)

const written = (values: MemberValues, className = 'Task') =>
  writeMember(MODEL.classes.find(({ name }) => name === className) as Class, values, '')

async function withAccounts(store: Store): Promise<MemberStore> {
  for (const id of USERS) await addAccount(store, MODEL, id, 10 + id)
  return store.members
}

/** As the rules limit a list, not as a query asks for it. */
const scope = (property: string, account: number): Filter => ({
  property,
  test: 'in',
  keys: [String(account)],
  isScope: true,
})

/** Compares the lists of every account with what the members themselves say. */
async function assertListed(store: MemberStore, className = 'Task', links = LINKS): Promise<void> {
  const { members: all } = await store.list(className, select({ limit: 500 }))
  for (const property of links)
    for (const account of USERS) {
      const list = (more: Partial<Selection> = {}) =>
        store.list(className, { ...select({ limit: 500, ...more }), filters: [scope(property, account)] })
      const isLinked = ({ body }: StoredMember) =>
        [readText(body)[property] ?? []].flat().some((path) => idOf(String(path)) === String(account))
      const own = all.filter(isLinked)
      const said = `${property} ${account}`
      const page = await list()
      assert.deepEqual(page.members, own, said)
      assert.equal(page.total, own.length, said)
      const walked: StoredMember[] = []
      for (let start: Selection['start'] = { at: 'offset', offset: 0 }; ; ) {
        const { members, edges, more, total } = await list({ start, limit: 3 })
        assert.equal(total, own.length, said)
        walked.push(...members)
        if (!more || edges === undefined) break
        start = { at: 'after', position: edges.last }
      }
      assert.deepEqual(walked, own, said)
      const last = await list({ start: { at: 'before', position: 'end' }, limit: 2 })
      assert.deepEqual([last.members, last.total], [own.slice(-2), own.length], said)
      const second = await list({ start: { at: 'offset', offset: 1 }, limit: 1 })
      assert.deepEqual([second.members, second.more], [own.slice(1, 2), own.length > 2], said)
      const sorted = await list({ order: [{ property: 'title', descending: true }] })
      assert.deepEqual([sorted.members.length, sorted.total], [own.length, own.length], said)
    }
}

test('the keys of links to accounts say so, at any class, and no others', () => {
  const named = UNRULED_SHAPES.map(({ name, keys, listedByLinks }) => [
    name,
    keys.flatMap(({ property, isToAccounts }) => (isToAccounts === true ? [property] : [])),
    listedByLinks,
  ])
  assert.deepEqual(named, [
    ['Task', LINKS, []],
    ['Note', ['assignee'], []],
    ['Account', [], []],
  ])
  assert.deepEqual(SHAPES[0]?.listedByLinks, LINKS)
})

for (const { name, open } of STORES) describe(name, () => suite(open))

function suite(open: Open): void {
  test('who lists the members of an account gets them and their total, whatever becomes of them', async (t) => {
    const store = await withAccounts(await open(t, SHAPES))
    const change = (id: string, values: MemberValues) =>
      store.change('Task', id, undefined, () => written(values))
    await store.add('Note', { id: 'n', ...written({ assignee: '/accounts/2' }, 'Note') })
    await store.add('Task', {
      id: 'a',
      ...written({ assignee: '/accounts/2', members: toAccounts(2, 3, 3) }),
    })
    await store.addAll([
      { className: 'Task', member: { id: 'b', ...written({ assignee: '/accounts/2' }), owner: 12 } },
      { className: 'Task', member: { id: 'a', ...written({ assignee: '/accounts/3' }) } },
      { className: 'Task', member: { id: 'c', ...written({ members: toAccounts(2, 4) }) } },
      { className: 'Task', member: { id: 'd', ...written({ assignee: '/accounts/4', title: 'x' }) } },
      { className: 'Task', member: { id: 'e', ...written({ assignee: '/accounts/9' }) } },
    ])
    await assertListed(store)
    const steps: (() => unknown)[] = [
      () => change('b', { assignee: '/accounts/2', title: 'only the title' }),
      () => change('b', { assignee: '/accounts/3', members: toAccounts(4) }),
      () => change('c', { members: toAccounts(4, 3) }),
      () => change('d', { title: 'no longer' }),
      () => change('a', { assignee: '/accounts/9' }),
      () => store.remove('Task', 'a', []),
      () => store.remove('Task', 'c', undefined),
      () => store.remove('Task', 'a', undefined),
    ]
    for (const step of steps) {
      await step()
      await assertListed(store)
    }
    const { members, total } = await store.list('Task', select({}))
    assert.deepEqual([members.map(({ id }) => id), total], [['b', 'd'], 2])
  })

  test('several writes at once count once, and not at all where one of them fails', async (t) => {
    const store = await withAccounts(await open(t, SHAPES))
    const add = (id: string, values: MemberValues): MemberWrite => ({
      ...{ kind: 'add', className: 'Task', member: { id, ...written(values) } },
    })
    const change = (id: string, values: MemberValues): MemberWrite => ({
      ...{ kind: 'change', className: 'Task', id, expected: undefined, written: written(values) },
    })
    const remove = (id: string): MemberWrite => ({
      ...{ kind: 'remove', className: 'Task', id, expected: undefined, owner: undefined, actor: undefined },
    })
    await store.writeAll([
      add('a', { assignee: '/accounts/2' }),
      add('b', { assignee: '/accounts/2', members: toAccounts(2, 3) }),
      change('a', { assignee: '/accounts/3' }),
      change('b', { assignee: '/accounts/4', members: toAccounts(3) }),
      add('c', { assignee: '/accounts/3' }),
      remove('a'),
    ])
    await assertListed(store)
    const outcomes = await store.writeAll([
      add('d', { assignee: '/accounts/3' }),
      change('b', { assignee: '/accounts/3' }),
      remove('nothing'),
    ])
    assert.equal(outcomes.at(-1)?.outcome, 'missing')
    await assertListed(store)
  })

  test('the total of an account is exact at any size, and that of a filter that was asked for is bounded', async (t) => {
    const store = await withAccounts(await open(t, SHAPES))
    await store.addAll(
      Array.from({ length: 1_002 }, (_, index) => ({
        className: 'Task',
        member: { id: `m${index}`, ...written({ assignee: '/accounts/2', members: toAccounts(2) }) },
      })),
    )
    for (const property of LINKS) {
      const limited = scope(property, 2)
      const asked: Filter = { property, test: 'in', keys: ['2'] }
      const total = async (...filters: Filter[]) =>
        (await store.list('Task', { ...select({ limit: 1 }), filters })).total
      assert.equal(await total(limited), 1_002)
      assert.equal(await total(asked), undefined)
      assert.equal(await total(limited, asked), undefined)
    }
  })
}

for (const { name, newDatabase } of SHARED_STORES) {
  test(`${name}: the totals of accounts are right whoever writes at once, on two hosts with other rules`, async (t) => {
    const url = newDatabase(t)
    const hosts = [
      await withAccounts(await openFor(t, url, SHAPES)),
      (await openFor(t, url, UNRULED_SHAPES)).members,
    ]
    const patiently = async (work: () => Promise<unknown>) => {
      // A busy host says so, and nothing was changed.
      await work().catch((error) => assert.ok(isUnavailable(error), String(error)))
    }
    const accountAt = (index: number) => USERS[index % 3] ?? 2
    for (let round = 0; round < inSoak(6, 2); round += 1) {
      const valuesOf = (index: number): MemberValues => ({
        title: 'x'.repeat([1, 400, 600][(index + round) % 3] ?? 1),
        ...(index % 4 > 0 && { assignee: `/accounts/${accountAt(index + round)}` }),
        members: toAccounts(accountAt(index), accountAt(index + round)),
      })
      await Promise.all(
        hosts.flatMap((store, host) =>
          Array.from({ length: 12 }, (_, index) => `m${index}`).flatMap((id, index) => {
            const content = written(valuesOf(index + host))
            return [
              patiently(() => store.add('Task', { id, ...content })),
              patiently(() => store.change('Task', id, undefined, () => content)),
              ...(index % 5 === round % 5 ? [patiently(() => store.remove('Task', id, undefined))] : []),
              patiently(() =>
                store.addAll([{ className: 'Task', member: { id: `${id}-${host}`, ...content } }]),
              ),
            ]
          }),
        ),
      )
      for (const host of hosts) await assertListed(host)
    }
  })

  test(`${name}: another API file counts the links that it has anew`, async (t) => {
    const url = newDatabase(t)
    const first = await openFor(t, url, SHAPES)
    const store = await withAccounts(first)
    const valuesAt = (index: number): MemberValues => ({
      title: `task ${index}`,
      assignee: `/accounts/${USERS[index % 3]}`,
      members: toAccounts(...USERS.slice(index % 4)),
    })
    for (let index = 0; index < 9; index += 1)
      await store.add('Task', {
        id: `m${index}`,
        ...written(valuesAt(index)),
        owner: index % 2 === 0 ? 12 : undefined,
      })
    await store.remove('Task', 'm4', undefined)
    await first.close()
    const files: readonly [
      properties: string,
      links: readonly string[],
      rules?: string,
      className?: string,
    ][] = [
      ['title: string, members: { type: Account, many: true }', ['members']],
      ['size: integer, title: string, members: { type: Account, many: true }, assignee: Account', LINKS],
      ['title: string, people: { type: Account, many: true, was: members }', ['people'], 'was: Task', 'Job'],
      ['title: string', [], 'was: Job'],
      ['title: string, people: { type: Account, many: true }', ['people']],
      ['title: string, assignee: Account, members: { type: Account, many: true, was: people }', LINKS, RULES],
    ]
    for (const [properties, links, rules = '', className = 'Task'] of files) {
      const { members, close } = await openFor(t, url, schemasOf(modelWith(rules, properties, className)))
      const { total } = await members.list(className, select({}))
      assert.equal(total, 8)
      await assertListed(members, className, [...links])
      await close()
    }
    const { members } = await openFor(t, url, SHAPES)
    await members.change('Task', 'm0', undefined, () => written({ assignee: '/accounts/4' }))
    await members.remove('Task', 'm1', undefined)
    await assertListed(members)
  })
}
