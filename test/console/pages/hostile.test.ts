import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { IMPATIENT, openBrowser, scan, type TestBrowser } from '../../support/browser.ts'
import { goTo, openConsole, serveConsole, signIn } from '../../support/console.ts'
import { API, serve } from '../../support/service.ts'
import { soakTest } from '../../support/soak.ts'
import { type HostileApi, type HostileClasses, manyClasses, startHostileApi } from '../hostile-api.ts'
import { heading } from '../member-reading.ts'

async function openApi(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Open another API' }).click()
  await page.getByLabel('Address of the API').fill(address)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

type Opened = TestBrowser & HostileApi

/** A console that came with such an API. The browser is closed first: its page must not find the server gone. */
async function openHostile(t: TestContext, place: string, classes?: HostileClasses): Promise<Opened> {
  const browser = await openBrowser(t)
  const api = await startHostileApi(t, classes)
  const address = await serveConsole(t, api.base)
  await browser.page.goto(`${address}#${place}`)
  return { ...browser, ...api }
}

test('if another API asks for credentials late, the dialog says where the paraphrase is sent, and not that the user was signed in', async (t) => {
  const { page } = await openConsole(t, { empty: true })
  const { base } = await startHostileApi(t)
  await page.getByLabel('Name or number').waitFor()
  assert.equal(await page.getByLabel('Passphrase').getAttribute('autocomplete'), 'current-password')
  await openApi(page, base)

  const dialog = page.getByRole('dialog', { name: 'Sign in', exact: true })
  await dialog.getByText('You need to sign in first.').waitFor()
  await dialog.getByText(/not served by this API/).waitFor()
  assert.equal(await dialog.getByText(/token is no longer valid/).count(), 0)
  assert.equal(await dialog.getByLabel('Passphrase').getAttribute('autocomplete'), 'new-password')
  await dialog.getByLabel('Name or number').fill('7')
  assert.equal(await dialog.getByText(/This page belongs to user/).count(), 0)
  await scan(page)
  await signIn(page)
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('User 7').waitFor()
})

test('a member is read and deleted at the address of its link, and a slow delete does not navigate away from another page', async (t) => {
  const { page, asked, answerWrites } = await openHostile(t, '/table/things')
  await signIn(page)
  const row = page.getByRole('row', { name: 'A part' })
  await row.waitFor()
  // Not what every object has under these names.
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['', ''])

  for (const [name, path] of [
    ['A question', '/api/things?id=5'],
    ['A climb', '/api/things/..%2F..%2Fetc'],
    ['A part', '/api/things/a%2Fb'],
  ] as const) {
    asked.length = 0
    await goTo(page, '/table/things')
    await page.getByRole('link', { name }).click()
    await heading(page, name)
    assert.ok(asked.includes(`GET ${path}`), asked.join())
    asked.length = 0
    await page.getByRole('link', { name: 'Edit' }).click()
    await heading(page, `Edit ${name}`)
    // The name is known from the page before.
    while (asked.length === 0) await wait(10)
    assert.deepEqual(asked.slice(0, 1), [`GET ${path}`])
    await page.goBack()
    await heading(page, name)
  }
  const startDeleting = async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    const sent = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await sent
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await startDeleting()
  await goTo(page, '/documentation')
  await heading(page, 'Elsewhere documentation')
  await answerWrites()
  await page.getByRole('status').getByText('A part was deleted.').waitFor()
  assert.match(page.url(), /#\/documentation$/)
  assert.ok(asked.includes('DELETE /api/things/a%2Fb'), asked.join())

  await goTo(page, '/member/things/a%2Fb')
  await heading(page, 'A part')
  await startDeleting()
  await answerWrites()
  await heading(page, 'Things')
})

test('a page that cannot be rendered says so, and the other pages still work', async (t) => {
  const { page } = await openHostile(t, '/table/broken')
  await signIn(page)
  await heading(page, 'This page cannot be shown')
  await page
    .getByRole('alert')
    .getByText(/call stack/)
    .waitFor()
  await scan(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'This page cannot be shown')
  await page.getByRole('link', { name: 'Things', exact: true }).click()
  await page.getByRole('row', { name: 'A part' }).waitFor()
})

soakTest('if an API was opened at another address than its own, a notice links to its own', async (t) => {
  const { page, service } = await openConsole(t, { empty: true })
  await openApi(page, service.base.replace('localhost', '127.0.0.1'))
  await page.getByText(/not served by this API/).waitFor()
  await signIn(page)
  await page.getByText(`The address of this API is ${service.base}`).waitFor()
  await scan(page)
  await page.getByRole('button', { name: `Open ${service.base}` }).click()
  await page.getByText(service.base, { exact: true }).waitFor()
  await signIn(page)
  await page.getByRole('navigation').waitFor()

  const open = await serve(t, { api: API, flags: { auth: false }, limits: IMPATIENT })
  await page.getByRole('button', { name: 'Another API' }).click()
  await page.getByLabel('Address of the API').fill(open.base.replace('localhost', '127.0.0.1'))
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText(`The address of this API is ${open.base}`).waitFor()
  await scan(page)
  await page.getByRole('button', { name: `Open ${open.base}` }).click()
  await page.getByText('The address of this API is').waitFor({ state: 'hidden' })
  await page.getByRole('banner').getByText(open.base, { exact: true }).waitFor()
})

test('a redirection to another address gets no paraphrase, and the typed address stays', async (t) => {
  const { page } = await openConsole(t, { empty: true })
  const { slashed, asked } = await startHostileApi(t)
  await openApi(page, slashed)
  await page.getByText(/not served by this API/).waitFor()
  await signIn(page)
  await page
    .getByRole('alert')
    .getByText(/redirects this address.*slash at the end/)
    .waitFor()

  await openApi(page, `${slashed}/`)
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor({ state: 'hidden' })
  asked.length = 0
  await page.reload()
  await page.getByText(/not served by this API/).waitFor()
  assert.deepEqual([...new Set(asked)], ['GET /slashed/'])
})

soakTest(
  'the documentation of very many classes is shown at once, without lines and collapsed',
  async (t) => {
    const { page } = await openHostile(t, '/documentation', manyClasses(120, 2))
    await heading(page, 'Elsewhere documentation')
    await page.getByText(/no lines are drawn/).waitFor()
    const section = page.getByRole('group').filter({ has: page.getByRole('heading', { name: 'Class 77' }) })
    assert.equal(await page.getByText('http://example.org/Class77').count(), 0)
    await page.getByRole('navigation', { name: 'Classes' }).getByRole('link', { name: 'Class 77' }).click()
    await section.getByText('http://example.org/Class77', { exact: true }).waitFor()
    await scan(page)

    const { page: other } = await openHostile(t, '/documentation/Class12', manyClasses(13, 13))
    await other.getByText(/no lines are drawn/).waitFor()
    await other.getByText('http://example.org/Class12', { exact: true }).waitFor()
  },
)
