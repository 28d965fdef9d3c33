import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import { withAccounts } from '../../../../src/vocabulary/index.ts'
import { OFFICE } from '../../../api/accounts/office.ts'
import { scan } from '../../../support/browser.ts'
import { PARAPHRASE } from '../../../support/client.ts'
import { goTo, openConsole, signIn } from '../../../support/console.ts'
import { modelOf } from '../../../support/service.ts'
import { addUsers } from '../../../support/users.ts'
import { everythingIn } from '../../document.ts'
import { heading } from '../../member-reading.ts'

const RENAMED = OFFICE.replace('view: staff }', 'view: staff, rename: everyone }')

/** The office, with who manages accounts (31), who sees them (33, called Sue) and who sees only the own one (34). */
async function openOffice(t: TestContext, user: number) {
  const opened = await openConsole(t, {
    empty: true,
    service: { model: withAccounts(modelOf(RENAMED)) },
  })
  const { service, page } = opened
  await addUsers(service, { 31: ['admin'], 33: ['staff'], 34: [] })
  const boss = createClient({ base: service.base, credentials: { id: 31, paraphrase: PARAPHRASE } })
  const accounts = await boss.accounts()
  await (await accounts.get('33')).update({ name: 'Sue' })
  await signIn(page, user)
  await page.getByRole('navigation', { name: 'Collections' }).waitFor()
  return { ...opened, accounts, main: page.getByRole('main') }
}

// contract: The console: *Accounts* (table, form, the paraphrase that was made shown once
test('who manages accounts adds one, and sees the paraphrase that was made once', async (t) => {
  const { page, main, accounts, service } = await openOffice(t, 31)
  await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).click()
  await main.getByRole('rowheader', { name: 'Sue' }).waitFor()
  await main.getByRole('rowheader', { name: '34' }).waitFor()
  await scan(page)

  await main.getByRole('link', { name: 'New account' }).click()
  await main.getByLabel('Name').fill('anna@studio.example')
  await main.getByText('If you leave it empty, the API makes one').waitFor()
  await main.getByRole('button', { name: 'Create' }).click()
  await heading(page, 'Account created')
  const made = (await main.locator('code').textContent()) ?? ''
  assert.equal(made.split(' ').length, 5)
  await main.getByText('It is shown only once.').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await main.getByRole('button', { name: 'Copy passphrase' }).click()
  await main.getByRole('status').getByText('Copied.').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), made)
  await scan(page)

  await main.getByRole('link', { name: 'Done' }).click()
  await heading(page, 'anna@studio.example')
  await page.getByRole('button', { name: 'Requests' }).click()
  await page.getByRole('button', { name: /POST.*accounts/ }).click()
  await page.getByText('<paraphrase>').first().waitFor()
  assert.ok(!(await everythingIn(page)).includes(made))
  await page.getByRole('button', { name: 'Requests' }).click()

  const anna = createClient({
    base: service.base,
    credentials: { id: 'anna@studio.example', paraphrase: made },
  })
  const { userId } = (await anna.account()).data
  await main.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Sign out anna@studio.example everywhere?' }).waitFor()
  await scan(page)
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByText('anna@studio.example is signed out everywhere.').waitFor()
  assert.equal((await accounts.get(`${userId}`)).data.tokens, 0)

  await main.getByRole('link', { name: 'Edit' }).click()
  assert.equal(await main.getByLabel('User id').count(), 0)
  await main.getByLabel('Name').fill('Anna')
  await main.getByLabel('Passphrase').fill('a paraphrase of mine')
  await main.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'Anna')
  const credentials = { id: 'anna', paraphrase: 'a paraphrase of mine' }
  assert.equal((await createClient({ base: service.base, credentials }).account()).data.name, 'Anna')

  await main.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Anna was deleted.').waitFor()
})

test('the last account that may manage stays, and the reason is given in words', async (t) => {
  const { page, main, expectErrors } = await openOffice(t, 31)
  expectErrors(/status of 409 /)
  await goTo(page, '/member/accounts/31')
  await main.getByRole('link', { name: 'Your account' }).waitFor()
  await main.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText('This is the last account that may manage accounts').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await goTo(page, '/edit/accounts/31')
  assert.equal(await main.getByLabel('Passphrase').count(), 0)
  await main.getByRole('button', { name: 'Remove role 1' }).click()
  await main.getByRole('button', { name: 'Save' }).click()
  await main.getByText('This is the last account that may manage accounts').waitFor()
})

// contract: Console and pickers show names.
test('pickers and tables show the names of accounts, and a picker adds none', async (t) => {
  const { page, main } = await openOffice(t, 33)
  await goTo(page, '/create/customers')
  await main.getByLabel('Name').fill('Café Mond')
  await main.getByRole('combobox', { name: 'Contact' }).fill('su')
  await page.getByRole('option', { name: 'Sue' }).click()
  assert.equal(await main.getByRole('button', { name: 'New account' }).count(), 0)
  await main.getByRole('button', { name: 'Create' }).click()
  await heading(page, 'Café Mond')
  await main.getByRole('link', { name: 'Sue' }).waitFor()
  await goTo(page, '/table/customers')
  await main.getByRole('cell', { name: 'Sue' }).waitFor()
})

test('a user changes name and paraphrase, and signs out everywhere', async (t) => {
  const { page, main, service, accounts, expectErrors } = await openOffice(t, 34)
  expectErrors(/status of 422 /)
  const elsewhere = createClient({ base: service.base, credentials: { id: 34, paraphrase: PARAPHRASE } })
  await elsewhere.signIn()
  await page.getByRole('link', { name: 'User 34' }).click()
  await heading(page, 'Your account')
  await main.getByText('2 places').waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await scan(page)
  }

  await main.getByRole('button', { name: 'Change name' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('sue')
  await dialog.getByRole('button', { name: 'Change name' }).click()
  await dialog
    .getByText(/^Name .*another/)
    .first()
    .waitFor()
  await dialog.getByRole('textbox').fill('Tom')
  await dialog.getByRole('button', { name: 'Change name' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Tom' }).waitFor()

  await main.getByLabel('Current passphrase').fill('wrong')
  await main.getByLabel('New passphrase').fill('seven new words')
  await main.getByRole('button', { name: 'Change passphrase' }).click()
  await main.getByText('This is not the passphrase of this account.').waitFor()
  await scan(page)
  await main.getByLabel('Current passphrase').fill(PARAPHRASE)
  await main.getByRole('button', { name: 'Change passphrase' }).click()
  await main.getByText('1 place (only here)').waitFor()
  assert.ok(!(await everythingIn(page)).includes('seven new words'))

  await main.getByRole('button', { name: 'Sign out everywhere' }).click()
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('status').getByText('You are signed out everywhere.').waitFor()
  assert.equal((await accounts.get('34')).data.tokens, 0)
  await signIn(page, 'tom', 'seven new words')
  await page.getByRole('banner').getByRole('link', { name: 'Tom' }).waitFor()
})
