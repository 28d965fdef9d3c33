import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersModel, readerIn, readerOf } from '../queries.ts'
import { refuses } from './refusals.ts'

// contract: Anything unknown or ill-typed: 400
// contract: Wherever a filter, an order or `exists` names
test('a path that goes wrong is 400 that names the nearest there, or says why', () => {
  const read = readerIn(ordersModel(), 'Order')
  refuses(
    [
      ['customer.nme=x', 'customer.nme: UnknownParameter', '"customer.name"'],
      ['customer.nme.gte=x', 'customer.nme.gte: UnknownParameter', '"customer.name.gte"'],
      ['customer.nme[gte]=x', 'customer.nme[gte]: UnknownParameter', '"customer.name[gte]"'],
      ['exists[customer.nme]=true', 'exists[customer.nme]: UnknownParameter', '"exists[customer.name]"'],
      ['order[customer.nme]=asc', 'order[customer.nme]: UnknownParameter', '"order[customer.name]"'],
      ['order[customer.name.x]=asc', 'order[customer.name.x]: UnknownParameter'],
      ['sort=-customer.nme', 'sort: UnknownSortProperty', '"customer.name"'],
      ['sort=number.x', 'sort: UnknownSortProperty'],
      ['customer.partner.zzzzzzzzz=x', 'customer.partner.zzzzzzzzz: UnknownParameter', 'for Customer'],
      ['lines.amont=1', 'lines.amont: UnknownParameter', '"lines.amount"'],
      ['lines.parts.sze=1', 'lines.parts.sze: UnknownParameter', '"lines.parts.size"'],
      ['custmer.name=1', 'custmer.name: UnknownParameter', '"customer.name"'],
      ['custmer.nme.gte=1', 'custmer.nme.gte: UnknownParameter', '"customer.name.gte"'],
      ['line.parts.sze=1', 'line.parts.sze: UnknownParameter', '"lines.parts.size"'],
      ['customer.=1', 'customer.: UnknownParameter'],
      ['customer..name=1', 'customer..name: UnknownParameter'],
      ['.customer=1', '.customer: UnknownParameter'],
      ['customer.__proto__.name=1', 'customer.__proto__.name: UnknownParameter'],
      // Four names, and an operator behind them.
      [
        'customer.partner.partner.partner.name=x',
        'customer.partner.partner.partner.name: PathTooLong',
        'the limit is 4',
      ],
      ['sort=customer.partner.partner.partner.name', 'sort: PathTooLong'],
      [
        'order[customer.partner.partner.partner.name]=asc',
        'order[customer.partner.partner.partner.name]: PathTooLong',
      ],
      [
        `customer${'.partner'.repeat(900)}=x`,
        `${`customer${'.partner'.repeat(900)}`.slice(0, 100)}…: PathTooLong`,
      ],
      // The last property, or one on the way, has no filters.
      ['customer.notes=x', 'customer.notes: NotFilterable (apiFile)', 'customer.notes'],
      ['exists[customer.notes]=true', 'exists[customer.notes]: NotFilterable (apiFile)'],
      ['customer.notes.ne=x', 'customer.notes.ne: NotFilterable (apiFile)'],
      ['customer.secret.size=1', 'customer.secret.size: NotFilterable (apiFile)', 'customer.secret cannot'],
      ['customer.address=x', 'customer.address: NotFilterable (embedded)'],
      ['exists[lines]=true', 'exists[lines]: NotFilterable (embedded)'],
      ['customer.orders=orders/1', 'customer.orders: NotFilterable (reverse)'],
      ['customer.orders.ne=orders/1', 'customer.orders.ne: NotFilterable (reverse)'],
      // Operators by the last property, values by its type.
      [
        'customer.born.contains=1',
        'customer.born.contains: UnknownOperator',
        'customer.born, customer.born.ne',
      ],
      ['customer.born[like]=1', 'customer.born[like]: UnknownOperator', 'customer.born[ne]'],
      [
        'customer.name.startswith=a',
        'customer.name.startswith: UnknownOperator',
        '"customer.name.startsWith"',
      ],
      ['customer.name.min=1', 'customer.name.min: UnknownOperator', 'customer.name.exists'],
      ['customer.partner[gt]=x', 'customer.partner[gt]: UnknownOperator', 'customer.partner'],
      ['customer.born=x', 'customer.born: InvalidFilterValue (integer)'],
      ['customer.partner=x', 'customer.partner: InvalidFilterValue (InvalidLink)'],
      ['exists[customer.born]=1', 'exists[customer.born]: InvalidFilterValue (boolean)'],
      ['customer.orders.state=old', 'customer.orders.state: UnknownEnumValue', 'new, paid'],
      ['customer.born.gt=1&customer.born[gt]=2', 'customer.born[gt]: DuplicateParameter'],
      // Along single values only.
      ['order[others.name]=asc', 'order[others.name]: NotSortable (many)', 'sorted by others:'],
      ['order[lines.amount]=asc', 'order[lines.amount]: NotSortable (many)', 'sorted by lines:'],
      ['order[lines.product.name]=asc', 'order[lines.product.name]: NotSortable (many)'],
      ['order[customer.orders.number]=asc', 'order[customer.orders.number]: NotSortable (many)'],
      ['order[customer.orders]=asc', 'order[customer.orders]: NotSortable (many)'],
      ['order[address.country.kinds]=asc', 'order[address.country.kinds]: NotSortable (many)'],
      ['order[customer.notes]=asc', 'order[customer.notes]: NotSortable (unfilterable)'],
      ['sort=customer.address', 'sort: NotSortable (unfilterable)'],
      // The members of this class have no label.
      ['order[vault]=asc', 'order[vault]: NotSortable (noLabel)'],
      ['sort=vault', 'sort: NotSortable (noLabel)'],
      ['sort=customer,customer.name', 'sort: DuplicateOrder', 'customer.name'],
    ],
    read,
  )
  assert.doesNotThrow(() =>
    read('customer.partner.partner.name.gte=x&order[customer.partner.partner.name]=asc'),
  )
})

