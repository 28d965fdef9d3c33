import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import jsonld from 'jsonld'
import { CREATE } from './newsroom.ts'
import { type Json, type SignedIn, sentenceOf, serveSignedIn } from './signed-in.ts'
import { serveUsers } from './users.ts'

/** Every way to a link: one, many, in an embedded value and behind another link; names that mean something else each. */
const SHOP = `
classes:
  Country: { collection: countries, properties: { name: string, title: integer } }
  Maker: { iri: "http://schema.org/Organization", properties: { name: { type: string, iri: "http://schema.org/name" }, home: Country, seat: Seat } }
  Seat: { collection: false, properties: { street: string } }
  Product: { properties: { title: string, maker: Maker, member: string, shown: string } }
  Line: { collection: false, properties: { product: Product, count: integer, Line: string } }
  Order:
    properties:
      title: string
      lines: { type: Line, many: true }
      gift: Product
      wished: { type: Product, many: true }
      next: Order
  Plain: { properties: { name: string } }
  Settings: { collection: false, operations: [create, read], properties: { shown: Product } }
`

const put = async ({ send }: SignedIn, path: string, body: object) => {
  const headers = { ...CREATE, 'Content-Type': 'application/json' }
  const { status, body: text } = await send('PUT', path, headers, JSON.stringify(body))
  assert.ok(status === 201, text)
}

async function serveShop(t: Parameters<typeof serveSignedIn>[0], flags = {}): Promise<SignedIn> {
  const shop = await serveSignedIn(t, { api: SHOP, flags })
  await put(shop, '/countries/at', { name: 'Austria', title: 43 })
  await put(shop, '/makers/ann', { name: 'Ann "Ltd"', home: '/api/countries/at', seat: { street: 'Ring' } })
  await put(shop, '/products/p', { title: 'Pen', maker: '/api/makers/ann', member: '/makers/ann' })
  await put(shop, '/products/q', { title: 'Quill' })
  await put(shop, '/orders/b', { title: 'Second', gift: '/api/products/p' })
  const lines = [
    { product: '/api/products/p', count: 2, Line: '"/products/p"' },
    { count: 1 },
    { product: '/api/products/q' },
  ]
  const wished = ['/api/products/p', '/api/products/q']
  await put(shop, '/orders/a', {
    title: 'First',
    lines,
    wished,
    gift: '/api/products/q',
    next: '/api/orders/b',
  })
  await put(shop, '/Settings', { shown: '/api/products/p' })
  return shop
}

const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((one, name) => (one as Json | undefined)?.[name], value)

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
  const table: [path: string, sentence: RegExp][] = [
    ['/orders/a?include=gift%26gift.maker', /^include: "gift&gift\.maker" is neither a link of Order/],
    ['/orders/a?include=giift', /^include: "giift" is neither a link of Order nor .* did you mean "gift"\?$/],
    ['/orders?include=gift.makr', /did you mean "gift.maker"\?$/],
    [
      '/orders?include=title',
      /"title" is neither a link of Order.*; did you mean "lines.product"|possible: /,
    ],
    ['/orders?include=lines', /^include: lines is an embedded value, which is always included\.$/],
    ['/orders/a?include=lines.product.maker', /two steps/],
    ['/orders/a?include=', /"" is neither a link of Order.*possible: lines\.product, gift, gift\.maker/],
    ['/orders/a?include=__proto__', /"__proto__" is neither a link/],
    ['/plains?include=x', /^include: Plain has no links\.$/],
    ['/countries/at?include=x', /Country has no links\.$/],
    [
      `/orders/a?${Array.from({ length: 11 }, (_, index) => `include=x${index}`).join('&')}`,
      /11 paths; the limit is 10/,
    ],
  ]
  for (const [path, sentence] of table) {
    const response = await shop.get(path)
    assert.equal(response.status, 400, path)
    assert.match(sentenceOf(response), sentence, path)
  }
})

const canonical = (input: unknown, inputFormat?: 'application/n-quads') =>
  jsonld.canonize(input as object, {
    ...(inputFormat && { inputFormat }),
    algorithm: 'URDNA2015',
  })

