import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANY_SCRIPT } from '../../../clients/scripts.ts'
import { until } from '../../../support/browser.ts'
import { goTo, openSignedIn, signIn, startAt } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'
import { addFilter, bookNames, cellsOf, namesOf, showing, typed } from '../../table-reading.ts'

test('a table of a few pages', async (t) => {
  const opened = await openSignedIn(t)

  await t.test('a collection is read page by page, each with one request', async () => {
    const { page, asked } = opened
    await page.getByText('40 members').waitFor()
    asked.length = 0
    await page.getByRole('navigation').getByRole('link', { name: 'Books' }).click()
    await showing(page, '1–20 of 40')
    assert.deepEqual(asked, ['GET /books?include=author'])
    assert.deepEqual(await namesOf(page), bookNames(1, 20))
    assert.deepEqual(await page.getByRole('columnheader').allTextContents(), [
      ...[
        'Title',
        'Author',
        'ISBN',
        'Pages',
        'Price',
        'Published',
        'Available',
        'Genres',
        'Created at',
        'Notes',
      ],
    ])
    const cells = await cellsOf(page, 'Book 03').allTextContents()
    assert.deepEqual(cells.slice(0, 7), [
      'Ann Leckie',
      '',
      '103',
      '3.50',
      'Jan 1, 1953',
      'No',
      'fiction, short',
    ])
    assert.equal(await page.getByRole('button', { name: 'Show names' }).count(), 0)

    await page.getByRole('link', { name: 'Next' }).click()
    await showing(page, '21–40 of 40')
    assert.equal(asked.length, 2)
    assert.deepEqual(await namesOf(page), bookNames(21, 40))
    assert.equal(await page.getByRole('link', { name: 'Next' }).getAttribute('aria-disabled'), 'true')

    await page.getByRole('link', { name: 'Previous' }).click()
    await showing(page, '1–20 of 40')
    await page.getByLabel('Rows').selectOption('10')
    await showing(page, '1–10 of 40')
    assert.equal(asked.length, 4)
    await page.getByRole('link', { name: 'Last' }).click()
    await showing(page, '31–40 of 40')
    await page.getByRole('link', { name: 'Previous' }).click()
    await showing(page, '21–30 of 40')
    await page.getByRole('link', { name: 'First' }).click()
    await showing(page, '1–10 of 40')
    assert.equal(asked.length, 7)

    await page.goBack()
    await showing(page, '21–30 of 40')
    await page.goForward()
    await showing(page, '1–10 of 40')
    assert.equal(asked.length, 9)
  })

  await t.test(
    'the old rows stay until the new ones are there, and a failed request can be tried again',
    async () => {
      const { page, service, expectErrors } = opened
      await startAt(opened, '/table/books')
      await showing(page, '1–20 of 40')
      let release: () => void = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(`${service.base}/books?**`, async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('link', { name: 'Next' }).click()
      await page.locator('table[aria-busy=true]').waitFor()
      assert.deepEqual(await namesOf(page), bookNames(1, 20))
      release()
      await showing(page, '21–40 of 40')
      await page.locator('table[aria-busy=false]').waitFor()

      expectErrors(/status of 500/)
      await page.unrouteAll()
      await page.route(`${service.base}/books?**`, (route) =>
        route.fulfill({
          status: 500,
          headers: { 'Access-Control-Allow-Origin': '*' },
          json: { 500: 'Something is broken here.' },
        }),
      )
      await page.getByRole('link', { name: 'Previous' }).click()
      const alert = page.getByRole('alert')
      await alert.getByText('Something is broken here.').waitFor()
      await page.unrouteAll()
      await alert.getByRole('button', { name: 'Try again' }).click()
      await showing(page, '1–20 of 40')
    },
  )

  await t.test('names and links lead to members, and going back shows the table as it was', async () => {
    const { page, client, asked } = opened
    await startAt(opened, '/')
    await page.getByText('3 members').waitFor()
    await goTo(page, '/table/books?order%5Bpages%5D=desc')
    await showing(page, '1–20 of 40, sorted by pages, descending')
    await page.getByRole('rowheader', { name: 'Book 39' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Book 39' }).waitFor()
    await page.goBack()
    await showing(page, '1–20 of 40, sorted by pages, descending')

    // Back where one was, and on what one had followed.
    const far = page.getByRole('rowheader', { name: 'Book 22' }).getByRole('link')
    await far.focus()
    const scrollTop = `document.querySelector('[aria-label=Books]').scrollTop`
    const before = Number(await page.evaluate(scrollTop))
    assert.ok(before > 0)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Book 22' }).waitFor()
    await page.goBack()
    await far.and(page.locator(':focus')).waitFor()
    await until(page, `${scrollTop} === ${before}`)
    await page.getByRole('navigation').getByRole('link', { name: 'Books' }).click()
    await showing(page, '1–20 of 40')
    await until(page, `${scrollTop} === 0`)
    await page.goBack()
    await showing(page, '1–20 of 40, sorted by pages, descending')

    const [author] = (await client.collection('books').page({ title: 'Book 40' })).members
    const iri = String(author?.data.author)
    const link = page.getByRole('row', { name: 'Book 40' }).getByTitle(iri)
    assert.equal(await link.getAttribute('href'), `#/member${iri.slice(client.base.length)}`)

    const written = await client.collection('authors').create({ name: 'Nobody Yet' })
    await client.collection('books').create({ title: 'Book 41', pages: 500, author: written.iri })
    asked.length = 0
    await page.getByRole('button', { name: 'Refresh' }).click()
    // Names of members that nobody has read come along with the rows.
    await page.getByRole('row', { name: 'Book 41' }).getByTitle(written.iri).getByText('Nobody Yet').waitFor()
    assert.deepEqual(asked, ['GET /books?order[pages]=desc&include=author'])
    assert.equal(await page.getByRole('button', { name: 'Show names' }).count(), 0)

    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'ISBN' }).uncheck()
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('columnheader', { name: 'ISBN' }).count(), 0)
    assert.equal(await page.getByRole('checkbox', { name: 'ISBN' }).count(), 0)
    await page.getByRole('link', { name: 'New book' }).click()
    await page.waitForURL(/#\/create\/books$/)
    await page.goBack()
    await page.getByRole('row', { name: 'Book 41' }).getByText('Nobody Yet').waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'ISBN' }).count(), 0)
  })
})

