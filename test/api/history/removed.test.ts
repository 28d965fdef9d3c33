import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'
import { pathOf } from './entries.ts'

const API = `
history: true
roles: [admin]
accounts: { manage: admin }
classes:
  Author: { properties: { name: string } }
  Book: { properties: { title: string, author: { type: Author, reverse: books } } }
`

test('members that were deleted are listed where links lead to them from the other side, too', async (t) => {
  const { as, base } = await serveUsers(t, { boss: [31, 'admin'] }, { api: API })
  const book = pathOf((await as.boss.send('POST', '/books', { title: 'One' })).headers.location)
  assert.equal((await as.boss.send('DELETE', book)).status, 204)
  const list = await as.boss.send('GET', '/books?deleted=true')
  const { member, memberAssertion } = list.json() as { member: object[]; memberAssertion: object }
  assert.equal(member.length, 1)
  assert.deepEqual(memberAssertion, { property: 'rdf:type', object: `${base}/vocab#Book` })
  const turtle = await as.boss.send('GET', '/books?deleted=true', undefined, { Accept: 'text/turtle' })
  assert.equal(turtle.status, 200)
})
