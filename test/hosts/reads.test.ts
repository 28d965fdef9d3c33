import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestClient } from '../support/client.ts'
import { inSoak } from '../support/soak.ts'
import { serveHosts } from './hosts.ts'

const ROUNDS = inSoak(200, 8)
const WRITERS = 3

/** What a host sends for a path, as one text. */
const reading = (client: TestClient, token: string) => async (path: string) =>
  (await client.send('GET', path, { 'X-Authorization': token })).body

// contract: A page or member that is asked for again
test('what a host has kept is never older than a write that any host has acknowledged', async (t) => {
  const [one, other] = await serveHosts(t, 2)
  const token = await one.client.signIn()
  const write = async (method: string, path: string, body: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = { 'X-Authorization': token, 'Content-Type': type }
    const response = await other.client.send(method, path, headers, JSON.stringify(body))
    assert.ok(response.status < 300, response.body)
    return response
  }
  const read = reading(one.client, token)

  async function writeAndRead(writer: number): Promise<void> {
    const added = await write('POST', '/authors', { name: `${writer} at first` })
    const author = String(added.headers.location).replace(/^.*(?=\/authors\/)/, '')
    await write('POST', '/books', { title: `The book of ${writer}`, author: String(added.headers.location) })
    const paths = ['/authors', author, '/books?include=author', '/authors?q=again']
    for (let round = 0; round < ROUNDS; round += 1) {
      // Three times: what is asked for again is kept from the second on.
      for (let times = 0; times < 3; times += 1) await Promise.all(paths.map(read))
      const name = `${writer} again ${round}`
      await write('PATCH', author, { name })
      for (const body of await Promise.all(paths.map(read))) assert.ok(body.includes(`"${name}"`), body)
    }
    assert.equal((await other.client.send('GET', author, { 'X-Authorization': token })).status, 200)
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeAndRead(writer)))
})
