import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { serveSignedIn } from '../signed-in.ts'
import { put, read } from '../walks.ts'
import { finds, serveShop, sorts, WITHOUT_REVERSE } from './shop.ts'

test('orders along paths of every kind', async (t) => {
  const service = await serveShop(t, WITHOUT_REVERSE)

  // contract: Wherever a filter, an order or `exists` names
  // contract: Every operator works on it.
  await t.test('members are found by what their links and embedded values have', () =>
    finds(service, 'orders', [
      ['customer.name=Ann', '13'],
      ['customer.name=Ann&customer.name=Bob', '123'],
      ['customer.name.ne=Ann', '2'],
      ['customer.name.startsWith=a', '13'],
      ['customer.name[contains]=O', '2'],
      ['customer.born[lt]=1950', '1'],
      ['customer.born.gte=1950', '23'],
      ['customer.joined=2024-02-29', '1'],
      ['customer.joined.ne=2024-02-29', ''],
      ['customer.partner=customers/c1', '2'],
      ['customer.partner.name=Bob', '3'],
      ['customer.partner.partner.name=Ann', '3'],
      ['customer.partner.address.city=Oslo', '3'],
      ['customer.friends.name=Bob', '3'],
      ['others.name=Ann', '13'],
      ['others.born.lt=1900', '3'],
      ['customer.address.country.name=Italy', '1'],
      ['address.city=Oslo', '1'],
      ['address.city.startsWith=R', '3'],
      ['address.country.name=Italy', '1'],
      ['lines.amount=5', '12'],
      ['lines.amount.lt=5', '1'],
      ['lines.note=x', '13'],
      ['lines.product=products/p2', '12'],
      ['lines.product.name=Pen', '1'],
      ['lines.product.price.gt=1.5', '12'],
      ['customer.name=Ann&number.gt=1', '3'],
      ['customer.name=Ann&q=sea', '1'],
      ['customer.name=Nobody', ''],
    ]),
  )

  // contract: `author.name=Ann&author.born[lt]=1900` asks
  await t.test('parameters that begin alike ask of the same member or embedded value', () =>
    finds(service, 'orders', [
      ['customer.name=Ann&customer.born[lt]=1900', '1'],
      ['others.name=Ann&others.born.lt=1900', '3'],
      // o1 has both, in two customers.
      ['others.name=Bob&others.born.gt=1980', ''],
      ['others.born.gt=1900&others.born.lt=1960', '1'],
      ['lines.amount=5&lines.note=x', '1'],
      // o1 has both, in two lines.
      ['lines.amount=5&lines.note=y', ''],
      ['lines.amount=5&lines.product.name=Pad', '2'],
      ['lines.note=y&lines.product.name=Pad', '1'],
      ['lines.product.name=Pen&lines.product.price.gt=2', ''],
    ]),
  )

  // contract: `exists[author.born]=false`: nothing is found
  await t.test('nothing is found at the end of a path', () =>
    finds(service, 'orders', [
      ['exists[customer.born]=false', '45'],
      ['exists[customer.born]=true', '123'],
      ['customer.partner.exists=false', '145'],
      ['exists[customer.partner.partner]=false', '1245'],
      ['customer.name=Ann&exists[customer.partner]=false', '1'],
      ['exists[others.partner]=false', '2345'],
      ['others.name=Ann&others.partner.exists=false', '3'],
      ['exists[lines.note]=false', '245'],
      ['lines.amount=5&exists[lines.note]=false', '2'],
      ['exists[lines.product.name]=false', '345'],
      ['lines.note=x&exists[lines.product.name]=false', '3'],
      ['exists[address.city]=false', '245'],
      ['exists[address.country.name]=false', '2345'],
    ]),
  )

  // contract: An order goes along single-valued steps only.
  // contract: `order[author]` alone sorts by the properties
  await t.test('members are sorted along paths, those without the value last', () =>
    sorts(service, 'orders', [
      ['order[customer.born]=asc', '12345'],
      ['order[customer.born]=desc', '32154'],
      ['sort=customer.name,-number', '31254'],
      ['sort=-customer.name', '23154'],
      ['sort=customer', '13245'],
      ['sort=-customer', '23154'],
      ['sort=customer.partner.name', '23145'],
      ['sort=address.city', '13245'],
      ['sort=-address.city,number', '31245'],
      ['sort=customer.address.country.name', '12345'],
      ['sort=customer.name&number.gt=1', '3245'],
      ['sort=-customer.born&customer.name=Ann', '31'],
    ]),
  )

  await t.test('a filter that asks for no order has that of creation', () =>
    sorts(service, 'orders', [
      ['customer.born.gte=1950', '23'],
      ['customer.name=Bob&customer.name=Ann', '123'],
      ['number.gt=1&customer.name=Ann', '3'],
    ]),
  )

  await t.test('a page that was served before knows what has changed along its paths', async () => {
    const patch = { 'Content-Type': 'application/merge-patch+json' }
    const asked = ['customer.name=Ann', 'sort=customer.name', 'lines.product.name=Pen'] as const
    for (const query of asked) for (let times = 0; times < 3; times++) await read(service, `/orders?${query}`)
    await service.send('PATCH', '/customers/c1', patch, '{"name":"Zoe"}')
    await service.send('PATCH', '/products/p1', patch, '{"name":"Pin"}')
    await finds(service, 'orders', [
      ['customer.name=Ann', '3'],
      ['customer.name=Zoe', '1'],
      ['lines.product.name=Pen', ''],
    ])
    await sorts(service, 'orders', [['sort=customer.name', '32145']])
    assert.equal((await service.send('DELETE', '/orders/o3')).status, 204)
    await finds(service, 'orders', [['customer.name=Ann', '']])
  })

  await t.test('what one embedded value lacks, another may have', async () => {
    const lines = [{ note: 'z', product: `${service.base}/products/p1` }, { amount: 1 }]
    await put(service, '/orders/o6', { number: 6, lines })
    await finds(service, 'orders', [
      ['exists[lines.product]=true&exists[lines.amount]=false', '6'],
      ['lines.product.name=Pin&exists[lines.amount]=false', '6'],
      ['lines.note.gte=z&exists[lines.amount]=false', '6'],
      ['lines.note.gte=z&exists[lines.product]=false', ''],
    ])
  })
})

