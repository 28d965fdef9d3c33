import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStory } from './story.ts'

const PAGE = 'docs/access.md'

type Json = Readonly<Record<string, unknown>>

const membersIn = (text: string): readonly Json[] => JSON.parse(text).member

// contract: Such a rule holds for this user and this member
// contract: For `create` it is asked of the body
// contract: `assignee: Account` and `members
test('The small business of docs/access.md works as printed', async (t) => {
  const { blocks, write, linesOf, type, addUsers, serve } = openStory(t, PAGE, 'A small business')
  write('studio.yaml', blocks('yaml')[0])
  write('studio.ndjson', blocks('ndjson')[0])
  const [check = '', imports = '', tokens = '', ...rest] = blocks('sh')
  const [checked = ''] = await type([check])
  assert.ok(checked.includes(blocks('text')[0]?.trim() ?? '?'), checked)
  const paraphrases = await addUsers(linesOf('user add'))
  assert.equal(Object.keys(paraphrases).length, 4)
  const [imported = '', ofCarl = ''] = await type([
    imports,
    `${check.trim().replace(/\S+$/, 'carl@acme.example')}`,
  ])
  assert.match(imported, /^5 added, 0 already there, 0 refused/)
  assert.match(ofCarl, /\nUser 4 \(carl@acme\.example\), without roles, may \(/)

  const env = { ...(await serve(linesOf('serve')[0] ?? [])), ...paraphrases }
  const [invoices, hidden, contact, tasks, comes, leaves, more] = rest
  assert.equal(more, undefined)
  const steps = [tokens, invoices, hidden, contact, tasks, comes, leaves].map((block) => block ?? '')
  const [, read = '', asked = '', moved = '', worked = '', added = '', left = ''] = await type(steps, env)

  const [ofCustomer = '', other, ofBookkeeper = ''] = read.split('\n').filter((line) => line !== '')
  assert.deepEqual(
    membersIn(ofCustomer).map(({ number, margin }) => [number, margin]),
    [['2026-1', undefined]],
  )
  assert.equal(other, '404')
  assert.deepEqual(
    membersIn(ofBookkeeper).map(({ margin }) => margin),
    ['300', '20'],
  )
  const [known = '', unknown = ''] = asked.split('\n')
  assert.ok(known.includes('margin'), known)
  assert.equal(known.replaceAll('margin', 'margn'), unknown)
  assert.equal(moved.replaceAll(/\s+/g, ' '), '200 404 200')

  const [refused, found = ''] = worked.split('\n').filter((line) => line !== '')
  assert.equal(refused, '403')
  assert.deepEqual(
    membersIn(found).map(({ title }) => title),
    ['Draw'],
  )
  const account = JSON.parse(added) as Json
  assert.deepEqual(
    [account.userId, account.roles, String(account.paraphrase).split(' ').length],
    [5, ['staff'], 5],
  )
  const [removed, task = '', ended] = left.split('\n').filter((line) => line !== '')
  assert.deepEqual([removed, ended], ['204', '401'])
  assert.deepEqual([JSON.parse(task).title, JSON.parse(task).assignee], ['Draw', undefined])
})

test('The public catalogue of docs/access.md works as printed, beside a protected back office', async (t) => {
  const { blocks, write, linesOf, type, addUsers, serve } = openStory(t, PAGE, 'A public catalogue')
  write('shop.yaml', blocks('yaml')[0])
  write('shop.ndjson', blocks('ndjson')[0])
  const [check = '', imports = '', read = '', refused = '', more] = blocks('sh')
  assert.equal(more, undefined)
  const [checked = ''] = await type([check])
  assert.ok(checked.includes(blocks('text')[0]?.trim() ?? '?'), checked)
  await addUsers(linesOf('user add'))
  const [imported = ''] = await type([imports])
  assert.match(imported, /^2 added/)
  const env = await serve(linesOf('serve')[0] ?? [])
  const [shown = '', statuses = ''] = await type([read, refused], env)
  assert.deepEqual(JSON.parse(shown), JSON.parse(blocks('json')[0] ?? ''))
  const [first = '', ...others] = statuses.split('\n')
  assert.match(first, /^401 Basic /)
  assert.deepEqual(others, ['401', '401', '401', '401'])
})
