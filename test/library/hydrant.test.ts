import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createHydrant, type HydrantOptions } from '../../src/library/index.ts'
import { handleOf, openShop, PARAPHRASE, SHOP, signIn, withUsers } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of any shape
type Any = any

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

test('an API with roles and no rules is open without authentication', async (t) => {
  const { ask } = await openShop(t, { api: { ...SHOP, roles: ['clerk'] } })
  assert.equal((await ask('POST', 'notes', { text: 'a' }))[0], 201)
  const [status, { totalItems }] = await ask('GET', 'notes')
  assert.deepEqual([status, totalItems], [200, 1])
})

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

// contract: `import { createHydrant } from 'hydrant'`
test('what is wrong with the options is told before anything is opened, by their names', async () => {
  const cases: readonly [options: object, code: string, named: RegExp][] = [
    [{}, 'OneApi', /apiFile/],
    [{ api: SHOP, apiFile: 'api.yaml' }, 'OneApi', /apiFile/],
    [{ api: SHOP, pageSzie: 9 }, 'NotAnOption', /^pageSzie .*"pageSize"/],
    [{ api: SHOP, port: 'http' }, 'InvalidNumber', /^port: /],
    [{ api: SHOP, pageSize: 20, maxPageSize: 10 }, 'PageSizeTooLarge', /^pageSize: .*maxPageSize/],
    [{ api: SHOP, db: 'postgres://h/d', workers: 2 }, 'OneProcess', /^workers: /],
    [{ api: SHOP, with: 'hooks.ts' }, 'ModuleOption', /^with /],
    [{ api: SHOP, watch: true }, 'WatchOption', /^watch /],
    [
      { api: { title: 'x', classes: { A: { properties: { b: 'strin' } } } } },
      'InvalidApiFile',
      /^api: classes\.A\.properties\.b.*"string"/,
    ],
    [{ apiFile: 'none.yaml' }, 'InvalidApiFile', /none\.yaml/],
    [{ api: SHOP, hooks: { Ordre: {} } }, 'InvalidHooks', /^hooks: "Ordre".*"Order"/],
    [
      { api: SHOP, hooks: { Order: { beforeWrit() {} } } },
      'InvalidHooks',
      /^hooks\.Order: "beforeWrit".*"beforeWrite"/,
    ],
    [{ api: SHOP, hooks: { Order: { beforeWrite: 3 } } }, 'InvalidHooks', /^hooks\.Order\.beforeWrite: /],
  ]
  for (const [options, code, message] of cases)
    await assert.rejects(createHydrant({ db: 'sqlite::memory:', ...options } as HydrantOptions), {
      code,
      message,
    })
})