test('members are found along a link from its other side', async (t) => {
  const service = await serveShop(t)
  await finds(service, 'customers', [
    ['orders.number=1', '1'],
    ['orders.number.gt=1', '234'],
    ['orders.title.contains=sea', '14'],
    ['orders.lines.product.name=Pad', '12'],
    ['orders.lines.amount=5&orders.number.lt=2', '1'],
    ['exists[orders]=true', '1234'],
    ['exists[assists]=false', '4'],
    ['assists.number=1', '23'],
    ['assists.number=1&assists.title=Rings', ''],
    ['partner.orders.number=1', '2'],
    ['exists[partner.orders]=false', '14'],
    ['exists[orders.title]=false', '3'],
    ['orders.number.gt=1&exists[orders.title]=false', '3'],
    ['or[a][orders.number]=1&or[a][assists.number]=3', '1'],
  ])
  await finds(service, 'orders', [['customer.assists.number=3', '1']])
})

// contract: `order[author]` alone sorts by the properties
test('members are sorted by all properties of a label, whenever the linked members were created', async (t) => {
  const api = `
classes:
  Author: { label: [name, born], properties: { name: string, born: integer } }
  Book: { properties: { author: Author } }
`
  const service = await serveSignedIn(t, { db: newDatabase(t), api })
  for (const [index, born] of [1990, 1890, 1940].entries()) {
    await put(service, `/authors/a${index}`, { name: 'Ann', born })
    await put(service, `/books/b${index}`, { author: `${service.base}/authors/a${index}` })
  }
  await sorts(service, 'books', [
    ['sort=author', '120'],
    ['sort=-author', '021'],
  ])
})
