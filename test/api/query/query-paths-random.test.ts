import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { type AppOfUsers, BASE, openApp } from '../app-of-users.ts'
import type { Json } from '../signed-in.ts'
import { createEvaluation, type Question } from './plain-evaluation.ts'
import { anyQuestion, queryOf } from './random-queries.ts'
import {
  anyRules,
  anyShelf,
  type Choose,
  CLASSES,
  chooser,
  fillShelf,
  propertiesOf,
  type ShelfMember,
  shelfModel,
  toBody,
} from './random-shelf.ts'

const numbers = (count: number) => fc.array(fc.nat(9_999), { minLength: count, maxLength: count })

const addressOf = (address: unknown): string => String(address).slice(BASE.length + 1)

interface Asked {
  readonly app: AppOfUsers
  readonly question: Question
  /** The collection with the filters and the order. */
  readonly path: string
}

interface ReadPage {
  readonly members: readonly Json[]
  readonly total: number | undefined
  readonly links: Readonly<Record<string, string>>
}

async function readPage({ app, question }: Asked, path: string, headers = {}): Promise<ReadPage> {
  const answer = await app.send({ method: 'GET', path, headers }, question.by)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  const { member, totalItems, view } = JSON.parse(answer.body)
  return { members: member, total: totalItems, links: view }
}

/** No text of a shelf has a line break, and no address a comma. */
async function readCsv({ app, question }: Asked, path: string): Promise<ReadPage> {
  const answer = await app.send({ method: 'GET', path, headers: { Accept: 'text/csv' } }, question.by)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  const [header = '', ...rows] = answer.body.trimEnd().split('\r\n')
  assert.match(header, /^@id(?:,|$)/)
  const links = (answer.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return {
    members: rows.map((row) => ({ '@id': row.split(',')[0] })),
    total: undefined,
    links: Object.fromEntries([...links].map(([, to, rel]) => [rel, to])),
  }
}

const idsOf = ({ members }: ReadPage): string[] => members.map((one) => addressOf(one['@id']))

type ReadOne = (asked: Asked, path: string) => Promise<ReadPage>

/** All members from a page on, along its links; `size` must fill each page but the last. */
async function walk(asked: Asked, start: string, link: string, read: ReadOne): Promise<string[]> {
  const pages: string[][] = []
  for (let path: string | undefined = start; path !== undefined; ) {
    assert.ok(pages.length < 20, `${start}: the walk has no end`)
    const page: ReadPage = await read(asked, path)
    pages.push(idsOf(page))
    const further = page.links[link]
    path = further === undefined ? undefined : `/${addressOf(further)}`
  }
  return (link === 'previous' ? pages.toReversed() : pages).flat()
}

/** The same members in the same order, in every way to page through them. */
async function assertPages(asked: Asked, expected: readonly string[], choose: Choose): Promise<void> {
  const size = choose(1, 2, 3, 5)
  const { path } = asked
  const sized = `${path}&itemsPerPage=${size}`
  const way = choose('next', 'next', 'previous', 'page', 'csv', 'csv', 'offset', 'pages')
  if (way === 'next') assert.deepEqual(await walk(asked, sized, 'next', readPage), expected, sized)
  if (way === 'pages')
    assert.deepEqual(await walk(asked, `${sized}&page=1`, 'next', readPage), expected, sized)
  if (way === 'csv') assert.deepEqual(await walk(asked, sized, 'next', readCsv), expected, sized)
  if (way === 'previous') {
    const last = String((await readPage(asked, sized)).links.last)
    assert.deepEqual(await walk(asked, `/${addressOf(last)}`, 'previous', readPage), expected, sized)
  }
  if (way !== 'page' && way !== 'offset') return
  const before = way === 'page' ? size : choose(0, 1, 4)
  const from = way === 'page' ? `page=2` : `offset=${before}`
  const found = idsOf(await readPage(asked, `${sized}&${from}`))
  assert.deepEqual(found, expected.slice(before, before + size), `${sized}&${from}`)
}

/** Of each member just the fields. */
async function assertFields(asked: Asked, members: readonly ShelfMember[], choose: Choose): Promise<void> {
  const { className } = asked.question
  const names = Object.keys(propertiesOf(className))
  const fields = [choose(...(names as [string, ...string[]])), choose(...(names as [string, ...string[]]))]
  const path = `${asked.path}&itemsPerPage=50&fields=${choose(fields.join(), fields.join('&fields='))}`
  for (const { '@id': id, '@type': type, ...shown } of (await readPage(asked, path)).members) {
    const { values } = members.find(({ address }) => address === addressOf(id)) as ShelfMember
    const whole = Object.entries(toBody(className, values))
    assert.deepEqual(plain(shown), Object.fromEntries(whole.filter(([name]) => fields.includes(name))), path)
    assert.equal(type, className)
  }
}

/** Without the types of embedded values. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('@'))
  return Object.fromEntries(entries.map(([name, one]) => [name, plain(one)]))
}

// contract: Wherever a filter, an order or `exists` names a property
// contract: An order goes along single-valued steps only.
// contract: Everything here is over what the user may read
test('any query gives the members that a plain evaluation gives, in order, to every user', async (t) => {
  const outcomes = new Map<string, number>()
  const count = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const isSqlite = newDatabase(t).startsWith('sqlite:')
  const [shelves, runs] = isSqlite ? inSoak([40, 250], [4, 90]) : inSoak([8, 250], [1, 40])

  for (const numbersOfShelf of fc.sample(numbers(1_200), shelves)) {
    const choose = chooser(numbersOfShelf)
    const rules = anyRules(choose)
    const members = anyShelf(choose)
    const app = await openApp(t, shelfModel(rules), 50)
    await fillShelf(app, members)

    const property = fc.asyncProperty(numbers(150), async (chosen) => {
      const next = chooser(chosen)
      const question = anyQuestion(next)
      const path = `/${CLASSES[question.className]?.collection}?${queryOf(question, next)}`
      const asked: Asked = { app, question, path }
      const about = `${JSON.stringify(rules)} ${JSON.stringify(question.by)} ${path}`
      const expected = createEvaluation({ rules, members }, question.by).evaluate(question)
      if (typeof expected === 'number') {
        const answer = await app.send({ method: 'GET', path }, question.by)
        assert.equal(answer.status, expected, `${about}: ${answer.text}`)
        count(String(expected))
        return
      }
      const headers = next<object>({}, { Prefer: 'count=exact' })
      const whole = await readPage(asked, `${path}&itemsPerPage=100`, headers)
      const found = idsOf(whole)
      const inOrder = question.order.length > 0
      assert.deepEqual(inOrder ? found : found.toSorted(), inOrder ? expected : expected.toSorted(), about)
      assert.equal(whole.total, expected.length, about)
      count(expected.length === 0 ? 'nothing' : 'something')
      await assertPages(asked, found, next)
      await assertFields(asked, members, next)
    })
    await fc.assert(property, { numRuns: runs })
    await app.close()
  }
  if (!isSqlite) return
  for (const outcome of ['400', 'nothing', 'something'])
    assert.ok((outcomes.get(outcome) ?? 0) > 5, `${outcome} is not among ${[...outcomes].join(' ')}`)
})
