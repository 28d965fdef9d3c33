import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import jsonld from 'jsonld'
import { at, SHOP, serveShop } from '../included.ts'
import { CREATE } from '../newsroom.ts'
import { type Json, serveSignedIn } from '../signed-in.ts'
import { serveUsers } from '../users.ts'
import { put } from '../walks.ts'

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
