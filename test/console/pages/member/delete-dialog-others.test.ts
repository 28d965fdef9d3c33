import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { assertFocused } from '../../document.ts'
import { heading } from '../../member-reading.ts'

const OFFICE = `
title: Office
classes:
  Customer: { properties: { name: { type: string, required: true } } }
  Person: { plural: people, collection: people, properties: { name: string } }
  Project:
    label: [customer, name]
    properties:
      name: string
      customer: { type: Customer, required: true, onDelete: delete }
  TimeEntry:
    properties:
      text: string
      project: { type: Project, onDelete: delete }
  Letter:
    properties:
      subject: string
      customer: { type: Customer, onDelete: unset }
  Invoice:
    properties:
      number: string
      project: Project
`

// contract: The console says before the removal
test('before a removal, the dialog says what would be deleted and changed with it', async (t) => {
  const { page, client, asked, expectErrors } = await openSignedIn(t, '/', { service: { api: OFFICE } })
  const customer = await client.collection('customers').create({ name: 'Café Mond' })
  const of = { customer: customer.iri }
  const project = await client.collection('projects').create({ name: 'Website', ...of })
  const texts = ['Draft', 'Review', 'Call', 'Travel']
  await client.batch(({ create }) => {
    for (const text of texts) create('timeentries', { text, project: project.iri })
  })
  const letter = await client.collection('letters').create({ subject: 'Welcome', ...of })
  const invoice = await client.collection('invoices').create({ number: '2026-001', project: project.iri })
  const dialog = page.getByRole('dialog')
  const open = () => page.getByRole('button', { name: 'Delete' }).click()

  await goTo(page, `/member${customer.iri.slice(client.base.length)}`)
  await heading(page, 'Café Mond')
  expectErrors(/status of 409/)
  await open()
  // A link that refuses, of a member that links to one that would be deleted.
  await dialog.getByRole('alert').getByRole('link', { name: '2026-001' }).waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Delete' }).count(), 0)
  await scan(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  assert.deepEqual(
    asked.filter((request) => request.startsWith('DELETE')),
    [],
  )

  await invoice.remove()
  await open()
  const items = dialog.getByRole('listitem')
  await dialog.getByRole('link', { name: 'Café Mond Website' }).waitFor()
  await items.nth(2).waitFor()
  await assertFocused(page, 'Cancel')
  await dialog.getByRole('link', { name: 'Welcome' }).waitFor()
  // Each name takes a request of its own; until then an id with hyphens stands there.
  const named = items.nth(1).getByRole('link', { name: /^\w+$/ })
  await named.nth(2).waitFor()
  const [projects, entries, letters] = await items.allInnerTexts()
  assert.equal(projects, '1 project: Café Mond Website')
  assert.match(entries ?? '', /^4 time entries: (\w+, ){2}\w+ and 1 more$/)
  assert.equal(letters, '1 letter: Welcome')
  await scan(page)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'Customers')
  await assert.rejects(project.reload(), { kind: 'not-found' })
  assert.equal((await letter.reload()).data.customer, undefined)

  // Nothing links to people, so there is nothing to ask.
  const ann = await client.collection('people').create({ name: 'Ann' })
  await goTo(page, `/member${ann.iri.slice(client.base.length)}`)
  await heading(page, 'Ann')
  asked.length = 0
  await open()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'People')
  assert.equal(asked.filter((request) => request.endsWith('/removal')).length, 0)
})
