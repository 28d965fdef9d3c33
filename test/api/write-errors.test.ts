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

// contract: A link to a member that the user may not read: its address is shown where it is stored; written anew
test('that a hidden target is linked to already is not told by a unique link', async (t) => {
  const app = await openApp(
    t,
    modelOf(`
classes:
  Project: { access: { all: owner, create: everyone }, properties: { title: string } }
  Task:
    access: { all: owner, create: everyone }
    unique: [[project, number]]
    properties: { project: Project, number: integer, single: { type: Project, unique: true } }
`),
  )
  const send = (number: number, method: string, path: string, body: object) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json'
    const headers = { 'Content-Type': type, Accept: 'application/problem+json' }
    const created = method === 'PUT' ? { 'If-None-Match': '*' } : {}
    const request = { method, path, headers: { ...headers, ...created }, body: JSON.stringify(body) }
    return app.send(request, user(number))
  }
  const [hidden, nothing] = ['hidden', 'nothing'].map((id) => `${BASE}/projects/${id}`)
  await send(1, 'PUT', '/projects/hidden', {})
  const first = await send(1, 'PUT', '/tasks/first', { project: hidden, number: 1, single: hidden })
  assert.equal(first.status, 201)
  await send(2, 'PUT', '/tasks/own', {})
  for (const [method, path] of [
    ['POST', '/tasks'],
    ['PATCH', '/tasks/own'],
  ] as const) {
    // A value of the wrong type is found before the store is asked.
    for (const more of [{}, { title: 5 }]) {
      const [one, other] = await Promise.all(
        [hidden, nothing].map((target) =>
          send(2, method, path, { project: target, number: 1, single: target, ...more }),
        ),
      )
      const codes = ({ body = '' }: { readonly body?: unknown }) =>
        (JSON.parse(String(body)).violations as { code: string }[]).map(({ code }) => code).toSorted()
      assert.equal(one?.status, 422)
      assert.deepEqual(codes(one ?? {}), codes(other ?? {}))
    }
  }
})
