import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expand } from '../../../src/vocabulary/index.ts'
import type { Headers } from '../../support/client.ts'
import { heardEverywhere, keptDatabase, newDatabase } from '../../support/databases.ts'
import { runCommand } from '../../support/server-processes.ts'
import { serve } from '../../support/service.ts'
import { CREATE, NAMES, serveNewsroom } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers, type Visitor } from '../users.ts'

const listOf = async (visitor: Visitor, path: string, headers: Headers = {}) => {
  const response = await visitor.send('GET', path, undefined, headers)
  const { member, totalItems, view } = response.json() as {
    member: Json[]
    totalItems?: number
    view: Readonly<Record<string, string>>
  }
  return { ids: member.map((one) => String(one['@id']).split('/').at(-1)), totalItems, view, response }
}

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
    const headers: Headers = { ...AS_PROBLEM, ...(etag !== undefined && { 'If-Match': etag }) }
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
    assert.equal(codesOf(late), status === 412 ? 'PreconditionFailed' : 'MemberNotFound', method)
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
  await store.auth.addUser({ id: 21, paraphraseHash: user?.paraphraseHash ?? '', roles: [] }, 0)
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
