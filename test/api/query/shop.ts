import assert from 'node:assert/strict'
import { newDatabase } from '../../support/databases.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { idsOf, put, read, walk } from '../walks.ts'

/** Customers have orders with lines of products, and know each other. */
const SHOP = `
classes:
  Customer:
    label: [name, born]
    properties:
      name: string
      born: integer
      joined: dateTime
      partner: Customer
      friends: { type: Customer, many: true }
      address: Address
  Address: { collection: false, properties: { city: string, country: Country } }
  Country: { properties: { name: string } }
  Product: { properties: { name: string, price: decimal } }
  Line:
    collection: false
    properties: { amount: integer, note: string, product: Product }
  Order:
    properties:
      number: integer
      title: string
      customer: { type: Customer, reverse: orders }
      others: { type: Customer, many: true, reverse: assists }
      address: Address
      lines: { type: Line, many: true }
`

/** Without links from the other side. */
export const WITHOUT_REVERSE = SHOP.replaceAll(/, reverse: \w+/g, '')

const link = (collection: string, id: string) => `/api/${collection}/${id}`
const customer = (id: string) => link('customers', id)

/** In the order of their creation; c4 has nothing. */
const MEMBERS: Readonly<Record<string, object>> = {
  'countries/it': { name: 'Italy' },
  'countries/no': { name: 'Norge' },
  'products/p1': { name: 'Pen', price: '1.50' },
  'products/p2': { name: 'Pad', price: '20' },
  'customers/c1': {
    name: 'Ann',
    born: 1890,
    joined: '2024-02-29T12:00:00Z',
    address: { city: 'Rom', country: link('countries', 'it') },
  },
  'customers/c2': {
    name: 'Bob',
    born: 1950,
    partner: customer('c1'),
    address: { city: 'Oslo', country: link('countries', 'no') },
  },
  'customers/c3': {
    name: 'Ann',
    born: 1990,
    partner: customer('c2'),
    friends: [customer('c1'), customer('c2')],
  },
  'customers/c4': {},
  'orders/o1': {
    number: 1,
    title: 'The sea',
    customer: customer('c1'),
    others: [customer('c2'), customer('c3')],
    address: { city: 'Oslo', country: link('countries', 'it') },
    lines: [
      { amount: 5, note: 'x', product: link('products', 'p1') },
      { amount: 1, note: 'y', product: link('products', 'p2') },
    ],
  },
  'orders/o2': {
    number: 2,
    title: 'Rings',
    customer: customer('c2'),
    lines: [{ amount: 5, product: link('products', 'p2') }],
  },
  'orders/o3': {
    number: 3,
    customer: customer('c3'),
    others: [customer('c1')],
    address: { city: 'Rom' },
    lines: [{ note: 'x' }],
  },
  'orders/o4': { number: 4, title: 'Sea rings', customer: customer('c4') },
  'orders/o5': { number: 5, title: 'nothing' },
}

export async function serveShop(t: Parameters<typeof serveSignedIn>[0], api = SHOP): Promise<SignedIn> {
  const service = await serveSignedIn(t, { db: newDatabase(t), api, flags: { pageSize: '50' } })
  for (const [path, body] of Object.entries(MEMBERS))
    await put(service, `/${path}`, JSON.parse(JSON.stringify(body).replaceAll('"/api/', `"${service.base}/`)))
  return service
}

/** What is asked, and the last characters of the ids that are found: `13` for o1 and o3. */
export type Asked = readonly [query: string, ids: string]

const endsOf = (ids: readonly string[]): string => ids.map((id) => id.slice(1)).join('')

/** In the order of creation, which the ids are in: orders have tests of their own. */
export async function finds(service: SignedIn, collection: string, table: readonly Asked[]): Promise<void> {
  for (const [query, ids] of table) {
    const page = await read(service, `/${collection}?${query}`)
    assert.equal(endsOf(idsOf(page).toSorted()), ids, query)
    assert.equal(page.totalItems, ids.length, query)
    // By cursor, one at a time.
    const walked = await walk(service, `/${collection}?${query}&itemsPerPage=1`)
    assert.equal(endsOf(walked.flat().toSorted()), ids, query)
  }
}

/** In the order of the answer, by cursor there and back. */
export async function sorts(service: SignedIn, collection: string, table: readonly Asked[]): Promise<void> {
  for (const [query, ids] of table) {
    assert.equal(endsOf(idsOf(await read(service, `/${collection}?${query}`))), ids, query)
    const forth = await walk(service, `/${collection}?${query}&itemsPerPage=1`)
    assert.equal(endsOf(forth.flat()), ids, query)
    const { view } = await read(service, `/${collection}?${query}&itemsPerPage=2`)
    const back = await walk(service, String(view.last).slice(service.base.length), 'previous')
    assert.equal(endsOf(back.toReversed().flat()), ids, query)
    const second = await read(service, `/${collection}?${query}&itemsPerPage=1&page=2`)
    assert.equal(endsOf(idsOf(second)), ids.slice(1, 2), query)
  }
}
