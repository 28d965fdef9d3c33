import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, openSignedIn } from '../support/console.ts'

const API = `
classes:
  Entry: { collection: entries, operations: [list, create], properties: { text: string } }
  Vote: { operations: [create], properties: { text: string } }
  Note: { operations: [create, read, delete], properties: { text: string } }
`

test('a class without read has no pages of its members: neither its rows nor its form lead there', async (t) => {
  const { page, asked } = await openSignedIn(t, '/create/entries', { service: { api: API } })
  await page.getByLabel('Text').fill('First')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').filter({ hasText: 'First was created.' }).waitFor()
  await page.getByRole('rowheader', { name: 'First' }).waitFor()
  assert.equal(await page.getByRole('rowheader').getByRole('link').count(), 0)

  await goTo(page, '/create/votes')
  await page.getByLabel('Text').fill('Yes')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Collections', level: 2 }).first().waitFor()
  await page.getByRole('status').filter({ hasText: 'Yes was created.' }).waitFor()
  assert.ok(!asked.some((one) => /^GET \/(entries|votes)\//.test(one)))
})

test('what is deleted from a collection without a list leads to the overview', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api: API } })
  const { iri } = await client.collection('notes').create({ text: 'First' })
  const place = `/member${iri.slice(client.base.length)}`
  await goTo(page, place)
  await page.getByRole('heading', { name: 'First' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'Notes' }).count(), 0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('status').filter({ hasText: 'First was deleted.' }).waitFor()
  await page.getByRole('link', { name: 'Read the documentation' }).waitFor()

  expectErrors(/status of 404/)
  await goTo(page, place)
  await page.getByRole('link', { name: 'Back to the overview' }).waitFor()
})
