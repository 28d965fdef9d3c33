import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter, Step } from '../../../src/members/index.ts'
import { type Key, textKey } from '../../../src/vocabulary/index.ts'
import { BASE, ordersModel, readerIn } from '../queries.ts'

const model = ordersModel()
const readOrders = readerIn(model, 'Order')
const readCustomers = readerIn(model, 'Customer')

const link = (property: string, className: string): Step => ({ kind: 'link', property, className })
const CUSTOMER = link('customer', 'Customer')
const PARTNER = link('partner', 'Customer')
const COUNTRY = link('address.country', 'Country')
const PRODUCT = link('lines.product', 'Product')
const LINES: Step = { kind: 'embedded', property: 'lines' }
const PARTS: Step = { kind: 'embedded', property: 'lines.parts' }
const ORDERS_OF: Step = { kind: 'reverse', property: 'customer', className: 'Order' }

const some = (step: Step, ...filters: readonly Filter[]): Filter => ({ test: 'some', step, filters })
const none = (step: Step, ...filters: readonly Filter[]): Filter => ({ test: 'none', step, filters })
const isIn = (property: string, ...keys: readonly Key[]): Filter => ({ property, test: 'in', keys })
const isText = (property: string, text: string): Filter => isIn(property, textKey(text))
const has = (property: string, exists = true): Filter => ({ property, test: 'exists', exists })
const below = (property: string, key: Key): Filter => ({
  property,
  test: 'range',
  to: { key, inclusive: false },
})

type Row = [query: string, ...filters: Filter[]]

function finds(table: readonly Row[], read = readOrders): void {
  for (const [query, ...filters] of table) {
    const { selection, linkQuery } = read(query)
    const found = JSON.parse(JSON.stringify(selection.filters))
    assert.deepEqual(found, JSON.parse(JSON.stringify(filters)), query)
    // Whatever the order of the parameters, and as every link repeats it.
    const others = [query.split('&').toReversed().join('&'), linkQuery]
    for (const other of others) assert.deepEqual(read(other).selection.filters, selection.filters, other)
  }
}

// contract: Wherever a filter, an order or `exists` names
// contract: Each but the last is a link or an embedded value
// contract: Every operator works on it.
test('a path through links is a filter on the linked member, by every operator', () => {
  finds([
    ['customer.name=Ann', some(CUSTOMER, isText('name', 'Ann'))],
    ['customer.name[eq]=Ann', some(CUSTOMER, isText('name', 'Ann'))],
    ['customer.name.eq=Ann+B', some(CUSTOMER, isText('name', 'Ann B'))],
    ['customer.born.lt=1900', some(CUSTOMER, below('born', 1900))],
    ['customer.born[lt]=1900', some(CUSTOMER, below('born', 1900))],
    ['customer.name[contains]=X', some(CUSTOMER, { property: 'name', test: 'contains', text: 'x' })],
    ['customer.name.ne=X', some(CUSTOMER, { property: 'name', test: 'not', key: textKey('X') })],
    ['customer.name=Ann&customer.name=Bob', some(CUSTOMER, isIn('name', textKey('Ann'), textKey('Bob')))],
    ['exists[customer.born]=true', some(CUSTOMER, has('born'))],
    ['customer.born.exists=true', some(CUSTOMER, has('born'))],
    ['customer.partner.partner.name=A', some(CUSTOMER, some(PARTNER, some(PARTNER, isText('name', 'A'))))],
    ['others.name=A', some(link('others', 'Customer'), isText('name', 'A'))],
    // Links by their addresses, relative to the collection that is asked.
    [`customer.partner=${BASE}/customers/7`, some(CUSTOMER, isIn('partner', '7'))],
    ['customer.partner=customers/7', some(CUSTOMER, isIn('partner', '7'))],
    // Through embedded values with one value.
    ['address.city=Rom', isText('address.city', 'Rom')],
    ['address.country=countries/it', isIn('address.country', 'it')],
    ['address.country.name=Italy', some(COUNTRY, isText('name', 'Italy'))],
    ['customer.address.city=Rom', some(CUSTOMER, isText('address.city', 'Rom'))],
    ['customer.address.country.name=I', some(CUSTOMER, some(COUNTRY, isText('name', 'I')))],
    // Through embedded values with many values.
    ['lines.amount=5', isIn('lines.amount', 5)],
    ['lines.parts.size=5', isIn('lines.parts.size', 5)],
    ['lines.product=products/p', isIn('lines.product', 'p')],
    ['lines.product.name=P', some(PRODUCT, isText('name', 'P'))],
    ['lines.product.maker.name=P', some(PRODUCT, some(link('maker', 'Customer'), isText('name', 'P')))],
  ])
})

