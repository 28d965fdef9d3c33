import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../support/browser.ts'
import { goTo, openSignedIn, signIn, startAt } from '../../support/console.ts'
import { bookNames, namesOf, showing } from '../table-reading.ts'

test('changes by others while a table is shown', async (t) => {
  const shown = await openSignedIn(t)

  await t.test(
    'changes from another tab are marked in the table, and shown when the user asks for them',
    async () => {
      const { page, context, address, client, service } = shown
      await goTo(page, '/table/books')
      await showing(page, '1–20 of 40')
      const [first, second] = (await client.collection('books').page()).members
      assert.ok(first && second)

      const tab = await context.newPage()
      await tab.goto(address)
      await signIn(tab)
      await tab.getByRole('navigation').waitFor()
      await goTo(tab, `/edit${first.iri.slice(service.base.length)}`)
      await tab.getByLabel('Pages').fill('7')
      await tab.getByRole('button', { name: 'Save' }).click()
      await tab.getByRole('heading', { name: 'Book 01', exact: true }).waitFor()

      const rows = page.getByRole('rowheader')
      const box = await rows.nth(5).boundingBox()
      await page.getByRole('button', { name: '1 changed: show' }).waitFor()
      await second.remove()
      await client.collection('books').create({ title: 'Book 41', author: second.data.author })
      await page.getByRole('button', { name: '1 changed, 1 deleted, 1 new: show' }).waitFor()
      assert.deepEqual(await namesOf(page), ['Book 01 (changed)', 'Book 02 (deleted)', ...bookNames(3, 20)])
      assert.deepEqual(await rows.nth(5).boundingBox(), box)
      assert.equal(
        await page.getByRole('row', { name: 'Book 01' }).getByRole('cell', { name: '101' }).count(),
        1,
      )
      await scan(page)

      // New ones are on the last page; what was read anew is marked no more.
      await page.getByRole('button', { name: '1 new: show' }).click()
      await showing(page, '21–40 of 40')
      assert.deepEqual((await namesOf(page)).slice(-2), ['Book 40', 'Book 41'])
      assert.equal(await page.getByRole('button', { name: /: show$/ }).count(), 0)
      await page.getByRole('link', { name: 'Previous' }).click()
      await showing(page, '1–20 of 40')
      assert.deepEqual((await namesOf(page)).slice(0, 2), ['Book 01', 'Book 03'])
      // The tab that has written knows it already.
      assert.equal(await tab.getByText('Someone').count(), 0)
      await tab.close()
    },
  )

  await t.test('a change between reading a page and the start of its stream is read again', async () => {
    const { page, client } = shown
    await startAt(shown, '/')
    const [author] = (await client.collection('authors').page()).members
    await page.route(
      /\/events\?collection=books/,
      async (route) => {
        // The read does not wait for a stream that does not start.
        await showing(page, '1–20 of 40')
        await client.collection('books').create({ title: 'In between', author: author?.iri })
        await route.continue()
      },
      { times: 1 },
    )
    await goTo(page, '/table/books')
    await showing(page, '1–20 of 41')
  })

  await t.test('a hidden tab follows no changes, and continues where it was', async () => {
    const { page, client } = shown
    await startAt(shown, '/')
    const opened = page.waitForResponse(/\/events\?collection=books/)
    await goTo(page, '/table/books')
    await showing(page, '1–20 of 41')
    const stream = await opened
    const ended = page.waitForEvent('requestfailed', (request) => request === stream.request())
    const show = (state: string) =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      `)
    await show('hidden')
    await ended
    const [author] = (await client.collection('authors').page()).members
    await client.collection('books').create({ title: 'Unseen', author: author?.iri })
    await show('visible')
    await page.getByRole('button', { name: '1 new: show' }).waitFor()
  })
})

test('a member page and a form say that the member has changed, and typed values stay', async (t) => {
  const { page, client, service, expectErrors } = await openSignedIn(t)
  expectErrors(/status of 4(04|12)/)
  const [book] = (await client.collection('books').page()).members
  assert.ok(book)
  const change = async (title: string) => (await book.reload()).update({ title })
  const path = book.iri.slice(service.base.length)
  const follow = async (place: string) => {
    const opened = page.waitForResponse(/\/events\?resource=/)
    await goTo(page, place)
    await opened
  }
  const [changed, reload] = [
    page.getByText('Someone has changed it.'),
    page.getByRole('button', { name: 'Reload' }),
  ]

  await follow(`/member${path}`)
  const heading = page.getByRole('heading', { name: 'Book 01', exact: true })
  // The page reads the member after the stream has begun.
  await heading.waitFor()
  await change('Once')
  await changed.waitFor()
  assert.equal(await heading.count(), 1)
  await scan(page)
  await reload.click()
  await page.getByRole('heading', { name: 'Once', exact: true }).waitFor()
  assert.equal(await changed.count(), 0)

  await follow(`/edit${path}`)
  await page.getByLabel('Title').waitFor()
  await change('Twice')
  await changed.waitFor()
  await scan(page)
  await reload.click()
  await page.getByRole('heading', { name: 'Edit Twice' }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Twice')

  await page.getByLabel('Pages').fill('8')
  await change('Three times')
  await page.getByText('Someone has changed it. Save to compare the two versions.').waitFor()
  assert.equal(await reload.count(), 0)
  assert.equal(await page.getByLabel('Pages').inputValue(), '8')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Someone else has changed it' }).waitFor()
  const opened = page.waitForResponse(/\/events\?resource=/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Three times', exact: true }).waitFor()
  assert.equal(await changed.count(), 0)

  await opened
  await (await book.reload()).remove()
  await page.getByText('Someone has deleted it.').waitFor()
  await reload.click()
  await page.getByRole('heading', { name: 'Book not found' }).waitFor()
})
