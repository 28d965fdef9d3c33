import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswer } from '../../../src/api/output/answer.ts'
import { type MemberValues, writeMember } from '../../../src/members/index.ts'
import { modelOf } from '../../support/service.ts'

const API = `
classes:
  Thing: { properties: { text: string, about: { type: Thing, many: true }, maker: Maker } }
  Maker: { properties: { text: string } }
`
const BASE = 'http://x/api'
const model = modelOf(API)
const [thing, maker] = ['Thing', 'Maker'].map((name) => {
  const cls = model.classes.find((one) => one.name === name)
  assert.ok(cls !== undefined)
  return cls
}) as [(typeof model.classes)[number], (typeof model.classes)[number]]

type Include = Parameters<typeof createAnswer>[2]['include']

const includeOf = (included: Include['included'], within: Include['included'] = new Map()): Include => ({
  ...{ included, places: included, placesWithin: new Map([['Thing', within]]) },
  ...{ query: '', steps: [], context: '', pageContext: '', signature: '' },
})

const ABOUT: Include['included'] = new Map([['about', { cls: thing, within: new Map() }]])
const MAKER = includeOf(new Map([['maker', { cls: maker, within: new Map() }]]))

const stored = (cls: typeof thing, id: string, values: MemberValues) => ({
  ...writeMember(cls, values, ''),
  ...{ id, version: 1, owner: undefined },
})

/** The members of a page, found by their ids, and what is counted while its included members are read. */
function load(all: ReadonlyMap<string, ReturnType<typeof stored>>, page: number, include: Include) {
  const counted = { pauses: 0, asked: [] as string[], bytes: 0, most: 0 }
  const maxBytes = 400_000
  const answer = createAnswer(thing, [...all.values()].slice(0, page), {
    ...{ include, maxBytes, baseLength: BASE.length },
    find: async (cls, ids, bytes) => {
      counted.asked.push(...ids.map((id) => `${cls.name} ${id}`))
      counted.most = Math.max(counted.most, ids.length)
      let left = bytes
      const found = ids.flatMap((id) => {
        const member = all.get(`${cls.name} ${id}`)
        if (member === undefined || left < 0) return []
        left -= member.body.length
        counted.bytes += member.body.length
        return [member]
      })
      return found
    },
    readPage: () => assert.fail(),
    pause: () => {
      counted.pauses += 1
      return undefined
    },
  })
  return { answer, counted, maxBytes }
}

// contract: What is included is bounded before it is built
test('members that link to each other are each followed once, however many links lead to them', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `t${index}`)
  const about = ids.map((id) => `/things/${id}`)
  const all = new Map(ids.map((id) => [`Thing ${id}`, stored(thing, id, { about })]))
  const { answer, counted } = load(
    all,
    10,
    includeOf(new Map([['about', { cls: thing, within: ABOUT }]]), ABOUT),
  )
  await answer.load()
  // Once when its links are read and once when they are followed, in each of two steps; and once for each lookup.
  assert.ok(counted.pauses <= 2 * (10 + ids.length) + 5, `${counted.pauses} pauses`)
  assert.deepEqual(
    counted.asked.toSorted(),
    ids
      .slice(10)
      .map((id) => `Thing ${id}`)
      .toSorted(),
  )
})

test('no member is looked up twice, whether it is found or not', async () => {
  const things = Array.from({ length: 40 }, (_, index) => {
    const about = Array.from({ length: 60 }, (_, at) => `/things/gone${(index + at) % 90}`)
    return [`Thing t${index}`, stored(thing, `t${index}`, { about })] as const
  })
  const { answer, counted } = load(new Map(things), things.length, includeOf(ABOUT))
  assert.equal(await answer.load(), things.length)
  assert.equal(counted.asked.length, 90)
  assert.equal(new Set(counted.asked).size, 90)
})

test('lookups are short, and end where the bytes of the page do', async () => {
  const text = 'x'.repeat(10_000)
  const makers = Array.from({ length: 900 }, (_, index) => {
    return [`Maker m${index}`, stored(maker, `m${index}`, { text })] as const
  })
  const things = makers.map((_, index) => {
    const values = { text: 'y', maker: `/makers/m${index}` }
    return [`Thing t${index}`, stored(thing, `t${index}`, values)] as const
  })
  const { answer, counted, maxBytes } = load(new Map([...things, ...makers]), things.length, MAKER)
  const fitting = await answer.load()
  assert.equal(fitting, Math.floor(maxBytes / (10_000 + 80)), 'as many as fit')
  assert.ok(counted.bytes <= maxBytes + text.length + 100, `${counted.bytes} bytes were read`)
  assert.ok(counted.most <= 250, `${counted.most} at once`)
})