// contract: **Related members**: `include=author`
test('what include shows means what both resources mean, in JSON-LD and in RDF', async (t) => {
  const shop = await serveShop(t)
  const paths = ['gift', 'wished', 'lines.product', 'next.gift', 'gift.maker', 'wished.maker']
  for (const path of [...paths, paths.join('&include=')]) {
    const query = `include=${path}`
    const whole = (await shop.get(`/orders/a?${query}`)).json()
    const parts = ['orders/a']
    if (/^gift|wished|product/.test(path)) parts.push('products/q')
    if (/next|wished|product/.test(path)) parts.push('products/p')
    if (path.includes('next')) parts.push('orders/b')
    if (path.includes('wished.maker')) parts.push('makers/ann')
    const apart = await Promise.all(parts.map(async (part) => (await shop.get(`/${part}`)).json()))
    const expected = await canonical(apart)
    assert.equal(await canonical(whole), expected, path)
    const quads = await shop.get(`/orders/a?${query}`, { Accept: 'application/n-quads' })
    assert.equal(await canonical(quads.body, 'application/n-quads'), expected, path)
    // A page has the same beside its own words.
    const page = (await shop.get(`/orders?title=First&${query}`)).json()
    const alone = { ...(await shop.get('/orders?title=First')).json(), view: page.view }
    assert.equal(await canonical(page), await canonical([alone, ...apart.slice(1)]), `page with ${path}`)
  }
})

test('in RDF, a member that is included in two places is one, with what it embeds', async (t) => {
  const shop = await serveShop(t)
  const headers = { Accept: 'application/n-quads' }
  const { body } = await shop.get('/orders?include=gift.maker&include=wished.maker', headers)
  assert.equal(body.match(/Seat\/street/g)?.length, 1, body)
})

test('in RDF, a member is one wherever it is shown, whatever is included in it there', async (t) => {
  const api = `
classes:
  Person: { properties: { name: string, boss: Person, desk: Desk, rooms: { type: Desk, many: true } } }
  Desk: { collection: false, properties: { place: string, of: Person } }
`
  const staff = await serveSignedIn(t, { api })
  const rooms = [{ place: 'C' }, { place: 'C' }]
  await put(staff, '/persons/a', { name: 'Ann', desk: { place: 'A' }, rooms })
  await put(staff, '/persons/b', {
    name: 'Ben',
    boss: '/api/persons/a',
    desk: { place: 'B', of: '/api/persons/a' },
  })
  await put(staff, '/persons/c', { name: 'Cy', boss: '/api/persons/b' })
  const headers = { Accept: 'application/n-quads' }
  for (const query of [
    'include=boss',
    'include=boss.boss',
    'include=boss&include=desk.of',
    'include=desk.of',
  ]) {
    const { body } = await staff.get(`/persons?${query}`, headers)
    const count = (pattern: RegExp) => body.match(pattern)?.length
    assert.equal(count(/Person\/desk>/g), 2, `${query} ${body}`)
    assert.equal(count(/Person\/rooms>/g), 2, query)
    assert.equal(count(/Desk\/place>/g), 4, query)
    assert.equal(count(/Person\/name>/g), 3, query)
  }
  // A member that is included in itself, within a value that shows more outside than inside.
  const self = { name: 'Dan', boss: '/api/persons/d', desk: { place: 'D', of: '/api/persons/d' } }
  await put(staff, '/persons/d', {})
  await staff.send('PUT', '/persons/d', { 'Content-Type': 'application/json' }, JSON.stringify(self))
  const own = await staff.get('/persons/d?include=boss&include=desk.of', headers)
  assert.equal(own.body.match(/Person\/desk>/g)?.length, 1, own.body)
  const { body } = await staff.get('/persons/c?include=boss.boss', headers)
  assert.equal(body.match(/Person\/name>/g)?.length, 3, body)
})

