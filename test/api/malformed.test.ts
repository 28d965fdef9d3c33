import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf, serveSignedIn } from './signed-in.ts'

// contract: Limits: body 1 MiB
// contract: Duplicate keys: 400
test('what is no JSON document of bounded depth with one value for each key is 400', async (t) => {
  const { post, send, get } = await serveSignedIn(t)
  const nested = (levels: number) => `{"name": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const table: [name: string, body: string, said: RegExp][] = [
    ['nothing', '', /it ends/],
    ['white space', ' \n', /it ends/],
    ['half an object', '{"name": "Ann"', /it ends/],
    ['two documents', '{} {}', /the end of the document/],
    ['single quotes', "{'name': 1}", /a key in double quotes/],
    ['a trailing comma', '{"name": "Ann",}', /a key in double quotes/],
    ['a comment', '{} // no', /the end of the document/],
    ['NaN', '{"name": NaN}', /a value/],
    ['a leading zero', '{"name": 01}', /line 1/],
    ['a duplicate key', '{"name": "Ann", "name": "Bob"}', /"name" .*twice/],
    ['a duplicate key in another spelling', '{"name": "Ann", "n\\u0061me": "Bob"}', /"name" .*twice/],
    ['a duplicate __proto__', '{"__proto__": 1, "__proto__": 2}', /"__proto__" .*twice/],
    ['33 levels', nested(33), /more than 32 levels/],
    ['100,000 levels', nested(100_000), /more than 32 levels/],
    ['1 MiB of [', '['.repeat(1024 * 1024), /more than 32 levels/],
    ['1 MiB of {"a":', '{"a":'.repeat(200_000), /more than 32 levels/],
  ]
  for (const [name, body, said] of table) {
    const response = await post('/authors', body)
    assert.equal(response.status, 400, name)
    assert.match(sentenceOf(response), said, name)
    assert.ok(response.body.length < 400, name)
  }
  // 32 levels are well-formed: what is wrong is the value.
  assert.equal((await post('/authors', nested(32))).status, 422)
  const headers = { 'Content-Type': 'application/json' }
  assert.equal((await send('POST', '/authors', headers)).status, 400, 'no body at all')
  assert.equal((await get('/authors')).json().totalItems, 0)
})

test('a body that is not UTF-8 is 400', async (t) => {
  const { port, base, client, get } = await serveSignedIn(t)
  const token = await client.signIn()
  const mount = new URL(base).pathname
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"name": "'), Buffer.from(bytes), Buffer.from('"}')])
    const response = await fetch(`http://127.0.0.1:${port}${mount}/authors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Authorization': token },
      body,
    })
    assert.equal(response.status, 400)
    assert.deepEqual(await response.json(), { 400: 'The body is not UTF-8.' })
  }
  assert.equal((await get('/authors')).json().totalItems, 0)
})

// contract: Bodies: `application/ld+json`, `application/json`
test('JSON that is no object is 422', async (t) => {
  const { post } = await serveSignedIn(t)
  for (const body of [
    '[]',
    '[{"name": "Ann"}, {"name": "Bob"}]',
    '[[{"name": "Ann"}]]',
    '1',
    '"Ann"',
    'true',
    'null',
  ]) {
    const response = await post('/authors', body)
    assert.equal(response.status, 422, body)
    assert.match(sentenceOf(response), /one JSON object/, body)
  }
})
