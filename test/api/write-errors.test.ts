import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidBody } from '../../src/api/input/properties.ts'
import { withStoreViolations } from '../../src/api/write-errors.ts'
import type { Problem } from '../../src/problem.ts'
import { modelOf } from '../support/service.ts'
import { BASE, openApp, user } from './app-of-users.ts'

test('the links of an invalid body are looked up once for each target, and others are answered in between', async () => {
  const links = Array.from({ length: 240 }, (_, index) => ({ className: 'Product', id: `${index % 80}` }))
  let [asked, turns, isOver] = [0, 0, false]
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  count()
  const parts = { cls: { properties: [], uniqueTogether: [] }, access: { mayReadOf: () => true } }
  const find = (_: string, id: string) => {
    asked++
    return id === '7' ? undefined : {}
  }
  const body = new InvalidBody([], {}, links as never)
  const found = await withStoreViolations(body, parts as never, { store: { find } } as never)
  isOver = true
  assert.equal((found as Problem).violations.length, 3)
  assert.equal(asked, 80)
  assert.ok(turns >= 80, `${turns}`)
})

// people.md, Properties for some: something hidden still links to it, 409 without more
test('the order of the members that refuse a removal does not tell which of them link by a hidden property', async (t) => {
  const api = `
roles: [clerk]
classes:
  Author: { properties: { name: string } }
  Book: { properties: { title: string, author: { type: Author, view: clerk }, others: { type: Author, many: true } } }
`
  const linkedFrom = async (...byHidden: string[]) => {
    const app = await openApp(t, modelOf(api))
    const send = (method: string, path: string, body: object | undefined, roles: string[]) => {
      const headers = {
        'Content-Type': 'application/ld+json',
        Accept: 'application/problem+json',
        ...(method === 'PUT' && { 'If-None-Match': '*' }),
      }
      return app.send({ method, path, headers, body: body && JSON.stringify(body) }, user(1, roles))
    }
    await send('PUT', '/authors/a', { name: 'Ann' }, ['clerk'])
    const author = `${BASE}/authors/a`
    for (const id of ['1', '2', '3'])
      await send('PUT', `/books/${id}`, { others: [author], ...(byHidden.includes(id) && { author }) }, [
        'clerk',
      ])
    const { status, body } = await send('DELETE', '/authors/a', undefined, [])
    assert.equal(status, 409)
    await app.close()
    return (JSON.parse(body) as { linkedFrom: string[] }).linkedFrom
  }
  const expected = ['1', '2', '3'].map((id) => `${BASE}/books/${id}`)
  for (const byHidden of [[], ['3'], ['2', '3']]) assert.deepEqual(await linkedFrom(...byHidden), expected)
})
