import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../../support/browser.ts'
import { openSignedIn } from '../../../../support/console.ts'
import { cellsOf, showing } from '../../../table-reading.ts'

async function scanBoth(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await scan(page)
  }
}

/** Batches wait until they are released. */
async function holdBatches(page: Page) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/batch', async (route) => {
    begun.resolve()
    await released.promise
    await route.continue()
  })
  return { begun: begun.promise, release: released.resolve }
}

test('selected rows are changed, exported and deleted together, and what failed says why', async (t) => {
  const { page, client } = await openSignedIn(t, '/table/books?itemsPerPage=10')
  await showing(page, '1–10 of 40')
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  const dialog = page.getByRole('dialog')
  const opened = (name: string) => page.getByRole('button', { name }).click()
  await select('Book 02').check()
  await select('Book 04').click({ modifiers: ['Shift'] })
  await page.getByRole('status').getByText('3 books selected', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '11–20 of 40')
  await select('Book 12').check()
  await page.getByRole('status').getByText('4 books selected, 3 on other pages').waitFor()
  await scanBoth(page)

  await opened('Export selected')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const csv = readFileSync(await (await download).path(), 'utf8').split('\r\n')
  assert.deepEqual(
    csv.map((line) => /Book \d+/.exec(line)?.[0]),
    [undefined, 'Book 02', 'Book 03', 'Book 04', 'Book 12', undefined],
  )
  await dialog.getByRole('button', { name: 'Close' }).click()

  // Somebody else changes one of them.
  const third = (await client.collection('books').page({ title: 'Book 03' })).members[0]
  await third?.update({ pages: 9 })
  await opened('Change …')
  await dialog.getByLabel('Property').selectOption('Pages')
  await dialog.getByLabel('Pages').fill('777')
  await scanBoth(page)
  const writes = await holdBatches(page)
  await dialog.getByRole('button', { name: 'Change 4 books' }).click()
  await writes.begun
  // Otherwise nobody would learn what failed.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  writes.release()
  await dialog.getByText('3 books were changed.').waitFor()
  await dialog.getByText('Book 03: Someone has changed it since you opened this page.').waitFor()
  await scanBoth(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  assert.equal((await client.collection('books').page({ pages: 777 })).totalItems, 3)
  await page.getByRole('status').getByText('1 book selected, 1 on other pages').waitFor()
  assert.equal(await cellsOf(page, 'Book 12').filter({ hasText: '777' }).count(), 1)
  // What this page has written is not marked as somebody else's.
  assert.equal(await page.getByRole('button', { name: /: show$/ }).count(), 0)

  await opened('Clear selection')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await select('Book 11').uncheck()
  await opened('Delete …')
  await dialog.getByRole('heading', { name: 'Delete 9 books?' }).waitFor()
  await dialog.getByText('Book 12, Book 13, Book 14, Book 15, Book 16 and 4 more').waitFor()
  await scanBoth(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('9 books were deleted.').waitFor()
  await showing(page, '11–20 of 31')
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
  await select('Book 11').check()
  const eleventh = (await client.collection('books').page({ title: 'Book 11' })).members[0]
  await eleventh?.update({ pages: 9 })
  await opened('Delete …')
  const removal = await holdBatches(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await removal.begun
  await page.evaluate(() => {
    location.hash = '#/'
  })
  await dialog.waitFor({ state: 'hidden' })
  removal.release()
  await page.getByText('1 book was not deleted. Someone has changed it since you opened this page.').waitFor()
})
