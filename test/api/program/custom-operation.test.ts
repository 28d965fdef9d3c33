import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError, type OperationCall, type Program } from '../../../src/api/index.ts'
import { CREATE } from '../newsroom.ts'
import { quadsOf } from '../rdf.ts'
import {
  AS_PROBLEM,
  assertProblem,
  codesOf,
  type Json,
  type Said,
  serveSignedIn,
  withoutContext,
} from '../signed-in.ts'
import { serveUsers } from '../users.ts'

const API = `
roles: [clerk]
classes:
  Product:
    access: { write: clerk }
    properties: { name: string }
  Order:
    access: { all: [clerk, owner], create: everyone, delete: clerk }
    properties:
      note: string
      status: { type: string, writable: false, default: open }
      shipment: Shipment
  Shipment:
    collection: false
    properties:
      carrier: { type: string, required: true, minLength: 2 }
      parts: { type: Product, many: true }
  Label:
    collection: false
    properties: { text: { type: string, required: true }, product: Product }
  Settings:
    collection: false
    operations: [create, read, update]
    access: { write: clerk }
    properties: { motto: string }
`

const USERS = { buyer: [11], clerk: [12, 'clerk'], other: [13] } as const

type Call = OperationCall & {
  member: Json & { '@id': string }
  body: Json
  members: (name: string) => {
    change(id: string, values: object): Promise<Json>
    asProgram(): { change(id: string, values: object): Promise<Json> }
  }
}

/** With an order `o` of the buyer, a product `p` and the settings. */
async function serveShop(
  t: Parameters<typeof serveUsers>[0],
  returned: { label?: unknown } = {},
  flags = {},
) {
  const told: Call[] = []
  const tell = (call: OperationCall) => told.push(call as Call)
  const operations = {
    Order: {
      ship: {
        title: 'Ship the order',
        expects: 'Shipment',
        returns: 'Order',
        access: 'clerk',
        handle(call: OperationCall) {
          tell(call)
          const { member, body, members } = call as Call
          const { '@type': _, ...shipment } = body
          return members('orders').change(member['@id'], { shipment })
        },
      },
      cancel: { handle: (call: OperationCall) => void tell(call) },
      label: { returns: 'Label', access: ['everyone'], handle: () => returned.label },
      refuse: {
        access: ['owner'],
        async handle() {
          throw new HttpError(409, 'Too late.')
        },
      },
      'never-settle': { access: 'clerk', handle: () => new Promise(() => {}) },
    },
    Settings: { reset: { returns: 'Settings', handle: ({ member }: OperationCall) => member } },
  }
  const shop = await serveUsers(t, USERS, {
    api: API,
    program: { operations } as unknown as Program,
    flags,
  })
  const { buyer, clerk } = shop.as
  for (const response of [
    await clerk.send('PUT', '/products/p', { name: 'x' }, CREATE),
    await buyer.send('PUT', '/orders/o', { note: 'x' }, CREATE),
    await clerk.send('PUT', '/Settings', { motto: 'x' }),
  ])
    assert.equal(response.status, 201, response.body)
  return { ...shop, told }
}

const BODY = { carrier: 'DHL' }

