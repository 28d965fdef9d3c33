import assert from 'node:assert/strict'
import { test } from 'node:test'
import { library } from './apis.ts'
import { CREDENTIALS, connectBridge } from './bridge.ts'

test('With a wrong paraphrase there are tools all the same, and each says what is wrong', async (t) => {
  const { base } = await library()
  const env = { ...CREDENTIALS, HYDRANT_USER: '8', HYDRANT_PARAPHRASE: 'a wrong passphrase' }
  const { client, refused, messages } = await connectBridge(t, { base, env })
  assert.equal((await client.listTools()).tools.length, 6)
  for (const tool of ['entry', 'entry']) {
    const { sentence, details } = await refused(tool)
    assert.equal(sentence, 'The user or the passphrase is wrong.')
    assert.deepEqual(details, { code: 'credentials-wrong', status: 401 })
  }
  assert.ok(!messages.join().includes('a wrong passphrase'))
  await assert.rejects(client.listResources(), /The user or the passphrase is wrong/)
})

test('The token of a bridge is revoked when its host ends it', async (t) => {
  const { base, other } = await library()
  const tokens = async () => (await other.account()).data.tokens
  const before = (await tokens()) ?? 0
  const { client, call } = await connectBridge(t, { base })
  await call('entry')
  assert.equal(await tokens(), before + 1)
  await client.close()
  assert.equal(await tokens(), before)
})
