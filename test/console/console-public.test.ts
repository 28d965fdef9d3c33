import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../support/browser.ts'
import { PARAPHRASE } from '../support/client.ts'
import { goTo, openConsole } from '../support/console.ts'
import { heading } from './member-reading.ts'

const CATALOGUE = `
title: Catalogue
classes:
  Product:
    access: { view: anyone, write: everyone }
    properties: { name: string }
  Order:
    access: { all: everyone }
    properties: { number: string }
`

// contract: The client reads it without credentials
test('what anyone may read is shown without signing in, with a button to do so', async (t) => {
  const { page, client, service, expectErrors } = await openConsole(t, { service: { api: CATALOGUE } })
  expectErrors(/status of 401 /)
  const { iri } = await client.collection('products').create({ name: 'Pen' })
  const main = page.getByRole('main')
  const navigation = page.getByRole('navigation', { name: 'Collections' })
  const banner = page.getByRole('banner')
  await page.reload()
  await heading(page, 'Catalogue')
  assert.deepEqual(await main.locator('.home-card h3').allTextContents(), ['Products'])
  assert.equal(await main.locator('.home-new').count(), 0)
  assert.equal(await banner.getByRole('button', { name: 'Sign out' }).count(), 0)
  await scan(page)
  await goTo(page, `/member${iri.slice(service.base.length)}`)
  await heading(page, 'Pen')
  assert.equal(await main.getByRole('button', { name: 'Delete' }).count(), 0)

  // A page that is not for anyone asks to sign in, and the page behind it stays.
  await goTo(page, '/member/orders/1')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('You need to sign in first.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  await goTo(page, '/table/products')
  await main.getByRole('rowheader', { name: 'Pen' }).waitFor()
  await banner.getByRole('button', { name: 'Sign in' }).click()
  await scan(page)
  await dialog.getByLabel('Name or number').fill('7')
  await dialog.getByLabel('Passphrase').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The user or the passphrase is wrong.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await main.getByRole('rowheader', { name: 'Pen' }).waitFor()

  await banner.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByLabel('Name or number').fill('7')
  await dialog.getByLabel('Passphrase').fill(PARAPHRASE)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await main.getByRole('link', { name: 'New product' }).waitFor()
  await navigation.getByRole('link', { name: 'Orders' }).waitFor()
  await banner.getByText('User 7').waitFor()
  assert.equal(await banner.getByRole('button', { name: 'Sign in', exact: true }).count(), 0)
  assert.equal(await page.getByText('The API has changed').count(), 0)

  await banner.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('status').getByText('You are signed out, and the token has been revoked.').waitFor()
  await heading(page, 'Catalogue')
  await banner.getByRole('button', { name: 'Sign in' }).waitFor()
})
