import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { IMPATIENT, scan } from '../../../support/browser.ts'
import { PARAPHRASE } from '../../../support/client.ts'
import { goTo, LIBRARY, openConsole, signIn } from '../../../support/console.ts'
import { newDatabase } from '../../../support/databases.ts'
import { API, serve } from '../../../support/service.ts'
import { soakTest } from '../../../support/soak.ts'
import { assertFocused, everythingIn, focused } from '../../document.ts'

const failureOf = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ })
const paraphraseIn = (page: Page) => page.getByLabel('Passphrase')

// contract: The console's sign-in asks for "Name or number".
test('a wrong paraphrase is reported and the id stays, the right one opens the API, and neither is left in the page', async (t) => {
  const { page, context, service, address } = await openConsole(t, {
    apart: true,
    colorScheme: 'light',
    empty: true,
  })
  const sent: string[] = []
  page.on('request', (request) => sent.push(JSON.stringify([request.url(), request.postData() ?? ''])))
  const tokens = new Set<string>()
  page.on('request', (request) => tokens.add(request.headers()['x-authorization'] ?? ''))

  assert.notEqual(new URL(address).port, new URL(service.base).port)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText(service.base, { exact: true }).waitFor()
  assert.match(await page.title(), /^Sign in/)
  await assertFocused(page, 'Name or number')
  assert.equal(await page.getByLabel('Name or number').getAttribute('autocomplete'), 'username')
  assert.equal(await paraphraseIn(page).getAttribute('autocomplete'), 'current-password')
  assert.equal(await paraphraseIn(page).getAttribute('type'), 'password')
  await scan(page)

  await signIn(page, 7, 'not the paraphrase')
  await failureOf(page).getByText('The user or the passphrase is wrong.').waitFor()
  assert.equal(await page.getByLabel('Name or number').inputValue(), '7')
  assert.equal(await paraphraseIn(page).inputValue(), '')
  await assertFocused(page, 'Passphrase')
  await scan(page)

  await paraphraseIn(page).fill(PARAPHRASE)
  await page.getByRole('button', { name: 'Show' }).click()
  assert.equal(await paraphraseIn(page).getAttribute('type'), 'text')
  await paraphraseIn(page).press('Enter')
  await page.getByRole('navigation').waitFor()
  await page.getByText('User 7').waitFor()

  tokens.delete('')
  assert.equal(tokens.size, 1)
  await page.getByRole('button', { name: 'Requests' }).click()
  for (const row of await page.getByRole('region', { name: 'Requests' }).getByRole('listitem').all()) {
    await row.getByRole('button').first().click()
  }
  const everything = await everythingIn(page)
  assert.match(everything, /x-authorization/)
  const secrets = [PARAPHRASE, 'not the paraphrase', btoa(`7:${PARAPHRASE}`), ...tokens]
  for (const secret of secrets) {
    assert.ok(!everything.includes(secret), 'The document has a secret in it.')
    assert.ok(!sent.join().includes(secret), 'An address or a body has a secret in it.')
  }
  assert.deepEqual(await context.storageState({ indexedDB: true }), { cookies: [], origins: [] })
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0)
})

test('the keyboard alone is enough to sign in, open a collection and skip to the content, in dark mode', async (t) => {
  const { page } = await openConsole(t, { colorScheme: 'dark', empty: true })
  await page.getByLabel('Name or number').waitFor()
  await scan(page)
  await page.keyboard.type('7')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PARAPHRASE)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').waitFor()
  await page.locator('h1:focus').waitFor()
  await scan(page)

  await pressUntil(page, 'Shift+Tab', 'Books')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/#/table/books')
  await page.locator('h1:focus').waitFor()
  await page
    .getByRole('link', { name: 'Books', exact: true })
    .and(page.locator('[aria-current=page]'))
    .waitFor()

  await pressUntil(page, 'Shift+Tab', 'Skip to content')
  const skip = await page.getByRole('button', { name: 'Skip to content' }).boundingBox()
  assert.ok(skip && skip.y >= 0)
  await page.keyboard.press('Enter')
  await page.locator('h1:focus').waitFor()
})

