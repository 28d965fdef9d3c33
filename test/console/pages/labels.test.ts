import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Client } from 'hydrant-client'
import { scan, until } from '../../support/browser.ts'
import { goTo, openSignedIn } from '../../support/console.ts'
import { ROOT } from '../../support/markdown.ts'
import { soakTest } from '../../support/soak.ts'
import { heading, shownFor } from '../member-reading.ts'
import { cellsOf, showing } from '../table-reading.ts'

const BUSINESS = readFileSync(`${ROOT}/examples/business.yaml`, 'utf8')

/** Two customers with a project each, a person, and an entry. Their ids are UUIDs, which nobody wants to read. */
async function addBusiness(client: Client) {
  const [mond, zebra] = await Promise.all(
    ['Café Mond', 'Zebra Print'].map((name) => client.collection('customers').create({ name })),
  )
  const ann = await client.collection('people').create({ name: 'Ann Berger' })
  const projects = client.collection('projects')
  const website = await projects.create({
    name: 'Website',
    customer: mond?.iri,
    rate: '1085.5',
    lead: ann.iri,
  })
  await projects.create({ name: 'Website', customer: zebra?.iri, rate: '90' })
  await client.collection('timeentries').create({
    project: website.iri,
    person: ann.iri,
    day: '2026-08-04',
    hours: '2.5',
    text: 'Draft of the pages',
  })
  return { website }
}

soakTest(
  'members are called by their labels, several of them by their plural, and numbers are shown by scale and unit',
  async (t) => {
    const { page, client, asked } = await openSignedIn(t, '/', { service: { api: BUSINESS } })
    const { website } = await addBusiness(client)
    const path = website.iri.slice(client.base.length)
    const navigation = page.getByRole('navigation', { name: 'Collections' })

    await navigation.getByRole('link', { name: 'Projects' }).click()
    await showing(page, '1–2 of 2')
    const head = page.getByRole('columnheader')
    assert.deepEqual(await head.allInnerTexts(), [
      'Project',
      'Name',
      'Customer',
      'Hourly rate (EUR)',
      'Status',
      'Led by',
    ])
    assert.deepEqual(await page.getByRole('rowheader').allTextContents(), [
      'Café Mond Website',
      'Zebra Print Website',
    ])
    const cells = cellsOf(page, 'Café Mond Website')
    assert.deepEqual(await cells.allTextContents(), [
      'Website',
      'Café Mond',
      '1,085.50',
      'offered',
      'Ann Berger',
    ])
    // Programs, and people who look, find the exact value.
    assert.equal(await cells.nth(2).locator('data').getAttribute('value'), '1085.5')
    // A label of several parts cannot be sorted by; a link is, by the name of the linked member.
    assert.deepEqual(await head.getByRole('button').allInnerTexts(), [
      ...['Name', 'Customer', 'Hourly rate (EUR)', 'Status', 'Led by'],
    ])
    await scan(page)

    await navigation.getByRole('link', { name: 'Time entries' }).click()
    await heading(page, 'Time entries')
    await page.getByRole('rowheader', { name: 'Website Aug 4, 2026' }).waitFor()
    await page.getByRole('link', { name: 'Café Mond Website' }).waitFor()
    assert.ok(asked.includes('GET /timeentries?include=project&include=person&include=project.customer'))

    await page.getByRole('link', { name: 'New time entry' }).click()
    await heading(page, 'New time entry')
    assert.equal(await page.getByLabel('Changed at').count(), 0)
    await page.getByRole('combobox', { name: 'Project' }).click()
    const options = page.getByRole('listbox').getByRole('option')
    await options.nth(1).waitFor()
    assert.deepEqual(await options.allTextContents(), ['Café Mond Website', 'Zebra Print Website'])
    await options.nth(1).click()
    assert.equal(await page.getByRole('combobox', { name: 'Project' }).inputValue(), 'Zebra Print Website')

    await goTo(page, '/')
    await page
      .getByRole('button', { name: 'Leave' })
      .or(page.getByRole('button', { name: 'Discard' }))
      .click()
    await goTo(page, `/member${path}`)
    await heading(page, 'Café Mond Website')
    assert.equal((await shownFor(page, 'Hourly rate').innerText()).trim(), '1,085.50 EUR')
    await page.getByRole('link', { name: 'Website Aug 4, 2026' }).waitFor()
    await scan(page)

    await page.getByRole('link', { name: 'Edit' }).click()
    await heading(page, 'Edit Café Mond Website')
    const rate = page.getByLabel('Hourly rate (EUR)')
    assert.equal(await rate.inputValue(), '1085.5')
    await page.getByText('For example 85.00').waitFor()
    await rate.fill('95')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Café Mond Website was saved.').waitFor()

    await goTo(page, '/create/invoices')
    await page.getByText('For example 2026-014').waitFor()
    assert.equal(await page.getByText('Must match the pattern').count(), 0)
    await scan(page)
  },
)

test('a member whose label links to another one is named in a picker in which it was created', async (t) => {
  const { page, client } = await openSignedIn(t, '/create/timeentries', { service: { api: BUSINESS } })
  await client.collection('customers').create({ name: 'Café Mond' })
  await page.getByRole('combobox', { name: 'Project' }).fill('Menu')
  await page.getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Menu')
  await dialog.getByLabel('Customer').fill('Café Mond')
  await dialog.getByRole('option', { name: 'Café Mond' }).click()
  await dialog.getByLabel('Hourly rate').fill('70')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page
    .getByRole('status')
    .getByText('Café Mond Menu was created and chosen.')
    .waitFor({ state: 'attached' })
  // In the frame after that.
  await until(page, "document.activeElement.value === 'Café Mond Menu'")
})
