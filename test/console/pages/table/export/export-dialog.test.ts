import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../../support/console.ts'
import { showing } from '../../../table-reading.ts'

async function downloaded(page: Page) {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await started
  const text = readFileSync(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.split('\r\n') }
}

const API = `
title: Shop
classes:
  Thing:
    plural: things
    properties:
      name: { type: string, required: true }
      tags: { type: string, many: true }
`

test('a filtered table is exported as one CSV file, over all pages, also for spreadsheets', async (t) => {
  const { page, client, asked, expectErrors } = await openSignedIn(t, '/', {
    service: { api: API, flags: { maxPageSize: '50' } },
  })
  await client.batch(({ create }) => {
    for (let number = 101; number <= 160; number += 1)
      create('things', { name: `=${number}`, tags: number === 160 ? ['a', 'b'] : [] })
  })
  await goTo(page, '/table/things?order%5Bname%5D=desc&name.ne=%3D159')
  await showing(page, '1–20 of 59, sorted by name, descending')
  await page.getByRole('button', { name: 'Export' }).click()
  await scan(page)
  asked.length = 0
  expectErrors(/status of 400/)
  const plain = await downloaded(page)
  assert.equal(plain.name, 'things.csv')
  assert.equal(plain.lines.length, 61)
  assert.match(String(plain.lines[0]), /^@id,name,tags,tags$/)
  assert.match(String(plain.lines[1]), /,=160,a,b$/)
  assert.match(String(plain.lines[2]), /,=158,,$/)
  assert.match(String(plain.lines[59]), /,=101,,$/)
  await page.getByRole('status').getByText('Saved 59 things as things.csv.').waitFor()
  // The API has no pages of a hundred.
  assert.deepEqual(asked.slice(0, 2), [
    'GET /things?order[name]=desc&name.ne==159&itemsPerPage=100',
    'GET /things?order[name]=desc&name.ne==159',
  ])
  assert.equal(asked.length, 4)

  await page.getByRole('checkbox', { name: 'For spreadsheets' }).check()
  const escaped = await downloaded(page)
  assert.match(String(escaped.lines[0]), /^\uFEFF'@id,/)
  assert.match(String(escaped.lines[1]), /,'=160,a,b$/)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})
