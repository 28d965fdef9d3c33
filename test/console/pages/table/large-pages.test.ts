import assert from 'node:assert/strict'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'
import { namesOf, showing } from '../../table-reading.ts'

const API = `
title: Things
classes:
  Thing:
    properties:
      name: { type: string, required: true }
      group: string
`
const COUNT = 1_050

soakTest('a page with 300 members shows at most 200 at once, and the others can be reached', async (t) => {
  const { page, client, asked } = await openSignedIn(t, '/', {
    service: { api: API, flags: { pageSize: '300', maxPageSize: '500' } },
  })
  const made = Array.from({ length: COUNT }, (_, index) => `Thing ${index}`)
  for (const names of [made.slice(0, 525), made.slice(525)]) {
    await client.batch(({ create }) => {
      for (const name of names) create('things', { name, group: 'all' })
    })
  }
  await goTo(page, '/table/things')
  await showing(page, '1–200 of 1,050')
  await page.getByText('The API sent 300 members at once. These are 1 to 200').waitFor()
  asked.length = 0

  const seen: string[] = []
  const places = ['1–200', '201–300', '301–500', '501–600', '601–800', '801–900', '901–1,050']
  for (const [index, place] of places.entries()) {
    if (index > 0) await page.getByRole('link', { name: 'Next' }).click()
    await showing(page, `${place} of 1,050`)
    const names = await namesOf(page)
    assert.ok(names.length <= 200)
    seen.push(...names)
  }
  assert.equal(seen.length, COUNT)
  assert.deepEqual(new Set(seen), new Set(made))
  assert.equal(asked.length, 3)
  // The focus stays where it was on the whole way.
  assert.equal(await page.getByRole('link', { name: 'Next' }).and(page.locator(':focus')).count(), 1)

  await page.getByRole('link', { name: 'First' }).click()
  await showing(page, '1–200 of 1,050')
  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '201–300 of 1,050')
  await page.getByRole('link', { name: 'First' }).click()
  await showing(page, '1–200 of 1,050')
  assert.equal(asked.length, 4)

  await goTo(page, '/table/things?group=all')
  await showing(page, '1–200 of more than 1,000')
  // Not the last of the rows that have come.
  assert.equal(await page.getByRole('link', { name: 'Last' }).getAttribute('aria-disabled'), 'true')

  await goTo(page, '/table/things?group=all&itemsPerPage=20')
  await showing(page, '1–20 of more than 1,000')
  asked.length = 0
  await page.getByRole('button', { name: 'Count' }).click()
  await showing(page, '1–20 of 1,050')
  assert.equal(asked.length, 1)
  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '21–40 of 1,050')
  await page.getByRole('link', { name: 'Last' }).click()
  await showing(page, '1,031–1,050 of 1,050')
})
