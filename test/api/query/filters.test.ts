import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { KINDS } from '../queries.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { idsOf, put, read } from '../walks.ts'

const MEMBERS: Record<string, object> = {
  k1: {
    text: 'Apple',
    iri: 'https://example.org/a',
    whole: -5,
    natural: 0,
    positive: 1,
    price: '12.50',
    size: 1.5,
    small: 0.5,
    day: '2024-02-29',
    instant: '2024-02-29T14:30:00+02:00',
    flag: true,
    author: '/api/authors/ann',
    tags: ['red', 'Sweet'],
    scores: [1, 10],
    authors: ['/api/authors/ann', '/api/authors/bob'],
  },
  k2: {
    text: 'apple pie',
    iri: 'https://example.org/b',
    whole: 0,
    natural: 7,
    positive: 7,
    price: '9.999999999999999999',
    size: -2.25,
    small: 2,
    day: '2023-12-31',
    instant: '2024-02-29T12:30:00.001Z',
    flag: false,
    author: '/api/authors/bob',
    tags: ['green'],
    scores: [5],
    authors: ['/api/authors/bob'],
  },
  k3: {
    text: 'Straße \u{1f600}',
    iri: 'urn:example:c',
    whole: 5,
    natural: 30,
    positive: 30,
    price: '-1',
    size: 1e300,
    small: 30,
    day: '0999-01-01',
    instant: '1969-12-31T23:59:59Z',
    flag: true,
    author: '/api/authors/ann',
    tags: ['red'],
    scores: [-3, 0],
  },
  k4: {},
}

async function serveKinds(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: KINDS, flags: { pageSize: '50' } })
  for (const id of ['ann', 'bob', 'eve']) await put(service, `/authors/${id}`, { name: id })
  for (const [id, body] of Object.entries(MEMBERS)) {
    const sent = JSON.stringify(body).replaceAll('/api/authors/', `${service.base}/authors/`)
    await put(service, `/kinds/${id}`, JSON.parse(sent))
  }
  return service
}

type Row = [query: string, ids: string]

/** In the order of the ids, which is that of creation: the order of an answer has tests of its own. */
async function finds(service: SignedIn, table: readonly Row[]): Promise<void> {
  for (const [query, ids] of table) {
    const page = await read(service, `/kinds?${query}`)
    const expected = ids === '' ? [] : ids.split(' ')
    assert.deepEqual(idsOf(page).toSorted(), expected, query)
    assert.equal(page.totalItems, expected.length, query)
  }
}

