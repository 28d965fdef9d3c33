import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../../support/browser.ts'
import { openSignedIn } from '../../../support/console.ts'
import { addFilter, cellsOf, namesOf, showing, typed } from '../../table-reading.ts'

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
      number: { type: string, required: true }
      customer: { type: Customer, required: true }
      total: { type: decimal, scale: 2, unit: EUR }
`

test('a table shows, sorts and filters by the properties of linked members, and its address keeps that', async (t) => {
  const { page, client, asked } = await openSignedIn(t, '/', { service: { api: SHOP } })
  await client.batch(({ create }) => {
    const customers = [
      ['Zoe', 'Austria'],
      ['Ann', 'Norway'],
      ['Bob', 'Chile'],
    ].map(([name, country]) => create('customers', { name, country }))
    for (let number = 1; number <= 30; number += 1)
      create('orders', { number: `A-${100 + number}`, customer: customers[number % 3], total: `${number}.5` })
  })
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
  await showing(page, '1–20 of 30')
  await page.getByText('Columns', { exact: true }).click()
  const group = page.getByRole('group', { name: 'Columns of linked members' })
  assert.deepEqual(await group.getByRole('checkbox').count(), 1)
  asked.length = 0
  await group.getByRole('checkbox', { name: 'Customer › Country' }).check()
  await page.getByRole('columnheader', { name: 'Customer › Country' }).waitFor()
  await scan(page)
  await page.keyboard.press('Escape')
  const cells = cellsOf(page, 'A-101')
  assert.deepEqual(await cells.allTextContents(), ['Ann', 'Norway', '1.50'])
  await page.waitForURL(/#\/table\/orders\?~column=customer\.country$/)
  // The values come with the page.
  assert.deepEqual([...new Set(asked)], ['GET /orders?include=customer'])

  await page.getByRole('button', { name: 'Customer › Country' }).click()
  await showing(page, '1–20 of 30, sorted by customer country, ascending')
  assert.deepEqual((await namesOf(page)).slice(9, 11), ['A-130', 'A-102'])
  await page.getByRole('link', { name: 'Next' }).click()
  await showing(page, '21–30 of 30, sorted by customer country, ascending')
  assert.equal(await cells.nth(1).textContent(), 'Norway')
  // A link is sorted by what it shows.
  await page.getByRole('button', { name: 'Customer', exact: true }).click()
  await showing(page, '1–20 of 30, sorted by customer, ascending')
  assert.equal((await namesOf(page))[0], 'A-101')

  await addFilter(page, 'Customer › Country', 'contains', typed('STR'))
  await showing(page, '1–10 of 10, sorted by customer, ascending')
  await page.getByRole('button', { name: 'Remove the filter: Customer › Country contains “STR”' }).waitFor()
  assert.match(page.url(), /customer\.country\.contains=STR&~column=customer\.country$/)
  await page.getByText('Columns', { exact: true }).click()
  await group.getByRole('checkbox', { name: 'Customer › Country' }).uncheck()
  await page.getByRole('columnheader', { name: 'Customer › Country' }).waitFor({ state: 'detached' })

  // No column shows the order any more, so a chip does.
  await page.getByRole('checkbox', { name: 'Customer', exact: true }).uncheck()
  await page.getByText('Sorted by Customer, ascending', { exact: true }).waitFor()
  await scan(page)
  await page.getByRole('button', { name: 'Remove the order' }).click()
  await showing(page, '1–10 of 10')
})
