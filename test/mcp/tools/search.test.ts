import assert from 'node:assert/strict'
import { test } from 'node:test'
import { business } from '../apis.ts'
import type { Data } from '../bridge.ts'

const namesIn = ({ members }: Data): string[] => members.map(({ name }: Data) => name)

test('A search asks as asking.md says: paths, alternatives, fields, orders, words, summaries', async () => {
  const { base, call, refused, other } = await business()
  const [moon, sun] = await Promise.all(
    ['Café Mond', 'Sun Ltd'].map((name) => other.collection('customers').create({ name })),
  )
  for (const [name, customer, rate] of [
    ['Website', moon, '80'],
    ['Menu', moon, '60.50'],
    ['Sign', sun, '70'],
  ] as const)
    await other
      .collection('projects')
      .create({ name, customer: customer?.iri ?? '', rate, status: 'running' })

  const rows = [
    [{ 'customer.name.startsWith': 'cafe', sort: '-rate' }, ['Website', 'Menu']],
    [{ 'rate.gte': 70, sort: 'name' }, ['Sign', 'Website']],
    [{ or: { a: { name: 'Menu', 'rate.lt': 61 } } }, ['Menu']],
    [{ or: { a: { name: ['Menu', 'Sign'] } }, sort: 'customer.name,name' }, ['Menu', 'Sign']],
    [{ q: 'webs*' }, ['Website']],
  ] as const
  for (const [query, names] of rows)
    assert.deepEqual(namesIn(await call('search', { collection: 'projects', query })), names)
  const few = await call('search', { collection: 'projects', query: { name: 'Sign', fields: 'name' } })
  assert.deepEqual(Object.keys(few.members[0]), ['@id', '@type', 'name'])

  const { summaries } = await call('search', {
    collection: 'projects',
    query: { status: 'running' },
    summary: { group: 'customer.name', sum: 'rate' },
  })
  assert.deepEqual(
    summaries.map(({ group, count, sum }: Data) => [group['customer.name'], count, sum.rate]),
    [
      ['Café Mond', 2, '140.50'],
      ['Sun Ltd', 1, '70.00'],
    ],
  )
  assert.deepEqual(namesIn(await call('read', { address: summaries[1].members })), ['Sign'])

  // A link from the other side, with a query of its own and without one.
  const { member } = await call('read', { address: moon?.iri })
  const linked = { collection: member.projects }
  assert.equal((await call('search', linked)).members.length, 2)
  assert.deepEqual(namesIn(await call('search', { ...linked, query: { 'rate.lt': 70 } })), ['Menu'])
  const counted = await call('search', { ...linked, summary: { max: 'rate' } })
  assert.equal(counted.summaries[0].count, 2)

  const unknown = await refused('search', { collection: 'projects', query: { nonsense: 1 } })
  assert.deepEqual([unknown.details.code, unknown.details.parameter], ['unknown-parameter', 'nonsense'])
  const path = await refused('search', { collection: 'projects', query: { 'customer.nam': 'x' } })
  assert.equal(path.details.status, 400)
  for (const collection of [moon?.iri, 'session'])
    assert.equal((await refused('search', { collection })).details.code, 'unknown-collection', `${base}`)
})

test('A value that no parameter can have is refused: an answer to another question would look like one', async () => {
  const { call, refused } = await business()
  const rows = [
    [{ name: { contains: 'Menu' } }, 'not-a-filter'],
    [{ name: ['Menu', { not: 'Sign' }] }, 'not-a-filter'],
    [{ or: { a: { name: { contains: 'Menu' } } } }, 'not-a-filter'],
    [{ or: [{ name: 'Menu' }, { name: 'Sign' }] }, 'not-alternatives'],
    [{ or: { a: 'name=Menu' } }, 'not-alternatives'],
    [{ or: { name: 7 } }, 'not-alternatives'],
    [{ or: { a: {} } }, 'not-alternatives'],
  ] as const
  for (const [query, code] of rows)
    assert.equal((await refused('search', { collection: 'projects', query })).details.code, code)
  const { sentence } = await refused('search', { collection: 'projects', query: rows[0][0] })
  assert.match(sentence, /^name: give a text, .*"pages\.gte"/)
  // Some agents send every argument that there is.
  await call('search', { collection: 'projects', query: { name: null, or: null } })
})
