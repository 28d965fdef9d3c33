import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'

const API = `
classes:
  Settings:
    collection: false
    operations: [create, read, update, replace]
    properties:
      openingHours: { type: string, required: true }
      motto: langString
`

test('a single resource is created by its first edit, and edited by the next', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api: API } })
  expectErrors(/status of 404/)
  await goTo(page, '/edit/Settings')
  await page.getByRole('heading', { name: 'Create settings' }).waitFor()
  await page.getByLabel('Opening hours').fill('always')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').filter({ hasText: 'Settings was created.' }).waitFor()
  assert.equal((await client.single('Settings')).data.openingHours, 'always')

  await goTo(page, '/edit/Settings')
  await page.getByLabel('Opening hours').fill('never')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'was saved.' }).waitFor()
  assert.equal((await client.single('Settings')).data.openingHours, 'never')
  await page.goto('about:blank')
})

// edit-page does so with a member.
soakTest(
  'a single resource that was deleted meanwhile can be created again from the typed values',
  async (t) => {
    const api =
      'classes: { Motto: { collection: false, operations: [create, read, update, delete], properties: { text: string } } }'
    const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api } })
    expectErrors(/status of 404/)
    await client.request('PUT', `${client.base}/Motto`, { body: { text: 'We' } })
    await goTo(page, '/edit/Motto')
    await page.getByLabel('Text').fill('They')
    await (await client.single('Motto')).remove()
    await page.getByText('Someone has deleted it. Save to see your options.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Create it again' }).click()
    await page.getByRole('status').filter({ hasText: 'They was created.' }).waitFor()
    assert.equal((await client.single('Motto')).data.text, 'They')
  },
)

// contract: The console offers what is offered
test('a single resource that can only be created is not edited, and one that can only be replaced is not created', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', {
    service: {
      api: `
classes:
  Charter: { collection: false, operations: [create, read], properties: { text: string } }
  Rules: { collection: false, operations: [read, replace], properties: { text: string } }
`,
    },
  })
  expectErrors(/status of 404/)
  await client.request('PUT', `${client.base}/Charter`, { body: { text: 'We' } })
  await goTo(page, '/member/Charter')
  await page.getByText('We', { exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
  await goTo(page, '/edit/Charter')
  await page.getByText('You may not change this charter.').waitFor()

  await goTo(page, '/member/Rules')
  await page.getByRole('heading', { name: 'Rules not found' }).waitFor()
  await goTo(page, '/edit/Rules')
  await page.getByText('There is no Rules yet.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create' }).count(), 0)
})
