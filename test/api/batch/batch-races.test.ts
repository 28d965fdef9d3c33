import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSoak } from '../../support/soak.ts'
import { serveUsers } from '../users.ts'

const API = `
roles: [admin, editor]
accounts: { manage: admin }
classes:
  Note: { properties: { round: integer }, access: { view: everyone, write: editor } }
`
const USERS = { boss: [51, 'admin'], ed: [52, 'editor'] } as const
const SIZE = 60

// contract: Changes hold as fast as those of `access.md`, Users.
// contract: One transaction: all of it, or nothing.
test('a batch from which its role is taken is carried out as a whole or not at all, and the next one is refused', async (t) => {
  const { as, base, client } = await serveUsers(t, USERS, { api: API })
  const token = await client.signIn(52)
  const setRoles = async (...roles: string[]) =>
    assert.equal((await as.boss.send('PATCH', '/accounts/52', { roles })).status, 200)
  const sendBatch = async (round: number) => {
    const operation = Array.from({ length: SIZE }, () => ({
      method: 'POST',
      target: 'notes',
      body: { round },
    }))
    const headers = { 'X-Authorization': token, 'Content-Type': 'application/ld+json' }
    // Not by the client of tests, which compares the response with what is documented for the roles of that time.
    const response = await fetch(`${base}/batch`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ operation }) },
    })
    await response.arrayBuffer()
    return response.status
  }
  for (let round = 0; round < inSoak(60, 4); round++) {
    await setRoles('editor')
    const both = [() => sendBatch(round), () => setRoles().then(() => 0)]
    const [one = 0, other = 0] = await Promise.all(
      (round % 2 === 0 ? both : both.toReversed()).map((act) => act()),
    )
    const status = one + other
    assert.ok(status === 200 || status === 403, `${status}`)
    const { totalItems } = (await as.boss.send('GET', `/notes?round=${round}`)).json()
    assert.equal(totalItems, status === 200 ? SIZE : 0)
    assert.equal(await sendBatch(round), 403)
    assert.equal((await as.boss.send('GET', `/notes?round=${round}`)).json().totalItems, totalItems)
  }
})
