import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, openSignedIn } from '../support/console.ts'

const API = `
classes:
  Entry: { collection: entries, operations: [list, create], properties: { text: string } }
  Vote: { operations: [create], properties: { text: string } }
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
