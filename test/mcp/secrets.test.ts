import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { createSecretKeeper } from '../../packages/mcp/src/secrets.ts'
import { listen } from '../support/browser-server.ts'
import { basic, PARAPHRASE, USER } from '../support/client.ts'
import { business, fifty, library } from './apis.ts'
import { connectBridge } from './bridge.ts'

const NONCE = 'nonce-of-a-talkative-server'
const TOKEN = 'token-of-a-talkative-server'
const CODED = basic(USER, PARAPHRASE).replace('Basic ', '')

/** Repeats all that was sent to it, and what it has issued, as a server with a debugging page may. */
function talk({ headers: sent, url = '' }: IncomingMessage, response: ServerResponse): void {
  const isIn = sent['x-authorization'] === TOKEN
  const isWrong = isIn && url.startsWith('/wrong')
  const status = isWrong ? 422 : isIn || sent.authorization ? 200 : 401
  response.writeHead(status, {
    'Content-Type': 'application/ld+json',
    ...(!isIn && (sent.authorization ? { 'X-Authorization': TOKEN } : { 'X-Authentication': NONCE })),
  })
  const detail = isWrong && { detail: `Wrong: ${TOKEN} ${PARAPHRASE}` }
  const said = { said: JSON.stringify(sent), [`${TOKEN} as a key`]: [NONCE, PARAPHRASE, CODED] }
  response.end(JSON.stringify({ '@id': url, '@type': 'EntryPoint', ...detail, ...said }))
}

// contract: Credentials come from `HYDRANT_USER`
test('No paraphrase, nonce or token is in a message, a result, an error or a log, whatever the server says', async (t) => {
  const base = await listen(t, talk)
  const { call, refused, client, messages } = await connectBridge(t, { base })
  const { member } = await call('read', { address: '/anything' })
  assert.deepEqual(member['<hidden> as a key'], ['<hidden>', '<hidden>', '<hidden>'])
  assert.equal((await refused('read', { address: '/wrong' })).sentence, 'Wrong: <hidden> <hidden>')
  await client.readResource({ uri: `${base}/anything` })
  await assert.rejects(client.readResource({ uri: `${base}/wrong` }), /<hidden>/)

  const all = [messages]
  for (const open of [library, business, fifty]) {
    const bridge = await open()
    await bridge.call('entry')
    all.push(bridge.messages)
  }
  const text = all.flat().join('\n')
  for (const secret of [PARAPHRASE, CODED, NONCE, TOKEN]) assert.ok(!text.includes(secret))
  assert.ok(text.includes('collections'))
})

test('Only the latest secrets are kept, and the paraphrase always', () => {
  const secrets = createSecretKeeper('the paraphrase')
  const note = (n: number) => secrets.note(new Headers({ 'x-authentication': `nonce number ${n};` }))
  for (let n = 0; n < 100; n += 1) note(n)
  assert.equal(
    secrets.hide('nonce number 99; the paraphrase nonce number 0;'),
    '<hidden> <hidden> nonce number 0;',
  )
  assert.deepEqual(secrets.hide({ a: [1, null, true, 'nonce number 98;'] }), {
    a: [1, null, true, '<hidden>'],
  })
  assert.equal(createSecretKeeper('abc').hide('abc'), 'abc')
})
