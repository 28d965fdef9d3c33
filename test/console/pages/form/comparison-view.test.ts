import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { scan } from '../../../support/browser.ts'
import { PARAPHRASE } from '../../../support/client.ts'
import { goTo, openConsole, signIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'
import { addUsers } from '../../../support/users.ts'
import { heading } from '../../member-reading.ts'

const API = `
title: Shop
history: true
roles: [staff, clerk]
accounts: { manage: staff }
access: { all: everyone, history: staff }
classes:
  Product: { properties: { name: { type: string, required: true }, price: decimal } }
`

/** A product that one user edits, and a client of another user, whose name is Sue. */
async function openEdit(t: TestContext, user: number) {
  const opened = await openConsole(t, { service: { api: API } })
  const { service, page, expectErrors } = opened
  await addUsers(service, { 1: ['staff'], 3: ['clerk'] })
  const clientOf = (id: number | string) =>
    createClient({ base: service.base, credentials: { id, paraphrase: PARAPHRASE } })
  await (await clientOf(1).accounts()).create({ userId: 4, name: 'Sue', paraphrase: PARAPHRASE })
  const tea = await clientOf('Sue').collection('products').create({ name: 'Tea' })
  await signIn(page, user)
  await page.getByRole('navigation', { name: 'Collections' }).waitFor()
  await goTo(page, `/edit${tea.iri.slice(service.base.length)}`)
  await page.getByLabel('Price').fill('3.20')
  expectErrors(/status of 4(04|10|12)/)
  const save = () => page.getByRole('button', { name: 'Save' }).click()
  return { page, tea, save }
}

test('a conflict says who has changed the member, and when, to users who may see its history', async (t) => {
  const { page, tea, save } = await openEdit(t, 1)
  await tea.update({ name: 'Green tea' })
  await save()
  await page.getByRole('heading', { name: 'Someone else has changed it' }).waitFor()
  const facts = page.getByText(/^Changed by Sue on .*:\d\d:\d\d/)
  await facts.waitFor()
  await facts.getByRole('link', { name: 'Sue' }).waitFor()
  await scan(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'Green tea')
  assert.equal((await tea.reload()).data.price, '3.20')
})

// The same sentence, in the form that edit-page has.
soakTest('so does the form of a member that was deleted', async (t) => {
  const { page, tea, save } = await openEdit(t, 1)
  await tea.remove()
  await save()
  await page.getByRole('heading', { name: 'Someone else has deleted it' }).waitFor()
  await page.getByText(/^Deleted by Sue on /).waitFor()
})

test('a conflict says nothing of a history that the user may not see', async (t) => {
  const { page, tea, save } = await openEdit(t, 3)
  await tea.update({ name: 'Green tea' })
  await save()
  await page.getByRole('heading', { name: 'Someone else has changed it' }).waitFor()
  await page.getByRole('group', { name: 'Name' }).waitFor()
  assert.equal(await page.getByText('Changed by Sue').count(), 0)
})
