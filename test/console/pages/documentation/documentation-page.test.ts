import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openConsole, openSignedIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'
import { assertFocused, isTooWide } from '../../document.ts'

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** By its first column. */
const rowOf = (page: Page, section: string, name: string) =>
  sectionOf(page, section)
    .locator('.doc-properties > div')
    .filter({ has: page.getByRole('term').getByText(name, { exact: true }) })

test('the documentation describes the classes, how to sign in, and where programs find it', async (t) => {
  const { page, service, asked } = await openSignedIn(t)
  // An example is about a member that the page has read.
  await page.getByText('40 members').waitFor()
  await goTo(page, '/documentation')
  await page.getByRole('heading', { level: 1, name: 'Library documentation' }).waitFor()
  await page.getByRole('main').getByText('Books and the people who write them').waitFor()
  const programs = sectionOf(page, 'For programs')
  await programs.getByText('it is valid for 45 minutes').waitFor()
  await programs.getByText(`${service.base}/vocab`).waitFor()
  await programs.getByText(`${service.base}/openapi`).waitFor()
  const saving = page.waitForEvent('download')
  await programs.getByRole('button', { name: 'Save' }).click()
  assert.equal((await saving).suggestedFilename(), 'openapi.json')
  await programs.getByText('Saved as openapi.json.').waitFor()

  await sectionOf(page, 'Book').getByText('A book, as a work rather than as a copy on a shelf').waitFor()
  await sectionOf(page, 'Book').getByText('http://schema.org/Book').waitFor()
  for (const [property, words] of [
    ['title', 'titlerequiredtextat most 200 charactershttp://schema.org/name'],
    ['isbn', 'isbnISBNtextuniqueat most 17 charactersmatches^[0-9X-]+$'],
    ['pages', 'pageswhole numberat least 1'],
    ['genres', 'genrestext, many'],
    ['author', 'authorrequiredlink to Author'],
    ['createdAt', 'createdAtdate and timeread-only'],
    ['available', 'availableyes or nodefaulttrue'],
  ] as const) {
    assert.equal(await rowOf(page, 'Book', property).textContent(), words)
  }
  assert.deepEqual(await sectionOf(page, 'Book').locator('.doc-operations > li').allTextContents(), [
    'GETList Booksreturns Book collectionTry it: open the tableExample of List Books',
    'POSTCreate Booktakes Bookreturns BookTry it: fill in the formExample of Create Book',
    'GETGet Bookreturns BookTry it: choose a member in the tableExample of Get Book',
    'PATCHUpdate Booktakes Book as application/merge-patch+jsonreturns BookTry it: choose a member in the tableExample of Update Book',
    'PUTReplace Booktakes Bookreturns BookTry it: choose a member in the tableExample of Replace Book',
    'DELETEDelete Bookreturns nothingTry it: choose a member in the tableExample of Delete Book',
  ])
  await sectionOf(page, 'Book').getByText('Example of Update Book').click()
  const command = await sectionOf(page, 'Book').locator('pre').textContent()
  assert.match(command ?? '', /^curl -X PATCH.*"title": "Example title".*\/books\/[0-9a-f-]+$/s)

  // What serves the things is folded away, and unfolds for those who follow a link to it.
  assert.equal(await sectionOf(page, 'EntryPoint').count(), 0)
  await sectionOf(page, 'Book').getByRole('link', { name: 'Book collection' }).click()
  await page.waitForURL(/#\/documentation\/BookCollection$/)
  await sectionOf(page, 'EntryPoint').waitFor()
  await assertFocused(page, 'Book collection')

  await sectionOf(page, 'Book').getByRole('link', { name: '/books' }).click()
  await page.getByRole('rowheader', { name: 'Book 01' }).waitFor()
  // The page itself asks nothing: the documentation has been read when the console began.
  assert.equal(asked.filter((request) => request.endsWith('/vocab')).length, 1)
})

test('the picture shows the classes as links, and a list says the same in words', async (t) => {
  const { page } = await openSignedIn(t, '/documentation')
  const picture = page.getByRole('figure')
  await picture.getByRole('img', { name: 'Picture of 2 classes and 1 link' }).waitFor()
  await picture.getByText('The links as a list').click()
  assert.deepEqual(
    (await picture.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s*,?\s+/g, ' ')),
    ['Book → author → Author (one)'],
  )
  const box = picture.locator('svg').getByRole('link', { name: 'Book' })
  await box.click()
  await page.waitForURL(/#\/documentation\/Book$/)
  await assertFocused(page, 'Book')
  assert.equal(await isInView(page), true)
  await page.getByRole('navigation', { name: 'Classes' }).getByRole('link', { name: 'Author' }).click()
  await assertFocused(page, 'Author')
  assert.equal(await isInView(page), true)
  await goTo(page, '/documentation/Boook')
  await page.getByText('There is no class “Boook”.').waitFor()
})

/** Whether what has the focus can be seen. */
const isInView = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect()
    const bar = document.querySelector('header').getBoundingClientRect().bottom
    return top >= bar && bottom <= innerHeight
  })()`)

const SHOP = `
title: Shop
classes:
  Customer:
    properties:
      name: { type: string, required: true }
      home: { type: Address, required: true }
      recommendedBy: Customer
      favourites: { type: Product, many: true }
  Address:
    collection: false
    properties: { town: string, country: Country }
  Country:
    properties: { name: string }
  Product:
    properties:
      title: string
      replaces: Product
      maker: Company
  Company:
    properties: { name: string, ceo: Person }
  Person:
    properties: { name: string, employer: Company }
  Warehouse:
    properties: { name: string }
`

soakTest(
  'the picture shows cycles, self-links, embedded values and unlinked classes, and can be used with the keyboard',
  async (t) => {
    const { page } = await openSignedIn(t, '/documentation', {
      service: { api: SHOP },
      viewport: { width: 360, height: 740 },
      colorScheme: 'dark',
    })
    const boxes = page.locator('svg').getByRole('link')
    await boxes.first().waitFor()
    assert.deepEqual((await namesOf(page)).toSorted(), [
      'Address',
      'Company',
      'Country',
      'Customer',
      'Person',
      'Product',
      'Warehouse',
    ])
    await page.getByText('A dashed line leads to a value').waitFor()
    assert.equal(await page.locator('svg').getByText('favourites (many)').count(), 1)
    // The picture can be moved about; the page is no wider than the screen.
    assert.equal(await isTooWide(page), false)
    await scan(page)

    const names = await namesOf(page)
    for (let tabs = 0; tabs < 40 && (await labelled(page)) !== names[0]; tabs += 1)
      await page.keyboard.press('Tab')
    for (const name of names) {
      assert.equal(await labelled(page), name)
      await page.keyboard.press('Tab')
    }
    await assertFocused(page, 'Full size')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`#/documentation/${names.at(-1)}$`))
    await assertFocused(page, names.at(-1))

    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1600, height: 900 })
    assert.equal(await isTooWide(page), false)
    await scan(page)
  },
)

const labelled = (page: Page): Promise<string | null> =>
  page.evaluate(`document.activeElement.closest('svg') && document.activeElement.textContent`)

const namesOf = (page: Page): Promise<string[]> => page.locator('svg').getByRole('link').allTextContents()

test('an open API is said to be open', async (t) => {
  const { page } = await openConsole(t, { service: { api: SHOP, flags: { auth: 'off' } } })
  await page.getByRole('link', { name: 'Documentation', exact: true }).click()
  await page.getByText('This API is open: you do not need to sign in.').waitFor()
})
