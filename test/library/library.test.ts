import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import express from 'express'
import Fastify from 'fastify'
import { hashParaphrase } from '../../src/auth/index.ts'
import { createHydrant, HttpError, type Hydrant, type HydrantOptions } from '../../src/library/index.ts'
import { openStore } from '../../src/store/open.ts'
import { newDatabase } from '../support/databases.ts'
import { idOf, openShop, SHOP } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

const PARAPHRASE = 'correct horse battery staple'

/** Users 1, a clerk, and 2, who has no role. */
async function withUsers(t: TestContext): Promise<string> {
  const db = newDatabase(t)
  const store = await openStore(db)
  const hash = await hashParaphrase(PARAPHRASE)
  await store.auth.addUser(1, hash, 0, ['clerk'])
  await store.auth.addUser(2, hash, 0, [])
  await store.close()
  return db
}

const readerOf = (body: Any): ReadableStreamDefaultReader<string> =>
  body.pipeThrough(new TextDecoderStream()).getReader()

type Handle = (path: string, init?: RequestInit) => Promise<Response>

/** Steps A and B. */
async function signIn(handle: Handle, userId: number): Promise<string> {
  const challenge = await handle('/orders')
  assert.equal(challenge.status, 401)
  const nonce = challenge.headers.get('x-authentication') ?? ''
  const authorization = `Basic ${btoa(`${userId}:${PARAPHRASE}`)}`
  const exchange = await handle('/orders', { headers: { authorization, 'x-authentication': nonce } })
  assert.equal(exchange.status, 200)
  return exchange.headers.get('x-authorization') ?? ''
}

const handleOf =
  ({ handle, base }: Hydrant, address?: string): Handle =>
  (path, init) =>
    handle(new Request(base + path, init), { address })

// contract: `hydrant.handle(request, { address })`
// contract: Without `port` nothing listens
test('handle keeps the contract from the gate on, and without an address nobody can sign in', async (t) => {
  const hydrant = await openShop(t, { db: await withUsers(t), auth: true })
  assert.equal(hydrant.port, undefined)
  const handle = handleOf(hydrant, '192.0.2.7')
  const token = await signIn(handle, 1)
  const headers = { 'x-authorization': token, 'content-type': 'application/json' }
  const made = await handle('/orders', { method: 'POST', headers, body: '{"customer":"Ann"}' })
  assert.equal(made.status, 201)
  assert.ok(Date.parse(made.headers.get('date') ?? ''))
  assert.equal(made.headers.get('content-length'), String((await made.arrayBuffer()).byteLength))
  const location = made.headers.get('location') ?? ''
  const head = await handle(location.slice(hydrant.base.length), { method: 'HEAD', headers })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  assert.ok(Number(head.headers.get('content-length')) > 100)
  const long = { method: 'POST', headers, body: JSON.stringify({ customer: 'x'.repeat(1_100_000) }) }
  assert.equal((await handle('/orders', long)).status, 413)
  assert.equal((await handle('/orders', { method: 'DELETE', headers })).status, 405)
  assert.equal((await handle('/none', { headers })).status, 404)
  const gone = await handle(location.slice(hydrant.base.length), { method: 'DELETE', headers })
  assert.deepEqual([gone.status, gone.body], [204, null])

  const nameless = handleOf(hydrant)
  assert.equal((await nameless('/orders', { headers })).status, 200, 'the rest works')
  const nonce = (await nameless('/orders')).headers.get('x-authentication') ?? ''
  const authorization = `Basic ${btoa(`1:${PARAPHRASE}`)}`
  const refused = await nameless('/orders', { headers: { authorization, 'x-authentication': nonce } })
  assert.equal(refused.status, 503)
  assert.match(await refused.text(), /address of the client/)
})

// contract: `hydrant.handle(request, { address })`
test('a stream of handle brings changes as they happen, and ends with its reader or with the program', async (t) => {
  const hydrant = await openShop(t)
  const open = async () => {
    const request = new Request(`${hydrant.base}/events`, { headers: { accept: 'text/event-stream' } })
    const { body } = await hydrant.handle(request)
    return readerOf(body)
  }
  const [first, second] = [await open(), await open()]
  assert.match((await first.read()).value ?? '', /^event: start/)
  assert.match((await second.read()).value ?? '', /^event: start/)
  await hydrant.members('notes').add({ text: 'news' })
  assert.match((await first.read()).value ?? '', /"created"|Create|notes/)
  await first.cancel()
  await hydrant.close()
  while (!(await second.read()).done);
  await assert.rejects(open(), /closed/)
})

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const MOUNTS: readonly (readonly [name: string, mount: (listener: RequestListener) => RequestListener])[] = [
  ['node:http', (listener) => listener],
  ['Express, below a path', (listener) => express().use('/api', listener)],
]

