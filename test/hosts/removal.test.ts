import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHOP } from '../api/removal/shop.ts'
import { onPostgres } from '../support/postgres.ts'
import type { TestService } from '../support/service.ts'
import { inSoak } from '../support/soak.ts'
import { serveHosts } from './hosts.ts'

const ROUNDS = inSoak(20, 4)

/** What one host is asked, as the user of the tests. */
async function signIn({ client, base }: TestService) {
  const token = await client.signIn()
  const send = (method: string, path: string, body?: object) =>
    client.send(
      method,
      path,
      {
        'X-Authorization': token,
        ...(body && {
          'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json',
        }),
      },
      body && JSON.stringify(body),
    )
  return { send, base }
}

// contract: One transaction, hooks and events and history
test('three hosts remove, link and change the same members at once: no link leads to nothing, no removal is half', async (t) => {
  const services = await serveHosts(t, 3, { api: SHOP })
  const hosts = await Promise.all(services.map(signIn))
  const host = (index: number) => hosts[index % 3] as (typeof hosts)[number]
  const make = async (path: string, id: string, body: object) => {
    const { client } = services[0]
    const token = await client.signIn()
    const headers = { 'X-Authorization': token, 'If-None-Match': '*', 'Content-Type': 'application/ld+json' }
    assert.equal((await client.send('PUT', `${path}/${id}`, headers, JSON.stringify(body))).status, 201)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const customer = `/api/customers/c${round}`
    await make('/customers', `c${round}`, {})
    for (let index = 0; index < 3; index++) await make('/orders', `o${round}-${index}`, { customer })
    await make('/notes', `n${round}`, { by: customer, text: 'a' })
    const orders = [0, 1, 2].map((index) => `/api/orders/o${round}-${index}`)
    const answers = await Promise.all([
      ...[0, 1, 2].map((index) => host(index).send('DELETE', `/customers/c${round}`)),
      ...Array.from({ length: 12 }, (_, index) =>
        host(index).send('POST', '/notes', { about: orders[index % 3], by: customer, text: 'b' }),
      ),
      ...[0, 1, 2].map((index) =>
        host(index).send('PATCH', `/notes/n${round}`, { others: [orders[index]], text: `${index}` }),
      ),
      host(round).send('POST', '/batch', {
        operation: [
          { method: 'PATCH', target: `orders/o${round}-0`, body: { customer: null } },
          { method: 'POST', target: 'orders', body: { customer } },
        ],
      }),
    ])
    const statuses = answers.map(({ status }) => status)
    for (const status of statuses)
      assert.ok([200, 201, 204, 404, 422, 503].includes(status), `${status} in ${statuses}`)
    while (statuses.slice(0, 3).every((status) => status !== 204)) {
      const { status } = await host(round).send('DELETE', `/customers/c${round}`)
      statuses[0] = status
      assert.ok([204, 503].includes(status), String(status))
    }
    assert.ok(statuses.slice(0, 3).filter((status) => status === 204).length === 1, String(statuses))
  }
  const { db } = services[0]
  const classes = await onPostgres(db, 'SELECT name, id FROM classes')
  for (const [name, id] of classes) {
    const lost = await onPostgres(
      db,
      `SELECT * FROM links WHERE to_class = $1 AND to_id NOT IN (SELECT id FROM members_${id})
       OR from_class = $1 AND from_id NOT IN (SELECT id FROM members_${id})`,
      [String(name)],
    )
    assert.equal(lost.length, 0, String(name))
    const [counted] = await onPostgres(
      db,
      `SELECT (SELECT count(*) FROM members_${id})::int, (SELECT coalesce(sum(total), 0) FROM totals WHERE class_id = ${id})::int`,
    )
    assert.equal(counted?.[0], counted?.[1], String(name))
  }
  for (const { logged } of services)
    assert.deepEqual(
      logged.filter((line) => line.includes('"level":"error"')),
      [],
    )
})
