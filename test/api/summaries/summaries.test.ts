import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { serveShop, WITHOUT_REVERSE } from '../query/shop.ts'
import {
  AS_PROBLEM,
  assertProblem,
  codesOf,
  type Json,
  pathOf,
  type Said,
  type SignedIn,
  serveSignedIn,
} from '../signed-in.ts'
import { put, read } from '../walks.ts'

type Row = Readonly<Record<string, unknown>>

/** The summaries without their links; those of a group of one path by its value. */
async function rowsOf(service: SignedIn, query: string, collection = 'orders'): Promise<Row[]> {
  const { member } = await read(service, `/summaries/${collection}?${query}`)
  return member.map(({ '@type': type, members: _, ...rest }) => {
    assert.equal(type, 'Summary')
    return rest
  })
}

/** `Ann 2, null 1`: the values of the groups and the count of each summary. */
async function countsOf(service: SignedIn, query: string, collection?: string): Promise<string> {
  const rows = await rowsOf(service, query, collection)
  return rows
    .map(({ group, count }) => [...Object.values(group as Json).map(lastSegment), count].join(' '))
    .join(', ')
}

const lastSegment = (value: unknown): string => String(value).split('/').at(-1) as string

test('orders, summarized', async (t) => {
  const service = await serveShop(t, WITHOUT_REVERSE)

  // contract: `GET` with `group` (none, one or
  // contract: A many-valued group counts a member once
  await t.test('members are counted by what is at the end of one or two paths', async () => {
    const table: [query: string, counts: string][] = [
      ['', '5'],
      ['number.gt=9', '0'],
      ['number.gt=9&group=title', ''],
      ['group=customer', 'c1 1, c2 1, c3 1, c4 1, null 1'],
      ['group=customer.name', 'Ann 2, Bob 1, null 2'],
      ['group=customer.name&customer.name=Ann', 'Ann 2'],
      ['group=customer.born', '1890 1, 1950 1, 1990 1, null 2'],
      ['group=customer.joined:year', '2024 1, null 4'],
      ['group=customer.joined:month', '2024-02 1, null 4'],
      ['group=customer.joined:day', '2024-02-29 1, null 4'],
      ['group=customer.joined', '2024-02-29T12:00:00Z 1, null 4'],
      ['group=others', 'c1 1, c2 1, c3 1, null 3'],
      ['group=others.name', 'Ann 2, Bob 1, null 3'],
      ['group=address.city', 'Oslo 1, Rom 1, null 3'],
      ['group=address.country.name', 'Italy 1, null 4'],
      ['group=lines.product.name', 'Pad 2, Pen 1, null 3'],
      ['group=customer.name&group=lines.amount', 'Ann 1 1, Ann 5 1, Ann null 1, Bob 5 1, null null 2'],
      ['group=customer.partner.partner.name', 'Ann 1, null 4'],
      ['or[a][number]=1&or[a][number]=2&group=lines.note', 'x 1, y 1, null 1'],
      ['q=sea&group=customer.name', 'Ann 1, null 1'],
      ['exists[title]=false&group=title', 'null 1'],
      ['exists[title]=true&group=title', 'nothing 1, Rings 1, Sea rings 1, The sea 1'],
    ]
    for (const [query, counts] of table) assert.equal(await countsOf(service, query), counts, query)
  })

  // contract: A member without the value is in the count
  await t.test('figures are of the values that members have', async () => {
    assert.deepEqual(
      await rowsOf(
        service,
        'group=customer.name&sum=number&avg=number&min=number&max=title&sum=customer.born',
      ),
      [
        {
          group: { 'customer.name': 'Ann' },
          count: 2,
          sum: { number: '4', 'customer.born': '3880' },
          avg: { number: '2' },
          min: { number: 1 },
          max: { title: 'The sea' },
        },
        {
          group: { 'customer.name': 'Bob' },
          count: 1,
          sum: { number: '2', 'customer.born': '1950' },
          avg: { number: '2' },
          min: { number: 2 },
          max: { title: 'Rings' },
        },
        {
          group: { 'customer.name': null },
          count: 2,
          sum: { number: '9', 'customer.born': null },
          avg: { number: '4.5' },
          min: { number: 4 },
          max: { title: 'Sea rings' },
        },
      ],
    )
    assert.deepEqual(
      await rowsOf(service, 'sum=lines.amount&avg=lines.product.price&max=customer.joined&number.gt=9'),
      [
        {
          group: {},
          count: 0,
          sum: { 'lines.amount': null },
          avg: { 'lines.product.price': null },
          max: { 'customer.joined': null },
        },
      ],
    )
    // What is added is in the line that makes the group.
    const [pad, pen] = await rowsOf(
      service,
      'group=lines.product.name&sum=lines.amount&sum=lines.product.price',
    )
    assert.deepEqual(pad?.sum, { 'lines.amount': '6', 'lines.product.price': '40' })
    assert.deepEqual(pen?.sum, { 'lines.amount': '5', 'lines.product.price': '1.5' })
  })

  // contract: Pages (`page`, `itemsPerPage`)
  await t.test('summaries have orders and pages', async () => {
    const table: [query: string, counts: string][] = [
      ['order[count]=desc', 'Ann 2, null 2, Bob 1'],
      ['sort=count', 'Bob 1, Ann 2, null 2'],
      ['order[customer.name]=desc', 'Bob 1, Ann 2, null 2'],
      ['sort=-customer.name', 'Bob 1, Ann 2, null 2'],
      ['sum=number&order[sum.number]=DESC', 'null 2, Ann 2, Bob 1'],
      ['sum=customer.born&sort=sum.customer.born', 'Bob 1, Ann 2, null 2'],
      ['sum=customer.born&sort=-sum.customer.born', 'Ann 2, Bob 1, null 2'],
      ['avg=number&sort=-avg.number,customer.name', 'null 2, Ann 2, Bob 1'],
      ['min=title&sort=-min.title', 'Ann 2, Bob 1, null 2'],
      ['max=title&sort=max.title', 'Bob 1, null 2, Ann 2'],
      ['itemsPerPage=2', 'Ann 2, Bob 1'],
      ['itemsPerPage=2&page=2', 'null 2'],
      ['itemsPerPage=2&page=3', ''],
    ]
    for (const [query, counts] of table)
      assert.equal(await countsOf(service, `group=customer.name&${query}`), counts, query)
    assert.equal(
      await countsOf(service, 'group=customer.name&group=lines.amount&sort=-lines.amount'),
      'Ann 5 1, Bob 5 1, Ann 1 1, Ann null 1, null null 2',
    )

    const address = `${service.base}/summaries/orders`
    const first = await read(service, '/summaries/orders?group=customer.name&itemsPerPage=1&sort=count')
    assert.equal(first['@id'], `${address}?group=customer.name`)
    const to = (page: number) => `${address}?group=customer.name&itemsPerPage=1&sort=count&page=${page}`
    assert.deepEqual(first.view, {
      '@id': `${address}?group=customer.name&itemsPerPage=1&sort=count`,
      '@type': 'PartialCollectionView',
      first: to(1),
      next: to(2),
      last: to(3),
    })
    const { view, totalItems } = await read(service, pathOf(service.base, to(2)))
    assert.deepEqual([totalItems, view.previous, view.next], [3, to(1), to(3)])
    const beyond = await read(service, pathOf(service.base, to(9)))
    assert.deepEqual([beyond.member, beyond.view.previous, beyond.view.next], [[], to(3), undefined])
    const bare = await read(service, '/summaries/orders')
    assert.deepEqual([bare['@id'], bare.view['@id']], [address, `${address}?itemsPerPage=50`])
  })

  await t.test('a query that asks for what there is not is refused, with what would do', async () => {
    const table: [query: string, said: Said][] = [
      ['group=titel', ['group: UnknownSummaryPath', 'title']],
      ['group=custmer.name', ['group: UnknownSummaryPath', '"customer.name"']],
      ['group=customer.nam', ['group: UnknownSummaryPath', '"customer.name"']],
      ['group=title.x', ['group: UnknownSummaryPath']],
      ['group=', ['group: UnknownSummaryPath']],
      ['group=lines', ['group: UnfitSummaryPath', 'lines.amount']],
      ['group=customer.partner.partner.partner.name', ['group: PathTooLong']],
      ['group=customer.joined:yaer', ['group: UnknownDateUnit', '"year"']],
      ['group=customer.joined:', ['group: UnknownDateUnit']],
      ['group=title:year', ['group: UnfitSummaryPath']],
      ['group=title&group=number&group=customer', ['TooManySummaryPaths', '3 groups']],
      ['group=title&group=title', ['group: DuplicateSummaryPath']],
      ['sum=number&sum=number', ['sum: DuplicateSummaryPath']],
      ['sum=title', ['sum: UnfitSummaryPath', 'number']],
      ['avg=customer.joined', ['avg: UnfitSummaryPath']],
      ['min=customer', ['min: UnfitSummaryPath', 'title']],
      ['sum=nubmer', ['sum: UnknownSummaryPath', '"number"']],
      ['order[titel]=asc', ['order[titel]: UnknownSummaryOrder', 'count']],
      ['order[number]=asc', ['order[number]: UnknownSummaryOrder']],
      ['sum=number&sort=sum.nubmer', ['sort: UnknownSummaryOrder', '"sum.number"']],
      ['order[count]=up', ['order[count]: InvalidSortDirection']],
      ['sort=count,-count', ['sort: DuplicateOrder']],
      ['page=0', ['page: InvalidCount']],
      ['page=1&page=2', ['page: DuplicateParameter']],
      ['itemsPerPage=101', ['itemsPerPage: InvalidCount']],
      ['titel=x', ['titel: UnknownParameter', '"title"']],
      ['gruop=title', ['gruop: UnknownParameter', '"group"']],
      ['orderBy=number', ['orderBy: UnknownParameter', '"sort=count"']],
      ['include=customer', ['include: UnknownParameter']],
      ['after=x', ['after: UnknownParameter']],
      ['number=x', ['number: InvalidFilterValue']],
      [
        `${['number', 'customer.born', 'others.born'].map((path) => `sum=${path}&avg=${path}&min=${path}&max=${path}`).join('&')}`,
        ['TooManySummaryPaths', '12 figures'],
      ],
      [
        'group=title&group=number&sum=number&avg=number&sort=count,title,number,sum.number,avg.number',
        ['TooManyOrders'],
      ],
      // Sent as one character each, and percent-encoded in links.
      [`title=${'"'.repeat(3_000)}`, ['QueryTooLong']],
    ]
    for (const [query, said] of table)
      assertProblem(await service.get(`/summaries/orders?${query}`, AS_PROBLEM), said, query)
  })

  await t.test('only what has a list has summaries, and they are only read', async () => {
    for (const path of ['/summaries/nothing', '/summaries/Line', '/summaries/lines'])
      assertProblem(await service.get(path, AS_PROBLEM), ['UnknownCollection'], path)
    for (const path of ['/summaries', '/summaries/', '/summaries/orders/o1'])
      assert.equal((await service.get(path)).status, 404, path)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await service.send(
        method,
        '/summaries/orders',
        { 'Content-Type': 'application/ld+json' },
        '{}',
      )
      assert.deepEqual([response.status, response.headers.allow], [405, 'GET, HEAD'], method)
    }
    const head = await service.send('HEAD', '/summaries/orders?group=customer')
    const got = await service.get('/summaries/orders?group=customer')
    assert.deepEqual([head.status, head.headers.etag, head.body], [200, got.headers.etag, ''])
    assert.equal(head.headers['content-length'], got.headers['content-length'])
    assert.equal((await service.send('OPTIONS', '/summaries/orders')).headers.allow, 'GET, HEAD')
  })

  await t.test('an ETag is good until something changes, of any class on a path', async () => {
    const path = '/summaries/orders?group=customer.name&sum=lines.product.price'
    const patch = { 'Content-Type': 'application/merge-patch+json' }
    let [response] = await Promise.all([service.get(path), service.get(path)])
    for (const [target, body] of [
      ['/customers/c1', '{"name":"Zoe"}'],
      ['/products/p1', '{"price":"2.50"}'],
      ['/orders/o5', '{"customer":null,"lines":[]}'],
    ] as const) {
      const known = { 'If-None-Match': String(response.headers.etag) }
      for (let times = 0; times < 3; times++)
        assert.deepEqual([(await service.get(path, known)).status], [304], target)
      assert.equal((await service.send('PATCH', target, patch, body)).status, 200)
      response = await service.get(path, known)
      if (target !== '/orders/o5') assert.equal(response.status, 200, target)
    }
    assert.equal(await countsOf(service, 'group=customer.name'), 'Ann 1, Bob 1, Zoe 1, null 2')
  })
})