for (const [name, mount] of MOUNTS) {
  // contract: `hydrant.listener` is for `node:http`
  test(`the listener answers requests of ${name}, streams included`, async (t) => {
    const hydrant = await openShop(t, { db: await withUsers(t), auth: true })
    const origin = await listen(t, createServer(mount(hydrant.listener)))
    const handle: Handle = (path, init) => fetch(`${origin}/api${path}`, init)
    const token = await signIn(handle, 1)
    const headers = { 'x-authorization': token, 'content-type': 'application/json' }
    const made = await handle('/orders', { method: 'POST', headers, body: '{"customer":"Ann"}' })
    assert.deepEqual([made.status, ((await made.json()) as Any).customer], [201, 'Ann'])
    const long = { method: 'POST', headers, body: JSON.stringify({ customer: 'x'.repeat(1_100_000) }) }
    assert.equal((await handle('/orders', long)).status, 413)
    const { body } = await handle('/events', { headers: { ...headers, accept: 'text/event-stream' } })
    const reader = readerOf(body)
    assert.match((await reader.read()).value ?? '', /^event: start/)
    await hydrant.close()
    while (!(await reader.read()).done);
  })
}

// contract: `hydrant.handle(request, { address })`
test('a service on Fastify mounts handle beside routes of its own', async (t) => {
  const hydrant = await openShop(t)
  const fastify = Fastify()
  t.after(() => fastify.close())
  fastify.get('/hello', () => 'hello')
  await fastify.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    api.all('/api/*', ({ url, method, headers, body, ip }) =>
      hydrant.handle(
        new Request(new URL(url, hydrant.base), {
          method,
          headers: headers as Record<string, string>,
          ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
        }),
        { address: ip },
      ),
    )
  })
  const payload = JSON.stringify({ customer: 'Ann' })
  const headers = { 'content-type': 'application/json' }
  const made = await fastify.inject({ method: 'POST', url: '/api/orders', headers, payload })
  assert.deepEqual([made.statusCode, made.json().customer], [201, 'Ann'])
  const list = await fastify.inject({ url: '/api/orders?customer=Ann' })
  assert.deepEqual([list.statusCode, list.json().totalItems], [200, 1])
  assert.equal((await fastify.inject({ url: '/hello' })).body, 'hello')
})

// contract: `import { createHydrant } from 'hydrant'`
test('with a port it listens, and serves the same members', async (t) => {
  const hydrant = await openShop(t, { port: 0, consolePort: 'off', pageSize: 1 })
  assert.equal(hydrant.base, `http://localhost:${hydrant.port}/api`)
  for (const customer of ['Ann', 'Bob', 'Cid']) await hydrant.members('orders').add({ customer })
  const page = (await (await fetch(`http://127.0.0.1:${hydrant.port}/api/orders`)).json()) as Any
  assert.deepEqual([page.totalItems, page.member.length], [3, 1])
})

// contract: `hydrant.members('orders')`
test('members are found, listed, added, changed and removed, by the rules of requests', async (t) => {
  const { members, base, ask } = await openShop(t, { pageSize: 2, requireIfMatch: true })
  const orders = members('orders')
  const made = []
  for (const customer of ['Ann', 'Bob', 'Cid']) made.push(await orders.add({ customer }))
  const [ann] = made as [Any]
  assert.deepEqual(await orders.find(ann['@id']), ann)
  assert.deepEqual(await orders.find(idOf(ann)), ann)
  assert.deepEqual(await orders.find(`/api/orders/${idOf(ann)}`), ann)
  assert.equal(await orders.find('none'), undefined)
  for (const elsewhere of [`${base}/notes/${idOf(ann)}`, `http://elsewhere.example/api/orders/${idOf(ann)}`])
    assert.deepEqual([await orders.find(elsewhere), await orders.remove(elsewhere)], [undefined, false])
  const first = await orders.list({ 'order[customer]': 'desc' })
  // @ts-expect-error: where more than 1,000 match a filter there is no total
  const total: number = first.total
  assert.deepEqual([first.members.map(({ customer }: Any) => customer), total], [['Cid', 'Bob'], 3])
  const second = await orders.list(first.next)
  assert.deepEqual([second.members.map(({ customer }: Any) => customer), second.next], [['Ann'], undefined])
  assert.equal((await orders.list({ customer: ['Ann', 'Bob'] })).total, 2)
  assert.equal((await orders.change(ann['@id'], { customer: 'Zoe', amounts: null })).customer, 'Zoe')
  const failures: readonly [() => Promise<unknown>, number][] = [
    [() => orders.add({ customr: 'x' }), 422],
    [() => orders.add({ total: 3 }), 422],
    [() => orders.change(ann['@id'], { customer: 3 }), 422],
    [() => orders.change('none', { customer: 'x' }), 404],
    [() => orders.list({ customr: 'x' }), 400],
  ]
  for (const [failing, status] of failures)
    await assert.rejects(failing(), (error) => error instanceof HttpError && error.status === status)
  assert.deepEqual([await orders.remove(ann['@id']), await orders.remove(ann['@id'])], [true, false])
  assert.throws(() => members('ordres'), /There are no members "ordres"; did you mean "orders"\?/)

  const settings = members('Settings')
  assert.equal((await ask('PUT', 'Settings', { open: true }))[0], 404, 'the API file lets nobody create it')
  assert.equal((await settings.add({ open: true })).open, true)
  assert.equal((await settings.change('Settings', { open: false })).open, false)
  assert.deepEqual((await settings.find(`${base}/Settings`))?.open, false)
  const [, events] = await ask('GET', 'events?after=0')
  assert.ok(events)
})