// contract: An operation of one's own without `access`
test('who may, and what is refused, is decided before anything is carried out', async (t) => {
  const { as, base, told } = await serveShop(t)
  const rows: readonly [request: string, body: object | undefined, statuses: string, who?: string][] = [
    // buyer (its owner), clerk, other
    ['POST /orders/o/ship', BODY, '403 200 403', 'clerk'],
    ['POST /orders/%6f/%73hip', BODY, '403 200 403', 'clerk'],
    ['POST /orders/none/ship', BODY, '403 404 403', 'clerk'],
    ['POST /orders/o/cancel', undefined, '204 204 404'],
    ['POST /orders/none/cancel', undefined, '404 404 404'],
    ['POST /orders/o/refuse', undefined, '409 403 404', 'owner'],
    ['GET /orders/o/ship', undefined, '405 405 405'],
    ['PUT /orders/o/cancel', {}, '405 405 405'],
    ['POST /orders/o/shipp', BODY, '404 404 404'],
    ['POST /orders/o/ship/', BODY, '404 404 404'],
    ['POST /orders/ship', BODY, '405 405 405'],
    ['POST /products/p/ship', BODY, '404 404 404'],
    ['POST /Settings/reset', undefined, '403 200 403', 'clerk'],
    ['POST /Settings/o/reset', undefined, '404 404 404'],
  ]
  for (const [request, body, statuses, who = ''] of rows) {
    const [method = '', path = ''] = request.split(' ')
    const got: number[] = []
    for (const name of ['buyer', 'clerk', 'other'] as const) {
      const response = await as[name].send(method, path, body, AS_PROBLEM)
      got.push(response.status)
      if (response.status === 403) assertProblem(response, ['Forbidden', who], request)
    }
    assert.equal(got.join(' '), statuses, request)
  }
  assert.equal(told.length, 4)
  const [{ member, body, principal } = told[0] as Call] = told
  assert.deepEqual(member, { '@id': `${base}/orders/o`, '@type': 'Order', note: 'x', status: 'open' })
  assert.deepEqual(
    [body, principal],
    [
      { '@type': 'Shipment', ...BODY },
      { userId: 12, roles: ['clerk'] },
    ],
  )

  for (const [path, name, allow] of [
    ['/orders/o/ship', 'clerk', 'POST'],
    ['/orders/o/ship', 'buyer', ''],
    ['/Settings/reset', 'clerk', 'POST'],
  ] as const)
    assert.equal((await as[name].send('OPTIONS', path)).headers.allow, allow, path)
  const wrong = await as.clerk.send('POST', '/orders/o/shp', BODY, AS_PROBLEM)
  assertProblem(wrong, ['UnknownOperation', '"ship"'], 'shp')
  const slashed = await as.clerk.send('POST', '/orders/o/ship/', BODY, AS_PROBLEM)
  assertProblem(slashed, ['TrailingSlash', '/api/orders/o/ship.'], 'ship/')
})

// contract: `If-Match` is checked before `handle`
test('preconditions, media types and the body are looked at before handle is called', async (t) => {
  const { as, base, told } = await serveShop(t)
  const { clerk } = as
  const { etag = '' } = (await clerk.send('GET', '/orders/o')).headers
  const rows: readonly [body: unknown, headers: Record<string, string>, status: number, ...said: Said][] = [
    [BODY, { 'If-Match': '"7-x"' }, 412, 'PreconditionFailed'],
    [BODY, { 'If-None-Match': '*' }, 412, 'PreconditionFailed'],
    [BODY, { Accept: 'image/png, application/problem+json' }, 406, 'NotAcceptable'],
    [BODY, { 'Content-Type': 'text/plain' }, 415, 'UnsupportedMediaType'],
    ['{', {}, 400, 'MalformedJson'],
    [[1], {}, 422, 'BodyNotAnObject'],
    [{}, {}, 422, 'carrier: RequiredValue'],
    [{ carrier: 'D', more: 1 }, {}, 422, 'more: UnknownProperty, carrier: TooShort'],
    [{ ...BODY, parts: ['/api/orders/o'] }, {}, 422, 'parts/0: InvalidLink'],
    [{ ...BODY, parts: ['p', 'q'].map((id) => `${base}/products/${id}`) }, {}, 422, 'parts/1: DanglingLink'],
    [{ ...BODY, '@id': `${base}/orders/o` }, {}, 422, '@id: IdOfNewMember'],
  ]
  for (const [body, headers, status, ...said] of rows) {
    const response = await clerk.send('POST', '/orders/o/ship', body, { ...AS_PROBLEM, ...headers })
    assert.equal(response.status, status, response.body)
    assertProblem(response, said, JSON.stringify(body))
  }
  const none = await clerk.send('POST', '/orders/o/cancel', {}, AS_PROBLEM)
  assert.deepEqual([none.status, codesOf(none)], [422, 'UnexpectedBody'])
  assert.equal(told.length, 0)
  const expanded = [{ [`${base}/vocab#Shipment/carrier`]: [{ '@value': 'DHL' }] }]
  assert.equal((await clerk.send('POST', '/orders/o/ship', expanded, { 'If-Match': etag })).status, 200)
  assert.deepEqual(told[0]?.body, { '@type': 'Shipment', ...BODY })
})

