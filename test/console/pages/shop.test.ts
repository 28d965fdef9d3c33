import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../support/browser.ts'
import { PARAPHRASE } from '../../support/client.ts'
import { goTo, openConsole, signIn } from '../../support/console.ts'
import { isTooWide } from '../document.ts'
import { heading, shownFor } from '../member-reading.ts'
import { addFilter, cellsOf, showing, typed } from '../table-reading.ts'

/** Embedded values, links within them, and titles. */
const SHOP = `
title: Corner shop
classes:
  Customer:
    properties:
      name: { type: string, required: true }
      email: { type: string, title: E-mail }
      home: Address
  Address:
    collection: false
    properties: { street: string, city: City }
  City:
    collection: cities
    properties: { name: string }
  Order:
    title: Purchase order
    properties:
      number: { type: string, required: true }
      customer: { type: Customer, required: true }
      lines: { type: Line, many: true, required: true }
      total: decimal
      remarks: { type: string, maxLength: 1000 }
  Line:
    collection: false
    properties:
      article: { type: string, required: true }
      quantity: { type: integer, title: How many, required: true }
`

/** Nothing of the API's name is cut off. */
const WHOLE_NAME = `(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
  scrollWidth <= clientWidth && scrollHeight <= clientHeight + 1)(document.querySelector('.brand span'))`
const kept = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...sessionStorage })')