test('an alternative that goes wrong is 400 that names the nearest one', () => {
  refuses(
    [
      ['or[a][nmber]=1', 'or[a][nmber]: UnknownParameter', '"or[a][number]"'],
      ['or[a][customer.nme]=1', 'or[a][customer.nme]: UnknownParameter', '"or[a][customer.name]"'],
      ['or[a][number.like]=1', 'or[a][number.like]: UnknownOperator', 'or[a][number.gte]'],
      ['or[a][page]=1', 'or[a][page]: UnknownParameter'],
      ['or[a][sort]=number', 'or[a][sort]: UnknownParameter'],
      ['or[a][order.number]=asc', 'or[a][order.number]: UnknownParameter'],
      ['or[a][number]=x', 'or[a][number]: InvalidFilterValue (integer)'],
      ['or[a][number.exists]=x', 'or[a][number.exists]: InvalidFilterValue (boolean)'],
      ['or[a][q]=!', 'or[a][q]: NoSearchWord'],
      ['or[a][customer.notes]=1', 'or[a][customer.notes]: NotFilterable (apiFile)'],
      ['or[a][number][gte]=1', 'or[a][number][gte]: InvalidGroup'],
      ['or[a][number[gte]]=1', 'or[a][number[gte]]: InvalidGroup'],
      ['or[ab][number]=1', 'or[ab][number]: InvalidGroup'],
      ['or[01][number]=1', 'or[01][number]: InvalidGroup'],
      ['or[1000][number]=1', 'or[1000][number]: InvalidGroup'],
      ['or[][number]=1', 'or[][number]: InvalidGroup'],
      ['or[number]=1', 'or[number]: InvalidGroup'],
      ['or=1', 'or: UnknownParameter'],
      [Array.from({ length: 51 }, (_, index) => `or[a][number]=${index}`).join('&'), 'TooManyFilters', '51'],
    ],
    readerIn(ordersModel(), 'Order'),
  )
  const point = 'classes: { Point: { properties: { x: integer } } }'
  refuses([['or[a][q]=x', 'or[a][q]: NoSearchableText']], readerOf(point, 'Point'))
})