// contract: The ETag covers what is shown
test('an ETag covers what is shown, and a page in memory is as new as every class that it shows', async (t) => {
  const shop = await serveShop(t)
  const patch = (path: string, body: object) =>
    shop.send('PATCH', path, { 'Content-Type': 'application/merge-patch+json' }, JSON.stringify(body))
  const paths = ['/orders/a?include=wished.maker', '/orders?include=wished.maker', '/orders?include=gift']
  const read = async (path: string, headers = {}) => {
    const { status, headers: got, body } = await shop.get(path, headers)
    return { status, etag: got.etag ?? '', body }
  }
  const seen = new Set<string>()
  for (const [round, changed] of ['/makers/ann', '/products/p', '/orders/a', '/countries/at'].entries()) {
    for (const path of paths) {
      const first = await read(path)
      // Asked for twice a page is kept, the third time it comes from memory.
      for (const _ of [1, 2, 3]) assert.deepEqual(await read(path), first)
      assert.equal((await read(path, { 'If-None-Match': first.etag })).status, 304)
      seen.add(first.etag)
      await patch(
        changed,
        changed.startsWith('/m') || changed.startsWith('/c') ? { name: `n${round}` } : { title: `n${round}` },
      )
      const shows = !path.endsWith('gift') ? !changed.startsWith('/c') : /order|products\/p/.test(changed)
      const after = await read(path, { 'If-None-Match': first.etag })
      assert.equal(after.status, shows ? 200 : 304, `${path} ${changed}`)
    }
  }
  // Of an ETag only the version counts for a write.
  const { etag } = await read('/orders/a?include=wished.maker')
  const headers = { 'If-Match': etag, 'Content-Type': 'application/merge-patch+json' }
  assert.equal((await shop.send('PATCH', '/orders/a', headers, '{"title":"x"}')).status, 200)
  assert.equal((await shop.send('PATCH', '/orders/a', headers, '{"title":"y"}')).status, 412)
})

test('each class that links lead to is one look-up, and what is linked to often is read once', async (t) => {
  const shop = await serveShop(t)
  const { members } = shop.store
  const { findAll } = members
  const asked: string[] = []
  Object.assign(members, {
    findAll: (...args: Parameters<typeof findAll>) => {
      asked.push(`${args[0]} ${args[1]}`)
      return findAll(...args)
    },
  })
  await shop.get('/orders?include=wished.maker&include=gift')
  assert.deepEqual(asked.toSorted(), ['Maker ann', 'Product p,q'])
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
    const response = await shop.send(method, '/orders/a', { 'Content-Type': type }, JSON.stringify(body))
    assert.equal(response.status, 422, response.body)
    assert.match(
      sentenceOf(response),
      /^gift(\/0)?: must be the address .* read with include is written at its own address\.$/,
    )
  }
})

// contract: The ETag covers what is shown
test('included bytes count towards the size of a page, whichever way it is walked', async (t) => {
  const shop = await serveSignedIn(t, { api: SHOP, flags: { maxPageBytes: '2000' } })
  for (const id of ['p', 'q', 'r'])
    await put(shop, `/products/${id}`, { title: id.repeat(id === 'r' ? 5_000 : 700) })
  const gifts = ['p', 'q', 'p', 'r', 'q', 'p']
  for (const [index, id] of gifts.entries())
    await put(shop, `/orders/o${index}`, {
      gift: `/api/products/${id}`,
      ...(index === 4 && { wished: ['p', 'q', 'r'].map((one) => `/api/products/${one}`) }),
    })
  const pages = async (first: string, link: 'next' | 'previous') => {
    const found: string[][] = []
    for (let path: string | undefined = first; path !== undefined; ) {
      const page = (await shop.get(path)).json() as { member: Json[]; view: Record<string, string> }
      const said = page.member.map(
        (one) =>
          `${String(one['@id']).at(-1)}${typeof one.gift === 'string' ? '-' : at(one, 'gift', 'title', 0)}`,
      )
      found.push(said)
      path = page.view[link]?.slice(shop.base.length)
    }
    return found.map((one) => one.join(' '))
  }
  // What the first of a page has no room for stays an address, and so does what the page has already.
  assert.deepEqual(await pages('/orders?include=gift', 'next'), ['0p 1q 2-', '3-', '4q 5p'])
  const last = at((await shop.get('/orders?include=gift')).json(), 'view', 'last')
  assert.deepEqual(await pages(String(last).slice(shop.base.length), 'previous'), ['4q 5p', '3-', '0- 1q 2p'])
  const wished = (await shop.get('/orders/o4?include=wished')).json().wished as unknown[]
  assert.deepEqual(
    wished.map((one) => typeof one),
    ['object', 'object', 'string'],
  )
})

