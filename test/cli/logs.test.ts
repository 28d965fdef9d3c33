import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basic, startClient, stepB } from '../support/client.ts'
import { HYDRANT, start } from '../support/processes.ts'
import { sendRaw } from '../support/raw.ts'
import { temporaryFolder } from '../support/service.ts'

const WRONG = 'not the right words'
const QUERY = 'tell-nobody'

test('at level debug no paraphrase, token, nonce, Authorization value or query is in the log', async (t) => {
  for (const format of ['json', 'pretty']) {
    const args = [HYDRANT, 'serve', '--port', '0', '--log-level', 'debug', '--log-format', format]
    const server = await start(t, args, /curl -H "X-Authorization: .*\n/, { cwd: temporaryFolder(t) })
    const welcome = server.output()
    const paraphrase = /-u '1:([a-z ]+)'/.exec(welcome)?.[1] ?? ''
    const base = /http:\/\/localhost:\d+\/api/.exec(welcome)?.[0] ?? ''
    const port = Number(new URL(base).port)
    const client = startClient({ base, port })
    const seen = { stdout: server.stdout().length, stderr: server.stderr().length }

    const nonces = [await client.nonce(), await client.nonce(), await client.nonce(), await client.nonce()]
    const [spent = '', wrong = '', unknown = '', unused = ''] = nonces
    const exchanged = await client.send('POST', '/books', stepB(spent, 1, paraphrase), '{}')
    const token = exchanged.headers['x-authorization'] ?? ''
    assert.match(token, /^[0-9a-f]{64}$/)
    const withToken = { 'X-Authorization': token }
    assert.equal((await client.send('GET', '/', stepB(wrong, 1, WRONG))).status, 401)
    assert.equal((await client.send('GET', '/', stepB(unknown, 99, WRONG))).status, 401)
    assert.equal((await client.send('GET', '/', stepB(spent, 1, paraphrase))).status, 401)
    assert.equal((await client.send('GET', '/books', withToken)).status, 200)
    const body = JSON.stringify({ title: 5, paraphrase, token })
    const type = { 'Content-Type': 'application/ld+json' }
    assert.equal((await client.send('POST', '/books', { ...withToken, ...type }, body)).status, 422)
    assert.equal((await client.send('POST', '/books', { ...withToken, ...type }, `{"${token}`)).status, 400)
    for (const path of [
      `/missing?token=${token}&q=${QUERY}`,
      `/books?${QUERY}=${unused}`,
      `/books/${token}`,
      `/books/${unused}?x=${QUERY}`,
      `/${token}/${unused.toUpperCase()}`,
    ]) {
      await client.send('GET', path)
      await client.send('GET', path, withToken)
    }
    const credentials = basic(1, paraphrase)
    const userinfo = `1:${encodeURIComponent(paraphrase)}`
    for (const request of [
      `GET http://${userinfo}@localhost/api/books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /api?${QUERY} HTTP/1.1\r\nHost: x\r\nAuthorization: ${credentials}\r\nAuthorization: ${credentials}\r\nConnection: close\r\n\r\n`,
      `GET /api?${QUERY} HTTP/1.1\r\nX-Authorization: ${token}\r\n\r\n`,
      `GET /api?${QUERY} HTTP/9.9\r\nHost: x\r\nX-Authorization: ${token}\r\n\r\n`,
      `GET /api HTTP/1.1\r\nHost: x\r\nX-Authentication ${unused}\r\n\r\n`,
      `${token} ${credentials}\r\n\r\n`,
    ]) {
      const { responses } = await sendRaw(port, [request])
      assert.ok((responses[0]?.status ?? 0) >= 400)
    }
    assert.equal(await server.stop(), 0)

    const log = server.stdout().slice(seen.stdout) + server.stderr().slice(seen.stderr)
    assert.ok(log.includes('/api/books'), 'requests are logged at this level')
    const secrets = { paraphrase, userinfo, WRONG, token, credentials, QUERY, nonces }
    for (const [name, values] of Object.entries(secrets)) {
      for (const value of [values].flat()) {
        const isThere = log.toLowerCase().includes(value.replace('Basic ', '').toLowerCase())
        assert.ok(!isThere, `${name} is in the ${format} log`)
      }
    }
  }
})
