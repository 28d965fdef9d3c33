import assert from 'node:assert/strict'
import { test } from 'node:test'
import { averageOf, sumOf } from '../../../src/api/summaries/figures.ts'
import { newDatabase } from '../../support/databases.ts'
import { AS_PROBLEM, assertProblem, serveSignedIn } from '../signed-in.ts'
import { put, read } from '../walks.ts'

const figure = (sum: string | number | null, count: number) => ({ sum, count, least: null, greatest: null })

// contract: Sums of decimals and integers are exact
test('an average has up to 10 digits, the last rounded half to even', () => {
  const table: [sum: string | number | null, count: number, average: string | number | null][] = [
    ['10', 4, '2.5'],
    ['10', 5, '2'],
    ['100', 1, '100'],
    ['1', 3, '0.3333333333'],
    ['2', 3, '0.6666666667'],
    ['-2', 3, '-0.6666666667'],
    ['0', 7, '0'],
    ['0.00', 7, '0'],
    // Exactly between two numbers of 10 digits: the even one.
    ['0.00000000005', 1, '0'],
    ['0.00000000015', 1, '0.0000000002'],
    ['0.00000000025', 1, '0.0000000002'],
    ['-0.00000000015', 1, '-0.0000000002'],
    ['-0.00000000005', 1, '0'],
    ['0.0000000003', 2, '0.0000000002'],
    ['0.0000000001', 2, '0'],
    ['99999999999999999999.01', 2, '49999999999999999999.505'],
    [0.3, 2, 0.15],
    [null, 0, null],
  ]
  for (const [sum, count, average] of table)
    assert.equal(averageOf(figure(sum, count)), average, `${sum} ${count}`)
})

test('a sum has at least as many digits as the scale of its property', () => {
  const table: [sum: string | number | null, scale: number | undefined, written: string | number | null][] = [
    ['120.5', 2, '120.50'],
    ['120', 2, '120.00'],
    ['120', 0, '120'],
    ['120.505', 2, '120.505'],
    ['-1', 1, '-1.0'],
    ['1.5', undefined, '1.5'],
    [1.5, undefined, 1.5],
    [null, 2, null],
  ]
  for (const [sum, scale, written] of table) assert.equal(sumOf(figure(sum, 1), scale), written)
})

test('numbers of every datatype are added as their datatype asks', async (t) => {
  const api = `
classes:
  Thing:
    properties:
      price: { type: decimal, scale: 2 }
      size: decimal
      pages: integer
      weight: double
      ratio: float
      day: date
      good: boolean
`
  const service = await serveSignedIn(t, { db: newDatabase(t), api })
  const things = [
    {
      price: '100.25',
      size: '0.1',
      pages: 9_007_199_254_740_991,
      weight: 0.1,
      ratio: 0.5,
      day: '1937-09-21',
    },
    { price: '20.25', size: 0.02, pages: 9_007_199_254_740_991, weight: 0.2, ratio: 0.25, good: true },
    { price: '-0.5', size: '99999999999999999999999999', pages: 1, weight: 0.3, ratio: -1, good: false },
  ]
  for (const [index, body] of things.entries()) await put(service, `/things/t${index}`, body)
  const numbers = ['price', 'size', 'pages', 'weight', 'ratio']
  const ask = (...names: string[]) =>
    names.flatMap((name) => numbers.map((one) => `${name}=${one}`)).join('&')
  const [sums] = (await read(service, `/summaries/things?${ask('sum', 'avg')}`)).member
  assert.deepEqual(sums?.sum, {
    price: '120.00',
    size: '99999999999999999999999999.12',
    pages: '18014398509481983',
    weight: 0.6000000000000001,
    ratio: -0.25,
  })
  assert.deepEqual(sums?.avg, {
    price: '40',
    size: '33333333333333333333333333.04',
    pages: '6004799503160661',
    weight: 0.20000000000000004,
    ratio: -0.25 / 3,
  })
  const [least] = (await read(service, `/summaries/things?${ask('min', 'max')}`)).member
  assert.deepEqual(least?.min, {
    price: '-0.50',
    size: '0.02',
    pages: 1,
    weight: 0.1,
    ratio: -1,
  })
  assert.deepEqual(least?.max, {
    price: '100.25',
    size: '99999999999999999999999999',
    pages: 9_007_199_254_740_991,
    weight: 0.3,
    ratio: 0.5,
  })
  const { member } = await read(service, '/summaries/things?group=good&group=day&min=day')
  assert.deepEqual(
    member.map(({ group, min }) => [group, min]),
    [
      [{ good: false, day: null }, { day: null }],
      [{ good: true, day: null }, { day: null }],
      [{ good: null, day: '1937-09-21' }, { day: '1937-09-21' }],
    ],
  )

  // JSON has no infinity, and a sum that has left the range of doubles means nothing, even if it comes back.
  for (const [index, weight] of [1.7e308, 1.7e308, -1.7e308].entries())
    await put(service, `/things/large${index}`, { weight })
  const path = '/summaries/things?sum=weight'
  assertProblem(await service.get(path, AS_PROBLEM), ['SumOutOfRange'], path)
  const [one] = (await read(service, '/summaries/things?sum=weight&weight.lt=1')).member
  assert.deepEqual(one?.sum, { weight: 0.1 + 0.2 + 0.3 + -1.7e308 })
  assert.deepEqual((await read(service, '/summaries/things?max=weight')).member[0]?.max, { weight: 1.7e308 })
})
