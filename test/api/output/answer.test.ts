import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswer } from '../../../src/api/output/answer.ts'
import { linksAt, type MemberValues, writeMember } from '../../../src/members/index.ts'
import { modelOf } from '../../support/service.ts'

const API = `
classes:
  Thing: { properties: { text: string, about: { type: Thing, many: true }, maker: Maker } }
  Maker: { properties: { text: string } }
  Part: { properties: { text: string, of: { type: Thing, reverse: parts } } }
`
const BASE = 'http://x/api'
const model = modelOf(API)
const classOf = (name: string) => model.classes.find((one) => one.name === name) ?? assert.fail()
const [thing, maker, part] = [classOf('Thing'), classOf('Maker'), classOf('Part')]

type Include = Parameters<typeof createAnswer>[2]['include']

const includeOf = (included: Include['included'], within: Include['included'] = new Map()): Include => ({
  ...{ included, places: included, placesWithin: new Map([['Thing', within]]) },
  ...{ query: '', steps: [], hasAccounts: false, context: '', pageContext: '', signature: '' },
})

const ABOUT: Include['included'] = new Map([['about', { cls: thing, within: new Map() }]])
const MAKER = includeOf(new Map([['maker', { cls: maker, within: new Map() }]]))

const PARTS = includeOf(new Map([['parts', { cls: part, within: new Map() }]]))

const stored = (cls: typeof thing, id: string, values: MemberValues) => ({
  ...writeMember(cls, values, ''),
  ...{ id, version: 1, owner: undefined },
})

/**
 * The members of a page, found by their ids, and what is counted while its included members are read. Each collection has
 * all parts.
 */
function load(all: ReadonlyMap<string, ReturnType<typeof stored>>, page: number, include: Include) {
  const counted = { pauses: 0, asked: [] as string[], bytes: 0, most: 0, lists: 0 }
  const parts = [...all].flatMap(([name, member]) => (name.startsWith('Part ') ? [member] : []))
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
    linksIn: linksAt,
    readPage: async (_, { members, bytes }) => {
      counted.lists += 1
      let left = bytes
      const shown = parts.slice(0, members).filter(({ body }, index) => {
        left -= body.length
        return index === 0 || left >= 0
      })
      for (const { body } of shown) counted.bytes += body.length
      const more = shown.length < parts.length
      const found = { members: shown, total: parts.length, more, edges: undefined }
      return { page: found, frame: { start: '', end: '' }, isTruncated: more }
    },
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

const thingsAndParts = (things: number, parts: number, text: string) =>
  new Map([
    ...Array.from({ length: things }, (_, index) => {
      return [`Thing t${index}`, stored(thing, `t${index}`, { text: 'y' })] as const
    }),
    ...Array.from({ length: parts }, (_, index) => {
      return [`Part p${index}`, stored(part, `p${index}`, { text })] as const
    }),
  ])

// contract: Its members count towards
test('collections are read one by one, as long as there is room, and no more than a thousand', async () => {
  const table: [things: number, parts: number, text: number, fitting: number, lists: number][] = [
    // Each included member counts at least the 4096th part of all bytes, in whole bytes.
    [250, 20, 1, 202, 205],
    [250, 0, 1, 250, 250],
    [1_200, 0, 1, 1_000, 1_000],
    [250, 3, 10_000, 13, 14],
    // The first member has as much of its collection as fits.
    [250, 80, 10_000, 1, 2],
  ]
  for (const [things, parts, length, fitting, lists] of table) {
    const { answer, counted, maxBytes } = load(
      thingsAndParts(things, parts, 'x'.repeat(length)),
      things,
      PARTS,
    )
    const about = `${things} things, ${parts} parts of ${length}`
    assert.equal(await answer.load(), fitting, about)
    assert.equal(counted.lists, lists, about)
    assert.ok(counted.bytes <= maxBytes + 2 * length + 100, `${about}: ${counted.bytes} bytes were read`)
    assert.ok(counted.pauses >= lists, `${about}: ${counted.pauses} pauses`)
  }
})
