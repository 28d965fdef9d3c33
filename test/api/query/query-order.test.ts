import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS } from '../queries.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { idsOf, put, read, walk } from '../walks.ts'

/** Created in this order; d and e have no values of some properties, and equals in others. */
const MEMBERS: Record<string, object> = {
  a: { text: 'b', whole: 10, price: '10', size: 2.5, day: '2024-01-02', flag: true, tags: ['m', 'c'] },
  b: { text: 'B', whole: 9, price: '9.5', size: -1e9, day: '2024-01-01', flag: false, tags: ['a', 'z'] },
  c: { text: '\u{1f600}', whole: -1, price: '-10', size: 0.1, day: '1999-12-31', flag: true, tags: ['b'] },
  d: { text: '\ufffd', whole: 9, price: '9.50' },
  e: {},
  f: { text: 'ba', whole: 100, price: '-9', size: 7, day: '2024-01-02', flag: false },
}

async function serveMembers(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { api: KINDS })
  await put(service, '/authors/z', { name: 'z' })
  await put(service, '/authors/y', { name: 'y' })
  for (const [id, body] of Object.entries(MEMBERS)) {
    await put(service, `/kinds/${id}`, id === 'a' ? { ...body, author: `${service.base}/authors/z` } : body)
  }
  await put(service, '/kinds/g', { author: `${service.base}/authors/y` })
  return service
}

async function answers(service: SignedIn, table: readonly [query: string, ids: string][]): Promise<void> {
  for (const [query, ids] of table) {
    assert.equal(idsOf(await read(service, `/kinds?${query}`)).join(''), ids, query)
    // The same by cursor, one at a time, there and back.
    const forth = await walk(service, `/kinds?${query}&itemsPerPage=1`)
    assert.equal(forth.flat().join(''), ids, query)
    const { view } = await read(service, `/kinds?${query}&itemsPerPage=2`)
    const back = await walk(service, String(view.last).slice(service.base.length), 'previous')
    assert.equal(back.toReversed().flat().join(''), ids, query)
  }
}

// contract: **Sorting**: `order[p]=asc|desc`
// contract: What a value means is the same on both stores
test('a single order goes by value in both directions, and members without the value come last', async (t) => {
  await answers(await serveMembers(t), [
    ['order[text]=asc', 'bafdceg'],
    ['order[text]=desc', 'cdfabge'],
    ['sort=text', 'bafdceg'],
    ['sort=-text', 'cdfabge'],
    ['sort=whole', 'cbdafeg'],
    ['sort=-whole', 'fadbcge'],
    ['sort=price', 'cfbdaeg'],
    ['sort=-price', 'adbfcge'],
    ['sort=size', 'bcafdeg'],
    ['sort=-size', 'facbged'],
    ['sort=day', 'cbafdeg'],
    ['sort=-day', 'fabcged'],
    ['sort=flag', 'bfacdeg'],
    ['sort=-flag', 'cafbged'],
    ['sort=author', 'gabcdef'],
    ['sort=-author', 'agfedcb'],
    ['order%5Btext%5D=asc', 'bafdceg'],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('several orders break the ties of each other', async (t) => {
  await answers(await serveMembers(t), [
    ['sort=flag,text', 'bfacdeg'],
    ['sort=flag,-text', 'fbcadge'],
    ['sort=-flag,text', 'acbfdeg'],
    ['sort=-flag,-whole,text', 'acfbdeg'],
    ['sort=whole,-price', 'cdbafge'],
    ['sort=day,-flag,size', 'cbafdeg'],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('several orders rank as the query has them, however it says them', async (t) => {
  await answers(await serveMembers(t), [
    // In the API file text stands before whole, and whole before flag.
    ['order[flag]=asc&order[text]=desc', 'fbcadge'],
    ['order[text]=desc&order[flag]=asc', 'cdfabeg'],
    ['order[flag]=desc&order[whole]=desc&order[text]=asc', 'acfbdeg'],
    ['order[whole]=asc&flag=false&order[flag]=desc', 'bf'],
    ['sort=flag&order[text]=desc', 'fbcadge'],
    ['order[flag]=desc&sort=-whole,text', 'acfbdeg'],
    ['order[whole]=asc&sort=-price&order[flag]=asc', 'cbdafeg'],
    ['order[flag]=desc&text[gte]=B&order[text]=asc', 'acbfd'],
    ['order[flag]=desc&text[gt]=B&order[text]=asc', 'cfd'],
  ])
})

// contract: **Sorting**: `order[p]=asc|desc`
test('the direction of an order is read in any case', async (t) => {
  await answers(await serveMembers(t), [
    ['order[text]=DESC', 'cdfabge'],
    ['order[text]=ASC', 'bafdceg'],
    ['order[flag]=Desc&order[whole]=dEsC&order[text]=Asc', 'acfbdeg'],
  ])
})

test('filters keep the order that is asked for', async (t) => {
  await answers(await serveMembers(t), [
    ['whole[gt]=0&sort=-text', 'dfab'],
    ['flag=true&sort=text', 'ac'],
    ['tags[gte]=b&sort=text', 'bac'],
    ['exists[text]=false&sort=-author', 'ge'],
    ['text[contains]=B&sort=-whole', 'fab'],
    ['q=b&sort=-whole', 'abc'],
    ['text[ne]=b&sort=day,text', 'cbfd'],
    ['whole=9&whole=10&whole=-1&sort=-whole', 'adbc'],
  ])
})

test('without an order that is asked for it is that of creation, or that of the filter', async (t) => {
  await answers(await serveMembers(t), [
    ['whole=9', 'bd'],
    ['flag=true', 'ac'],
    ['whole[ne]=10', 'bcdf'],
    ['text[contains]=b', 'abf'],
    ['exists[day]=false', 'deg'],
    ['q=b', 'abc'],
    ['whole[lt]=50', 'cbda'],
    ['text[startsWith]=b', 'baf'],
    ['whole=10&whole=9', 'bda'],
    ['exists[price]=true', 'cfbda'],
    ['author=authors/z&author=authors/y', 'ga'],
    // Where there are many values, each member stands at the least of those that match.
    ['tags[gt]=a', 'cab'],
    ['tags[gte]=a', 'bca'],
    ['tags=z&tags=m&tags=b', 'cab'],
    ['exists[tags]=true', 'bca'],
    ['whole[gt]=0&flag=false', 'bf'],
    ['whole[gt]=0&text[gt]=B', 'fd'],
  ])
})