/** One service for all: only the last of them writes. */
test('members with values of every kind', async (t) => {
  const service = await serveKinds(t)
  // contract: **Filters**: `p=v`
  // contract: What a value means is the same on both stores
  await t.test('strings and IRIs are found by every operator', () =>
    finds(service, [
      ['text=Apple', 'k1'],
      ['text=apple', ''],
      ['text=Apple&text=apple+pie', 'k1 k2'],
      ['text=Apple&text=nothing', 'k1'],
      ['text[eq]=Apple', 'k1'],
      ['text[ne]=Apple', 'k2 k3'],
      // By folded text.
      ['text[gt]=Apple', 'k2 k3'],
      ['text[gt]=%C3%84PPLE', 'k2 k3'],
      ['text[gte]=Apple', 'k1 k2 k3'],
      ['text[lt]=a', ''],
      ['text[lt]=B', 'k1 k2'],
      ['text[lte]=APPLE', 'k1'],
      ['text[lte]=apple+pie', 'k1 k2'],
      ['text[gte]=STRASSE&text[lt]=strasset', 'k3'],
      ['text[gt]=B&text[lt]=Z', 'k3'],
      ['text[gt]=Z&text[lt]=B', ''],
      ['text[startsWith]=App', 'k1 k2'],
      ['text[startsWith]=apple+', 'k2'],
      ['text[startsWith]=strass', 'k3'],
      ['text[startsWith]=Stra%C3%9F', 'k3'],
      ['text[startsWith]=', 'k1 k2 k3'],
      ['text[startsWith]=%F4%8F%BF%BF', ''],
      ['text[contains]=APPLE', 'k1 k2'],
      ['text[contains]=%C3%A4ppl%C3%A9', 'k1 k2'],
      ['text[contains]=strasse', 'k3'],
      ['text[contains]=%F0%9F%98%80', 'k3'],
      ['text[contains]=%25', ''],
      ['text[contains]=_', ''],
      ['exists[text]=true', 'k1 k2 k3'],
      ['exists[text]=false', 'k4'],
      ['iri=https://example.org/a', 'k1'],
      ['iri=HTTPS://example.org/a', ''],
      ['iri[ne]=urn:example:c', 'k1 k2'],
      ['iri[startsWith]=https://', 'k1 k2'],
      ['iri[startsWith]=HTTPS://', 'k1 k2'],
      ['iri[contains]=EXAMPLE', 'k1 k2 k3'],
      ['iri[gt]=https://example.org/b', 'k3'],
      ['exists[iri]=false', 'k4'],
    ]),
  )

  // contract: **Filters**: `p=v`
  // contract: What a value means is the same on both stores
  await t.test('numbers are found by value, whatever their spelling', () =>
    finds(service, [
      ['whole=-5', 'k1'],
      ['whole=0', 'k2'],
      ['whole=-0', 'k2'],
      ['whole=5.0', 'k3'],
      ['whole[ne]=0', 'k1 k3'],
      ['whole[gt]=-5', 'k2 k3'],
      ['whole[gte]=-5&whole[lt]=5', 'k1 k2'],
      ['natural[gt]=7', 'k3'],
      ['natural=0', 'k1'],
      ['positive[lte]=7', 'k1 k2'],
      ['exists[natural]=false', 'k4'],
      ['price=12.5', 'k1'],
      ['price=12.500', 'k1'],
      ['price=10', ''],
      ['price[gt]=9.999999999999999998&price[lt]=10', 'k2'],
      ['price[lt]=0', 'k3'],
      ['price[gte]=-1', 'k1 k2 k3'],
      ['price[ne]=-1.0', 'k1 k2'],
      ['size=15e-1', 'k1'],
      ['size[lt]=0', 'k2'],
      ['size[gt]=1e299', 'k3'],
      ['small=0.5', 'k1'],
      ['small[gte]=2', 'k2 k3'],
      ['exists[size]=true', 'k1 k2 k3'],
    ]),
  )

  // contract: **Filters**: `p=v`
  // contract: What a value means is the same on both stores
  // contract: A date for a dateTime is that whole day
  await t.test('dates are found by day, instants whatever their zone, and truth values as such', () =>
    finds(service, [
      ['day=2024-02-29', 'k1'],
      ['day[lt]=2024-01-01', 'k2 k3'],
      ['day[gte]=2023-12-31&day[lte]=2024-02-29', 'k1 k2'],
      ['day[ne]=2024-02-29', 'k2 k3'],
      ['instant=2024-02-29T12:30:00Z', 'k1'],
      ['instant=2024-02-29T14:30:00.001%2B02:00', 'k2'],
      ['instant=2024-02-29T07:30:00-05:00', 'k1'],
      ['instant[gt]=2024-02-29T12:30:00Z', 'k2'],
      ['instant[lt]=1970-01-01T00:00:00Z', 'k3'],
      ['instant[lte]=2024-02-29T14:30:00+02:00', 'k1 k3'],
      ['exists[instant]=false', 'k4'],
      // A date is a whole day in UTC.
      ['instant=2024-02-29', 'k1 k2'],
      ['instant=1969-12-31', 'k3'],
      ['instant=1970-01-01', ''],
      ['instant[ne]=2024-02-29', 'k3'],
      ['instant[ne]=1969-12-31', 'k1 k2'],
      ['instant[ne]=2000-01-01', 'k1 k2 k3'],
      ['instant[gte]=1969-12-31', 'k1 k2 k3'],
      ['instant[gt]=1969-12-31', 'k1 k2'],
      ['instant[gt]=2024-02-29', ''],
      ['instant[lt]=2024-02-29', 'k3'],
      ['instant[lte]=2024-02-29', 'k1 k2 k3'],
      ['instant[lt]=1969-12-31', ''],
      ['instant[lte]=9999-12-31', 'k1 k2 k3'],
      ['instant[gte]=2024-02-29&instant[lte]=2024-02-29', 'k1 k2'],
      ['instant=1969-12-31&instant=2024-02-29', 'k1 k2 k3'],
      ['instant=2024-02-29&instant=2024-02-29&instant=2024-02-29T12:30:00Z', 'k1 k2'],
      ['instant=1969-12-31&instant=2024-02-29T12:30:00Z', 'k1 k3'],
      ['instant=1969-12-31&instant=2024-02-29&order[instant]=desc', 'k1 k2 k3'],
      ['instant[ne]=1969-12-31&flag=true', 'k1'],
      ['instant=2024-02-29&instant[gt]=2024-02-29T12:30:00Z', 'k2'],
      ['flag=true', 'k1 k3'],
      ['flag=false', 'k2'],
      ['flag=true&flag=false', 'k1 k2 k3'],
      ['flag[ne]=true', 'k2'],
      ['exists[flag]=false', 'k4'],
    ]),
  )

  // contract: **Filters**: `p=v`
  await t.test('links are found by the address of their target, absolute or relative', async () => {
    const ann = `${service.base}/authors/ann`
    await finds(service, [
      [`author=${ann}`, 'k1 k3'],
      [`author=${encodeURIComponent(ann)}`, 'k1 k3'],
      ['author=authors/ann', 'k1 k3'],
      [`author=${new URL(ann).pathname}`, 'k1 k3'],
      ['author=authors/bob&author=authors/ann', 'k1 k2 k3'],
      ['author=authors/eve', ''],
      ['author=authors/nobody', ''],
      ['author[ne]=authors/ann', 'k2'],
      ['exists[author]=true', 'k1 k2 k3'],
      ['exists[author]=false', 'k4'],
      ['authors=authors/bob', 'k1 k2'],
      ['authors=authors/ann', 'k1'],
      ['exists[authors]=false', 'k3 k4'],
    ])
  })

  // contract: What a value means is the same on both stores
  await t.test('a property with many values matches by any of them', () =>
    finds(service, [
      ['tags=red', 'k1 k3'],
      ['tags=red&tags=green', 'k1 k2 k3'],
      ['tags[ne]=red', 'k1 k2'],
      ['tags[startsWith]=S', 'k1'],
      ['tags[contains]=RE', 'k1 k2 k3'],
      ['tags[gt]=green', 'k1 k3'],
      ['exists[tags]=true', 'k1 k2 k3'],
      ['exists[tags]=false', 'k4'],
      ['scores=10', 'k1'],
      ['scores[gt]=4', 'k1 k2'],
      ['scores[lte]=0', 'k3'],
      // One value lies between both bounds.
      ['scores[gt]=1&scores[lt]=10', 'k2'],
      ['scores[gte]=1&scores[lte]=5', 'k1 k2'],
      ['authors[ne]=authors/bob', 'k1'],
    ]),
  )

  // contract: What a value means is the same on both stores
  await t.test(
    'several ranges on a property with many values ask of one and the same value, in whatever way it is answered',
    async () => {
      // k1 has a value beyond one bound and another one beyond the other, and none between both.
      const ranges: readonly Row[] = [
        ['scores[gt]=1&scores[lt]=10', 'k2'],
        ['scores[lte]=9&scores[gte]=2', 'k2'],
        ['scores[gt]=0&scores[gte]=2&scores[lt]=10&scores[lte]=10', 'k2'],
        ['tags[gt]=Red&tags[lt]=SWEET', ''],
        ['tags[gt]=a&tags[lt]=RED', 'k2'],
        ['tags[startsWith]=r&tags[lt]=red', ''],
        ['tags[startsWith]=G&tags[lte]=green', 'k2'],
      ]
      // By the index of the property, by that of another one, and by a look at every member; sorted, and not.
      const ways = [
        '',
        '&natural=7',
        '&natural[gte]=0&order[natural]=asc',
        '&order[text]=asc&order[day]=desc',
        '&text[contains]=P',
        '&text[ne]=x&order[size]=desc',
        '&tags[contains]=E&order[natural]=desc',
        '&q=pie',
      ]
      for (const way of ways)
        await finds(
          service,
          ranges.map(([query, ids]): Row => [query + way, ids]),
        )
    },
  )

  // contract: Different parameters are joined by "and".
  await t.test('different parameters are joined by "and"', () =>
    finds(service, [
      ['flag=true&whole[gt]=0', 'k3'],
      ['flag=true&tags=red&author=authors/ann', 'k1 k3'],
      ['flag=true&tags=red&author=authors/bob', ''],
      ['tags=red&tags[ne]=red', 'k1'],
      ['text[contains]=apple&price[lt]=10', 'k2'],
      ['exists[text]=false&exists[flag]=false', 'k4'],
      ['exists[text]=false&flag=true', ''],
      ['whole[gt]=-9&natural[gt]=-0&positive[gt]=1&size[lt]=0', 'k2'],
      ['text=Apple&text=apple+pie&flag=true&flag=false', 'k1 k2'],
      ['text=Apple&text[ne]=Apple', ''],
      ['day[gt]=2000-01-01&instant[gt]=2000-01-01T00:00:00Z&q=pie', 'k2'],
    ]),
  )

  await t.test('a filter sees what was written last', async () => {
    await finds(service, [['whole=5', 'k3']])
    const patch = { 'Content-Type': 'application/merge-patch+json' }
    await service.send('PATCH', '/kinds/k3', patch, '{"whole":6,"tags":["blue"],"text":null}')
    await finds(service, [
      ['whole=5', ''],
      ['whole=6', 'k3'],
      ['tags=red', 'k1'],
      ['tags=blue', 'k3'],
      ['exists[text]=false', 'k3 k4'],
    ])
    await service.send('DELETE', '/kinds/k3')
    await finds(service, [
      ['whole=6', ''],
      ['tags=blue', ''],
      ['exists[text]=false', 'k4'],
    ])
  })
})
