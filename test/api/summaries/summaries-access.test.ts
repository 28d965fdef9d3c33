import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modelOf } from '../../support/service.ts'
import { openApp, user } from '../app-of-users.ts'

const API = `
roles: [clerk]
classes:
  Note:
    access: { all: owner, create: everyone }
    properties: { title: string, text: string, at: dateTime }
`
const [ANN, BOB] = [user(1), user(2)]
/** Longer than a key of an index: the value of a group is read from a member. */
const TITLES = ['a', 'b'].map((letter) => letter.repeat(300))
const DIGITS = '1'.repeat(300)

// contract: Everything here is over what the user may read
test('the values of groups are read from members that the user may read', async (t) => {
  const app = await openApp(t, modelOf(API), 50)
  t.after(() => app.close())
  const add = async (by: typeof ANN, body: object) => {
    const headers = { 'Content-Type': 'application/ld+json' }
    const { status, text } = await app.send(
      { method: 'POST', path: '/notes', headers, body: JSON.stringify(body) },
      by,
    )
    assert.equal(status, 201, text)
  }
  // Bob's come first, are larger together than a page may be, and have the same instant in another spelling.
  for (const title of TITLES)
    await add(BOB, { title, text: 'y'.repeat(600_000), at: `2024-01-01T02:00:00.${DIGITS}+02:00` })
  for (const title of TITLES) await add(ANN, { title, at: `2024-01-01T00:00:00.${DIGITS}Z` })

  for (const [path, groups] of [
    ['title', TITLES],
    ['at', [`2024-01-01T00:00:00.${DIGITS}Z`]],
  ] as const) {
    const answer = await app.send({ method: 'GET', path: `/summaries/notes?group=${path}` }, ANN)
    assert.equal(answer.status, 200, answer.text)
    const { member } = JSON.parse(answer.body)
    assert.deepEqual(
      member.map(({ group }: { group: Record<string, string> }) => group[path]),
      groups,
    )
  }
})
