import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import type { Json } from '../signed-in.ts'
import { serveUsers, type Visitor } from '../users.ts'

const API = `
roles: [clerk]
classes:
  Diary: { properties: { name: string, size: integer }, access: { read: [owner, clerk], list: [owner, clerk] } }
  Vault: { properties: { name: string }, access: { all: clerk } }
  Note:
    properties:
      number: integer
      diary: Diary
      vault: Vault
`

const CREATE = { 'If-None-Match': '*' }

async function idsOf(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.send('GET', path)
  assert.equal(response.status, 200, `${path}: ${response.body}`)
  const { member, totalItems } = response.json() as { member: Json[]; totalItems: number }
  assert.equal(totalItems, member.length, path)
  return member.map((one) => String(one['@id']).split('/').at(-1)).join(' ')
}

// contract: Everything here is over what the user may read
test('a path leads only to members that the user may read', async (t) => {
  const users = { ann: [11], bob: [12], clerk: [13, 'clerk'] } as const
  const { as, base } = await serveUsers(t, users, { db: newDatabase(t), api: API })
  const put = async (visitor: Visitor, path: string, body: object) => {
    const response = await visitor.send('PUT', path, body, CREATE)
    assert.equal(response.status, 201, `${path}: ${response.body}`)
  }
  await put(as.ann, '/diaries/a', { name: 'A', size: 2 })
  await put(as.bob, '/diaries/b', { name: 'B', size: 1 })
  await put(as.clerk, '/vaults/v', { name: 'V' })
  await put(as.ann, '/notes/1', { number: 1, diary: `${base}/diaries/a` })
  await put(as.bob, '/notes/2', { number: 2, diary: `${base}/diaries/b` })
  await put(as.clerk, '/notes/3', { number: 3, vault: `${base}/vaults/v` })

  const table: [query: string, anns: string, bobs: string, clerks: string][] = [
    ['diary.name=A', '1', '', '1'],
    ['diary.size.gt=0', '1', '2', '1 2'],
    ['diary.name.exists=false', '2 3', '1 3', '3'],
    ['or[a][diary.name]=A&or[a][number]=3', '1 3', '3', '1 3'],
    ['sort=diary.size', '1 2 3', '2 1 3', '2 1 3'],
    ['sort=-diary', '1 3 2', '2 3 1', '2 1 3'],
  ]
  // Again and again: no page is shared.
  for (let times = 0; times < 3; times++)
    for (const [query, ...expected] of table)
      for (const [index, name] of (['ann', 'bob', 'clerk'] as const).entries())
        assert.equal(await idsOf(as[name], `/notes?${query}`), expected[index], `${query} ${name}`)

  // To others, a class that they may do nothing with has no properties.
  assert.equal(await idsOf(as.clerk, '/notes?vault.name=V'), '3')
  const codeOf = async (query: string) => {
    const response = await as.ann.send('GET', `/notes?${query}`, undefined, {
      Accept: 'application/problem+json',
    })
    return [
      response.status,
      String((response.json() as Json).type)
        .split('#')
        .at(-1),
    ]
  }
  for (const query of ['vault.name=V', 'vault.nothing=V'])
    assert.deepEqual(await codeOf(query), [400, 'UnknownParameter'])
  const template = async (visitor: Visitor) => JSON.stringify((await visitor.send('GET', '/notes')).json())
  assert.match(await template(as.clerk), /"vault\.name"/)
  assert.doesNotMatch(await template(as.ann), /"vault\.name"/)
  assert.match(await template(as.ann), /"diary\.name"/)
})

// threats.md: every loop over what a client sent yields
test('a body with very many links is checked once for each target, and in turns with other requests', async (t) => {
  const api = `
accounts: { view: everyone }
classes:
  Product:
    access: { view: holder, create: everyone, write: holder }
    properties: { holder: Account }
  Order: { properties: { lines: { type: Line, many: true } } }
  Line: { collection: false, properties: { products: { type: Product, many: true } } }
`
  const { as, store } = await serveUsers(t, { ann: [11] }, { api })
  const ids = Array.from({ length: 200 }, (_, index) => `p${index}`)
  const operation = ids.map((id) => ({
    ...{ method: 'PUT', target: `products/${id}`, ifNoneMatch: '*' },
    body: { holder: '/api/accounts/11' },
  }))
  assert.equal((await as.ann.send('POST', '/batch', { operation })).status, 200)

  let [turn, isOver] = [0, false]
  /** The turn of each of the members that were read. */
  const turns: number[] = []
  const { find } = store.members
  Object.assign(store.members, {
    find: (...args: Parameters<typeof find>) => {
      turns.push(turn)
      // As if each was large.
      const until = performance.now() + 1
      while (performance.now() < until);
      return find(...args)
    },
  })
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  const products = ids.map((id) => `/api/products/${id}`)
  const lines = Array.from({ length: 50 }, () => ({ products }))
  count()
  const created = await as.ann.send('POST', '/orders', { lines })
  isOver = true
  assert.equal(created.status, 201, created.body.slice(0, 200))
  assert.ok(turns.length < 2 * ids.length, `${turns.length} members were read`)
  assert.ok(new Set(turns).size > 10, `in ${new Set(turns).size} turns`)
})
