import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { isTooWide } from '../../document.ts'
import { heading } from '../../member-reading.ts'
import { addFilter, showing, typed } from '../../table-reading.ts'

const SHOP = `
title: Shop
classes:
  Customer:
    properties:
      name: { type: string, required: true }
      country: string
  Order:
    plural: orders
    properties:
      number: { type: string, required: true, unique: true }
      customer: Customer
      date: date
      total: { type: decimal, scale: 2, unit: EUR }
`

/** The cells of the rows below the head. */
const figures = (page: Page): Promise<string[]> =>
  page
    .locator('.summary-table tbody tr')
    .evaluateAll((rows) =>
      (rows as unknown as { cells: { textContent: string }[] }[]).map(({ cells }) =>
        [...cells].map(({ textContent }) => textContent).join(' | '),
      ),
    )

// contract: In the console a table's *Summary*
test('a table is summed up by groups, as bars or over time as a line, with its filters and with ways to the members', async (t) => {
  const { page, client } = await openSignedIn(t, '/', { service: { api: SHOP } })
  await client.batch(({ create }) => {
    const customers = [
      ['Ann', 'Norway'],
      ['Bob', 'Chile'],
      ['Cid', 'Chile'],
    ].map(([name, country]) => create('customers', { name, country }))
    const orders: [customer: number, date: string, total: string][] = [
      [0, '2026-01-05', '1000.5'],
      [0, '2026-01-07', '234.05'],
      [1, '2026-02-01', '10'],
      [2, '2026-05-01', '20'],
    ]
    for (const [index, [customer, date, total]] of orders.entries())
      create('orders', { number: `A-${index}`, customer: customers[customer], date, total })
    create('orders', { number: 'A-9' })
  })
  await goTo(page, '/table/orders?total.gte=10')
  await showing(page, '1–4 of 4')
  await page.getByRole('link', { name: 'Summary' }).click()
  await heading(page, 'Summary of orders')
  await page.getByRole('rowheader', { name: 'Ann' }).waitFor()
  await page.getByRole('rowheader', { name: 'Cid' }).waitFor()
  // Equal counts are in the order of addresses, which says nothing about members that were added at once.
  const [most, ...others] = await figures(page)
  assert.deepEqual([most, ...others.sort()], ['Ann | 2', 'Bob | 1', 'Cid | 1'])
  await page.getByText('Total at least 10.00').waitFor()
  await scan(page)

  // Exact figures, with the unit.
  await page.getByLabel('Figure').selectOption('Sum')
  await page.getByRole('columnheader', { name: 'Sum of Total (EUR)' }).waitFor()
  assert.deepEqual(await figures(page), ['Ann | 2 | 1,234.55', 'Cid | 1 | 20.00', 'Bob | 1 | 10.00'])
  await page.getByLabel('Group by').selectOption('Customer › Country')
  await page.getByRole('rowheader', { name: 'Norway' }).waitFor()
  assert.deepEqual(await figures(page), ['Norway | 2 | 1,234.55', 'Chile | 2 | 30.00'])
  await page.getByRole('button', { name: 'Customer › Country' }).click()
  await page
    .getByRole('columnheader', { name: 'Customer › Country' })
    .and(page.locator('[aria-sort]'))
    .waitFor()
  // A bar leads to its members.
  await page.locator('.summary-chart a').filter({ hasText: 'Chile' }).click()
  await showing(page, '1–2 of 2')
  await page.getByRole('button', { name: 'Change the filter: Customer › Country is “Chile”' }).waitFor()
  await page.goBack()
  await heading(page, 'Summary of orders')

  // Without the filter there is a member that has none of the values.
  await page.getByRole('button', { name: 'Remove the filter: Total at least 10.00' }).click()
  await page.getByRole('link', { name: 'No value' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByLabel('Group by').selectOption('Date')
  await page.getByRole('link', { name: 'May 2026' }).waitFor()
  await page.waitForURL(/group=date%3Amonth/)
  assert.deepEqual(await figures(page), [
    ...['May 2026 | 1 | 20.00', 'Feb 2026 | 1 | 10.00', 'Jan 2026 | 2 | 1,234.55', 'No value | 1 | '],
  ])
  // Through March and April, which have no orders.
  assert.equal(await page.locator('.summary-line').count(), 4)
  assert.equal(await isTooWide(page), false)
  await scan(page)
  await page.getByRole('link', { name: 'Jan 2026' }).click()
  await showing(page, '1–2 of 2')
  await addFilter(page, 'Total', 'less than', typed('500'))
  await showing(page, '1–1 of 1')
})
