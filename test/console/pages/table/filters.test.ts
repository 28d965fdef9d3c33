import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goTo, openSignedIn, signIn, startAt } from '../../../support/console.ts'
import { addFilter, bookNames, chosen, namesOf, showing, typed } from '../../table-reading.ts'

test('filters of a table', async (t) => {
  const opened = await openSignedIn(t)

  await t.test(
    'filters are added, refused with a reason, shown, changed and removed, each with one request',
    async () => {
      const { page, asked, expectErrors } = opened
      await goTo(page, '/table/books')
      await showing(page, '1–20 of 40')
      asked.length = 0
      expectErrors(/status of 400/)
      const chips = page.getByRole('list', { name: 'Active filters' })

      await addFilter(page, 'Pages', 'is', typed('many'))
      await page.getByRole('alert').getByText('"many"').waitFor()
      assert.equal(await page.getByLabel('Value').inputValue(), 'many')
      assert.equal(await page.getByLabel('Value').getAttribute('aria-invalid'), 'true')
      await page.getByLabel('Comparison').selectOption('at least')
      await page.getByLabel('Value').fill('125')
      await page.getByRole('button', { name: 'Apply' }).click()
      await showing(page, '1–16 of 16')
      await page.getByLabel('Value').waitFor({ state: 'detached' })
      assert.equal(await chips.getByRole('listitem').count(), 1)
      assert.deepEqual(asked, [
        'GET /books?pages=many&include=author',
        'GET /books?pages.gte=125&include=author',
      ])
      await chips.getByText('Pages at least 125').waitFor()

      await addFilter(page, 'Available', 'is', chosen('Yes'))
      await showing(page, '1–8 of 8')
      await addFilter(page, 'Published', 'before', typed('1980-01-01'))
      await showing(page, '1–2 of 2')
      assert.deepEqual(await namesOf(page), ['Book 26', 'Book 28'])
      await chips.getByText('Published before Jan 1, 1980').waitFor()
      assert.equal(asked.length, 4)

      await chips.getByRole('button', { name: 'Change the filter: Pages at least 125' }).click()
      assert.equal(await page.getByLabel('Value').inputValue(), '125')
      await page.getByLabel('Comparison').selectOption('greater than')
      await page.getByLabel('Value').fill('126')
      await page.getByRole('button', { name: 'Apply' }).click()
      await showing(page, '1–1 of 1')
      assert.equal(await chips.getByRole('listitem').filter({ hasText: 'Pages' }).count(), 1)

      await chips.getByRole('button', { name: /^Remove the filter: Published/ }).click()
      await showing(page, '1–7 of 7')
      await page.goBack()
      await showing(page, '1–1 of 1')
      await chips.getByRole('button', { name: 'Clear all' }).click()
      await showing(page, '1–20 of 40')
      assert.equal(await chips.count(), 0)
      assert.equal(asked.length, 8)

      // One that is refused goes alone.
      await goTo(page, '/table/books?pages=many&available=true')
      await page.getByRole('button', { name: 'Change this filter' }).click()
      assert.equal(await page.getByLabel('Value').inputValue(), 'many')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Remove this filter' }).click()
      await showing(page, '1–20 of 20')
      assert.deepEqual(await chips.getByRole('listitem').allTextContents(), ['Available is Yes'])
    },
  )

  await t.test(
    'several values of one property mean any of them, and texts, missing values and free text can be searched',
    async () => {
      const { page, asked } = opened
      await startAt(opened, '/table/books')
      await showing(page, '1–20 of 40')
      await addFilter(page, 'Title', 'is', typed('Book 07'))
      await showing(page, '1–1 of 1')
      await addFilter(page, 'Title', 'is', typed('Book 09'))
      await showing(page, '1–2 of 2')
      assert.deepEqual(await namesOf(page), ['Book 07', 'Book 09'])
      const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('listitem')
      assert.deepEqual((await chips.allTextContents()).slice(0, 2), ['Title is “Book 07”', 'or “Book 09”'])
      await page.getByRole('button', { name: 'Remove the filter: Title is … or “Book 09”' }).waitFor()
      await page.getByRole('button', { name: 'Clear all' }).click()
      await showing(page, '1–20 of 40')

      await addFilter(page, 'Title', 'starts with', typed('Book 3'))
      await showing(page, '1–10 of 10')
      await addFilter(page, 'Title', 'contains', typed('OK 35'))
      await showing(page, '1–1 of 1')
      await addFilter(page, 'ISBN', 'has a value')
      await page.getByText('Nothing matches').waitFor()
      await page.getByRole('button', { name: 'Clear the filters' }).click()
      await showing(page, '1–20 of 40')
      // The same members as before: only the answer itself tells that it is there.
      const withoutIsbn = page.waitForResponse((response) =>
        decodeURIComponent(response.url()).endsWith('/books?isbn.exists=false&include=author'),
      )
      await addFilter(page, 'ISBN', 'has no value')
      await withoutIsbn
      await showing(page, '1–20 of 40')

      asked.length = 0
      const search = page.getByRole('searchbox', { name: 'Search books' })
      await search.fill('12')
      await search.press('Enter')
      await showing(page, '1–1 of 1')
      assert.deepEqual(await namesOf(page), ['Book 12'])
      assert.deepEqual(asked, ['GET /books?isbn.exists=false&q=12*&include=author'])
      await page.getByRole('button', { name: 'Remove the filter: Text “12”' }).click()
      await showing(page, '1–20 of 40')
      assert.equal(await search.inputValue(), '')

      const last = page.getByRole('button', { name: 'Remove the filter: ISBN has no value' })
      await last.click()
      await last.waitFor({ state: 'detached' })
      await search.fill('oo')
      await search.press('Enter')
      await page.getByText('No book has a word that begins with “oo”.').waitFor()
      await page.getByRole('button', { name: 'Title contains “oo”' }).click()
      await showing(page, '1–20 of 40')
      await page.getByRole('button', { name: 'Remove the filter: Title contains “oo”' }).waitFor()
    },
  )

  await t.test('members can be filtered by the name of a linked member', async () => {
    const { page, client, asked } = opened
    await startAt(opened, '/table/books')
    await showing(page, '1–20 of 40')
    await addFilter(page, 'Author', 'is', async () => {
      await page.getByLabel('Value').fill('austen')
      await page.getByRole('option', { name: 'Jane Austen' }).click()
      asked.length = 0
    })
    await showing(page, '1–14 of 14')
    const [author] = (await client.collection('authors').page({ name: 'Jane Austen' })).members
    assert.deepEqual(asked, [`GET /books?author=${author?.iri}&include=author`])
    await page.getByRole('button', { name: 'Remove the filter: Author is Jane Austen' }).click()
    await showing(page, '1–20 of 40')

    // What was chosen elsewhere has its name too.
    await goTo(page, `/table/books?author=${author?.iri}`)
    await page.getByRole('button', { name: 'Change the filter: Author is Jane Austen' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})

test('a link to a filtered table works after signing in', async (t) => {
  const { page, asked } = await openSignedIn(t, '/table/books?pages%5Blte%5D=105&order%5Btitle%5D=desc')
  await showing(page, '1–5 of 5, sorted by title, descending')
  await page.reload()
  await signIn(page)
  await showing(page, '1–5 of 5, sorted by title, descending')
  asked.length = 0
  assert.deepEqual(await namesOf(page), bookNames(5, 1))
  await page.getByRole('button', { name: 'Remove the filter: Pages at most 105' }).click()
  await showing(page, '1–20 of 40, sorted by title, descending')
  assert.deepEqual(asked, ['GET /books?order[title]=desc&include=author'])
})
