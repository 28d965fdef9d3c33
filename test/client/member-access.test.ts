import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Action, ConflictError, createClient, type Member } from 'hydrant-client'
import type { OperationCall } from '../../src/api/index.ts'
import { listen } from '../support/browser-server.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { ROOT } from '../support/markdown.ts'
import { modelOf, serve } from '../support/service.ts'
import { addUsers } from '../support/users.ts'

const ACTIONS: readonly Action[] = ['read', 'update', 'replace', 'delete']

const offered = async (member: Member): Promise<string> => {
  const answers = await Promise.all(ACTIONS.map((action) => member.may(action)))
  return ACTIONS.filter((_, index) => answers[index]).join(' ')
}

test('A member may be used for what the documentation offers', async (t) => {
  const rows = [
    ['[list, create, read, update, replace, delete]', 'read update replace delete'],
    ['[list, create, read, delete]', 'read delete'],
    ['[list, create, read, update]', 'read update'],
    // An update by the client replaces where nothing else is offered.
    ['[list, create, read, replace]', 'read update replace'],
  ] as const
  for (const [operations, expected] of rows) {
    const api = `classes: { Note: { operations: ${operations}, properties: { text: string } } }`
    const { base } = await serve(t, { api, flags: { auth: false } })
    const client = createClient({ base })
    const note = await client.collection('notes').create({ text: 'x' })
    assert.equal(await offered(note), expected, operations)
    const [listed] = (await client.collection('notes').page()).members
    assert.equal(listed && (await offered(listed)), expected, `${operations}, in a page`)
  }
})

test('A custom operation is called through the link of a member, with its ETag', async (t) => {
  const handle = ({ member, body }: OperationCall) => ({
    text: `${(member as Readonly<Record<string, unknown>>).text} ${(body as Readonly<Record<string, unknown>>).text}`,
  })
  const touch = { handle() {} }
  // Every object has a constructor; here it is an operation like any other.
  const operations = {
    Note: { join: { expects: 'Note', returns: 'Note', handle }, touch, constructor: touch },
  }
  const api = 'classes: { Note: { properties: { text: string } } }'
  const { base } = await serve(t, { api, flags: { auth: false }, program: { operations } })
  const client = createClient({ base })
  const note = await client.collection('notes').create({ text: 'x' })
  const cls = (await client.documentation()).classes.find(({ title }) => title === 'Note')
  assert.deepEqual(
    cls?.customOperations.map(({ name, method }) => `${method} ${name}`),
    ['POST join', 'POST touch', 'POST constructor'],
  )
  assert.deepEqual(
    cls?.properties.map(({ name }) => name),
    ['text'],
  )
  const [listed] = (await client.collection('notes').page()).members
  for (const member of [note, listed as Member]) {
    assert.equal((await member.call('join', { text: 'y' }))?.data.text, 'x y')
    assert.equal(await member.call('constructor'), undefined)
  }
  assert.equal(await note.call('touch'), undefined)
  await assert.rejects(note.call('jion'), {
    kind: 'not-found',
    code: 'unknown-operation',
    message: /jion.* join, touch, constructor/,
  })
  await note.update({ text: 'z' })
  const conflict = await note.call('join', { text: 'y' }).catch((error) => error)
  assert.ok(conflict instanceof ConflictError, `${conflict}`)
  assert.deepEqual([conflict.kind, conflict.status, conflict.attempted], ['conflict', 412, { text: 'y' }])
  assert.equal((conflict.current as Member).data.text, 'z')
})

test('A member of a page can be written, although its operations are missing there', async (t) => {
  const operations = { Note: { touch: { handle() {} } } }
  const api = `classes:
  Author: { properties: { name: string } }
  Note: { access: { write: owner, create: everyone }, properties: { text: string, author: Author } }`
  const { base } = await serve(t, { api, program: { operations } })
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const notes = client.collection('notes')
  const author = await client.collection('authors').create({ name: 'Ann' })
  await notes.create({ text: 'a', author: author.iri })
  const fromPage = async (query = {}): Promise<Member> => {
    const [listed] = (await notes.page(query)).members
    assert.ok(listed)
    assert.deepEqual(
      [listed.etag, listed.data.operation, listed.data.touch],
      [undefined, undefined, undefined],
    )
    return listed
  }
  const text = async () => (await fromPage()).data.text

  const stale = await fromPage()
  await (await fromPage()).replace({ text: 'b', author: author.iri })
  assert.equal(await text(), 'b')
  await assert.rejects(stale.replace({ text: 'c' }), { kind: 'conflict' })
  let listed = await fromPage()
  await client.batch((batch) => batch.update(listed, { text: 'd' }))
  assert.equal(await text(), 'd')
  await assert.rejects(
    client.batch((batch) => batch.update(listed, { text: 'e' })),
    { kind: 'conflict' },
  )
  // What is included is written at its own address, and is not what is overwritten.
  listed = await fromPage({ include: 'author' })
  await author.update({ name: 'Bob' })
  await client.batch((batch) => batch.replace(listed, { ...listed.data, text: 'f' }))
  assert.deepEqual([await text(), (await fromPage()).data.author], ['f', author.iri])
  listed = await fromPage()
  await client.batch((batch) => batch.remove(listed))
  assert.deepEqual((await notes.page()).members, [])
  const gone = client.batch((batch) => batch.remove(listed))
  await assert.rejects(gone, { kind: 'conflict', current: undefined })
})