test('more than 10,000 groups are refused', async (t) => {
  const api = 'classes: { Thing: { properties: { marks: { type: integer, many: true } } } }'
  const service = await serveSignedIn(t, { db: newDatabase(t), api })
  for (let index = 0; index < 10; index++)
    await put(service, `/things/t${index}`, {
      marks: Array.from({ length: 1_000 }, (_, one) => index * 1_000 + one),
    })
  const { totalItems, view } = await read(service, '/summaries/things?group=marks&itemsPerPage=100')
  assert.equal(totalItems, 10_000)
  assert.equal(
    await countsOf(service, 'group=marks&itemsPerPage=1&page=10000', 'things'),
    '9999 1',
    String(view.last),
  )
  await put(service, '/things/more', { marks: [-1] })
  const path = '/summaries/things?group=marks'
  assertProblem(await service.get(path, AS_PROBLEM), ['TooManyGroups', '10,000'], path)
  assert.equal(await countsOf(service, 'group=marks&marks.lt=0', 'things'), '-1 1')
})

// contract: Off the main thread, within `--scan-time`
test('a summary that takes too long gets 503, and others are served meanwhile', async (t) => {
  const api = `
classes:
  Thing:
    properties:
      rows: { type: integer, many: true }
      columns: { type: integer, many: true }
      marks: { type: integer, many: true }
`
  const service = await serveSignedIn(t, { db: newDatabase(t), api, flags: { scanTime: '1s' } })
  const upTo = (length: number) => Array.from({ length }, (_, index) => index)
  for (let index = 0; index < 100; index++)
    await put(service, `/things/t${index}`, { rows: upTo(100), columns: upTo(100), marks: upTo(1_000) })
  const path = '/summaries/things?group=rows&group=columns&sum=marks'
  let isDone = false
  const summary = service.get(path, AS_PROBLEM).finally(() => {
    isDone = true
  })
  assert.equal((await service.get('/things/t1')).status, 200)
  assert.ok(!isDone)
  const response = await summary
  assert.deepEqual([response.status, codesOf(response)], [503, 'SearchTooLong'])
})
