import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { at } from '../included.ts'
import { CREATE } from '../newsroom.ts'
import { AS_PROBLEM, codesOf, type Json } from '../signed-in.ts'
import { serveUsers } from '../users.ts'

/** Everyone may read each comment, and list only their own; notes are read by their owners, secrets by editors. */
const API = `
roles: [editor]
classes:
  Author: { properties: { name: string } }
  Comment:
    access: { all: owner, create: everyone, read: everyone, list: [owner, editor] }
    properties: { text: string, on: { type: Author, reverse: comments } }
  Note:
    access: { all: owner, create: everyone }
    properties: { text: string, on: { type: Author, reverse: notes } }
  Secret:
    access: { all: editor }
    properties: { text: string, on: { type: Author, reverse: secrets } }
`

async function servePrivate(t: TestContext) {
  const users = { ann: [11], bob: [12], ed: [13, 'editor'] } as const
  const service = await serveUsers(t, users, { api: API })
  const { as } = service
  const create = async (who: keyof typeof as, path: string, body: object) =>
    assert.equal((await as[who].send('PUT', path, body, CREATE)).status, 201, path)
  const on = '/api/authors/x'
  await create('ed', on.slice('/api'.length), { name: 'X' })
  for (const who of ['ann', 'bob', 'ed'] as const) {
    await create(who, `/comments/${who}`, { text: who, on })
    await create(who, `/notes/${who}`, { text: who, on })
  }
  await create('ed', '/secrets/ed', { text: 'secret', on })
  return service
}

// contract: Everything here is over what the user may read
test('an included collection has what the user may list, whoever was shown it before', async (t) => {
  const { as } = await servePrivate(t)
  const texts = (author: unknown, name: string) =>
    (at(author, name, 'member') as Json[]).map(({ text }) => text).join()
  const expected: [who: keyof typeof as, comments: string, notes: string][] = [
    ['ed', 'ann,bob,ed', 'ed'],
    ['ann', 'ann', 'ann'],
    ['bob', 'bob', 'bob'],
  ]
  const etags = new Set<string>()
  // Asked for twice a page is kept, the third time it would come from memory.
  for (const _ of [1, 2, 3])
    for (const [who, comments, notes] of expected)
      for (const path of ['/authors', '/authors/x']) {
        const response = await as[who].send('GET', `${path}?include=comments&include=notes`)
        const json = response.json()
        const author = path === '/authors' ? at(json, 'member', 0) : json
        assert.deepEqual(
          [texts(author, 'comments'), texts(author, 'notes')],
          [comments, notes],
          `${who} ${path}`,
        )
        const total = [at(author, 'comments', 'totalItems'), at(author, 'notes', 'totalItems')]
        assert.deepEqual(total, [comments.split(',').length, 1])
        etags.add(`${response.headers.etag}`)
      }
  assert.equal(etags.size, 6)
})

test('a link to members that the user may not list cannot be included', async (t) => {
  const { as } = await servePrivate(t)
  assert.equal((await as.ed.send('GET', '/authors?include=secrets')).status, 200)
  const response = await as.ann.send('GET', '/authors?include=secrets', undefined, AS_PROBLEM)
  assert.equal(codesOf(response), 'include: UnknownInclude')
  const unknown = await as.ann.send('GET', '/authors?include=secretz', undefined, AS_PROBLEM)
  assert.equal(unknown.body.replace('secretz', 'secrets'), response.body)
})
