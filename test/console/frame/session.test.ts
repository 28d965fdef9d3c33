import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { hashParaphrase } from '../../../src/auth/index.ts'
import { scan } from '../../support/browser.ts'
import { PARAPHRASE } from '../../support/client.ts'
import { goTo, openConsole, openSignedIn, signIn } from '../../support/console.ts'
import { soakTest } from '../../support/soak.ts'
import { assertFocused, everythingIn } from '../document.ts'

const MINUTE = 60_000

/** Of every request from now on. */
function tokensOf(page: Page): Set<string> {
  const tokens = new Set<string>()
  page.on('request', (request) => {
    const token = request.headers()['x-authorization']
    if (token) tokens.add(token)
  })
  return tokens
}

test('when the token expires, one dialog over the page asks to sign in, and the waiting requests continue', async (t) => {
  const time = { now: Date.now() }
  const { page, asked } = await openSignedIn(t, '/table/authors', { service: { time } })
  await page.getByText('Ann Leckie').first().waitFor()
  const dialog = page.getByRole('dialog')
  assert.equal(await page.getByRole('button', { name: 'Sign in again' }).count(), 0)

  time.now += 46 * MINUTE
  await goTo(page, '/table/books')
  await dialog.getByRole('heading', { name: 'Sign in again' }).waitFor()
  assert.equal(await dialog.getByLabel('Name or number').inputValue(), '7')
  await assertFocused(page, 'Passphrase')
  await scan(page)

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('alert')
    .getByText(/you are not signed in/)
    .waitFor()
  await page.getByText('Token expired').waitFor()

  await page.getByRole('button', { name: 'Try again' }).click()
  const marked = dialog.and(page.locator('[data-same]'))
  await dialog.evaluate((element) => element.setAttribute('data-same', ''))
  await dialog.getByLabel('Passphrase').fill('not the paraphrase')
  await page.keyboard.press('Enter')
  await marked.getByText('The user or the passphrase is wrong.').waitFor()
  await assertFocused(page, 'Passphrase')

  asked.length = 0
  const readAnew = page.waitForResponse(/\/vocab$/)
  await dialog.getByLabel('Passphrase').fill(PARAPHRASE)
  await page.keyboard.press('Enter')
  await page.getByText('Book 01').first().waitFor()
  assert.equal(await dialog.count(), 0)
  await page
    .getByRole('time')
    .getByText(/^4[45] min/)
    .waitFor()
  // Before it, the bare address, where nothing else had the search template yet. The rows come twice where their stream
  // has started behind them (live.md, the feed).
  const reads = asked.filter((line) => line.startsWith('GET /books'))
  assert.ok(reads.length <= 3, reads.join())
  const [rows, ...before] = [...new Set(reads)].reverse()
  assert.equal(rows, 'GET /books?include=author')
  assert.ok(before.join() === '' || before.join() === 'GET /books', before.join())
  // The server may have begun anew with another API; it has not.
  await readAnew
  assert.equal(await page.getByText('The API has changed').count(), 0)
})

test('the remaining time is shown, and when it is over the user signs in again without a failed request', async (t) => {
  const time = { now: Date.now() }
  const { page } = await openConsole(t, { apart: true, empty: true, service: { time } })
  await page.clock.install()
  await page.reload()
  await signIn(page)
  const left = page.getByRole('time')
  await left.getByText(/^4[45] min left$/).waitFor()

  await page.clock.fastForward('40:30')
  await left.getByText(/^4:[0-3]\d left$/).waitFor()
  await page.getByRole('status').getByText('Your token expires in less than 5 minutes.').waitFor()
  await page.clock.fastForward('05:00')
  await page.getByText('Token expired', { exact: true }).waitFor()
  await page.getByRole('status').getByText('Your token has expired.').waitFor()
  await scan(page)

  time.now += 46 * MINUTE
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('h1:focus').waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await dialog.getByLabel('Passphrase').fill(PARAPHRASE)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await left.getByText(/^4[45] min left$/).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Sign in again' }).count(), 0)
})

