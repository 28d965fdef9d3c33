import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSoak } from '../support/soak.ts'
import { BASE, openBulk, tallyOf } from './transfer.ts'

/** Nodes that may link to one other, to many, and from within an embedded value; leaves that must link to a node. */
const GRAPH = `
title: Graph
classes:
  Place:
    collection: false
    properties:
      node: { type: Node, required: true }
  Node:
    properties:
      name: { type: string, unique: true }
      next: Node
      others: { type: Node, many: true }
      place: Place
      createdAt: { type: dateTime, writable: false, default: now }
  Leaf:
    collection: leaves
    properties:
      node: { type: Node, required: true }
  Twin:
    properties:
      other: { type: Twin, required: true }
`

const node = (id: string | number, values: object = {}) => ({ '@id': `/nodes/${id}`, ...values })

test('a link to a member that comes later in the data works', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  const { reported, ...tally } = await bulk.import([
    { '@id': '/leaves/1', node: '/nodes/1' },
    node(1, { next: '/nodes/2' }),
    node(2, { others: ['/nodes/3', '/nodes/4'] }),
    node(3),
    node(4),
  ])
  assert.deepEqual(reported, [])
  assert.deepEqual(tallyOf(tally), [5, 0, 0])
  assert.deepEqual((await bulk.members())['/nodes/2']?.others, [`${BASE}/nodes/3`, `${BASE}/nodes/4`])
})

test('links in a circle work where they are optional, single, many, and within an embedded value', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  const data = [
    node(1, { next: '/nodes/2', name: 'one' }),
    node(2, { others: ['/nodes/3', '/nodes/1'] }),
    node(3, { place: { node: '/nodes/1' } }),
    node(4, { next: '/nodes/4' }),
    { '@id': '/leaves/1', node: '/nodes/1' },
  ]
  assert.deepEqual(await bulk.import(data, { now: 1 }), {
    added: 5,
    alreadyThere: 0,
    refused: 0,
    reported: [],
  })
  const members = await bulk.members()
  assert.equal(members['/nodes/1']?.next, `${BASE}/nodes/2`)
  assert.deepEqual(members['/nodes/2']?.others, [`${BASE}/nodes/3`, `${BASE}/nodes/1`])
  assert.deepEqual(members['/nodes/3']?.place, { '@type': 'Place', node: `${BASE}/nodes/1` })
  assert.equal(members['/nodes/1']?.createdAt, '1970-01-01T00:00:00.001Z')
  assert.deepEqual(await bulk.import(data, { now: 2 }), {
    added: 0,
    alreadyThere: 5,
    refused: 0,
    reported: [],
  })
  assert.deepEqual(await bulk.members(), members)
})

test('what links to nothing is refused with its line, and so is what links to that, and nothing else', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  const { reported, ...tally } = await bulk.import([
    node(1, { next: '/nodes/nowhere' }),
    node(2, { next: '/nodes/1', others: ['/nodes/5'] }),
    node(3, { next: '/nodes/4' }),
    node(4, { next: '/nodes/2', others: ['/nodes/3'] }),
    node(5, { next: '/nodes/6' }),
    node(6, { next: '/nodes/5' }),
    { '@id': '/leaves/1', node: '/nodes/3' },
  ])
  assert.deepEqual(tallyOf(tally), [2, 0, 5])
  assert.deepEqual(reported, [
    '1: next DanglingLink(nowhere)',
    '2: next RefusedTarget(/nodes/1, 1)',
    '3: next RefusedTarget(/nodes/4, 4)',
    '4: next RefusedTarget(/nodes/2, 2)',
    '4: others RefusedTarget(/nodes/3, 3)',
    '7: node RefusedTarget(/nodes/3, 3)',
  ])
  assert.deepEqual(Object.keys(await bulk.members()), ['/nodes/5', '/nodes/6'])
})

