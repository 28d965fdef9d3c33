import type { TestContext } from 'node:test'
import type { ServiceOptions } from '../support/service.ts'
import { serveUsers } from './users.ts'

/** The example of access.md, with every other kind of class and rule. */
export const NEWSROOM = `
roles: [editor, author]
access: { write: editor }
classes:
  Article:
    access: { view: everyone, create: [editor, author], update: [editor, owner], delete: editor }
    properties:
      title: { type: string, required: true }
      topic: Topic
      draft: Draft
      createdBy: { type: integer, writable: false, default: user }
  Draft:
    access: { all: owner, create: everyone }
    properties: { title: string, article: Article, code: { type: string, unique: true } }
  Topic:
    properties: { name: string }
  Tip:
    access: { create: everyone, view: editor }
    properties: { text: string, source: Secret }
  Secret:
    access: { all: nobody }
    properties: { text: string, place: Place }
  Place:
    collection: false
    properties: { street: string }
  Settings:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { motto: string }
`

/** In the order of the columns of the tables. `owner` is the author who has created the members. */
export const USERS = {
  reader: [11],
  owner: [12, 'author'],
  author: [13, 'author'],
  editor: [14, 'editor'],
  both: [15, 'author', 'editor'],
} as const satisfies Record<string, readonly [number, ...string[]]>

export const NAMES = Object.keys(USERS) as (keyof typeof USERS)[]

export const CREATE = { 'If-None-Match': '*' }

/** With an article `a` and a draft `d` of the owner, a topic `t` and the settings. */
export async function serveNewsroom(t: TestContext, options: ServiceOptions = {}) {
  const newsroom = await serveUsers(t, USERS, { api: NEWSROOM, ...options })
  const { owner, editor } = newsroom.as
  for (const response of [
    await editor.send('PUT', '/topics/t', { name: 'x' }, CREATE),
    await owner.send('PUT', '/articles/a', { title: 'x' }, CREATE),
    await owner.send('PUT', '/drafts/d', { title: 'x' }, CREATE),
    await editor.send('PUT', '/tips/p', { text: 'x' }, CREATE),
    await editor.send('PUT', '/Settings', { motto: 'x' }),
  ])
    if (response.status !== 201) throw new Error(response.body)
  return newsroom
}
