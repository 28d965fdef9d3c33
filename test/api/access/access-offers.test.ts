import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccess } from '../../../src/api/access/access.ts'
import { createTieReader, type Relation, STRANGER } from '../../../src/api/access/ties.ts'
import { createInput, memoizeByRoles } from '../../../src/api/index.ts'
import { Lookups } from '../../../src/api/lookups.ts'
import { createMemberControls, createMemberRepresentation } from '../../../src/api/output/member.ts'
import { createNumberCiphers } from '../../../src/seal.ts'
import { modelOf } from '../../support/service.ts'
import { CREATE, NAMES, serveNewsroom } from '../newsroom.ts'
import { AS_PROBLEM, assertProblem, codesOf, type Json, pathOf } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

const ALLOWED: readonly [path: string, ...allow: string[]][] = [
  ['/articles', 'GET, HEAD', 'GET, HEAD, POST', 'GET, HEAD, POST', 'GET, HEAD, POST', 'GET, HEAD, POST'],
  // A PUT creates; whoever may update one's own member may do so here.
  [
    '/articles/a',
    'GET, HEAD, PATCH',
    'GET, HEAD, PUT, PATCH',
    'GET, HEAD, PUT, PATCH',
    'GET, HEAD, PUT, PATCH, DELETE',
    'GET, HEAD, PUT, PATCH, DELETE',
  ],
  ['/drafts/d', ...NAMES.map(() => 'GET, HEAD, PUT, PATCH, DELETE')],
  ['/topics', 'GET, HEAD', 'GET, HEAD', 'GET, HEAD', 'GET, HEAD, POST', 'GET, HEAD, POST'],
  ['/tips', 'POST', 'POST', 'POST', 'GET, HEAD, POST', 'GET, HEAD, POST'],
  ['/secrets', '', '', '', '', ''],
  ['/secrets/s', '', '', '', '', ''],
  ['/session', ...NAMES.map(() => 'GET, HEAD, DELETE')],
  ['/vocab', ...NAMES.map(() => 'GET, HEAD')],
]

interface Documented {
  readonly '@id': string
  readonly supportedProperty?: readonly { readonly title: string }[]
  readonly supportedOperation?: readonly { readonly method: string }[]
}

// contract: What a user may not do is not offered
test('Allow, the entry point and the documentation show what the roles can do at all', async (t) => {
  const { as, base } = await serveNewsroom(t)
  for (const [path, ...allowed] of ALLOWED)
    for (const [index, allow] of allowed.entries()) {
      const name = NAMES[index] ?? 'reader'
      assert.equal((await as[name].send('OPTIONS', path)).headers.allow, allow, `${path} ${name}`)
      assert.equal((await as[name].send('MKCOL', path)).headers.allow, allow, `${path} ${name}`)
    }

  const links = async (name: (typeof NAMES)[number]) =>
    Object.keys((await as[name].send('GET', '/')).json()).filter((key) => !key.startsWith('@'))
  const shown = [
    'articles',
    'drafts',
    'topics',
    'tips',
    'Settings',
    'session',
    'batch',
    'events',
    'openapi',
    'collection',
  ]
  for (const name of NAMES) assert.deepEqual(await links(name), shown)

  const documented = async (name: (typeof NAMES)[number]) => {
    const { supportedClass } = (await as[name].send('GET', '/vocab')).json() as {
      supportedClass: Documented[]
    }
    return new Map(supportedClass.map((cls) => [cls['@id'].slice(`${base}/vocab#`.length), cls]))
  }
  const methods = (cls: Documented | undefined) => cls?.supportedOperation?.map(({ method }) => method)
  const [reader, author, editor] = [
    await documented('reader'),
    await documented('author'),
    await documented('editor'),
  ]
  assert.deepEqual(methods(reader.get('ArticleCollection')), ['GET'])
  assert.deepEqual(methods(author.get('ArticleCollection')), ['GET', 'POST'])
  assert.deepEqual(methods(reader.get('Article')), ['GET', 'PATCH'])
  assert.deepEqual(methods(editor.get('Article')), ['GET', 'PATCH', 'PUT', 'DELETE'])
  assert.deepEqual(methods(reader.get('TipCollection')), ['POST'])
  assert.deepEqual(methods(reader.get('Settings')), ['GET'])
  // Nothing may be done with secrets, which are but the range of a link; and what only they embed is theirs.
  const { supportedProperty, supportedOperation } = editor.get('Secret') ?? {}
  assert.deepEqual([supportedProperty, supportedOperation], [[], undefined])
  for (const hidden of ['SecretCollection', 'Place']) assert.equal(editor.has(hidden), false, hidden)
  for (const path of ['/vocab', '/contexts/Secret', '/'])
    for (const word of ['street', 'secrets', 'Secret/'])
      assert.ok(!(await as.editor.send('GET', path)).body.includes(word), `${path} ${word}`)
  assert.equal((await as.editor.send('GET', '/contexts/Place')).status, 404)
})

