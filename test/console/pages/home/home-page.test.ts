import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn, startAt } from '../../../support/console.ts'

test('the overview', async (t) => {
  const opened = await openSignedIn(t)

  await t.test('the overview describes the API and links to its collections', async () => {
    const { page, asked } = opened
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    await main.getByText('Books and the people who write them').waitFor()
    const books = main.getByRole('listitem').filter({ hasText: 'Books' })
    await books.getByText('40 members').waitFor()
    await books.getByText('A book, as a work rather than as a copy on a shelf').waitFor()
    await main.getByRole('listitem').filter({ hasText: 'Authors' }).getByText('3 members').waitFor()
    const counts = asked.filter((request) => /^GET \/(books|authors)/.test(request))
    assert.deepEqual(counts.toSorted(), ['GET /authors', 'GET /books'])
    await scan(page)
    await books.getByRole('link', { name: 'New book' }).click()
    await page.waitForURL(/#\/create\/books$/)
    await page.goBack()
    await main.getByRole('link', { name: 'Authors', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Jane Austen' }).waitFor()
  })

  await t.test(
    'a collection that cannot be counted does not affect the others, also in dark mode on a narrow screen',
    async () => {
      const { page, service, expectErrors } = opened
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      await startAt(opened, '/table/authors')
      await page.getByRole('rowheader', { name: 'Jane Austen' }).waitFor()
      expectErrors(/status of 500/)
      await page.route(`${service.base}/authors`, (route) =>
        route.fulfill({
          status: 500,
          headers: { 'Access-Control-Allow-Origin': '*' },
          json: { 500: 'Something is broken here.' },
        }),
      )
      await goTo(page, '/')
      await page.getByText('40 members').waitFor()
      assert.equal(await page.getByText('Not counted').getAttribute('title'), 'Something is broken here.')
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await scan(page)
    },
  )
})

test('only the first twenty collections are counted, and operations that are not offered have no links', async (t) => {
  const names = Array.from({ length: 24 }, (_, index) => `Kind${String.fromCharCode(65 + index)}`)
  const operations = (index: number) =>
    index === 0 ? '[create]' : index === 1 ? '[list, read]' : '[list, create, read]'
  const classes = names.map(
    (name, index) =>
      `  ${name}:\n    collection: ${name.toLowerCase()}\n    operations: ${operations(index)}\n    properties: { name: string }`,
  )
  const api = `title: Many\nclasses:\n${classes.join('\n')}\n  Settings:\n    collection: false\n    operations: [read, update]\n    properties: { name: string }\n`
  const { page, asked } = await openSignedIn(t, '/', { service: { api } })
  const card = (name: string) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: name }).first()
  await card('Kind us').getByText('0 members').waitFor()
  const counted = asked.filter((request) => request.startsWith('GET /kind'))
  assert.deepEqual(
    counted.toSorted(),
    names.slice(1, 21).map((name) => `GET /${name.toLowerCase()}`),
  )
  assert.equal(await card('Kind xes').getByText('members').count(), 0)
  assert.equal(await card('Kind as').getByRole('link', { name: 'New kind a' }).count(), 1)
  assert.equal(await card('Kind bs').getByRole('link').count(), 1)
  const settings = page
    .getByRole('region', { name: 'Single resources' })
    .getByRole('link', { name: 'Settings' })
  assert.equal(await settings.getAttribute('href'), '#/member/Settings')
})