const PRIVATE = `
roles: [editor]
classes:
  Secret: { access: { all: editor }, properties: { word: string } }
  Draft: { access: { all: owner, create: everyone }, properties: { text: string, secret: Secret } }
  Note: { properties: { draft: Draft, secret: Secret, word: Secret } }
`

async function servePrivate(t: TestContext, flags = {}) {
  const users = { ann: [11], bob: [12], ed: [13, 'editor'] } as const
  const { as, base } = await serveUsers(t, users, { api: PRIVATE, flags })
  const secret = '/api/secrets/s'
  assert.equal((await as.ed.send('PUT', '/secrets/s', { word: 'x' }, CREATE)).status, 201)
  assert.equal(
    (await as.ed.send('PUT', '/drafts/e', { text: 'e'.repeat(3_000), secret }, CREATE)).status,
    201,
  )
  assert.equal(
    (await as.ed.send('PUT', '/notes/n', { draft: '/api/drafts/e', secret, word: secret }, CREATE)).status,
    201,
  )
  assert.equal((await as.ann.send('PUT', '/drafts/a', { text: 'a' }, CREATE)).status, 201)
  assert.equal((await as.ann.send('PUT', '/notes/m', { draft: '/api/drafts/a' }, CREATE)).status, 201)
  const shown = async (who: keyof typeof as, path: string) => {
    const response = await as[who].send('GET', path)
    const json = response.json() as Json & { member?: Json[] }
    const notes = (json.member ?? [json]).map((note) =>
      ['draft', 'secret'].map((name) => (typeof note[name] === 'object' ? name : '-')).join(' '),
    )
    return { notes: notes.join(), etag: response.headers.etag }
  }
  return { as, base, shown }
}

// contract: A target that the user may not read
test('a target that the user may not read stays an address, whoever was shown it before', async (t) => {
  const { as, base, shown } = await servePrivate(t)
  const query = 'include=draft&include=secret'
  for (const _ of [1, 2, 3]) {
    assert.equal((await shown('ed', `/notes?${query}`)).notes, 'draft secret,- -')
    assert.equal((await shown('ann', `/notes?${query}`)).notes, '- -,draft -')
    assert.equal((await shown('bob', `/notes?${query}`)).notes, '- -,- -')
    assert.equal((await shown('ann', `/notes/m?${query}`)).notes, 'draft -')
    assert.equal((await shown('bob', `/notes/m?${query}`)).notes, '- -')
  }
  const etags = await Promise.all(
    (['ed', 'ann', 'bob'] as const).map((who) => shown(who, `/notes/n?${query}`)),
  )
  assert.notEqual(etags[0]?.etag, etags[1]?.etag)
  // Versions of drafts are small numbers: nobody is to find one by trying which has this fingerprint.
  const narrow = await servePrivate(t, { baseUrl: base, maxPageBytes: '2000' })
  const other = await narrow.shown('ann', `/notes/m?${query}`)
  const own = await shown('ann', `/notes/m?${query}`)
  assert.equal(own.notes, other.notes)
  assert.notEqual(own.etag, other.etag)
  // A hidden draft takes no room, however long it is.
  assert.equal((await narrow.shown('ann', `/notes?${query}`)).notes, '- -,draft -')
  // Neither the context nor an error tells what a class has that one may do nothing with.
  const { body } = await as.bob.send('GET', `/notes/n?${query}`)
  assert.doesNotMatch(body, /Secret\/word/)
  // An address stays one in RDF, also beside a property of the same name in the class that it leads to.
  for (const path of ['draft', 'secret', 'word']) {
    const headers = { Accept: 'application/n-quads' }
    const quads = [`/notes/n?include=${path}`, '/notes/n'].map(async (target) =>
      canonical((await as.bob.send('GET', target, undefined, headers)).body, 'application/n-quads'),
    )
    const [including, alone] = await Promise.all(quads)
    assert.equal(including, alone, path)
  }
})