// contract: What a user may not do is not offered
test('a collection that one may neither list nor add to is not offered, although its members may be read', async (t) => {
  const api = `
roles: [editor]
classes:
  Topic: { access: { all: editor, read: everyone }, properties: { name: string } }
  Article: { properties: { topic: Topic } }
`
  const { as, base } = await serveUsers(t, { reader: [11], editor: [12, 'editor'] }, { api })
  await as.editor.send('PUT', '/topics/t', { name: 'x' }, CREATE)
  for (const [name, { send }] of Object.entries(as)) {
    const isOffered = name === 'editor'
    assert.equal((await send('GET', '/topics')).status, isOffered ? 200 : 403)
    assert.equal((await send('GET', '/topics/t')).status, 200)
    const entry = (await send('GET', '/')).json() as Json & { collection: Json[] }
    assert.equal('topics' in entry, isOffered)
    const addresses = entry.collection.map((one) => one['@id'])
    assert.deepEqual(addresses, [...(isOffered ? [`${base}/topics`] : []), `${base}/articles`])
    const { supportedClass } = (await send('GET', '/vocab')).json() as { supportedClass: Json[] }
    const linked = supportedClass.find((cls) => cls['@id'] === `${base}/vocab#EntryPoint`)?.supportedProperty
    assert.equal(JSON.stringify(linked).includes('EntryPoint/topics'), isOffered)
    assert.ok(supportedClass.some((cls) => cls['@id'] === `${base}/vocab#Topic`))
    const { paths } = (await send('GET', '/openapi')).json() as { paths: Json }
    assert.deepEqual(['/topics' in paths, '/topics/{id}' in paths], [isOffered, true])
  }
})

// contract: Who may create and not read gets 201
test('who may create and not read gets 201 without a representation', async (t) => {
  const { as, base } = await serveNewsroom(t)
  for (const minimal of [false, true]) {
    const headers = minimal ? { Prefer: 'return=minimal' } : {}
    const added = await as.reader.send('POST', '/tips', { text: 'y' }, headers)
    assert.deepEqual([added.status, added.body, added.headers.etag], [201, '', undefined])
    assert.equal(added.headers['preference-applied'], minimal ? 'return=minimal' : undefined)
    const read = await as.editor.send('GET', pathOf(base, added.headers.location))
    assert.equal(read.json().text, 'y')
  }
  const seen = await as.editor.send('POST', '/tips', { text: 'y' })
  assert.deepEqual([seen.status, seen.json().text, seen.headers.etag !== undefined], [201, 'y', true])
})

test('a misspelt path is told only what the user can use', async (t) => {
  const { as } = await serveNewsroom(t)
  const ask = (path: string) => as.editor.send('GET', path, undefined, AS_PROBLEM)
  assertProblem(await ask('/topic'), ['UnknownCollection', '"topics"'], '/topic')
  for (const path of ['/secret', '/Secrets/s', '/x'])
    assert.ok(!String((await ask(path)).json().detail).includes('secrets'), path)
})

// contract: The owner is not part of the representation
test('a property whose default is the user shows the id of who created the member', async (t) => {
  const { as } = await serveNewsroom(t)
  const createdBy = (response: { json(): Json }) => response.json().createdBy
  assert.equal(createdBy(await as.reader.send('GET', '/articles/a')), 12)
  assert.equal(createdBy(await as.editor.send('PATCH', '/articles/a', { title: 'z' })), 12)
  assert.equal(createdBy(await as.editor.send('PUT', '/articles/a', { title: 'z' })), 12)
  const claimed = await as.author.send('POST', '/articles', { title: 'z', createdBy: 12 }, AS_PROBLEM)
  assert.deepEqual([claimed.status, codesOf(claimed)], [422, 'createdBy: ReadOnly'])
  assert.equal(createdBy(await as.author.send('POST', '/articles', { title: 'z' })), 13)
})

// contract: `GET {base}/session` shows the user's roles.
test('the session shows the roles, and its ETag is theirs', async (t) => {
  const { as, store } = await serveNewsroom(t)
  const first = await as.both.send('GET', '/session')
  assert.deepEqual(first.json().roles, ['author', 'editor'])
  const known = { 'If-None-Match': first.headers.etag ?? '' }
  assert.equal((await as.both.send('GET', '/session', undefined, known)).status, 304)
  assert.deepEqual((await as.reader.send('GET', '/session')).json().roles, [])
  assert.ok(await store.auth.setRoles?.(15, ['author']))
  const second = await as.both.send('GET', '/session', undefined, known)
  assert.deepEqual([second.status, second.json().roles], [200, ['author']])
})

test('without rules, no request does anything that it did not do before there were any', () => {
  const model = modelOf('classes: { Topic: { properties: { name: string, next: Topic } } }')
  const cls = model.classes[0] ?? assert.fail()
  let made = 0
  const treeFor = memoizeByRoles(model.access, () => ++made)
  const users = [
    undefined,
    ...[1, 2].map((id) => ({ userId: id, number: id, roles: [`r${id}`], token: undefined })),
  ]
  const ties = createTieReader(model, { find: () => assert.fail('nothing is read') })
  const access = createAccess(model, [], createNumberCiphers(Buffer.alloc(32)), ties)(cls)
  const representation = createMemberRepresentation(cls, 'http://x.example')
  const offers = createMemberControls(cls, 'http://x.example', { access, representation })
  const written = createInput(cls, 'http://x.example').create({ next: '/topics/1' }, '1', 0)
  const member = { ...written, version: 1, owner: 7 }
  for (const user of users) {
    assert.equal(treeFor(user), 1)
    assert.equal(access.limitLinks(written, user, { lookups: new Lookups() }), written, 'the very object')
    assert.equal(access.listedScope(user).kind, 'all')
    const relation = access.relationOf(member, user)
    assert.ok(!(relation instanceof Promise) && access.mayReadBy(relation as Relation))
    assert.equal(offers(relation as Relation), offers(STRANGER), 'nothing made for the request')
  }
  assert.equal(made, 1)
})
