import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inSoak } from '../../support/soak.ts'
import type { Json } from '../signed-in.ts'
import type { Visitor } from '../users.ts'
import { serveGallery } from './gallery.ts'

const FILTERS = [
  'title=a',
  'title=a&title=%C3%81',
  'author=authors/a1',
  'author.name=Ann',
  'author.name.ne=Ann',
  'author.born.lt=1900-01-01',
  'exists[author.agent.name]=false',
  'others.name=Ann',
  'others.born.gte=1900-01-01',
  'marks=1',
  'marks.gte=2',
  'marks.lt=3',
  'dates.gte=1937-01-01',
  'dates.lt=1938-01-01',
  'times.gt=2000-01-01',
  'print.city=Rom',
  'lines.count=1',
  'lines.note=x',
  'lines.by.name=Ann',
  'lines.days.lt=1938-01-01',
  'lines.days.gte=1937-01-01',
  'exists[lines.note]=false',
  'or[a][title]=a&or[a][marks]=2',
  'or[0][lines.count]=1&or[0][lines.note]=y',
  'price.gt=0',
  'q=long',
]

const GROUPS = [
  ...['title', 'author', 'author.name', 'author.born:year', 'author.agent.name', 'author.agent.born:month'],
  ...['others', 'others.name', 'others.born:year', 'others.agent', 'marks', 'dates', 'dates:year'],
  ...['dates:month', 'dates:day', 'times', 'times:year', 'times:month', 'times:day', 'sold', 'sold:day'],
  ...['price', 'weight', 'good', 'home', 'print.city', 'print.by.name', 'lines.count', 'lines.note'],
  ...['lines.by', 'lines.by.name', 'lines.by.born:month', 'lines.days:year', 'lines.days'],
]

/** Where two things that must be asked of one value each are about the same values, no address can say it. */
const MAY_HAVE_NO_LINK = /group=(?:others|dates|times|lines)[^&]*:(?:year|month|day)/

const queries = fc
  .record({
    filters: fc.uniqueArray(fc.constantFrom(...FILTERS), { maxLength: 3 }),
    groups: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 2 }),
  })
  .map(({ filters, groups }) => ({ filters: filters.join('&'), groups: groups.map((one) => `group=${one}`) }))

interface SummaryPage {
  readonly member: readonly (Json & {
    readonly count: number
    readonly sum: Json
    readonly members?: string
  })[]
  readonly totalItems: number
}

// contract: A Hydra collection of `Summary` members
test('every summary leads to just the members that it counts, for whoever may see them', async (t) => {
  const { as, base } = await serveGallery(t)
  const read = async (visitor: Visitor, path: string) => {
    const response = await visitor.send('GET', path, undefined, { Prefer: 'count=exact' })
    assert.equal(response.status, 200, `${path}: ${response.body}`)
    return response.json()
  }
  const listed = async (visitor: Visitor, path: string): Promise<Json[]> => {
    const { member, totalItems } = (await read(visitor, path)) as { member: Json[]; totalItems: number }
    assert.equal(totalItems, member.length, path)
    return member
  }
  const counted = { links: 0, none: 0 }
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.constantFrom('ann' as const, 'bob' as const, 'clerk' as const),
      fc.constantFrom('books', 'drafts'),
      async ({ filters, groups }, name, collection) => {
        const visitor = as[name]
        const query = [filters, ...groups, 'sum=price'].filter(Boolean).join('&')
        const path = `/summaries/${collection}?${query}&itemsPerPage=100`
        const { member, totalItems } = (await read(visitor, path)) as unknown as SummaryPage
        assert.equal(totalItems, member.length)
        const found = new Set<unknown>()
        let isComplete = true
        for (const { count, members, sum } of member) {
          counted[members === undefined ? 'none' : 'links'] += 1
          isComplete &&= members !== undefined
          if (members === undefined) {
            assert.match(query, MAY_HAVE_NO_LINK)
            continue
          }
          const all = await listed(visitor, members.slice(base.length))
          assert.equal(all.length, count, `${name} ${path} → ${members}`)
          assert.equal(sum.price, sumOf(all), `${name} ${path} → ${members}`)
          for (const one of all) found.add(one['@id'])
        }
        if (!isComplete) return
        const whole = await listed(visitor, `/${collection}?${filters}`)
        assert.deepEqual([...found].sort(), whole.map((one) => one['@id']).sort(), `${name} ${path}`)
      },
    ),
    { numRuns: inSoak(400, 20) },
  )
  assert.ok(counted.links > 10 * counted.none, JSON.stringify(counted))
})

/** Exactly, with as many digits as the scale of the property. */
function sumOf(all: readonly Json[]): string | null {
  const prices = all.flatMap(({ price }) => (price === undefined ? [] : String(price)))
  if (prices.length === 0) return null
  const total = prices.reduce((sum, price) => {
    const [whole = '', fraction = ''] = price.split('.')
    return sum + BigInt(whole + fraction.padEnd(2, '0'))
  }, 0n)
  const digits = String(total < 0n ? -total : total).padStart(3, '0')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