test('a walk through a shop: phrases, titles, refused filters, and what a reload keeps', async (t) => {
  const { page, client, asked, expectErrors } = await openConsole(t, { service: { api: SHOP } })
  expectErrors(/status of 400/, /status of 422 .*\/batch/)
  const city = await client.collection('cities').create({ name: 'Berlin' })
  const customer = await client.collection('customers').create({
    name: 'Ada',
    email: 'ada@example.org',
    home: { street: 'Main Street 1', city: city.iri },
  })
  const line = { article: 'Tea', quantity: 2 }
  for (const [number, lines] of [
    ['A-1', [line, { article: 'Cup', quantity: 1 }]],
    ['A-2', [line]],
  ] as const)
    await client.collection('orders').create({ number, customer: customer.iri, lines, total: '3.50' })

  // Why an exchange fails is not said by the API, and told by the page.
  await signIn(page, 7, 'not the paraphrase')
  await page.getByText('The user was removed, or has a new passphrase.').waitFor()
  await scan(page)
  await page.getByLabel('Stay signed in on this tab').check()
  await signIn(page)
  await page.getByRole('navigation').waitFor()

  await goTo(page, '/table/orders')
  await showing(page, '1–2 of 2')
  const head = page.getByRole('columnheader')
  assert.deepEqual(await cellsOf(page, 'A-1').allTextContents(), ['Ada', '2 lines', '3.50', ''])
  assert.deepEqual(await cellsOf(page, 'A-2').allTextContents(), ['Ada', '1 line', '3.50', ''])
  assert.ok(asked.includes('GET /orders?include=customer'))
  await page.getByRole('button', { name: 'Add filter' }).click()
  assert.equal(await page.getByLabel('Comparison').inputValue(), 'contains')
  await page.getByRole('button', { name: 'Cancel' }).click()

  // A refused filter is said under its field, in sight of the rows before it; and goes with its form.
  await addFilter(page, 'Total', 'is', typed('cheap'))
  await page.getByText('"cheap"').waitFor()
  const said = await page.getByLabel('Value').getAttribute('aria-describedby')
  assert.match((await page.locator(`[id="${said}"]`).textContent()) ?? '', /^total: "cheap"/)
  assert.equal(await cellsOf(page, 'A-1').first().textContent(), 'Ada')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(/#\/table\/orders$/)

  // Where nothing matches, the head of the table stays where it is.
  const before = await head.first().boundingBox()
  await goTo(page, '/table/orders?total=99')
  await page.getByText('Nothing matches').waitFor()
  assert.deepEqual(await head.allTextContents(), ['Number', 'Customer', 'Lines', 'Total', 'Remarks'])
  assert.equal((await head.first().boundingBox())?.x, before?.x)

  await goTo(page, '/table/customers')
  await showing(page, '1–1 of 1')
  assert.deepEqual(await head.allTextContents(), ['Name', 'E-mail', 'Home'])
  assert.deepEqual(await cellsOf(page, 'Ada').allTextContents(), ['ada@example.org', 'Main Street 1, Berlin'])
  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'E-mail' }).uncheck()
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  const surface = 'getComputedStyle(document.documentElement).backgroundColor'
  const dark = await page.evaluate(surface)

  // The token alone is in the tab, and nothing asks for the paraphrase again.
  assert.match(await kept(page), /"hydrant-token"/)
  assert.ok(!(await kept(page)).includes(PARAPHRASE))
  await page.reload()
  await showing(page, '1–1 of 1')
  assert.deepEqual(await head.allTextContents(), ['Name', 'Home'])
  assert.equal(await page.evaluate(surface), dark)
  assert.equal(await page.getByRole('combobox', { name: 'Theme' }).inputValue(), 'dark')
  await scan(page)

  await page.setViewportSize({ width: 360, height: 740 })
  assert.equal(await page.evaluate(WHOLE_NAME), true)
  await goTo(page, '/table/orders')
  await page.getByRole('rowheader', { name: 'A-1' }).getByRole('link').click()
  await heading(page, 'A-1')
  assert.deepEqual(await shownFor(page, 'Lines').getByRole('row').allTextContents(), [
    'ArticleHow many',
    'Tea2',
    'Cup1',
  ])
  assert.equal(await isTooWide(page), false)
  await scan(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  const [title, text] = await Promise.all(
    ['h2', 'p'].map((tag) => page.getByRole('dialog').locator(tag).boundingBox()),
  )
  assert.ok(title && text && text.y - title.y - title.height < 20, 'There is a gap in the dialog.')
  await page.getByRole('button', { name: 'Cancel' }).click()

  // Fields within a list are named as people say them; where a text may have several lines there is room for them.
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Line 2: Article').fill('Saucer')
  // Enter goes down, and adds a row after the last one; an empty one is no line.
  await page.keyboard.press('Enter')
  await page.keyboard.type('Milk')
  await page.getByLabel('Line 3: How many').fill('1')
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('status').getByText('Line 3 is now Line 2.').waitFor()
  assert.equal(await page.getByLabel('Line 2: Article').inputValue(), 'Milk')
  assert.equal(
    await page.getByLabel('Line 2: How many').evaluate((node) => node === node.ownerDocument.activeElement),
    true,
  )
  await page.getByRole('button', { name: 'Move Line 2 up' }).click()
  await page.getByRole('button', { name: 'Remove Line 2' }).click()
  assert.deepEqual(
    await Promise.all(
      ['Line 1: Article', 'Line 2: Article'].map((label) => page.getByLabel(label).inputValue()),
    ),
    ['Milk', 'Saucer'],
  )
  await page.getByRole('button', { name: 'Add another to Lines' }).click()
  await scan(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'A-1')
  const saved = (await client.collection('orders').page({ number: 'A-1' })).members[0]?.data.lines
  assert.deepEqual(
    saved.map((line: { article: string; quantity: number }) => [line.article, line.quantity]),
    [
      ['Milk', 1],
      ['Saucer', 1],
    ],
  )
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.setViewportSize({ width: 1280, height: 800 })
  const [number, button] = [
    page.getByLabel('Line 1: How many'),
    page.getByRole('button', { name: 'Remove Line 1' }),
  ]
  assert.equal(
    await number.evaluate((node) => node.ownerDocument.defaultView?.getComputedStyle(node).textAlign),
    'end',
  )
  assert.equal(await button.count(), 1)
  await page.emulateMedia({ colorScheme: 'light' })
  await scan(page)
  const [oneLine, area] = await Promise.all(
    ['Number', 'Remarks'].map((label) => page.getByLabel(label).boundingBox()),
  )
  assert.ok(oneLine && area && area.height > 1.5 * oneLine.height, 'Remarks have room for one line.')
  await page.getByLabel('Remarks').fill('one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  assert.equal(await page.getByLabel('Remarks').inputValue(), 'one\ntwo')
  await page.getByLabel('Line 2: How many').fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: /^Line 2: How many must be a whole number/ }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('the token has been revoked').waitFor()
  assert.equal(await kept(page), '{}')
})