/** An API with one class, of which each member says for itself what can be done with it. */
async function startOwn(t: TestContext, members: Readonly<Record<string, object>>) {
  const operation = (method: string) => ({ '@type': 'Operation', method })
  const base = await listen(t, (request, response) => {
    const path = request.url ?? '/'
    const origin = `http://${request.headers.host}`
    const vocab = {
      '@id': '/vocab',
      '@type': 'ApiDocumentation',
      supportedClass: [
        {
          '@id': '/vocab#Note',
          '@type': 'Class',
          supportedOperation: ['GET', 'PATCH', 'DELETE'].map(operation),
        },
      ],
    }
    const member = members[path.slice(1)] && {
      '@id': path,
      '@type': `${origin}/vocab#Note`,
      ...members[path.slice(1)],
    }
    const body = path === '/' ? { '@id': '/' } : path === '/vocab' ? vocab : member
    const isForbidden = path === '/secret'
    const status = request.method === 'POST' ? 201 : isForbidden ? 403 : body ? 200 : 404
    response.writeHead(status, {
      'Content-Type': 'application/ld+json',
      ...(status === 201 && { Location: '/secret' }),
    })
    response.end(
      status === 201 ? undefined : JSON.stringify(body ?? { title: 'Only an editor may read notes.' }),
    )
  })
  return createClient({ base })
}

test('The operations of a member take precedence over the documentation', async (t) => {
  const get = { '@type': 'Operation', method: 'GET' }
  const client = await startOwn(t, {
    silent: { text: 'x' },
    others: { operation: [get] },
    own: { operation: [get, { '@type': 'Operation', method: 'PATCH' }] },
    // A property of the class has the name, so the operations have their full IRI.
    surgery: { operation: 'appendectomy', 'http://www.w3.org/ns/hydra/core#operation': [get] },
    patient: { operation: 'appendectomy' },
  })
  const rows = {
    silent: 'read update delete',
    others: 'read',
    own: 'read update',
    surgery: 'read',
    patient: 'read update delete',
  }
  for (const [id, expected] of Object.entries(rows))
    assert.equal(await offered(await client.get(`${client.base}/${id}`)), expected, id)
})

test('A member that its creator may not read has an address and nothing else', async (t) => {
  const client = await startOwn(t, {})
  const made = await client.collectionAt(`${client.base}/notes`).create({ text: 'x' })
  assert.equal(made.iri, `${client.base}/secret`)
  assert.deepEqual(Object.keys(made.data), ['@id'])
})

// contract: The client has `member.may('update')`.
test('Each user of the newsroom is offered what they may do', async (t) => {
  const api = readFileSync(join(ROOT, 'examples/newsroom.yaml'), 'utf8')
  const service = await serve(t, { model: modelOf(api) })
  await addUsers(service, { 1: ['editor'], 2: ['author'], 3: [] })
  const [editor, author, reader] = [1, 2, 3].map((id) =>
    createClient({ base: service.base, credentials: { id, paraphrase: PARAPHRASE } }),
  )
  assert.ok(editor && author && reader)
  const own = await author.collection('drafts').create({ title: 'Mine' })
  const theirs = await editor.collection('drafts').create({ title: 'Not mine' })
  const article = await editor.collection('articles').create({ title: 'News', text: 'Today' })
  const ALL = 'read update replace delete'
  const rows = [
    [editor, own, ALL],
    [editor, article, ALL],
    [author, own, ALL],
    [author, article, 'read'],
    [reader, article, 'read'],
  ] as const
  for (const [client, { iri }, expected] of rows)
    assert.equal(await offered(await client.get(iri)), expected, iri)
  for (const [client, { iri }] of [
    [author, theirs],
    [reader, own],
  ] as const)
    await assert.rejects(client.get(iri), { kind: 'not-found' })
  await assert.rejects(reader.collection('drafts').create({ title: 'x' }), {
    status: 403,
    code: 'Forbidden',
  })
  const names = async (client: typeof reader) =>
    (await client.collections()).map(({ name, operations }) => [
      name,
      operations.some(({ method }) => method === 'POST'),
    ])
  assert.deepEqual(await names(author), [
    ['topics', false],
    ['drafts', true],
    ['articles', false],
  ])
})
