import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../../../support/browser.ts'
import { serveConsole } from '../../../support/console.ts'
import { startForeignApi } from '../../table-foreign-api.ts'
import { addFilter, namesOf, showing, typed } from '../../table-reading.ts'

test('a table of another API can be read, sorted and filtered by parameters that only that API has', async (t) => {
  const { base, asked } = await startForeignApi(t)
  const address = await serveConsole(t, base)
  const { page } = await openBrowser(t)
  await page.goto(`${address}#/table/books`)
  await showing(page, '1–30 of an unknown number')
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/books')),
    ['/books'],
  )
  assert.deepEqual(await page.getByRole('columnheader').allTextContents(), ['Title', 'Price', 'Sequel'])
  const sequel = page.getByRole('row', { name: 'Foreign 01' }).getByRole('cell').getByRole('link')
  assert.equal(await sequel.getAttribute('href'), '#/member/books/2')
  // It includes nothing: other names are read on demand.
  await page.getByRole('button', { name: 'Show names' }).click()
  await page.getByRole('row', { name: 'Foreign 30' }).getByRole('link', { name: 'Foreign 31' }).waitFor()
  await page.getByRole('button', { name: 'Show names' }).click()
  // Nobody says that a member can be made.
  assert.equal(await page.getByRole('link', { name: /^New/ }).count(), 0)
  // Nor that it has summaries, writes CSV or includes linked members.
  assert.equal(await page.getByRole('link', { name: 'Summary' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0)
  assert.equal(await page.getByRole('group', { name: 'Columns of linked members' }).count(), 0)

  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '31–60 of an unknown number')
  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '61–70 of an unknown number')
  asked.length = 0
  await page.getByRole('button', { name: 'Price' }).click()
  await showing(page, '1–30 of an unknown number, sorted by price, ascending')
  assert.equal((await namesOf(page))[0], 'Foreign 70')
  assert.deepEqual(asked, ['/books?order[price]=asc'])
  assert.equal(await page.getByRole('button', { name: 'Title' }).count(), 0)

  await addFilter(page, 'fancy', 'is', typed('5'))
  await showing(page, '1–7 of 7, sorted by price, ascending')
  await page.getByRole('button', { name: 'Remove the filter: fancy is “5”' }).waitFor()
  assert.deepEqual(asked, ['/books?order[price]=asc', '/books?order[price]=asc&fancy=5'])
})
