import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, serveShop } from '../included.ts'
import { AS_PROBLEM, assertProblem, codesOf, type Json, type Said } from '../signed-in.ts'

// contract: **Related members**: `include=author`
test('include puts the linked member where its address stands', async (t) => {
  const shop = await serveShop(t)
  const { base } = shop
  const address = (path: string) => `${base}/${path}`
  const table: [path: string, found: (string | number)[], expected: unknown][] = [
    ['/orders/a', ['gift'], address('products/q')],
    ['/orders/a?include=gift', ['gift', 'title'], 'Quill'],
    ['/orders/a?include=gift', ['gift', '@id'], address('products/q')],
    ['/orders/a?include=gift', ['gift', '@type'], 'Product'],
    ['/orders/a?include=gift', ['wished', 0], address('products/p')],
    ['/orders/a?include=wished', ['gift'], address('products/q')],
    ['/orders/a?include=wished', ['wished', 0, 'title'], 'Pen'],
    ['/orders/a?include=wished', ['wished', 0, 'maker'], address('makers/ann')],
    ['/orders/a?include=wished.maker', ['wished', 0, 'maker', 'name'], 'Ann "Ltd"'],
    ['/orders/a?include=wished.maker', ['wished', 0, 'maker', 'home'], address('countries/at')],
    ['/orders/a?include=lines.product', ['lines', 0, 'product', 'title'], 'Pen'],
    ['/orders/a?include=lines.product', ['lines', 0, 'Line'], '"/products/p"'],
    ['/orders/a?include=lines.product', ['lines', 1, 'product'], undefined],
    ['/orders/a?include=lines.product', ['lines', 2, 'product', '@id'], address('products/q')],
    ['/orders/a?include=next.gift', ['next', 'gift', 'title'], 'Pen'],
    ['/orders/a?include=next.gift', ['gift'], address('products/q')],
    ['/orders/a?include=gift&include=next&include=gift&x=y', ['next', 'title'], 'Second'],
    ['/products/p?%69nclude=%6daker', ['member'], '/makers/ann'],
    ['/products/p?%69nclude=%6daker', ['maker', 'home'], address('countries/at')],
    ['/orders?include=gift.maker', ['member', 0, 'gift', 'maker', 'name'], 'Ann "Ltd"'],
    ['/orders?include=gift&title=Second', ['member', 0, 'gift', 'title'], 'Pen'],
    ['/Settings?include=shown', ['shown', 'title'], 'Pen'],
  ]
  for (const [path, found, expected] of table) {
    const response = await shop.get(path)
    assert.equal(response.status, 200, response.body)
    assert.deepEqual(at(response.json(), ...found), expected, `${path} ${found}`)
  }
})

test('a path that leads to no link is 400 that names the nearest', async (t) => {
  const shop = await serveShop(t)
  // What was asked for before is remembered, and is no reason to take one value for two.
  assert.equal((await shop.get('/orders/a?include=gift&include=gift.maker')).status, 200)
  const table: [path: string, ...said: Said][] = [
    ['/orders/a?include=gift%26gift.maker', 'include: UnknownInclude'],
    ['/orders/a?include=giift', 'include: UnknownInclude', '"gift"'],
    ['/orders?include=gift.makr', 'include: UnknownInclude', '"gift.maker"'],
    ['/orders?include=title', 'include: UnknownInclude', 'lines.product, gift, gift.maker'],
    ['/orders?include=lines', 'include: IncludedAnyway'],
    ['/orders/a?include=lines.product.maker', 'include: UnknownInclude'],
    ['/orders/a?include=', 'include: UnknownInclude'],
    ['/orders/a?include=__proto__', 'include: UnknownInclude'],
    ['/plains?include=x', 'include: NoLinks'],
    ['/countries/at?include=x', 'include: NoLinks'],
    [
      `/orders/a?${Array.from({ length: 11 }, (_, index) => `include=x${index}`).join('&')}`,
      'include: TooManyIncludes',
    ],
  ]
  for (const [path, ...said] of table) {
    const response = await shop.get(path, AS_PROBLEM)
    assert.equal(response.status, 400, path)
    assertProblem(response, said, path)
  }
})

test('the links of a page keep what it includes, and the search template has the variable', async (t) => {
  const shop = await serveShop(t)
  const page = (await shop.get('/orders?include=gift&itemsPerPage=1')).json()
  const next = String(at(page, 'view', 'next'))
  assert.match(next, /[?&]include=gift&/)
  const second = (await shop.get(next.slice(shop.base.length))).json()
  assert.equal(at(second, 'member', 0, 'gift', 'title'), 'Quill')
  const templates = ['/orders', '/plains'].map(async (path) =>
    at((await shop.get(path)).json(), 'search', 'template'),
  )
  const [orders, plains] = await Promise.all(templates)
  assert.match(String(orders), /,include\*,/)
  assert.doesNotMatch(String(plains), /include/)
})

// contract: A body with included nodes
test('a body with included nodes is 422 that says so, and changes nothing', async (t) => {
  const shop = await serveShop(t)
  const whole = (await shop.get('/orders/a?include=gift')).json()
  const { '@context': _, ...plain } = whole as Json
  for (const [method, type, body] of [
    ['PUT', 'application/ld+json', whole],
    ['PUT', 'application/json', plain],
    ['PATCH', 'application/merge-patch+json', { gift: plain.gift }],
  ] as const) {
    const headers = { ...AS_PROBLEM, 'Content-Type': type }
    const response = await shop.send(method, '/orders/a', headers, JSON.stringify(body))
    assert.equal(response.status, 422, response.body)
    assert.match(codesOf(response), /^gift(\/0)?: InvalidLink$/)
  }
})