test('what is returned is answered: a member with its ETag, a value with its context, nothing with 204', async (t) => {
  const returned: { label?: unknown } = {}
  const { as, base } = await serveShop(t, returned)
  const { clerk, buyer } = as
  const shipped = await clerk.send('POST', '/orders/o/ship', BODY)
  const read = await clerk.send('GET', '/orders/o')
  assert.deepEqual(shipped.json(), read.json())
  assert.equal(shipped.headers.etag, read.headers.etag)
  assert.equal(shipped.headers['content-location'], `${base}/orders/o`)
  assert.equal((await clerk.send('POST', '/Settings/reset')).json().motto, 'x')

  returned.label = { text: 'To Ann', product: `${base}/products/p` }
  const label = await buyer.send('POST', '/orders/o/label')
  assert.deepEqual(withoutContext(label.json()), { '@type': 'Label', ...(returned.label as object) })
  assert.equal(label.headers.etag, undefined)
  const product = `<${base}/vocab#Label/product> <${base}/products/p> .`
  assert.ok((await quadsOf(label.json())).some((line) => line.endsWith(product)))
  const plain = await buyer.send('POST', '/orders/o/label', undefined, { Accept: 'application/json' })
  assert.deepEqual(plain.json(), { '@type': 'Label', ...(returned.label as object) })
  assert.match(plain.headers.link ?? '', /contexts\/Label/)
  returned.label = undefined
  assert.equal((await buyer.send('POST', '/orders/o/label')).status, 204)
})

test('rubbish and what is late do no harm: 500 with an id, 503', async (t) => {
  const returned: { label?: unknown } = {}
  const { as, logged } = await serveShop(t, returned, { hookTime: '1s' })
  const circle: { self?: unknown } = {}
  circle.self = circle
  for (const rubbish of [
    7,
    'x',
    [],
    {},
    { text: 7 },
    { text: 'x', more: 1 },
    { text: 'x', product: Number.NaN },
    circle,
    { '@id': 'x', text: 'x' },
  ]) {
    returned.label = rubbish
    const response = await as.buyer.send('POST', '/orders/o/label', undefined, AS_PROBLEM)
    const id = response.headers['x-request-id'] ?? ''
    assert.deepEqual([response.status, id.length], [500, 36])
    assertProblem(response, ['ServerFault', id], 'label')
    assert.match(logged.find((line) => line.includes(id)) ?? '', /TypeError/)
  }
  const late = await as.clerk.send('POST', '/orders/o/never-settle', undefined, AS_PROBLEM)
  assert.deepEqual([late.status, late.headers['retry-after']], [503, '1'])
  assertProblem(late, ['OperationTimeout', 'never-settle', 'Order'], 'never-settle')
})

