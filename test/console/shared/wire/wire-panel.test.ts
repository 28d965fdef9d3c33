import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { scan } from '../../../support/browser.ts'
import { PARAPHRASE, USER } from '../../../support/client.ts'
import { goTo, openConsole, openSignedIn, signIn } from '../../../support/console.ts'
import { assertFocused, isTooWide } from '../../document.ts'

const run = promisify(execFile)

test('the wire view lists every request with its step, and copies it as a command that works', async (t) => {
  const { page, service } = await openConsole(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  let token = ''
  page.on('request', (request) => {
    token = request.headers()['x-authorization'] ?? token
  })
  await signIn(page)
  await page.getByRole('navigation').waitFor()
  await page.getByRole('button', { name: 'Requests' }).click()
  const wire = page.getByRole('region', { name: 'Requests' })
  await wire.locator('h2:focus').waitFor()
  const rows = wire.getByRole('listitem')
  const lines = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
  const first = lines.toReversed()
  assert.match(first[0] ?? '', /^GET \/ 401 [\d.]+ ms A · challenge$/)
  assert.ok(first.some((line) => /^GET \/ 200 [\d.]+ ms B · exchange$/.test(line)))
  assert.match(first.at(-1) ?? '', / 200 [\d.]+ ms C · with token$/)

  await goTo(page, '/table/books?order[title]=desc')
  const row = rows.filter({ hasText: '/books?' }).first()
  await row.getByRole('button').click()
  await row.getByRole('heading', { name: 'Request headers' }).waitFor()
  await row.getByText('<token>').waitFor()
  await row.getByText(/^Sent at .+ ms\.$/).waitFor()
  await row.getByText(/^\{\n {2}"@context": \{/).waitFor()
  await scan(page)

  await row.getByRole('button', { name: 'Copy as curl' }).click()
  await row.getByText('Copied.').waitFor()
  const command: string = await page.evaluate('navigator.clipboard.readText()')
  assert.match(command, /-H "X-Authorization: \$TOKEN"/)
  assert.ok(!command.includes(token))
  const environment = { PATH: process.env.PATH, TOKEN: token }
  const { stdout } = await run('sh', ['-c', `${command} --silent`], { env: environment })
  const { member } = JSON.parse(stdout)
  assert.equal(member[0].title, 'Book 40')
  assert.ok(member[0]['@id'].startsWith(service.base))

  // And all that it takes in a shell that knows nothing but who one is.
  await row.getByText('Where $TOKEN comes from').click()
  await row.getByRole('button', { name: 'Copy the commands for $TOKEN' }).click()
  await row.getByText('Copied.').nth(1).waitFor()
  const steps: string = await page.evaluate('navigator.clipboard.readText()')
  const known = { PATH: process.env.PATH, USER_ID: String(USER), PARAPHRASE }
  const alone = await run('sh', ['-c', `${steps}\n${command} --silent`], { env: known })
  assert.equal(JSON.parse(alone.stdout).member[0].title, 'Book 40')
  await scan(page)

  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await row.getByRole('button', { name: 'Copy as curl' }).click()
  await row.getByText(/The text is selected: press Ctrl\+C/).waitFor()
  assert.equal(await page.evaluate('getSelection().toString()'), command)
})

test('the wire view fits a narrow screen, leaves the page usable, and opens and closes with the keyboard', async (t) => {
  const { page } = await openSignedIn(t, '/', {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    empty: true,
  })
  await page.getByRole('button', { name: 'Requests' }).focus()
  await page.keyboard.press('Enter')
  const wire = page.getByRole('region', { name: 'Requests' })
  await wire.locator('h2:focus').waitFor()
  await page.keyboard.press('Tab')
  await assertFocused(page, 'Clear')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await wire.getByRole('heading', { name: 'Response body' }).waitFor()
  assert.equal(await isTooWide(page), false)
  await scan(page)

  await goTo(page, '/documentation')
  await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
  await wire.getByRole('heading', { name: 'Response body' }).waitFor()
  await wire.getByRole('button', { name: 'Clear' }).click()
  await wire.getByText('No requests yet.').waitFor()
  await page.keyboard.press('Escape')
  await wire.waitFor({ state: 'detached' })
  await assertFocused(page, 'Requests')
})

test('a long body is cut until the user asks to see all of it', async (t) => {
  const { page } = await openSignedIn(t, '/', { empty: true })
  await page.getByRole('button', { name: 'Requests' }).click()
  const row = page
    .getByRole('region', { name: 'Requests' })
    .getByRole('listitem')
    .filter({ hasText: '/vocab' })
  await row.getByRole('button').click()
  const body = row.locator('pre').last()
  const cut = (await body.textContent()) ?? ''
  assert.ok(cut.length <= 20_001, `${cut.length} characters`)
  assert.ok(cut.endsWith('…'))
  await row.getByRole('button', { name: /^Show all [\d,]+ characters$/ }).click()
  const whole = (await body.textContent()) ?? ''
  assert.ok(whole.startsWith(cut.slice(0, -1)))
  assert.ok(whole.endsWith('}'))
})
