import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listen } from '../support/browser-server.ts'
import { library } from './apis.ts'
import { connectBridge } from './bridge.ts'

test('No address outside of the API is read or written, however it is spelled, and no redirect leads there', async (t) => {
  const asked: string[] = []
  const outside = await listen(t, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  const { base, refused } = await library()
  const { origin, host } = new URL(base)
  const addresses = [
    outside,
    `${outside}/api/books`,
    `//${new URL(outside).host}/api/books`,
    `\\\\${new URL(outside).host}\\api`,
    `${origin}/`,
    `${origin}/apis`,
    `${base}/../other`,
    `${base}/%2e%2e/other`,
    `http://user:secret@${host}/api/books`,
    `https://${host}/api/books`,
    'file:///etc/passwd',
    'data:application/json,{}',
    'javascript:1',
  ]
  for (const address of addresses) {
    for (const [tool, args] of [
      ['read', { address }],
      ['search', { collection: address }],
      ['perform', { address, operation: 'create', body: {} }],
      ['perform', { address, operation: 'ship' }],
    ] as const)
      assert.equal((await refused(tool, args)).details.code, 'outside-api', `${tool} ${address}`)
  }
  assert.deepEqual(asked, [])

  // An open API, whose GET the client would follow anywhere.
  const open = await listen(t, (request, response) => {
    const [, to] = /^\/api\/to\?(.*)$/.exec(request.url ?? '') ?? []
    if (to) response.writeHead(302, { location: decodeURIComponent(to) })
    response.end(JSON.stringify({ '@id': '/api', '@type': 'EntryPoint', here: true }))
  })
  const bridge = await connectBridge(t, { base: `${open}/api`, env: {} })
  const elsewhere = await bridge.refused('read', { address: `${open}/api/to?${encodeURIComponent(outside)}` })
  assert.equal(elsewhere.details.status, 302)
  assert.deepEqual(asked, [])
  assert.equal((await bridge.call('read', { address: `${open}/api/to?%2Fapi%2Fx` })).member.here, true)
})