async function pressUntil(page: Page, key: string, name: string): Promise<void> {
  for (let presses = 0; (await focused(page)) !== name; presses += 1) {
    assert.ok(presses < 40, `${name} cannot be reached by ${key}`)
    await page.keyboard.press(key)
  }
}

soakTest('after too many wrong paraphrases the page counts down to the next attempt', async (t) => {
  const time = { now: Date.now() }
  const { page, expectErrors } = await openConsole(t, {
    apart: true,
    empty: true,
    service: { time, flags: { userFailures: '2/5m' } },
  })
  expectErrors(/status of 429/)
  await page.clock.install()
  await page.reload()
  const button = page.getByRole('button', { name: 'Sign in' })
  await signIn(page, 7, 'one')
  await failureOf(page).getByText('The user or the passphrase is wrong.', { exact: true }).waitFor()
  await signIn(page, 7, '  two')
  await failureOf(page).getByText('is wrong. What you typed begins or ends with a space.').waitFor()
  await signIn(page, 7, 'three')
  await failureOf(page)
    .getByText(/^Too many wrong passphrases: you can try again after \d/)
    .waitFor()
  assert.equal(await button.isDisabled(), true)
  // The clock of the page goes on meanwhile, and a busy machine takes its time.
  assert.match(await page.getByRole('timer').innerText(), /^(5 min|4:\d\d)$/)
  await scan(page)

  await page.getByLabel('Name or number').fill('8')
  assert.equal(await button.isDisabled(), false)
  await page.getByLabel('Name or number').fill('7')
  await page.clock.fastForward('04:00')
  await page.getByText(/^You can try again in (1:00|0:\d\d)\.$/).waitFor()
  assert.equal(await button.isDisabled(), true)

  await page.clock.fastForward('01:01')
  time.now += 5 * 60_000 + 1_000
  await failureOf(page).getByText('You can try again now.').waitFor()
  await signIn(page)
  await page.getByRole('navigation').waitFor()
})

soakTest(
  'an unreachable server is distinguished from a wrong paraphrase, and signing in works when it is back',
  async (t) => {
    const kept = { db: newDatabase(t), limits: IMPATIENT }
    const { page, service, expectErrors } = await openConsole(t, { empty: true, service: kept })
    expectErrors(/ERR_CONNECTION_REFUSED/)
    await page.getByLabel('Name or number').waitFor()
    await service.close()
    await signIn(page)
    await failureOf(page)
      .getByText(/did not answer.*Is the server running/)
      .waitFor()
    assert.equal(await page.getByLabel('Name or number').inputValue(), '7')

    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/^Signing in/).waitFor({ state: 'detached' })
    await failureOf(page)
      .getByText(/did not answer/)
      .waitFor()
    await assertFocused(page, 'Passphrase')
    await paraphraseIn(page).fill(PARAPHRASE)

    const options = { ...kept, flags: { port: String(service.port) } }
    const same = await serve(t, { ...options, api: LIBRARY })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation').waitFor()

    // It begins once more, with another API file, and the token has ended meanwhile.
    await same.close()
    const time = { now: Date.now() + 46 * 60_000 }
    await serve(t, { ...options, time, api: LIBRARY.replace('title: Library', 'title: Newer Library') })
    await goTo(page, '/table/authors')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Passphrase').fill(PARAPHRASE)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('status').getByText('The API has changed since you opened this page.').waitFor()
    await goTo(page, '/create/authors')
    await page.getByLabel('Name').fill('Half typed')
    await scan(page)
    await page.getByRole('button', { name: 'Reload' }).click()
    const lost = page.getByRole('dialog', { name: 'Leave without saving?' })
    await lost.getByRole('button', { name: 'Leave' }).click()
    await signIn(page)
    await page.getByRole('banner').getByText('Newer Library').waitFor()
    assert.match(page.url(), /#\/create\/authors$/)
    assert.equal(await page.getByText('The API has changed').count(), 0)
  },
)

