import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn, startAt } from '../../../support/console.ts'
import { bookNames, namesOf, showing } from '../../table-reading.ts'

const hasFocus = async (wanted: Locator): Promise<boolean> =>
  (await wanted.and(wanted.page().locator(':focus')).count()) === 1

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, role: 'button' | 'link' | 'combobox' | 'textbox' | 'region', name: string) {
  const wanted = page.getByRole(role, { name, exact: true })
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await hasFocus(wanted)) return wanted
  }
  assert.fail(`Nobody gets to the ${role} "${name}" with the keyboard.`)
}

test('accessibility of a table', async (t) => {
  const opened = await openSignedIn(t)

  await t.test('the table can be used with the keyboard alone', async () => {
    const { page } = opened
    await goTo(page, '/table/books')
    await showing(page, '1–20 of 40')
    await page.keyboard.press('/')
    const search = page.getByRole('searchbox', { name: 'Search books' })
    assert.ok(await hasFocus(search))
    await page.keyboard.type('/?')
    assert.equal(await search.inputValue(), '/?')
    await search.fill('')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await keys.getByText('Search this table').waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await scan(page)
    }
    await keys.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    assert.ok(!(await hasFocus(search)))

    await tabTo(page, 'region', 'Books')
    const sort = await tabTo(page, 'button', 'Pages')
    await page.keyboard.press('Enter')
    await showing(page, '1–20 of 40, sorted by pages, ascending')
    await page.keyboard.press('Enter')
    await showing(page, '1–20 of 40, sorted by pages, descending')
    assert.ok(await hasFocus(sort))

    await page.getByRole('heading', { level: 1 }).focus()
    await tabTo(page, 'button', 'Skip to the page links')
    await page.keyboard.press('Enter')
    assert.ok(await hasFocus(page.getByRole('link', { name: 'Next' })))
    await page.keyboard.press('Enter')
    await showing(page, '21–40 of 40, sorted by pages, descending')
    assert.deepEqual(await namesOf(page), bookNames(20, 1))

    await page.getByRole('heading', { level: 1 }).focus()
    const add = await tabTo(page, 'button', 'Add filter')
    await page.keyboard.press('Enter')
    await page.getByLabel('Property').waitFor()
    await page.keyboard.type('Pages')
    await page.keyboard.press('Tab')
    await page.keyboard.type('at most')
    await page.keyboard.press('Tab')
    await page.keyboard.type('103')
    await page.keyboard.press('Enter')
    await showing(page, '1–3 of 3, sorted by pages, descending')
    await page.getByLabel('Property').waitFor({ state: 'detached' })
    assert.ok(await hasFocus(add))
    assert.equal(await add.getAttribute('aria-expanded'), 'false')
    await tabTo(page, 'button', 'Remove the filter: Pages at most 103')
    await page.keyboard.press('Space')
    await showing(page, '1–20 of 40, sorted by pages, descending')
    await tabTo(page, 'link', 'Book 40')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Book 40' }).waitFor()
  })

  await t.test('the table is accessible in light mode, with open and with refused filters', async () => {
    const { page, expectErrors } = opened
    await startAt(opened, '/table/books')
    await showing(page, '1–20 of 40')
    await scan(page)
    expectErrors(/status of 400/)
    await goTo(page, '/table/books?pages=many&q=book')
    await page.getByRole('alert').getByText('"many"').waitFor()
    await page.getByRole('button', { name: /^Change the filter: Pages/ }).click()
    await scan(page)
    // Whatever stands above the rows, the ways to other pages are in sight, and nothing but the rows scrolls.
    await page.setViewportSize({ width: 1280, height: 800 })
    await goTo(page, '/table/books?pages%5Bgte%5D=105')
    await showing(page, '1–20 of 36')
    const add = page.getByRole('button', { name: 'Add filter' })
    if ((await add.getAttribute('aria-expanded')) === 'false') await add.click()
    const next = await page.getByRole('link', { name: 'Next' }).boundingBox()
    assert.ok(next && next.y + next.height <= 800, JSON.stringify(next))
    assert.equal(await page.evaluate('document.documentElement.scrollHeight'), 800)
    await page.getByText('Columns', { exact: true }).click()
    await scan(page)
    await goTo(page, '/table/books?title=nothing')
    await page.getByText('Nothing matches').waitFor()
    await scan(page)
  })

  await t.test(
    'in dark mode and on a narrow screen the table is accessible, and only its rows scroll',
    async () => {
      const { page } = opened
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 740 })
      await startAt(opened, '/table/books?pages%5Bgte%5D=110')
      await showing(page, '1–20 of 31')
      // Even with a filter, the first row is within the first half of the screen.
      const first = await page.getByRole('rowheader').first().boundingBox()
      assert.ok(first && first.y + first.height <= 370, JSON.stringify(first))
      await page.getByRole('button', { name: 'Add filter' }).click()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
      await scan(page)
      await page.getByRole('button', { name: 'Cancel' }).click()
      const region = page.getByRole('region', { name: 'Books' })
      await region.focus()
      // Another column comes into sight, and what a row is called stays there.
      const isbn = page.getByRole('columnheader', { name: 'ISBN' })
      const isFar = async () => ((await isbn.boundingBox())?.x ?? 999) > 250
      assert.ok(await isFar())
      for (let presses = 0; presses < 60 && (await isFar()); presses += 1)
        await page.keyboard.press('ArrowRight')
      assert.ok(!(await isFar()))
      const name = await page.getByRole('rowheader', { name: 'Book 10' }).boundingBox()
      assert.ok(name && name.x >= 0 && name.x < 100)
      await page.getByRole('link', { name: 'Next' }).click()
      await showing(page, '21–31 of 31')
    },
  )
})
