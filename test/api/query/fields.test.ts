import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, serveShop } from '../included.ts'
import { AS_PROBLEM, assertProblem, type Said, withoutContext } from '../signed-in.ts'

// contract: `fields=title,author.name` (repeatable): members have only these
test('members have only the properties that fields names, with @id and @type', async (t) => {
  const shop = await serveShop(t)
  const { base } = shop
  const [a, b, p, q] = ['orders/a', 'orders/b', 'products/p', 'products/q'].map((path) => `${base}/${path}`)
  const order = (rest: object, id = a) => ({ '@id': id, '@type': 'Order', ...rest })
  const product = (rest: object, id = p) => ({ '@id': id, '@type': 'Product', ...rest })
  const lines = (...all: object[]) => all.map((one) => ({ '@type': `${base}/vocab#Line`, ...one }))
  const ann = { '@id': `${base}/makers/ann`, '@type': 'Maker' }
  const table: [path: string, expected: unknown][] = [
    ['/orders/a?fields=title', order({ title: 'First' })],
    ['/orders/a?fields=title,gift', order({ title: 'First', gift: q })],
    ['/orders/a?fields=gift&fields=title', order({ title: 'First', gift: q })],
    ['/orders/a?%66ields=g%69ft%2Ctitle', order({ title: 'First', gift: q })],
    ['/orders/a?fields=wished', order({ wished: [p, q] })],
    ['/orders/b?fields=wished', order({}, b)],
    ['/orders/a?fields=@id', order({})],
    ['/orders/a?fields=@type,next', order({ next: b })],
    ['/orders/a?fields=lines.count', order({ lines: lines({ count: 2 }, { count: 1 }, {}) })],
    [
      '/orders/a?fields=lines.product,lines.Line',
      order({ lines: lines({ product: p, Line: '"/products/p"' }, {}, { product: q }) }),
    ],
    ['/orders/a?include=gift&fields=title', order({ title: 'First' })],
    ['/orders/a?include=gift&fields=gift', order({ gift: product({ title: 'Quill' }, q) })],
    ['/orders/a?include=gift&fields=gift.title', order({ gift: product({ title: 'Quill' }, q) })],
    [
      '/orders/a?include=wished&fields=wished.title',
      order({ wished: [product({ title: 'Pen' }), product({ title: 'Quill' }, q)] }),
    ],
    ['/orders/b?include=gift&fields=gift.@id', order({ gift: product({}) }, b)],
    ['/orders/b?include=gift&fields=gift.maker', order({ gift: product({ maker: ann['@id'] }) }, b)],
    [
      '/orders/b?include=gift.maker&fields=gift.maker.name',
      order({ gift: product({ maker: { ...ann, name: 'Ann "Ltd"' } }) }, b),
    ],
    [
      '/orders/b?include=gift.maker&fields=gift.maker.seat.street',
      order({ gift: product({ maker: { ...ann, seat: { '@type': 'Seat', street: 'Ring' } } }) }, b),
    ],
    [
      '/orders/a?include=lines.product&fields=lines.product.title',
      order({
        lines: lines({ product: product({ title: 'Pen' }) }, {}, { product: product({ title: 'Quill' }, q) }),
      }),
    ],
    // A member that is reached in two ways is written once, with what both ask for.
    [
      '/orders/a?include=gift&include=wished&fields=gift.title,wished.maker',
      order({ gift: product({ title: 'Quill' }, q), wished: [product({ maker: ann['@id'] }), q] }),
    ],
    ['/Settings?fields=shown', { '@id': `${base}/Settings`, '@type': 'Settings', shown: p }],
  ]
  for (const [path, expected] of table) {
    const response = await shop.get(path)
    assert.equal(response.status, 200, `${path} ${response.body}`)
    const { '@context': _, ...found } = response.json()
    assert.deepEqual(found, expected, path)
    const plain = await shop.get(path, { Accept: 'application/json' })
    assert.deepEqual(plain.json(), expected, path)
  }
  const page = withoutContext((await shop.get('/orders?fields=title&sort=-title')).json())
  assert.deepEqual(page.member, [order({ title: 'Second' }, b), order({ title: 'First' })])
  assert.equal(page['@id'], `${base}/orders`)
  assert.equal(page.totalItems, 2)
})

test('the links of a page keep fields, and the search template has the variable', async (t) => {
  const shop = await serveShop(t)
  const page = (await shop.get('/orders?fields=title,gift&fields=next&itemsPerPage=1')).json()
  const next = String(at(page, 'view', 'next'))
  assert.match(next, /[?&]fields=title,gift&fields=next&/)
  const second = (await shop.get(next.slice(shop.base.length))).json()
  assert.deepEqual(Object.keys(at(second, 'member', 0) as object), ['@id', '@type', 'title', 'gift', 'next'])
  assert.equal(page['@id'], `${shop.base}/orders`)
  assert.match(String(at((await shop.get('/plains')).json(), 'search', 'template')), /[?,]fields\*,/)
})

// contract: Unknown: 400 with the nearest.
test('a path that leads to no property is 400 that names the nearest, or the include that is missing', async (t) => {
  const shop = await serveShop(t)
  const table: [path: string, ...said: Said][] = [
    ['/orders?fields=titel', 'fields: UnknownField', '"title"'],
    ['/orders/a?fields=title,lins', 'fields: UnknownField', '"lines"'],
    ['/orders/a?fields=zzzzzzzz', 'fields: UnknownField', 'title, lines, gift, wished, next'],
    ['/orders?fields=', 'fields: UnknownField'],
    ['/orders?fields=title,', 'fields: UnknownField'],
    ['/orders?fields=title.x', 'fields: UnknownField', '"title"'],
    ['/orders?fields=__proto__', 'fields: UnknownField'],
    ['/orders?fields=constructor.name', 'fields: UnknownField'],
    ['/orders?fields=lines.cuont', 'fields: UnknownField', '"lines.count"'],
    ['/orders?fields=lines.operation', 'fields: UnknownField'],
    ['/orders?fields=gift.title', 'fields: FieldBeyondLink', 'include=gift'],
    ['/orders?fields=gift.titel', 'fields: FieldBeyondLink', 'include=gift'],
    ['/orders/a?fields=lines.product.title', 'fields: FieldBeyondLink', 'include=lines.product'],
    ['/orders/a?include=gift&fields=gift.maker.name', 'fields: FieldBeyondLink', 'include=gift.maker'],
    ['/orders/a?include=gift&fields=gift.titel', 'fields: UnknownField', '"gift.title"'],
    ['/orders/a?include=next.gift&fields=next.gift.maker.name', 'fields: UnknownField'],
    ['/orders?include=gift&fields=next.title', 'fields: FieldBeyondLink', 'include=next'],
    ['/orders?select=title', 'select: UnknownParameter', '"fields"'],
  ]
  for (const [path, ...said] of table) {
    const response = await shop.get(path, AS_PROBLEM)
    assert.equal(response.status, 400, path)
    assertProblem(response, said, path)
  }
})