test('signing out revokes the token and leaves nothing of the API in the document', async (t) => {
  const { page, service } = await openConsole(t)
  const tokens = tokensOf(page)
  await signIn(page)
  await page.getByRole('navigation').waitFor()
  await goTo(page, '/table/authors')
  await page.getByText('Ann Leckie').first().waitFor()
  const [token = ''] = tokens
  const read = () => service.client.send('GET', '/authors', { 'X-Authorization': token })
  assert.equal((await read()).status, 200)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('status').getByText('You are signed out, and the token has been revoked.').waitFor()
  assert.equal((await read()).status, 401)
  await page.getByLabel('Name or number').waitFor()
  const everything = await everythingIn(page)
  for (const word of ['Library', 'uthors', 'Ann Leckie', 'User 7', 'Requests', token]) {
    assert.ok(!everything.includes(word), `The document still has ${word}.`)
  }
  assert.equal(await page.getByLabel('Name or number').inputValue(), '')
  await signIn(page)
  await page.getByRole('navigation').waitFor()
})

soakTest(
  'signing out while the server is away forgets the token, and says that it was not revoked',
  async (t) => {
    const { page, service, expectErrors } = await openSignedIn(t, '/', { empty: true })
    // What is under way when the server closes fails otherwise than what comes after.
    expectErrors(/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|CONNECTION_CLOSED|EMPTY_RESPONSE)/)
    await service.close()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page
      .getByRole('status')
      .getByText(/could not be reached to revoke the token\. The token expires at \d/)
      .waitFor()
    await page.getByRole('heading', { name: 'This API cannot be shown' }).waitFor()
    await page
      .getByRole('alert')
      .getByText(/did not answer.*Is the server running/)
      .waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    await scan(page)
  },
)

test('another user who signs in over the page gets a fresh page, and no request is sent as the first user', async (t) => {
  const time = { now: Date.now() }
  const { page, service, asked } = await openSignedIn(t, '/', {
    empty: true,
    colorScheme: 'dark',
    service: { time },
  })
  await service.store.auth.addUser({ id: 8, paraphraseHash: await hashParaphrase('eight') }, 0)
  await goTo(page, '/create/authors')
  await page.getByLabel('Name', { exact: false }).first().fill('Nobody')
  const create = page.getByRole('button', { name: 'Create' })
  await create.waitFor()
  time.now += 46 * MINUTE
  // Not with the mouse: where the stream of changes ends first, the dialog covers the button already.
  await create.evaluate((button: HTMLElement) => button.click())

  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name or number').fill('8')
  await dialog.getByText(/^This page belongs to user 7\. If you sign in as user 8/).waitFor()
  await scan(page)
  await dialog.getByLabel('Passphrase').fill('eight')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('User 8').waitFor()
  await page.locator('h1:focus').waitFor()
  assert.equal(await page.getByLabel('Name', { exact: false }).first().inputValue(), '')
  assert.deepEqual(
    asked.filter((line) => line.startsWith('POST')),
    [],
  )
})

test('without tokens, users can sign in and out, are asked before they lose what they typed, and see no remaining time', async (t) => {
  const { page } = await openSignedIn(t, '/table/authors', {
    empty: true,
    service: { flags: { token: false } },
  })
  await page.getByRole('heading', { level: 1, name: 'Authors' }).waitFor()
  await page.getByText('User 7').waitFor()
  assert.equal(await page.getByRole('time').count(), 0)

  await goTo(page, '/create/authors')
  await page.getByLabel('Name').fill('Nobody')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay' })
    .click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Nobody')
  await page.getByRole('button', { name: 'Create' }).click()
  const announced = page.getByText('Nobody was created.')
  await announced.waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('status').getByText('You are signed out.').waitFor()
  await page.getByLabel('Name or number').waitFor()
  assert.equal(await announced.count(), 0)
})