// contract: Outside of a request it acts as the program
test('members of a hook act as its principal, unless it says otherwise', async (t) => {
  const seen: Any[] = []
  const { Note, ...classes } = SHOP.classes
  const api = {
    ...SHOP,
    roles: ['clerk'],
    classes: { ...classes, Note: { ...Note, access: { read: 'clerk', list: 'clerk', create: 'clerk' } } },
  }
  const hydrant = await openShop(t, {
    ...{ api, db: await withUsers(t), auth: true },
    hooks: {
      Order: {
        async beforeWrite({ principal, members }) {
          const notes = members('notes')
          const refused = await notes
            .add({ text: 'as the principal' })
            .catch((error: HttpError) => error.status)
          const added = await notes.asProgram().add({ text: 'as the program' })
          seen.push([principal, typeof refused === 'number' ? refused : refused.text, added.text])
        },
      },
    },
  })
  const handle = handleOf(hydrant, '192.0.2.7')
  for (const userId of [1, 2]) {
    const headers = { 'x-authorization': await signIn(handle, userId), 'content-type': 'application/json' }
    assert.equal((await handle('/orders', { method: 'POST', headers, body: '{}' })).status, 201)
  }
  await hydrant.members('orders').add({})
  assert.deepEqual(seen, [
    [{ userId: 1, roles: ['clerk'] }, 'as the principal', 'as the program'],
    [{ userId: 2, roles: [] }, 403, 'as the program'],
    [undefined, 'as the principal', 'as the program'],
  ])
})

// contract: `import { createHydrant } from 'hydrant'`
test('what is wrong with the options is told before anything is opened, by their names', async () => {
  const cases: readonly [object, RegExp][] = [
    [{}, /either apiFile, .* or api/],
    [{ api: SHOP, apiFile: 'api.yaml' }, /either apiFile/],
    [{ api: SHOP, pageSzie: 9 }, /^pageSzie is no option; did you mean "pageSize"\?/],
    [{ api: SHOP, port: 'http' }, /^port: /],
    [{ api: SHOP, pageSize: 20, maxPageSize: 10 }, /^pageSize: .*maxPageSize/],
    [{ api: SHOP, db: 'postgres://h/d', workers: 2 }, /^workers: a program is one process/],
    [{ api: SHOP, with: 'hooks.ts' }, /^with is for the command line; give hooks/],
    [{ api: SHOP, watch: true }, /^watch is for the command line/],
    [
      { api: { title: 'x', classes: { A: { properties: { b: 'strin' } } } } },
      /^api: classes\.A\.properties\.b.*"string"/,
    ],
    [{ apiFile: 'none.yaml' }, /none\.yaml.* there is no such file/],
    [
      { api: SHOP, hooks: { Ordre: {} } },
      /hooks: "Ordre" is no class that has members; did you mean "Order"\?/,
    ],
    [
      { api: SHOP, hooks: { Order: { beforeWrit() {} } } },
      /hooks\.Order: "beforeWrit" is no hook; did you mean "beforeWrite"/,
    ],
    [{ api: SHOP, hooks: { Order: { beforeWrite: 3 } } }, /hooks\.Order\.beforeWrite must be a function/],
  ]
  for (const [options, message] of cases)
    await assert.rejects(createHydrant({ db: 'sqlite::memory:', ...options } as HydrantOptions), { message })
})
