import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveUsers } from '../users.ts'
import { entriesOf, pathOf } from './entries.ts'

const USERS = { boss: [31, 'hr'], tom: [34], eve: [35] } as const

// contract: For a user who may not view it the property does not exist
test('a link from the other side that the user may not see does not prevent a restore', async (t) => {
  const rules = [
    { access: 'all: hr' },
    { access: 'list: hr' },
    { author: ', view: hr, write: hr' },
    { author: ', view: [hr, owner]' },
  ]
  for (const { access = 'read: everyone', author = '' } of rules) {
    const api = `
history: true
roles: [hr]
classes:
  Author:
    properties:
      name: { type: string, required: true }
      fee: { type: decimal, view: hr, write: hr }
  Book:
    access: { ${access} }
    label: title
    properties:
      title: string
      author: { type: Author, reverse: books${author} }
`
    const { as } = await serveUsers(t, USERS, { api })
    const created = await as.boss.send('POST', '/authors', { name: 'a', fee: '1.0' })
    const member = pathOf(created.headers.location)
    assert.equal((await as.tom.send('PATCH', member, { name: 'b' })).status, 200)
    const first = pathOf((await entriesOf(as.tom, member)).at(-1)?.restore)
    for (const status of [200, 201]) {
      const restored = await as.tom.send('POST', first)
      assert.equal(restored.status, status, `${access}${author}: ${restored.body}`)
      const { name, fee } = (await as.boss.send('GET', member)).json()
      assert.deepEqual([name, fee], ['a', '1.0'])
      assert.equal((await as.tom.send('DELETE', member)).status, 204)
    }
  }
})
