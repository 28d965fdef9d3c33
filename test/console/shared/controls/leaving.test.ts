import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name }).click()
const title = (page: Page) => page.getByLabel('Title')

test('leaving a form with changes asks for confirmation, whichever way the user leaves', async (t) => {
  const { page, expectErrors } = await openSignedIn(t, '/table/books')
  const navigation = page.getByRole('navigation')
  await page.getByRole('heading', { name: 'Books' }).waitFor()
  await goTo(page, '/create/books')

  // Nothing typed, nothing asked.
  await title(page).fill('x')
  await title(page).fill('')
  await navigation.getByRole('link', { name: 'Authors' }).click()
  await page.getByRole('heading', { name: 'Authors' }).waitFor()
  await page.goBack()

  await title(page).fill('Half typed')
  await navigation.getByRole('link', { name: 'Authors' }).click()
  await question(page).waitFor()
  await scan(page)
  await answer(page, 'Stay')
  assert.equal(await question(page).count(), 0)
  assert.equal(await title(page).inputValue(), 'Half typed')
  assert.match(page.url(), /#\/create\/books$/)

  await page.goBack()
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await title(page).inputValue(), 'Half typed')
  assert.match(page.url(), /#\/create\/books$/)

  await goTo(page, '/documentation')
  await answer(page, 'Stay')
  assert.equal(await title(page).inputValue(), 'Half typed')

  // The browser's own question; the test's browser stays.
  expectErrors(/beforeunload/)
  const asked = page.waitForEvent('dialog')
  await page.evaluate('void setTimeout(() => location.reload())')
  assert.equal((await asked).type(), 'beforeunload')
  assert.equal(await title(page).inputValue(), 'Half typed')

  await page.getByRole('link', { name: 'Cancel' }).click()
  await answer(page, 'Leave')
  await page.getByRole('heading', { name: 'Books' }).waitFor()
  assert.match(page.url(), /#\/table\/books$/)
  await page.goto('about:blank')
})