test('a column sorts ascending, descending and not at all, each with one request and from the first page', async (t) => {
  const { page, asked } = await openSignedIn(t, '/table/books?page=2')
  await showing(page, '21–40 of 40')
  // An answer to a query does not bring the template along. The overview may have counted the books before.
  const books = asked.filter((request) => request.startsWith('GET /books'))
  assert.deepEqual([...new Set(books)].toSorted(), ['GET /books', 'GET /books?page=2&include=author'])
  const head = page.getByRole('columnheader', { name: 'Pages' })
  const sort = head.getByRole('button')
  await sort.waitFor()
  asked.length = 0

  await sort.click()
  await showing(page, '1–20 of 40, sorted by pages, ascending')
  assert.equal(await head.getAttribute('aria-sort'), 'ascending')
  assert.deepEqual(await namesOf(page), bookNames(1, 20))
  await sort.click()
  await showing(page, '1–20 of 40, sorted by pages, descending')
  assert.equal(await head.getAttribute('aria-sort'), 'descending')
  assert.deepEqual(await namesOf(page), bookNames(40, 21))
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
  await showing(page, '1–20 of 40, sorted by price, ascending')
  assert.equal(await head.getAttribute('aria-sort'), null)
  await page.goBack()
  await showing(page, '1–20 of 40, sorted by pages, descending')
  await sort.click()
  await page.locator('[aria-sort]').waitFor({ state: 'detached' })
  await showing(page, '1–20 of 40')
  assert.deepEqual(await namesOf(page), bookNames(1, 20))
  assert.deepEqual(asked, [
    'GET /books?order[pages]=asc&include=author',
    'GET /books?order[pages]=desc&include=author',
    'GET /books?order[price]=asc&include=author',
    'GET /books?order[pages]=desc&include=author',
    'GET /books?include=author',
  ])
  // Many values have no order.
  assert.equal(await page.getByRole('columnheader', { name: 'Genres' }).getByRole('button').count(), 0)
})

test('an empty collection, an unknown one and a page beyond the last say so, with a link to continue', async (t) => {
  const { page, expectErrors } = await openSignedIn(t, '/table/books', { empty: true })
  // The API is asked why.
  expectErrors(/status of 404 .*\/nowhere/)
  const empty = page.getByRole('status').filter({ hasText: 'No books yet' })
  assert.equal(await empty.getByRole('link', { name: 'New book' }).getAttribute('href'), '#/create/books')
  await goTo(page, '/table/books?page=7')
  await page.getByRole('link', { name: 'Go to the first page' }).click()
  await empty.waitFor()
  await goTo(page, '/table/nowhere')
  await page.getByText('The API has no collection “nowhere”.').waitFor()
})

// clients/scripts-clients reads and filters by such names, and shared/names shows them.
soakTest(
  'names of any script work in the table, its filters and orders, the form and the documentation',
  async (t) => {
    const { page, client, asked } = await openSignedIn(t, '/', { service: { api: ANY_SCRIPT } })
    const büro = await client.collection('büros').create({ 名: 'Größtes' })
    for (let größe = 1; größe <= 3; größe++)
      await client.collection('本').create({ größe, 名前: `本 ${größe}`, büro: büro.iri })
    await goTo(page, '/table/本')
    await showing(page, '1–3 of 3')
    assert.deepEqual(await page.getByRole('columnheader').allTextContents(), [
      ...['名前', 'Größe', 'मूल्य', 'Büro', 'Слова', 'Maß', '𠮷 2'],
    ])
    await page.getByRole('columnheader', { name: 'Größe' }).getByRole('button').click()
    await page.getByRole('columnheader', { name: 'Größe' }).getByRole('button').click()
    await showing(page, '1–3 of 3.*')
    asked.length = 0
    await addFilter(page, 'Größe', 'at least', typed('2'))
    await showing(page, '1–2 of 2.*')
    assert.match(asked.join(), /größe\.gte=2/)
    assert.deepEqual(await namesOf(page), ['本 3', '本 2'])
    await page.reload()
    await signIn(page)
    await showing(page, '1–2 of 2.*')

    await page.getByRole('link', { name: '本 3' }).click()
    await page.getByRole('heading', { name: '本 3' }).waitFor()
    await page.getByRole('link', { name: 'Größtes' }).first().waitFor()
    await goTo(page, '/create/本')
    await page.getByLabel('Größe').fill('9')
    await page.getByLabel('名前').fill('本 9')
    await page.getByRole('combobox', { name: 'Büro', exact: true }).fill('Größtes')
    await page.getByRole('option', { name: 'Größtes' }).click()
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByRole('heading', { name: '本 9' }).waitFor()
    const { members } = await client.collection('本').page({ größe: 9 })
    assert.equal(members[0]?.data.büro, büro.iri)

    await goTo(page, '/documentation/本')
    await page.getByRole('heading', { name: '本', exact: true }).waitFor()
    await page.getByText(`${client.base}/vocab#本`, { exact: true }).waitFor()
  },
)