test('another API can be opened by its address: an open one asks for no credentials, and a form says where they are sent', async (t) => {
  const { page, service, expectErrors } = await openConsole(t, { empty: true })
  const open = await serve(t, {
    api: API.replace('title: Library', 'title: Open Library'),
    flags: { auth: false },
    limits: IMPATIENT,
  })
  const other = await serve(t, {
    limits: IMPATIENT,
    api: API.replace('title: Library', 'title: Other Library'),
  })
  const credentialsWentTo = new Set<string>()
  page.on('request', (request) => {
    if (request.headers().authorization) credentialsWentTo.add(new URL(request.url()).origin)
  })

  await page.getByRole('button', { name: 'Open another API' }).click()
  await page.getByLabel('Address of the API').and(page.locator(':focus')).waitFor()
  await page.getByLabel('Address of the API').fill('ftp://localhost')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('The address must begin with http or https, not ftp.').waitFor()
  await page.getByLabel('Address of the API').fill(open.base.replace('http://', ''))
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByText('Open Library').waitFor()
  assert.equal(await page.getByText(/^User /).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0)

  await goTo(page, '/create/authors')
  await page.getByLabel('Name').fill('Half typed')
  await page.getByRole('button', { name: 'Another API' }).click()
  await scan(page)
  await page.getByLabel('Address of the API').fill(other.base)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  const lost = page.getByRole('dialog', { name: 'Leave without saving?' })
  await lost.getByRole('button', { name: 'Stay' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half typed')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await lost.getByRole('button', { name: 'Leave' }).click()
  const warning = page.getByText(/not served by this API/)
  await warning.getByText(new URL(other.base).host).waitFor()
  assert.equal(await page.getByText(/^Plain http/).count(), 0)
  await scan(page)
  await signIn(page)
  await page.getByRole('banner').getByText('Other Library').waitFor()
  assert.deepEqual([...credentialsWentTo], [new URL(other.base).origin])

  // An address where nothing is takes nothing away, nor does one where nothing happens.
  expectErrors(/ERR_NAME_NOT_RESOLVED|ERR_FAILED/)
  await page.route('https://nonsense/**', (route) => route.abort('namenotresolved'))
  await page.route('http://silent.example/**', () => {})
  await page.getByRole('button', { name: 'Another API' }).click()
  await page.getByLabel('Address of the API').fill('nonsense')
  await page.keyboard.press('Enter')
  await failureOf(page)
    .getByText(/^https:\/\/nonsense\/ did not answer/)
    .waitFor()
  await assertFocused(page, 'Address of the API')
  await page.getByLabel('Address of the API').fill('http://silent.example/api')
  await page.keyboard.press('Enter')
  await page.getByText(/^Connecting/).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Open', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await assertFocused(page, 'Another API …')
  await page.getByText('User 7').waitFor()

  // It was chosen in this tab, and stays.
  await page.reload()
  await warning.getByText(new URL(other.base).host).waitFor()
  await signIn(page)
  await page.getByRole('banner').getByText('Other Library').waitFor()

  // Somebody else's server, and nothing but the challenge is needed of it.
  await page.route('http://api.example/**', (route) =>
    route.fulfill({
      status: 401,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': 'X-Authentication',
        'X-Authentication': '00000000-0000-8000-8000-000000000000',
      },
    }),
  )
  await page.getByRole('button', { name: 'Another API' }).click()
  await page.getByLabel('Address of the API').fill('http://api.example/v1')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText(/^Plain http: anyone between you and api\.example can read/).waitFor()
  await scan(page)
  await page.getByRole('button', { name: `Back to ${service.base}` }).click()
  await page.getByText(service.base, { exact: true }).waitFor()
  assert.equal(await warning.count(), 0)
  assert.equal(await page.evaluate('sessionStorage.length'), 0)
})
