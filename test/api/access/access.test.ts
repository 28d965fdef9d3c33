import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Store } from '../../../src/store/index.ts'
import type { Headers } from '../../support/client.ts'
import { listAll } from '../../support/service.ts'
import { CREATE, NAMES, serveNewsroom } from '../newsroom.ts'
import { AS_PROBLEM, assertProblem } from '../signed-in.ts'

const TITLE = { title: 'y' }

/** Each with what reader, owner, author, editor and both get, and what its 403 names: who may, and what. */
const OPERATIONS: readonly [request: string, body: object | undefined, statuses: string, told?: string][] = [
  ['GET /', undefined, '200 200 200 200 200'],
  ['GET /vocab', undefined, '200 200 200 200 200'],
  ['GET /contexts/Article', undefined, '200 200 200 200 200'],
  ['GET /session', undefined, '200 200 200 200 200'],
  ['POST /vocab', {}, '405 405 405 405 405'],

  ['GET /articles', undefined, '200 200 200 200 200'],
  ['POST /articles', TITLE, '403 201 201 201 201', 'editor author create articles'],
  ['PUT /articles/{new}', TITLE, '403 201 201 201 201', 'editor author create articles'],
  ['GET /articles/a', undefined, '200 200 200 200 200'],
  ['PATCH /articles/a', TITLE, '403 200 403 200 200', 'editor owner update'],
  ['PUT /articles/a', TITLE, '403 403 403 200 200', 'editor replace articles'],
  ['DELETE /articles/a', undefined, '403 403 403 204 204', 'editor delete articles'],
  ['GET /articles/none', undefined, '404 404 404 404 404'],
  ['PATCH /articles/none', TITLE, '404 404 404 404 404'],
  ['DELETE /articles/none', undefined, '403 403 403 404 404', 'editor delete articles'],

  ['GET /drafts', undefined, '200 200 200 200 200'],
  ['POST /drafts', TITLE, '201 201 201 201 201'],
  ['PUT /drafts/{new}', TITLE, '201 201 201 201 201'],
  ['GET /drafts/d', undefined, '404 200 404 404 404'],
  ['PATCH /drafts/d', TITLE, '404 200 404 404 404'],
  ['PUT /drafts/d', TITLE, '404 200 404 404 404'],
  ['DELETE /drafts/d', undefined, '404 204 404 404 404'],

  ['GET /topics', undefined, '200 200 200 200 200'],
  ['POST /topics', { name: 'y' }, '403 403 403 201 201', 'editor create topics'],
  ['PUT /topics/{new}', { name: 'y' }, '403 403 403 201 201', 'editor create topics'],
  ['GET /topics/t', undefined, '200 200 200 200 200'],
  ['PATCH /topics/t', { name: 'y' }, '403 403 403 200 200', 'editor update topics'],
  ['PUT /topics/t', { name: 'y' }, '403 403 403 200 200', 'editor replace topics'],
  ['DELETE /topics/t', undefined, '403 403 403 204 204', 'editor delete topics'],
  ['POST /topics/t', {}, '405 405 405 405 405'],

  ['GET /tips', undefined, '403 403 403 200 200', 'editor list tips'],
  ['POST /tips', { text: 'y' }, '201 201 201 201 201'],
  ['PUT /tips/{new}', { text: 'y' }, '201 201 201 201 201'],
  ['GET /tips/p', undefined, '403 403 403 200 200', 'editor read tips'],
  ['PATCH /tips/p', { text: 'y' }, '403 403 403 200 200', 'editor update tips'],
  ['PUT /tips/p', { text: 'y' }, '403 403 403 200 200', 'editor replace tips'],
  ['DELETE /tips/p', undefined, '403 403 403 204 204', 'editor delete tips'],

  ['GET /secrets', undefined, '403 403 403 403 403', 'list secrets'],
  ['POST /secrets', {}, '403 403 403 403 403', 'create secrets'],
  ['GET /secrets/s', undefined, '403 403 403 403 403', 'read secrets'],
  ['PUT /secrets/{new}', {}, '403 403 403 403 403', 'create secrets'],
  ['PATCH /secrets', {}, '405 405 405 405 405'],

  ['GET /Settings', undefined, '200 200 200 200 200'],
  ['PATCH /Settings', { motto: 'y' }, '403 403 403 200 200', 'editor update Settings'],
  ['PUT /Settings', { motto: 'y' }, '403 403 403 200 200', 'editor replace Settings'],
  ['DELETE /Settings', undefined, '403 403 403 204 204', 'editor delete Settings'],
  ['POST /Settings', {}, '405 405 405 405 405'],
  ['DELETE /session', undefined, '204 204 204 204 204'],
]

const MEMBERS: readonly [path: string, by: 'owner' | 'editor', body: object][] = [
  ['/articles/a', 'owner', { title: 'x' }],
  ['/drafts/d', 'owner', { title: 'x' }],
  ['/topics/t', 'editor', { name: 'x' }],
  ['/tips/p', 'editor', { text: 'x' }],
  ['/Settings', 'editor', { motto: 'x' }],
]

