import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expand } from '../../src/vocabulary/index.ts'
import { runCommand } from '../auth/processes.ts'
import type { Headers } from '../support/client.ts'
import { heardEverywhere, keptDatabase, newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { CREATE, NAMES, serveNewsroom } from './newsroom.ts'
import { type Json, sentenceOf } from './signed-in.ts'
import { serveUsers, type Visitor } from './users.ts'

const CONDITIONS: readonly Headers[] = [
  {},
  { 'If-Match': '*' },
  { 'If-Match': '"1-x"' },
  { 'If-None-Match': '"1-x"' },
  { 'If-Match': '*', 'If-None-Match': '*' },
  { Accept: 'application/problem+json' },
  { Prefer: 'return=minimal' },
]

// contract: Where it depends on the owner: a member
test('a member that one may not read has the bytes of an id that was never used, whatever the conditions', async (t) => {
  const { as } = await serveNewsroom(t)
  await as.owner.send('PUT', '/drafts/hidden', { title: 'x' }, CREATE)
  const etag = (await as.owner.send('GET', '/drafts/hidden')).headers.etag ?? ''
  const conditions = [...CONDITIONS, { 'If-Match': etag }, { 'If-None-Match': etag }]
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
    for (const headers of conditions)
      for (const body of method.startsWith('P') ? ['{"title":"y"}', '{"no', '{"titel":1}'] : [undefined]) {
        const told = async (id: string) => {
          const {
            status,
            headers: sent,
            body: text,
          } = await as.editor.send(method, `/drafts/${id}`, body, headers)
          const { date, ...rest } = sent
          return JSON.stringify([status, rest, text.replaceAll(id, 'ID')])
        }
        const what = `${method} ${JSON.stringify(headers)} ${body}`
        const hidden = await told('hidden')
        assert.equal(hidden, await told('unused'), what)
        // To create one, If-Match must not hold.
        const creates = method === 'PUT' && headers['If-None-Match'] === '*'
        assert.ok(hidden.startsWith(creates ? '[412' : '[404'), `${what}: ${hidden}`)
      }
  const still = await as.owner.send('GET', '/drafts/hidden')
  assert.deepEqual([still.status, still.headers.etag], [200, etag])
})

// contract: Three things show that something hidden exists
test('that an id or a unique value is taken, and that hidden links hold a member, is all that shows', async (t) => {
  const { as, base } = await serveNewsroom(t)
  const taken = await as.editor.send('PUT', '/drafts/d', { title: 'y' }, CREATE)
  assert.equal(taken.status, 412)
  assert.equal(
    sentenceOf(taken),
    'There is something at this address already, but If-None-Match: * requires that there is nothing.',
  )
  await as.owner.send('PATCH', '/drafts/d', { code: 'c1', article: `${base}/articles/a` })
  const double = await as.editor.send('POST', '/drafts', { code: 'c1' })
  assert.deepEqual(
    [double.status, sentenceOf(double)],
    [422, 'code: must be unique, and another member has this value.'],
  )
  const held = await as.editor.send('DELETE', '/articles/a')
  const hidden = 'Members that you may not read link to this one and would be left with a link to nothing.'
  assert.deepEqual([held.status, sentenceOf(held)], [409, hidden])
  for (const id of ['d2', 'd3'])
    await as.owner.send('PUT', `/drafts/${id}`, { article: '../articles/a' }, CREATE)
  assert.equal((await as.editor.send('DELETE', '/articles/a')).body, held.body, 'not how many')
  await as.editor.send('PUT', '/drafts/mine', { article: '../articles/a' }, CREATE)
  assert.equal(
    sentenceOf(await as.editor.send('DELETE', '/articles/a')),
    `Other members link to this one and would be left with a link to nothing: ${base}/drafts/mine. ${hidden}`,
  )
  for (let index = 0; index < 12; index++)
    await as.editor.send('PUT', `/drafts/m${index}`, { article: '../articles/a' }, CREATE)
  const many = sentenceOf(await as.editor.send('DELETE', '/articles/a'))
  assert.ok(many.endsWith(` and 3 more. ${hidden}`), many)
})

// contract: Three things show that something hidden exists
test('members of a class that has left the API file, with its rules, are named to nobody', async (t) => {
  const topics = 'roles: [editor]\nclasses:\n  Topic: { properties: { name: string } }'
  const drafts = '  Draft: { access: { all: owner, create: everyone }, properties: { topic: Topic } }'
  const users = { ann: [21], bob: [22] } as const
  const before = await serveUsers(t, users, { db: keptDatabase(t), api: `${topics}\n${drafts}` })
  await before.as.ann.send('PUT', '/topics/t', {}, CREATE)
  await before.as.ann.send('PUT', '/drafts/secret', { topic: '../topics/t' }, CREATE)
  const held = await before.as.bob.send('DELETE', '/topics/t')
  assert.equal(held.status, 409)
  await before.close()
  const { as } = await serveUsers(t, { ...users, editor: [23, 'editor'] }, { api: topics, db: before.db })
  for (const [name, { send }] of Object.entries(as))
    assert.equal((await send('DELETE', '/topics/t')).body, held.body, name)
})

const listOf = async (visitor: Visitor, path: string, headers: Headers = {}) => {
  const response = await visitor.send('GET', path, undefined, headers)
  const { member, totalItems, view } = response.json() as {
    member: Json[]
    totalItems?: number
    view: Readonly<Record<string, string>>
  }
  return { ids: member.map((one) => String(one['@id']).split('/').at(-1)), totalItems, view, response }
}

// contract: A list needs `list` and shows what `read` allows.
// contract: Lists, totals, filters, orders, free text, cursors and `next`
// contract: A cursor of one user shows another nothing
// contract: Everything here is over what the user may read
test('lists, totals, filters, orders, free text and cursors are over what the user may read', async (t) => {
  const { as, base } = await serveNewsroom(t)
  for (const [index, name] of ['owner', 'editor', 'owner', 'editor', 'owner'].entries())
    await as[name as 'owner'].send(
      'PUT',
      `/drafts/d${index}`,
      { title: `word ${index}`, code: `c${index}` },
      CREATE,
    )
  const queries: readonly [query: string, owners: string, editors: string][] = [
    ['', 'd d0 d2 d4', 'd1 d3'],
    ['?title[startsWith]=word', 'd0 d2 d4', 'd1 d3'],
    ['?code=c1', '', 'd1'],
    ['?code=c1&code=c2', 'd2', 'd1'],
    ['?code[gte]=c2', 'd2 d4', 'd3'],
    ['?title[contains]=ord', 'd0 d2 d4', 'd1 d3'],
    ['?title[ne]=x', 'd0 d2 d4', 'd1 d3'],
    ['?exists[code]=false', 'd', ''],
    ['?q=word', 'd0 d2 d4', 'd1 d3'],
    ['?q=wor*', 'd0 d2 d4', 'd1 d3'],
    ['?q=w%C3%B6rd+1*', '', 'd1'],
    ['?sort=-code', 'd4 d2 d0 d', 'd3 d1'],
    ['?order[title]=desc', 'd d4 d2 d0', 'd3 d1'],
    ['?page=1', 'd d0 d2 d4', 'd1 d3'],
  ]
  for (const [query, owners, editors] of queries)
    for (const prefer of [{}, { Prefer: 'count=exact' }])
      for (const [name, expected] of [
        ['owner', owners],
        ['editor', editors],
        ['reader', ''],
      ] as const) {
        const { ids, totalItems } = await listOf(as[name], `/drafts${query}`, prefer)
        assert.equal(ids.join(' '), expected, `${query} ${name}`)
        assert.equal(totalItems, expected.split(' ').filter(Boolean).length, `${query} ${name}`)
      }
  for (const query of ['?itemsPerPage=1', '?itemsPerPage=1&sort=code']) {
    const walked: unknown[] = []
    for (let next: string | undefined = `/drafts${query}`; next !== undefined; ) {
      const { ids, view } = await listOf(as.owner, next)
      walked.push(...ids)
      next = view.next?.slice(base.length)
      // The same cursor in the hands of another.
      if (next !== undefined)
        for (const id of (await listOf(as.editor, next)).ids) assert.match(String(id), /^d[13]$/, next)
    }
    assert.equal(walked.toSorted().join(' '), 'd d0 d2 d4', query)
  }
})

// contract: Representations, pages, documentation and ETags kept in memory
test('what is kept in memory for one user is never shown to another, with writes in between', async (t) => {
  const { as, store } = await serveNewsroom(t)
  let listed = 0
  const { list } = store.members
  Object.assign(store.members, {
    list: (...given: Parameters<typeof list>) => {
      listed += 1
      return list.apply(store.members, given)
    },
  })
  /** What each may do with the article, and whose drafts each has. */
  const offers = { owner: 'GET PATCH', author: 'GET', editor: undefined, both: undefined, reader: 'GET' }
  const drafts: Record<string, string[]> = { owner: ['d'], editor: [], author: [] }
  let title = 'x'
  const readAll = (name: (typeof NAMES)[number]) =>
    Promise.all([
      listOf(as[name], '/drafts?itemsPerPage=100').then(({ ids, totalItems }) => {
        assert.deepEqual(ids, drafts[name] ?? [], name)
        assert.equal(totalItems, ids.length, name)
      }),
      as[name].send('GET', '/articles/a').then((article) => {
        assert.equal(methodsOf(article.json()), offers[name], name)
        assert.equal(article.json().title, title, name)
      }),
      as[name]
        .send('GET', '/drafts/d')
        .then((draft) => assert.equal(draft.status, name === 'owner' ? 200 : 404)),
    ])
  for (let round = 0; round < inSoak(200, 8); round += 1) {
    for (const _ of [1, 2]) for (const name of NAMES) await readAll(name)
    // A page that was asked for twice in one state is remembered, where states are known.
    const before = listed
    await Promise.all(NAMES.map(readAll))
    if (store.members.state('Draft') !== undefined) assert.equal(listed, before)
    for (const name of ['owner', 'editor'] as const) {
      const created = await as[name].send('PUT', `/drafts/${name}${round}`, {}, CREATE)
      assert.equal(created.status, 201)
      drafts[name]?.push(`${name}${round}`)
    }
    title = `round ${round}`
    const writer = round % 2 === 0 ? as.owner : as.editor
    assert.equal((await writer.send('PATCH', '/articles/a', { title })).status, 200)
  }
  const bodies = await Promise.all(NAMES.map(async (name) => (await as[name].send('GET', '/vocab')).body))
  assert.deepEqual(
    bodies.map((body) => bodies.indexOf(body)),
    [0, 1, 1, 3, 3],
  )
})

// contract: A link to a member that the user may not read
test('a link to what one may not read is one to nothing, where it is not there already', async (t) => {
  const { as, base } = await serveNewsroom(t)
  const link = (id: string) => ({ title: 'y', draft: `${base}/drafts/${id}` })
  const linked = await as.owner.send('POST', '/articles', link('d'))
  assert.equal(linked.status, 201)
  const path = String(linked.json()['@id']).slice(base.length)
  for (const [method, target] of [
    ['POST', '/articles'],
    ['PUT', '/articles/a'],
    ['PATCH', '/articles/a'],
  ] as const) {
    const [hidden, nothing] = [
      await as.editor.send(method, target, link('d')),
      await as.editor.send(method, target, link('e')),
    ]
    assert.equal(hidden.status, 422, method)
    assert.equal(hidden.body.replaceAll('\\"d\\"', '\\"e\\"'), nothing.body, method)
    const wrong = await as.editor.send(method, target, { ...link('d'), title: 5 })
    assert.match(sentenceOf(wrong), /title: must be a string.* draft: links to "d", which does not exist/)
  }
  assert.equal(
    (await as.editor.send('GET', path)).json().draft,
    `${base}/drafts/d`,
    'shown where it is stored',
  )
  for (const [method, body] of [
    ['PATCH', { title: 'z' }],
    ['PATCH', link('d')],
    ['PUT', link('d')],
  ] as const) {
    const kept = await as.editor.send(method, path, body)
    assert.deepEqual([kept.status, kept.json().draft], [200, `${base}/drafts/d`], `${method} ${kept.body}`)
    const wrong = await as.editor.send(method, path, { ...body, title: 5 })
    assert.doesNotMatch(sentenceOf(wrong), /draft/)
  }
})

// contract: ETags are strong
test('versions and places are sealed to those who may not read all members, and understood by all others', async (t) => {
  const api = `
roles: [editor]
classes:
  Draft:
    access: { all: [editor, owner], create: everyone }
    properties: { title: string }
`
  const { as, base, store } = await serveUsers(t, { ann: [21], ed: [22, 'editor'] }, { api })
  for (const id of ['a', 'b', 'c']) await as.ann.send('PUT', `/drafts/${id}`, { title: 'x' }, CREATE)
  const read = async () => {
    const etag = String((await as.ann.send('GET', '/drafts/a')).headers.etag)
    const { view } = await listOf(as.ann, '/drafts?itemsPerPage=1')
    return { etag, next: String(view.next).slice(base.length) }
  }
  const change = async (etag: string) =>
    (await as.ann.send('PATCH', '/drafts/a', {}, { 'If-Match': etag, Prefer: 'return=minimal' })).status
  const setRoles = async (...roles: string[]) => {
    assert.ok(await store.auth.setRoles(21, roles))
  }

  // The same page, of which both accept the same coding: one ETag means the same bytes.
  await setRoles()
  const coded = { 'Accept-Encoding': 'gzip' }
  const pages = [as.ed, as.ann].map((who) => who.send('GET', '/drafts?itemsPerPage=1', undefined, coded))
  const [ofAll, ofOwn] = await Promise.all(pages)
  assert.equal(ofAll?.headers.etag === ofOwn?.headers.etag, ofAll?.body === ofOwn?.body)

  const sealed = await read()
  assert.match(sealed.etag, /^"[\w-]{22}-[\w-]{12}"$/)
  await setRoles('editor')
  assert.deepEqual((await listOf(as.ann, sealed.next)).ids, ['b'])
  assert.equal(await change(sealed.etag), 204)
  assert.equal(await change(sealed.etag), 412)
  const plain = await read()
  assert.match(plain.etag, /^"\d+-[\w-]{12}"$/)
  await setRoles()
  assert.equal(await change(plain.etag), 412, 'who may not read all could guess how much others write')
  // Cursors are sealed for everyone, so that there is nothing to guess.
  assert.deepEqual((await listOf(as.ann, plain.next)).ids, ['b'])
  const again = await read()
  assert.equal(await change(`W/${again.etag}`), 204)
  assert.deepEqual((await listOf(as.ann, again.next)).ids, ['b'])
  // A seal belongs to its class and its purpose.
  const cursor = /after=([\w-]+)/.exec(again.next)?.[1] ?? ''
  assert.equal(await change(`"${cursor}-x"`), 412)
})

const methodsOf = (json: Json, key = 'operation') =>
  (json[key] as readonly { readonly method: string }[] | undefined)?.map(({ method }) => method).join(' ')

// contract: It is text prepared for the class and set of roles
test('a member tells what this very user may do with it, and its ETag covers that', async (t) => {
  const { as, store } = await serveNewsroom(t)
  const article = (name: (typeof NAMES)[number], headers: Headers = {}) =>
    as[name].send('GET', '/articles/a', undefined, headers)
  const told = await Promise.all(NAMES.map(async (name) => methodsOf((await article(name)).json())))
  assert.deepEqual(told, ['GET', 'GET PATCH', 'GET', undefined, undefined])
  assert.equal(methodsOf((await as.owner.send('GET', '/drafts/d')).json()), 'GET PATCH PUT DELETE')
  assert.equal(methodsOf((await as.owner.send('POST', '/drafts', {})).json()), 'GET PATCH PUT DELETE')
  const contexts = await Promise.all(NAMES.map(async (name) => (await article(name)).json()['@context']))
  for (const context of contexts) assert.deepEqual(context, contexts[0])
  const etags = await Promise.all(NAMES.map(async (name) => (await article(name)).headers.etag))
  assert.deepEqual(
    etags.map((etag) => etags.indexOf(etag)),
    [0, 1, 0, 3, 3],
  )
  const changed = await as.owner.send('PATCH', '/articles/a', { title: 'z' })
  const read = await article('owner')
  assert.deepEqual([changed.body, changed.headers.etag], [read.body, read.headers.etag])

  const known = { 'If-None-Match': (await article('both')).headers.etag ?? '' }
  assert.equal((await article('both', known)).status, 304)
  await store.auth.setRoles(15, ['author'])
  assert.equal((await article('both', known)).status, 200)
})

// contract: Where it depends on the owner, a member's own representation carries `operation`
// contract: `@context`, `@id` and `@type` that agree
test('`operation` means hydra:operation, also where the class has a property of that name, and is ignored when sent back', async (t) => {
  const api = (property: string) =>
    `access: { write: owner, create: everyone }\nclasses: { Thing: { properties: { name: string${property} } } }`
  const iri = 'http://www.w3.org/ns/hydra/core#operation'
  for (const [property, key] of [
    ['', 'operation'],
    [', operation: string', iri],
  ] as const) {
    const { as, base } = await serveUsers(t, { ann: [21], bob: [22] }, { api: api(property) })
    const own = property === '' ? {} : { operation: 'mine' }
    const added = await as.ann.send('PUT', '/things/1', { name: 'x', ...own }, CREATE)
    assert.equal(methodsOf(added.json(), key), 'GET PATCH PUT DELETE')
    const other = (await as.bob.send('GET', '/things/1')).json()
    assert.equal(methodsOf(other, key), 'GET')
    for (const document of [added.json(), other]) {
      const { nodes, dropped } = await expand(document, { base, findContext: () => undefined })
      const operations = nodes[0]?.[iri] as Json[]
      assert.equal(operations.length, (document[key] as unknown[]).length)
      for (const operation of operations)
        assert.ok(JSON.stringify(operation['@type']).includes('http://www.w3.org/ns/hydra/core#Operation'))
      assert.deepEqual(operations[0]?.['http://www.w3.org/ns/hydra/core#method'], [{ '@value': 'GET' }])
      assert.deepEqual(dropped, [])
    }
    for (const body of [added.json(), other]) {
      const back = await as.ann.send('PUT', '/things/1', body)
      assert.equal(back.status, 200, back.body)
      const { '@context': _, ...without } = body
      assert.equal((await as.ann.send('PUT', '/things/1', without)).status, 200)
      const patched = await as.ann.send('PATCH', '/things/1', key === iri ? { name: 'y' } : without)
      assert.equal(patched.status, 200, patched.body)
    }
    if (key === 'operation')
      assert.equal((await as.ann.send('PUT', '/things/1', { operation: 'x' })).status, 422)
    const turtle = await as.ann.send('GET', '/things/1', undefined, { Accept: 'application/n-quads' })
    assert.match(turtle.body, /\/things\/1> <http:\/\/www\.w3\.org\/ns\/hydra\/core#operation> </)
  }
})

test('a member that is removed and created anew by another user meanwhile is neither changed nor removed', async (t) => {
  const { as, store } = await serveNewsroom(t)
  const members = store.members as {
    -readonly [Name in keyof typeof store.members]: (typeof store.members)[Name]
  }
  const { change, remove } = members
  /** Between what a request has read and its write. */
  let meanwhile: (() => Promise<unknown>) | undefined
  const before = async () => {
    const act = meanwhile
    meanwhile = undefined
    await act?.()
  }
  members.change = async (...given) => {
    await before()
    return change.apply(members, given)
  }
  members.remove = async (...given) => {
    await before()
    return remove.apply(members, given)
  }
  for (const [method, match, status] of [
    ['PATCH', undefined, 404],
    ['PUT', undefined, 404],
    ['DELETE', undefined, 404],
    ['PATCH', '*', 412],
    ['PUT', '*', 412],
    ['DELETE', '*', 412],
    ['PATCH', 'first', 412],
    ['PUT', 'first', 412],
    ['DELETE', 'first', 412],
  ] as const) {
    const path = `/drafts/${method}${match === '*' ? 'any' : match}`
    const first = await as.owner.send('PUT', path, { title: 'first' }, CREATE)
    const etag = match === 'first' ? first.headers.etag : match
    const headers: Headers = etag === undefined ? {} : { 'If-Match': etag }
    meanwhile = async () => {
      assert.equal((await as.owner.send('DELETE', path)).status, 204)
      assert.equal((await as.editor.send('PUT', path, { title: 'editor' }, CREATE)).status, 201)
    }
    const late = await as.owner.send(
      method,
      path,
      method === 'DELETE' ? undefined : { title: 'owner' },
      headers,
    )
    assert.equal(late.status, status, `${method} ${late.body}`)
    if (status === 412)
      assert.equal(
        sentenceOf(late),
        'There is nothing at this address, but If-Match requires a member to be there.',
      )
    assert.equal((await as.editor.send('GET', path)).json().title, 'editor', method)
  }
})

// contract: No write changes an owner.
test('an owner stays, whoever writes, and whatever is created anew at an address', async (t) => {
  const { as } = await serveNewsroom(t)
  await as.editor.send('PUT', '/articles/a', { title: 'by the editor' })
  assert.equal((await as.owner.send('PATCH', '/articles/a', { title: 'mine' })).status, 200)
  await as.owner.send('DELETE', '/drafts/d')
  assert.equal((await as.editor.send('PUT', '/drafts/d', {}, CREATE)).status, 201)
  assert.equal((await as.owner.send('GET', '/drafts/d')).status, 404)
})

// contract: Every member remembers the user who created it
test('nobody inherits the members of a removed user, nor what was created with authentication off', async (t) => {
  const open = await serve(t, { db: keptDatabase(t), api: DRAFTS, flags: { auth: false } })
  const headers = { 'Content-Type': 'application/ld+json', ...CREATE }
  assert.equal((await open.client.send('PUT', '/drafts/open', headers, '{}')).status, 201)
  await open.close()
  const { as, store, client } = await serveUsers(t, { ann: [21] }, { api: OWN_DRAFTS, db: open.db })
  await as.ann.send('PUT', '/drafts/anns', {}, CREATE)
  assert.deepEqual((await listOf(as.ann, '/drafts')).ids, ['anns'])
  assert.equal((await as.ann.send('GET', '/drafts/open')).status, 404)

  const user = await store.auth.findUser(21)
  await store.auth.removeUser(21)
  await store.auth.addUser(21, user?.paraphraseHash ?? '', 0, [])
  const anew = { 'X-Authorization': await client.signIn(21) }
  assert.equal((await client.send('GET', '/drafts/anns', anew)).status, 404)
  assert.equal((await client.send('GET', '/drafts', anew)).json().totalItems, 0)
  assert.equal((await client.send('PUT', '/drafts/anns', { ...anew, ...headers }, '{}')).status, 412)
})

// contract: An API file that begins to use `owner`
test('an API file that begins to use owner finds the owners of what is there', async (t) => {
  const users = { ann: [21], bob: [22] } as const
  const before = await serveUsers(t, users, { db: keptDatabase(t), api: DRAFTS })
  for (const [name, { send }] of Object.entries(before.as)) await send('PUT', `/drafts/${name}`, {}, CREATE)
  await before.close()
  const { client } = await serve(t, { api: OWN_DRAFTS, db: before.db })
  for (const [name, [id]] of Object.entries(users)) {
    const token = { 'X-Authorization': await client.signIn(id) }
    const { member, totalItems } = (await client.send('GET', '/drafts', token)).json() as Json & {
      member: Json[]
    }
    assert.deepEqual([totalItems, member.length], [1, 1])
    assert.equal((await client.send('GET', `/drafts/${name}`, token)).status, 200)
  }
})

// contract: A change holds from the next request on
test('a change of roles holds from the next request on, also from another process', async (t) => {
  const { as, store, db } = await serveNewsroom(t, { db: newDatabase(t) })
  const statuses = async (): Promise<number[]> => {
    const topic = await as.reader.send('POST', '/topics', {})
    return [topic.status, (await as.reader.send('GET', '/tips')).status]
  }
  const elsewhere = async (...roles: string[]) => {
    await runCommand(['user', 'roles', '11', ...roles, '--db', db])
    await heardEverywhere()
  }
  assert.deepEqual(await statuses(), [403, 403])
  for (const [set, expected] of [
    [() => store.auth.setRoles(11, ['editor']), [201, 200]],
    [() => store.auth.setRoles(11, []), [403, 403]],
    [() => elsewhere('editor', 'unheard-of'), [201, 200]],
    [() => elsewhere('--none'), [403, 403]],
  ] as const) {
    await set()
    assert.deepEqual(await statuses(), expected)
  }
})

const DRAFTS = 'classes: { Draft: { properties: { title: string } } }'
const OWN_DRAFTS = `access: { all: owner, create: everyone }\n${DRAFTS}`
