import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from 'hydrant-client'
import type { Locator, Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'
import { isTooWide } from '../../document.ts'
import { heading } from '../../member-reading.ts'

const API = `
title: Shop
history: true
classes:
  Maker: { properties: { name: { type: string, required: true } } }
  Product:
    properties:
      name: { type: string, required: true }
      code: { type: string, unique: true }
      price: { type: decimal, scale: 2, unit: EUR }
      maker: Maker
`

/** A tea that has got dearer, and whose maker was set. */
async function openTea(t: TestContext) {
  const opened = await openSignedIn(t, '/', { service: { api: API } })
  const { client } = opened
  const maker = await client.collection('makers').create({ name: 'Ann' })
  const tea = await client.collection('products').create({ name: 'Tea', code: 'T', price: '3.20' })
  const dearer = await tea.update({ price: '3.90' })
  const made = await dearer.update({ maker: maker.iri })
  return { ...opened, tea: made, path: tea.iri.slice(client.base.length) }
}

const changes = (page: Page): Locator => page.getByRole('region', { name: 'Changes' }).getByRole('row')
const differences = (page: Page) =>
  page.getByRole('region', { name: 'Differences' }).locator('tbody').getByRole('row')

/** The texts of the cells behind the name of each property. */
async function compared(page: Page): Promise<string[][]> {
  const rows = await differences(page).all()
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()))
}

/** Waits until the comparison is as expected: it is read after the table is there. */
async function assertCompared(page: Page, expected: string[][]): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (JSON.stringify(await compared(page)) === JSON.stringify(expected)) return
    await page.waitForTimeout(50)
  }
  assert.deepEqual(await compared(page), expected)
}

const priceOf = async (client: Client, iri: string) => (await client.get(iri)).data.price

// contract: *History* on a member
test('the history of a member says who changed what and when, and compares any two entries', async (t) => {
  const { page, path } = await openTea(t)
  await goTo(page, `/member${path}`)
  await heading(page, 'Tea')
  await page.getByRole('link', { name: 'History' }).click()
  await heading(page, 'History of Tea')
  await changes(page).nth(3).waitFor()
  const what = await changes(page).locator('td:nth-child(3)').allInnerTexts()
  assert.deepEqual(what, ['Changed: Maker', 'Changed: Price', 'Created'])
  const who = await changes(page).locator('td:nth-child(2) a').first().getAttribute('href')
  assert.equal(who, '#/member/accounts/7')
  assert.match(await changes(page).getByRole('rowheader').first().innerText(), /\d{4}.*:\d\d:\d\d/)
  await assertCompared(page, [['Maker', 'No value', 'Ann']])
  await scan(page)

  await changes(page).nth(3).getByRole('radio', { name: 'from' }).check()
  await changes(page).nth(2).getByRole('radio', { name: 'to', exact: false }).last().check()
  await assertCompared(page, [['Price', '3.20 EUR', '3.90 EUR']])
  // The older one is on the left, whichever is chosen first.
  await changes(page).nth(1).getByRole('radio').first().check()
  await assertCompared(page, [['Maker', 'No value', 'Ann']])
  await changes(page).nth(1).getByRole('radio').last().check()
  await page.getByText('There is no difference between the two.').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  assert.equal(await isTooWide(page), false)
  await page.emulateMedia({ colorScheme: 'dark' })
  await scan(page)
  await page.getByRole('link', { name: 'Back to Tea' }).click()
  await heading(page, 'Tea')
})

test('an entry is restored after a question, by the keyboard alone', async (t) => {
  const { page, client, path, tea } = await openTea(t)
  await goTo(page, `/history${path}`)
  await heading(page, 'History of Tea')
  // It is as the newest entry says: there is nothing to restore.
  assert.equal(await changes(page).nth(1).getByRole('button').count(), 0)
  await changes(page).nth(3).getByRole('button', { name: 'Restore as of' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Restore “Tea”?' })
  await dialog.waitFor()
  await scan(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await priceOf(client, tea.iri), '3.90')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await heading(page, 'Tea')
  await page.getByRole('status').getByText('Tea was restored.').waitFor()
  assert.equal(await priceOf(client, tea.iri), '3.20')
  await page.getByRole('link', { name: 'History' }).click()
  await changes(page).nth(4).waitFor()
})

test('an entry is not restored over a change that was not seen', async (t) => {
  const { page, client, path, tea, expectErrors } = await openTea(t)
  await goTo(page, `/history${path}`)
  await heading(page, 'History of Tea')
  await changes(page).nth(3).getByRole('button').click()
  await (await client.get(tea.iri)).update({ price: '5.00' })
  expectErrors(/status of 412/)
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog', { name: '“Tea” was not restored' }).waitFor()
  await page.getByText('Someone has changed it since you opened this page.').waitFor()
  await page.getByRole('button', { name: 'Reload' }).last().click()
  await changes(page).nth(4).waitFor()
  assert.equal(await priceOf(client, tea.iri), '5.00')
  await changes(page).nth(4).getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await heading(page, 'Tea')
  assert.equal(await priceOf(client, tea.iri), '3.20')
})

// pages/remote-changes has the note and the button.
soakTest('a change by somebody else is noted, and shown when the user asks', async (t) => {
  const { page, client, path, tea } = await openTea(t)
  await goTo(page, `/history${path}`)
  await changes(page).nth(3).waitFor()
  await (await client.get(tea.iri)).update({ price: '5.00' })
  await page.getByText('Someone has changed it.').waitFor()
  assert.equal(await changes(page).count(), 4)
  await page.getByRole('button', { name: 'Reload' }).click()
  await changes(page).nth(4).waitFor()
})

soakTest('a long history is read on when the user asks', async (t) => {
  const { page, path, tea } = await openTea(t)
  let product = tea
  for (let price = 1; price <= 30; price += 1) product = await product.update({ price: `${price}.00` })
  await goTo(page, `/history${path}`)
  await changes(page).nth(20).waitFor()
  assert.equal(await changes(page).count(), 1 + 20)
  await page.getByRole('button', { name: 'Show older changes' }).click()
  await changes(page).nth(33).waitFor()
  assert.equal(await page.evaluate('document.activeElement.rowIndex'), 21)
  assert.equal(await page.getByRole('button', { name: 'Show older changes' }).count(), 0)
})

test('a deleted member is found by its address, and restored with what is valid', async (t) => {
  const { page, client, path, tea, expectErrors } = await openTea(t)
  await tea.remove()
  const other = await client.collection('products').create({ name: 'Other', code: 'T' })
  expectErrors(/status of (410|422)/)
  await goTo(page, `/member${path}`)
  await heading(page, 'Product was deleted')
  await page.getByRole('link', { name: 'History' }).click()
  await heading(page, 'History of Tea')
  await page.getByText('Deleted by').waitFor()
  await scan(page)
  await changes(page).nth(1).getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Some of its former values are no longer valid:').waitFor()
  await page
    .getByRole('dialog')
    .getByText(/^Code /)
    .waitFor()
  await other.remove()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await heading(page, 'Tea')
  assert.equal(await priceOf(client, tea.iri), '3.90')
})