const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`

/** threats.md, HTTP: ways to name a target, or a method, that must be protected like the usual one. */
const SPELLINGS: readonly [what: string, spell: (path: string) => string, headers?: Headers][] = [
  ['as it is', (path) => path],
  ['percent-encoded', (path) => path.replaceAll(/(?<=\/)\w/g, encoded)],
  ['absolute', (path) => `http://evil.example/api${path}`],
  ['with a query', (path) => `${path}?`],
  ...['GET', 'DELETE'].map((method): [string, (path: string) => string, Headers] => [
    `with ${method} in headers`,
    (path) => path,
    { 'X-HTTP-Method-Override': method, 'X-HTTP-Method': method, 'X-Method-Override': method },
  ]),
]

/** These name nothing, or nothing that is there. */
const ELSEWHERE: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/%2e%2e/api${path}`,
  (path) => `/${path.slice(1).toUpperCase()}`,
  (path) => `${path};x`,
  (path) => `${path}%00`,
  (path) => `${path}%zz`,
  (path) => `/%2f${path.slice(1).replace('/', '%2f')}`,
]

const CLASSES = ['Article', 'Draft', 'Topic', 'Tip', 'Secret', 'Settings']

const contentsOf = async (store: Store): Promise<string> =>
  JSON.stringify(await Promise.all(CLASSES.map(async (name) => (await listAll(store, name)).members)))

// contract: PUT that creates is `create`; PUT that replaces is `replace`.
// contract: An operation that none of the user's roles may carry out
// contract: A method that does not exist at all stays 405.
// contract: Where it depends on the owner: a member
test('every operation on every kind of resource by every kind of user, in every spelling', async (t) => {
  const { as, store } = await serveNewsroom(t)
  let sent = 0
  let contents = await contentsOf(store)
  const assertUnchanged = async (before: string) =>
    assert.equal(await contentsOf(store), contents, `what was refused before ${before} has changed something`)
  for (const [request, body, statuses, told = ''] of OPERATIONS) {
    const [method = '', named = ''] = request.split(' ')
    for (const [index, status] of statuses.split(' ').entries()) {
      const name = NAMES[index] ?? 'reader'
      // What is refused can be asked for in every spelling; what is done is done in one.
      sent += 1
      const isRefused = Number(status) >= 400
      if (!isRefused && method !== 'GET') await assertUnchanged(request)
      const [spelling] = SPELLINGS.slice(sent % SPELLINGS.length)
      for (const [what, spell, headers] of isRefused ? SPELLINGS : [spelling ?? assert.fail()]) {
        const path = spell(named.replace('{new}', `n${sent}`))
        const create = named.includes('{new}') ? CREATE : {}
        const response = await as[name].send(method, path, body, { ...AS_PROBLEM, ...create, ...headers })
        const about = `${request} by ${name}, ${what}: ${response.body.slice(0, 200)}`
        assert.equal(response.status, Number(status), about)
        if (response.status === 403) assertProblem(response, ['Forbidden', ...told.split(' ')], about)
      }
      if (method === 'GET') assert.equal((await as[name].send('HEAD', named)).status, Number(status), request)
      const removed = MEMBERS.find(([address]) => address === named)
      if (method === 'DELETE' && !isRefused && removed !== undefined) {
        const [address, by, values] = removed
        const again = await as[by].send('PUT', address, values, address === '/Settings' ? {} : CREATE)
        assert.equal(again.status, 201, request)
      }
      if (!isRefused && method !== 'GET') contents = await contentsOf(store)
    }
  }
  await assertUnchanged('the last request')
})

test('a target in a spelling that is not its own leads nowhere, whatever one may do', async (t) => {
  const { as, store } = await serveNewsroom(t)
  const before = await contentsOf(store)
  for (const [request, body] of OPERATIONS) {
    const [method = '', named = ''] = request.split(' ')
    const path = named.replace('{new}', 'n')
    for (const spell of path === '/' ? [] : ELSEWHERE) {
      const { status } = await as.both.send(method, spell(path), body, named === path ? {} : CREATE)
      assert.ok(status >= 400 && status < 500, `${method} ${spell(path)}: ${status}`)
    }
  }
  assert.equal(await contentsOf(store), before)
})

test('who may not is told before the body, or anything else of the request, is looked at', async (t) => {
  const { as } = await serveNewsroom(t)
  for (const [method, path] of [
    ['POST', '/articles'],
    ['PUT', '/topics/t'],
    ['PATCH', '/topics/t'],
    ['DELETE', '/topics/t'],
  ] as const) {
    const response = await as.reader.send(method, path, '{"not', {
      'Content-Type': 'text/x',
      'If-Match': 'y',
      Accept: 'image/png',
    })
    assert.equal(response.status, 403, `${method} ${path} ${response.body}`)
  }
  const problem = await as.reader.send('POST', '/articles', {}, { Accept: 'application/problem+json' })
  assertProblem(problem, ['Forbidden', 'editor', 'author', 'create', 'articles'], 'POST /articles')
})
