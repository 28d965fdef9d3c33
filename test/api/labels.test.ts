import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEWSROOM, serveNewsroom } from './newsroom.ts'
import { AS_PROBLEM } from './signed-in.ts'
import { serveWriter } from './writing.ts'

const API = `
classes:
  Customer: { properties: { name: { type: string, required: true } } }
  Project:
    label: [customer, name]
    properties: { name: string, customer: Customer, parent: Project, code: integer }
  Entry:
    label: [project, day]
    properties: { project: Project, day: date }
  Note:
    label: text
    properties: { text: langString, project: Project }
  Count: { properties: { number: integer, project: Project } }
`

// contract: A class has a label: `label: name`
// contract: Console, pickers, table orders and refusals
test('a refusal names members by their labels, one step through links, and by the address alone without one', async (t) => {
  const { addAt, remove } = await serveWriter(t, { api: API })
  const linkTo = (path: string) => `/api${path}`
  const customer = await addAt('/customers', { name: 'Café Mond' })
  const project = await addAt('/projects', { name: 'Website', customer: linkTo(customer) })
  const linking: [path: string, body: object, label: string | undefined][] = [
    ['/projects', { name: 'Menu', parent: linkTo(project), customer: linkTo(customer) }, 'Café Mond Menu'],
    // The label of the project has a link itself, which is one step too far.
    ['/entries', { project: linkTo(project), day: '2026-08-04' }, 'Website 2026-08-04'],
    ['/notes', { project: linkTo(project), text: { de: 'Hallo', en: 'Hello' } }, 'Hello'],
    ['/notes', { project: linkTo(project), text: { fr: 'x'.repeat(100) } }, `${'x'.repeat(60)}…`],
    ['/notes', { project: linkTo(project), text: { fr: `${'y'.repeat(59)}😀😀` } }, `${'y'.repeat(59)}…`],
    ['/counts', { project: linkTo(project), number: 7 }, undefined],
  ]
  const names: string[] = []
  for (const [path, body, label] of linking) {
    const address = await addAt(path, body)
    names.push(label === undefined ? address : `"${label}" (`)
  }
  const refused = await remove(project, AS_PROBLEM)
  assert.equal(refused.status, 409, refused.body)
  for (const name of names)
    assert.ok(String(refused.json().detail).includes(name), `${name} in ${refused.body}`)
})

// contract: Everything here is over what the user may read
test('a label shows nothing of a linked member that the user may not read', async (t) => {
  const api = NEWSROOM.replace('  Article:', '  Article:\n    label: [title, draft]')
  const { as } = await serveNewsroom(t, { api })
  const links = { title: 'Headline', topic: '/api/topics/t', draft: '/api/drafts/d' }
  assert.equal((await as.owner.send('PATCH', '/drafts/d', { title: 'whispered' })).status, 200)
  assert.equal((await as.owner.send('PATCH', '/articles/a', links)).status, 200)
  const { status, body } = await as.editor.send('DELETE', '/topics/t')
  assert.equal(status, 409)
  assert.ok(body.includes('\\"Headline\\" (') && !body.includes('whispered'), body)
})
