import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Headers } from '../../support/client.ts'
import { keptDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { CREATE, NAMES, serveNewsroom } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers, type Visitor } from '../users.ts'

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
  const taken = await as.editor.send('PUT', '/drafts/d', { title: 'y' }, { ...CREATE, ...AS_PROBLEM })
  assert.deepEqual([taken.status, codesOf(taken)], [412, 'PreconditionFailed'])
  await as.owner.send('PATCH', '/drafts/d', { code: 'c1', article: `${base}/articles/a` })
  const double = await as.editor.send('POST', '/drafts', { code: 'c1' }, AS_PROBLEM)
  assert.deepEqual([double.status, codesOf(double)], [422, 'code: NotUnique'])
  const remove = () => as.editor.send('DELETE', '/articles/a', undefined, AS_PROBLEM)
  const held = await remove()
  assert.deepEqual([held.status, codesOf(held)], [409, 'StillLinked'])
  const hidden = String(held.json().detail)
  assert.ok(!hidden.includes(base), hidden)
  for (const id of ['d2', 'd3'])
    await as.owner.send('PUT', `/drafts/${id}`, { article: '../articles/a' }, CREATE)
  assert.equal((await remove()).body, held.body, 'not how many')
  await as.editor.send('PUT', '/drafts/mine', { article: '../articles/a' }, CREATE)
  const own = String((await remove()).json().detail)
  assert.ok(own.endsWith(` ${base}/drafts/mine. ${hidden}`), own)
  for (let index = 0; index < 12; index++)
    await as.editor.send('PUT', `/drafts/m${index}`, { article: '../articles/a' }, CREATE)
  const many = String((await remove()).json().detail)
  assert.ok(many.endsWith(` 3 more. ${hidden}`), many)
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
      // Accounts are compared with the users now and then.
      if (given[0] !== 'Account') listed += 1
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
  // At most 99, or the drafts of a user no longer fit into a page.
  for (let round = 0; round < inSoak(99, 8); round += 1) {
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
    const wrong = await as.editor.send(method, target, { ...link('d'), title: 5 }, AS_PROBLEM)
    assert.equal(codesOf(wrong), 'title: WrongDatatype, draft: DanglingLink', method)
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
    const wrong = await as.editor.send(method, path, { ...body, title: 5 }, AS_PROBLEM)
    assert.equal(codesOf(wrong), 'title: WrongDatatype', method)
  }
})

const methodsOf = (json: Json, key = 'operation') =>
  (json[key] as readonly { readonly method: string }[] | undefined)?.map(({ method }) => method).join(' ')
