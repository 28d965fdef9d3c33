import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withActivity } from '../../../src/api/accounts/activity.ts'
import type { MemberReads, MemberStore } from '../../../src/members/index.ts'
import { serveUsers } from '../users.ts'

const API = `
roles: [admin]
accounts: { manage: admin }
classes:
  Task: { properties: { title: string, assignee: Account } }
`

// contract: In every respect a member (its version does not count
test('what includes an account shows its tokens as they are now, compressed or not, and is kept by nobody', async (t) => {
  const { as, base, client, port } = await serveUsers(t, { boss: [31, 'admin'], tom: [32] }, { api: API })
  const sent = { title: 'x'.repeat(4_000), assignee: `${base}/accounts/32` }
  const { headers } = await as.boss.send('POST', '/tasks', sent)
  const token = await client.signIn(31)
  const mount = new URL(base).pathname
  const tokensIn = async (path: string, coding: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${mount}${path}?include=assignee`, {
      headers: { 'X-Authorization': token, 'Accept-Encoding': coding },
    })
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('content-encoding'), coding === 'gzip' ? 'gzip' : null)
    return /"tokens":\d+/.exec(await response.text())?.[0]
  }
  const task = String(headers.location).slice(base.length)
  for (const count of [1, 2, 3]) {
    for (const path of ['/tasks', task])
      for (const coding of ['identity', 'gzip', 'gzip'])
        assert.equal(await tokensIn(path, coding), `"tokens":${count}`, `${path} ${coding}`)
    await client.signIn(32)
  }
})

test('at a standby, too, the state of accounts is not known', async () => {
  const reads = { server: 'b', hasFailed: false, state: async () => '1' } as unknown as MemberReads
  const store = { standby: () => reads, state: async () => '1' } as unknown as MemberStore
  const { state, standby } = withActivity(store, {} as never)
  for (const one of [state, standby?.()?.state]) {
    assert.equal(await one?.('Account'), undefined)
    assert.equal(await one?.('Task'), '1')
  }
})
