import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import type { Locator, Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { PARAPHRASE } from '../../../support/client.ts'
import { goTo, openConsole, signIn } from '../../../support/console.ts'
import { addUsers } from '../../../support/users.ts'
import { isTooWide } from '../../document.ts'
import { heading } from '../../member-reading.ts'

const API = `
title: Shop
history: true
roles: [staff, clerk]
accounts: { manage: staff }
access: { view: everyone, write: [staff, clerk], history: staff }
classes:
  Product: { properties: { name: { type: string, required: true }, price: decimal } }
  Visit: { history: false, properties: { page: string } }
`

/** As a user of the staff, beside whom a client acts as another one. */
async function open(t: TestContext, user = 1) {
  const opened = await openConsole(t, { service: { api: API } })
  const { service, page } = opened
  await addUsers(service, { 1: ['staff'], 2: ['staff'], 3: ['clerk'] })
  const client = createClient({ base: service.base, credentials: { id: 2, paraphrase: PARAPHRASE } })
  await (await client.accounts()).create({
    userId: 4,
    name: 'Sue',
    roles: ['staff'],
    paraphrase: 'what Sue says',
  })
  const sue = createClient({ base: service.base, credentials: { id: 'Sue', paraphrase: 'what Sue says' } })
  await signIn(page, user)
  await page.getByRole('navigation', { name: 'Collections' }).waitFor()
  return { ...opened, sue, products: client.collection('products') }
}

const rows = (page: Page): Locator =>
  page.getByRole('region', { name: 'Deleted members' }).locator('tbody tr')

// contract: *Deleted* on a table
test('what was deleted is listed beside the table, with who and when, and restored from there', async (t) => {
  const { page, sue, products, expectErrors } = await open(t)
  const tea = await products.create({ name: 'Tea', price: '3.20' })
  await (await products.create({ name: 'Coffee' })).remove()
  await (await sue.get(tea.iri)).remove()
  expectErrors(/status of 41[02]/)
  await goTo(page, '/table/products')
  await page.getByRole('link', { name: 'Deleted' }).click()
  await heading(page, 'Deleted products')
  await rows(page).nth(1).waitFor()
  assert.deepEqual(await rows(page).getByRole('rowheader').allInnerTexts(), ['Tea', 'Coffee'])
  await rows(page).first().getByRole('link', { name: 'Sue' }).waitFor()
  assert.match(await rows(page).first().locator('time').innerText(), /\d{4}.*:\d\d:\d\d/)
  await scan(page)
  await page.setViewportSize({ width: 360, height: 740 })
  assert.equal(await isTooWide(page), false)

  await rows(page).first().getByRole('link', { name: 'Tea' }).click()
  await heading(page, 'History of Tea')
  await page.getByRole('link', { name: 'Show deleted products' }).click()
  await rows(page).first().getByRole('button', { name: 'Restore Tea' }).click()
  await page.getByRole('dialog', { name: 'Restore “Tea”?' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await heading(page, 'Tea')
  await page.getByRole('status').getByText('Tea was restored.').waitFor()
  assert.equal((await tea.reload()).data.price, '3.20')
  await page.goBack()
  await rows(page).first().getByRole('rowheader', { name: 'Coffee' }).waitFor()

  // Somebody else has been faster.
  for await (const { deletion } of products.deleted()) await deletion.restore()
  await rows(page).first().getByRole('button').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Someone has changed it since you opened this page.').waitFor()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByText('Nothing that was deleted can be restored.').waitFor()

  await (await products.create({ name: 'Milk' })).reload()
  await (await tea.reload()).remove()
  await page.getByRole('button', { name: '1 more: show' }).click()
  await rows(page).first().getByRole('rowheader', { name: 'Tea' }).waitFor()
})

test('a deleted member of a class with a history can be restored, which the question before says', async (t) => {
  const { page, products } = await open(t)
  const tea = await products.create({ name: 'Tea' })
  await goTo(page, `/member${tea.iri.slice(tea.iri.indexOf('/products'))}`)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Its history stays, so it can be restored.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'Products')
  await goTo(page, '/table/visits')
  await heading(page, 'Visits')
  await page.getByText('No visits yet').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Deleted' }).count(), 0)
  await goTo(page, '/deleted/visits')
  await page.getByText('Visits have no history, or none that you may see.').waitFor()
})

test('who may not see histories finds none', async (t) => {
  const { page, products, expectErrors } = await open(t, 3)
  const tea = await products.create({ name: 'Tea' })
  const path = tea.iri.slice(tea.iri.indexOf('/products'))
  await goTo(page, `/member${path}`)
  await heading(page, 'Tea')
  await page.getByRole('link', { name: 'Edit' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'History' }).count(), 0)
  await goTo(page, `/history${path}`)
  await page.getByText('It has no history, or none that you may see.').waitFor()
  await goTo(page, '/table/products')
  await page.getByRole('rowheader', { name: 'Tea' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Deleted' }).count(), 0)
  await tea.remove()
  expectErrors(/status of 404/)
  await goTo(page, `/member${path}`)
  await heading(page, 'Product not found')
})