// contract: `author.name=Ann&author.born[lt]=1900` asks
test('parameters that share the beginning of a path ask of the same member or embedded value', () => {
  finds([
    ['customer.name=Ann&customer.born[lt]=1900', some(CUSTOMER, isText('name', 'Ann'), below('born', 1900))],
    [
      'number=1&customer.name=A&customer=customers/7&customer.partner.name=B&customer.partner.born.lt=5',
      isIn('number', 1),
      isIn('customer', '7'),
      some(CUSTOMER, isText('name', 'A'), some(PARTNER, isText('name', 'B'), below('born', 5))),
    ],
    [
      'customer.born.gte=1&customer.born.lt=5',
      some(CUSTOMER, {
        property: 'born',
        test: 'range',
        from: { key: 1, inclusive: true },
        to: { key: 5, inclusive: false },
      }),
    ],
    [
      'address.city=Rom&address.country=countries/it',
      isText('address.city', 'Rom'),
      isIn('address.country', 'it'),
    ],
    // Ranges of one property are one filter, which needs no step.
    [
      'lines.amount.gte=1&lines.amount.lt=5',
      {
        property: 'lines.amount',
        test: 'range',
        from: { key: 1, inclusive: true },
        to: { key: 5, inclusive: false },
      },
    ],
    ['lines.amount=5&lines.note=x', some(LINES, isIn('lines.amount', 5), isText('lines.note', 'x'))],
    [
      'lines.amount=5&lines.product.name=P',
      some(LINES, isIn('lines.amount', 5), some(PRODUCT, isText('name', 'P'))),
    ],
    [
      'lines.product.name=P&exists[lines.product.price]=true',
      some(PRODUCT, isText('name', 'P'), has('price')),
    ],
    [
      'lines.parts.size=5&lines.parts.code=x',
      some(PARTS, isIn('lines.parts.size', 5), isText('lines.parts.code', 'x')),
    ],
    [
      'lines.parts.size=5&lines.parts.code=x&lines.note=n',
      some(
        LINES,
        isText('lines.note', 'n'),
        some(PARTS, isIn('lines.parts.size', 5), isText('lines.parts.code', 'x')),
      ),
    ],
    ['lines.parts.size=5&lines.note=n', some(LINES, isText('lines.note', 'n'), isIn('lines.parts.size', 5))],
  ])
})

// contract: `exists[author.born]=false`: nothing is found
test('nothing at the end of a path stands alone, or asks of the member that another parameter asks of', () => {
  finds([
    ['exists[customer]=false', has('customer', false)],
    ['exists[customer.born]=false', none(CUSTOMER, has('born'))],
    ['customer.born.exists=false', none(CUSTOMER, has('born'))],
    ['exists[customer.partner.born]=false', none(CUSTOMER, some(PARTNER, has('born')))],
    [
      'exists[customer.name]=false&exists[customer.born]=false',
      none(CUSTOMER, has('name')),
      none(CUSTOMER, has('born')),
    ],
    ['customer.name=A&exists[customer.born]=false', some(CUSTOMER, isText('name', 'A'), has('born', false))],
    [
      'customer.name=A&exists[customer.partner.born]=false',
      some(CUSTOMER, isText('name', 'A'), none(PARTNER, has('born'))),
    ],
    [
      'customer.partner.name=A&exists[customer.partner.born]=false',
      some(CUSTOMER, some(PARTNER, isText('name', 'A'), has('born', false))),
    ],
    [
      'customer.name=A&exists[address.city]=false',
      some(CUSTOMER, isText('name', 'A')),
      has('address.city', false),
    ],
    ['exists[address.city]=false', has('address.city', false)],
    ['exists[address.country.name]=false', none(COUNTRY, has('name'))],
    ['exists[lines.amount]=false', has('lines.amount', false)],
    ['exists[lines.product.name]=false', none(PRODUCT, has('name'))],
    [
      'lines.amount=5&exists[lines.note]=false',
      some(LINES, isIn('lines.amount', 5), has('lines.note', false)),
    ],
    [
      'lines.amount=5&exists[lines.product.name]=false',
      some(LINES, isIn('lines.amount', 5), none(PRODUCT, has('name'))),
    ],
    [
      'lines.amount=5&exists[lines.parts.size]=false',
      some(LINES, isIn('lines.amount', 5), has('lines.parts.size', false)),
    ],
  ])
})

test('a path goes along a link from its other side', () => {
  finds(
    [
      ['orders.number.lt=5', some(ORDERS_OF, below('number', 5))],
      ['orders.number=5&orders.state=new', some(ORDERS_OF, isIn('number', 5), isText('state', 'new'))],
      ['exists[orders]=true', some(ORDERS_OF)],
      ['orders.exists=false', none(ORDERS_OF)],
      ['exists[orders.state]=false', none(ORDERS_OF, has('state'))],
      ['partner.orders.exists=false', none(PARTNER, some(ORDERS_OF))],
      ['partner.name=A&exists[partner.orders]=false', some(PARTNER, isText('name', 'A'), none(ORDERS_OF))],
      ['orders.number=5&exists[orders]=false', none(ORDERS_OF), some(ORDERS_OF, isIn('number', 5))],
      [
        'orders.lines.amount=1&assists.lines.amount=2',
        some(ORDERS_OF, isIn('lines.amount', 1)),
        some({ kind: 'reverse', property: 'others', className: 'Order' }, isIn('lines.amount', 2)),
      ],
    ],
    readCustomers,
  )
  const byProduct = some(
    { kind: 'reverse', property: 'lines.product', className: 'Order' },
    isIn('number', 5),
  )
  finds([['orders.number=5', byProduct]], readerIn(model, 'Product'))
  finds([['customer.orders.number=5', some(CUSTOMER, some(ORDERS_OF, isIn('number', 5)))]])
})