test('what links to a member that was itself refused says so, with the line of that one', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  await bulk.import([node('taken', { name: 'taken' })])
  const rows: readonly (readonly [name: string, refused: object, problem: string])[] = [
    ['a value that is wrong', node(1, { name: 7 }), 'name WrongDatatype(string, number)'],
    ['a value that another has', node(1, { name: 'taken' }), 'name NotUnique'],
    [
      'an unknown property, and no type',
      { '@id': `${BASE}/nodes/1`, nam: 'x' },
      'nam UnknownProperty(Node, nam, → name)',
    ],
  ]
  for (const [name, refused, problem] of rows) {
    const leaf = { '@id': '/leaves/1', node: '/nodes/1' }
    const before = (await bulk.import([leaf, refused])).reported
    assert.equal(before[0], `2: ${problem}`, name)
    assert.equal(before[1], '1: node RefusedTarget(/nodes/1, 2)', name)
    const after = (await bulk.import([refused, leaf])).reported
    assert.equal(after[1], '2: node RefusedTarget(/nodes/1, 1)', name)
  }
})

test('a circle of required links is taken as it is stored, and refused otherwise; a required link to itself is none', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  const data = [
    { '@id': '/twins/1', other: '/twins/2' },
    { '@id': '/twins/2', other: '/twins/1' },
    { '@id': '/twins/3', other: '/twins/3' },
  ]
  const { reported } = await bulk.import(data)
  assert.deepEqual(reported, ['1: other RefusedTarget(/twins/2, 2)', '2: other RefusedTarget(/twins/1, 1)'])
  assert.deepEqual(Object.keys(await bulk.members()), ['/twins/3'])
  assert.deepEqual(tallyOf(await bulk.import(data, { asStored: true })), [2, 1, 0])
  const members = await bulk.members()
  assert.deepEqual(
    [1, 2].map((id) => members[`/twins/${id}`]?.other),
    [2, 1].map((id) => `${BASE}/twins/${id}`),
  )
})

test('a member in a circle with one that is refused is there without its link, and reported', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  await bulk.import([node('taken', { name: 'taken' })])
  const { reported, ...tally } = await bulk.import([
    node(1, { next: '/nodes/2' }),
    node(2, { next: '/nodes/1', name: 'mine' }),
    node(3, { next: '/nodes/4' }),
    node(4, { next: '/nodes/3', name: 'mine' }),
  ])
  assert.deepEqual(tallyOf(tally), [2, 0, 2])
  assert.deepEqual(reported, [
    '4: name NotUnique',
    '3: next AddedWithoutLink(next RefusedTarget(/nodes/4, 4))',
  ])
})

test('an import that was interrupted before it had set links in a circle sets them when it is run again', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  await bulk.import([node(1, { name: 'one' }), node(2)])
  const data = [
    node(1, { name: 'one', next: '/nodes/2' }),
    node(2, { next: '/nodes/3' }),
    node(3, { next: '/nodes/1' }),
  ]
  assert.deepEqual(await bulk.import(data), { added: 1, alreadyThere: 2, refused: 0, reported: [] })
  const members = await bulk.members()
  assert.deepEqual(
    [1, 2, 3].map((id) => members[`/nodes/${id}`]?.next),
    [2, 3, 1].map((id) => `${BASE}/nodes/${id}`),
  )
})

test('a long chain of members in which each links to the next is added', async (t) => {
  const bulk = await openBulk(t, GRAPH)
  const length = inSoak(3_000, 1_000)
  const data = Array.from({ length }, (_, id) =>
    node(id, id < length - 1 ? { next: `/nodes/${id + 1}` } : {}),
  )
  assert.deepEqual(tallyOf(await bulk.import(data)), [length, 0, 0])
  const members = await bulk.members()
  assert.ok(
    Array.from({ length: length - 1 }, (_, id) => id).every(
      (id) => members[`/nodes/${id}`]?.next === `${BASE}/nodes/${id + 1}`,
    ),
  )
})
