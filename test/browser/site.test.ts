import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, scan } from '../support/browser.ts'
import { listen } from '../support/browser-server.ts'
import { buildSite } from '../support/site.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/** The site in a folder of its host, as project pages are. */
async function serveSite(t: TestContext): Promise<string> {
  const folder = await buildSite()
  const base = await listen(t, (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    response.setHeader('Content-Type', TYPES[extname(pathname)] ?? 'application/octet-stream')
    response.end(readFileSync(join(folder, pathname.replace(/^\/hydrant\//, ''))))
  })
  return `${base}/hydrant`
}

const background = (page: Page): Promise<string> =>
  page.locator('html').evaluate((element) => getComputedStyle(element).backgroundColor)

test('the site works on a phone and in the dark, and finds a section by the beginning of a word', async (t) => {
  const base = await serveSite(t)
  const { page } = await openBrowser(t, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await page.goto(`${base}/docs/requests.html`)
  const dark = await background(page)
  for (const width of [390, 1400]) {
    await page.setViewportSize({ width, height: 844 })
    const used = await page.locator('html').evaluate((element) => element.scrollWidth)
    assert.equal(used, width, 'nothing is wider than the screen')
    await scan(page)
  }
  await page.getByRole('button', { name: 'Light or dark' }).click()
  assert.notEqual(await background(page), dark)
  await scan(page)
  await page.reload()
  assert.notEqual(await background(page), dark, 'the choice is kept')

  await page.keyboard.press('/')
  await page.keyboard.type('pgbounc')
  await page.getByRole('link', { name: 'PgBouncer' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/docs/scaling.html#pgbouncer`)
  await page.getByRole('heading', { name: 'PgBouncer' }).waitFor()
})
