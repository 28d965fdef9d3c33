import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCursors } from '../../../src/api/query/paging.ts'
import { createPaths } from '../../../src/api/query/path.ts'
import type { Order, OrderStep } from '../../../src/members/index.ts'
import { textKey } from '../../../src/vocabulary/index.ts'
import { classIn, ordersModel, readerIn, readerOf, SEAL } from '../queries.ts'

const model = ordersModel()
const read = readerIn(model, 'Order')

const to = (property: string, className: string): OrderStep => ({
  kind: 'link',
  property,
  className,
  filters: [],
})
const CUSTOMER = to('customer', 'Customer')
const by = (property: string, ...through: readonly OrderStep[]): Order => ({
  property,
  descending: false,
  through,
})

// contract: An order goes along single-valued steps only.
// contract: `order[author]` alone sorts by the properties
test('an order goes along links to the property, or to the label of a linked member', () => {
  const down = (order: Order): Order => ({ ...order, descending: true })
  const label = [by('name', CUSTOMER), by('born', CUSTOMER)]
  const table: [query: string, order: readonly Order[]][] = [
    ['order[customer.name]=asc', [by('name', CUSTOMER)]],
    ['sort=-customer.partner.born', [down(by('born', CUSTOMER, to('partner', 'Customer')))]],
    ['order[address.city]=asc', [{ property: 'address.city', descending: false }]],
    ['order[customer.address.city]=asc', [by('address.city', CUSTOMER)]],
    ['order[address.country.name]=asc', [by('name', to('address.country', 'Country'))]],
    // The label has the partner too: links are left out.
    ['order[customer]=asc', label],
    ['sort=-customer,number', [...label.map(down), { property: 'number', descending: false }]],
    ['order[address.country]=desc', [down(by('name', to('address.country', 'Country')))]],
    [
      'order[customer.partner]=asc',
      ['name', 'born'].map((one) => by(one, CUSTOMER, to('partner', 'Customer'))),
    ],
    // What is asked for is counted, not what it stands for.
    [
      'sort=customer,customer.partner,number,state',
      [
        ...label,
        ...['name', 'born'].map((one) => by(one, CUSTOMER, to('partner', 'Customer'))),
        { property: 'number', descending: false },
        { property: 'state', descending: false },
      ],
    ],
  ]
  for (const [query, order] of table) {
    assert.deepEqual(read(query).selection.order, order, query)
    assert.deepEqual(read(read(query).linkQuery).selection.order, order, query)
  }
})

test('a cursor has two keys for a single order through links', () => {
  const cls = classIn(model, 'Order')
  const paths = createPaths(cls, model)
  const cursorsOf = (query: string) =>
    createCursors(cls, read(query).selection.order, { classes: paths, seal: SEAL })
  const table: [query: string, keys: readonly (string | number | null)[]][] = [
    ['sort=customer.born', [1900, 12]],
    ['sort=customer.name', [textKey('Ann'), Number.MAX_SAFE_INTEGER]],
    ['sort=customer.name', [null, null]],
    ['sort=customer.name', [null, 12]],
    ['sort=number,customer.name,state', [7, textKey('Ann'), textKey('new')]],
    ['sort=customer,address.country.name', [textKey('A'), 1900, textKey('I')]],
  ]
  for (const [query, keys] of table) {
    const cursors = cursorsOf(query)
    const position = { keys, sequence: 5 }
    const cursor = cursors.write(position)
    assert.ok(cursor.length <= cursors.longest)
    assert.deepEqual(cursors.readAfter(cursor), position)
  }
  // The length does not tell how many targets there are.
  const cursors = cursorsOf('sort=customer.born')
  const lengths = [1, 1_000_000].map((target) => cursors.write({ keys: [1900, target], sequence: 1 }).length)
  assert.equal(lengths[0], lengths[1])
  // Another path to a property of the same name is another order.
  const other = cursorsOf('sort=customer.partner.born').write({ keys: [1900, 12], sequence: 5 })
  assert.throws(() => cursors.readAfter(other), { code: 'CursorOfOtherQuery' })
})

test('the longest cursors are those of six texts, and are read all the same', () => {
  const cls = classIn(model, 'Order')
  const names = ['customer.name', 'customer.partner.name', 'address.country.name', 'customer.address.city']
  const order = [...names, 'customer.ne', 'customer.partner.ne'].flatMap(
    (one) => read(`sort=${one}`).selection.order,
  )
  const cursors = createCursors(cls, order, { classes: createPaths(cls, model), seal: SEAL })
  const keys = order.map(() => textKey('\u{10ffff}'.repeat(200)))
  const cursor = cursors.write({ keys, sequence: Number.MAX_SAFE_INTEGER })
  assert.ok(cursor.length <= cursors.longest && cursor.length < 8_000)
  assert.deepEqual(cursors.readAfter(cursor).keys, keys)
})

test('what an order stands for is bounded, and so is the label', () => {
  const texts = Array.from({ length: 7 }, (_, index) => `t${index}`)
  const properties = texts.map((name) => `${name}: string`).join(', ')
  const api = `
classes:
  Long: { label: [${texts.join(', ')}], properties: { ${properties} } }
  Both: { properties: { one: Long, other: Long, number: integer } }
`
  const readBoth = readerOf(api, 'Both')
  assert.equal(readBoth('sort=one').selection.order.length, 4)
  assert.equal(readBoth('sort=one,number,other.t0').selection.order.length, 6)
  assert.throws(() => readBoth('sort=one,other'), { code: 'TooManyOrders', values: { count: 8, max: 6 } })
})