test('operations are documented and linked to for those who may, and links are sent back unharmed', async (t) => {
  const { as, base } = await serveShop(t)
  const links = async (name: keyof typeof as, path = '/orders/o') => {
    const { ship, cancel, refuse, reset } = (await as[name].send('GET', path)).json()
    return [ship, cancel, refuse, reset].filter(Boolean)
  }
  const to = (...names: string[]) => names.map((name) => `${base}/orders/o/${name}`)
  assert.deepEqual(await links('buyer'), to('cancel', 'refuse'))
  assert.deepEqual(await links('clerk'), to('ship', 'cancel'))
  assert.deepEqual(await links('clerk', '/Settings'), [`${base}/Settings/reset`])
  assert.deepEqual(await links('other', '/Settings'), [])

  const described = async (name: keyof typeof as) => {
    const { supportedClass } = (await as[name].send('GET', '/vocab')).json() as Record<string, Json[]>
    const classes = (supportedClass as Json[]).map(({ title }) => title)
    const order = supportedClass?.find(({ title }) => title === 'Order')?.supportedProperty as {
      title: string
      property: Json
    }[]
    const found = order.flatMap(({ title, property }) =>
      property.supportedOperation ? [{ title, property }] : [],
    )
    return { classes, found, titles: found.map(({ title }) => title) }
  }
  const [ofClerk, ofOther] = [await described('clerk'), await described('other')]
  assert.deepEqual(ofClerk.titles, ['ship', 'cancel', 'label', 'refuse', 'never-settle'])
  assert.deepEqual(ofOther.titles, ['cancel', 'label', 'refuse'])
  assert.ok(ofClerk.classes.includes('Shipment') && ofOther.classes.includes('Label'))
  assert.deepEqual(ofClerk.found[0]?.property.supportedOperation, [
    {
      '@id': `${base}/vocab#Order/operation/ship`,
      '@type': ['Operation', 'schema:Action'],
      method: 'POST',
      title: 'Ship the order',
      expects: `${base}/vocab#Shipment`,
      returns: `${base}/vocab#Order`,
      possibleStatus: [204, 401, 404, 412, 422, 429, 503].map((code) => `${base}/vocab#status/${code}`),
      expectsHeader: ['X-Authorization', 'If-Match'],
      returnsHeader: ['ETag'],
    },
  ])

  const paths = async (name: keyof typeof as) => {
    const { paths } = (await as[name].send('GET', '/openapi')).json() as Record<string, Json>
    return Object.keys(paths ?? {}).filter((path) => /ship|refuse|reset/.test(path))
  }
  assert.deepEqual(await paths('clerk'), ['/orders/{id}/ship', '/orders/{id}/refuse', '/Settings/reset'])
  assert.deepEqual(await paths('other'), ['/orders/{id}/refuse'])

  const { clerk } = as
  const whole = (await clerk.send('GET', '/orders/o')).json()
  const quads = await quadsOf(whole)
  assert.ok(quads.includes(`<${base}/orders/o> <${base}/vocab#Order/ship> <${base}/orders/o/ship> .`))
  const { '@context': context, ...own } = whole
  assert.equal((await clerk.send('PUT', '/orders/o', whole)).status, 200)
  assert.equal((await clerk.send('PUT', '/orders/o', own)).status, 200)
  const other = { ...own, '@context': [{ '@vocab': 'http://example.org/' }, context] }
  assert.equal((await clerk.send('PUT', '/orders/o', other)).status, 200)
  assert.equal((await clerk.send('PATCH', '/orders/o', { ship: 'x' })).status, 422)
  const batch = { operation: [{ method: 'POST', target: 'orders/o/cancel' }] }
  assert.equal((await clerk.send('POST', '/batch', batch)).status, 422)
})

test('without access rules an operation is for everyone, and cancelled with a body of its own terms', async (t) => {
  const operations = {
    Item: { touch: { expects: 'Item', returns: 'Item', handle: ({ body }: Call) => body } },
  }
  const { add, post, get } = await serveSignedIn(t, {
    api: 'classes: { Item: { properties: { name: string } } }',
    program: { operations } as unknown as Program,
  })
  const { '@id': address, touch } = await add('/items', { name: 'x' })
  assert.equal(touch, `${address}/touch`)
  const touched = await post(String(touch), { name: 'y' })
  assert.deepEqual(withoutContext(touched.json()), { '@type': 'Item', name: 'y' })
  assert.equal((await get(address)).json().name, 'x')
})
