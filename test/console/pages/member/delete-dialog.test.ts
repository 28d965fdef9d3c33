import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn, startAt } from '../../../support/console.ts'
import { assertFocused } from '../../document.ts'
import { heading, placeOf, shownFor, THEATRE } from '../../member-reading.ts'

test('deleting', async (t) => {
  const opened = await openSignedIn(t)

  await t.test(
    'if a member was already deleted, or others link to it, the dialog says so, with links to those members',
    async () => {
      const { page, client, expectErrors } = opened
      const author = await placeOf(client, 'authors', { name: 'Jane Austen' })
      await goTo(page, author.place)
      expectErrors(/status of (409|404|412)/)
      await page.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('14 books link to it.').waitFor()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      const alert = dialog.getByRole('alert')
      await alert.getByText('Other members link to it').waitFor()
      await alert.getByRole('link', { name: 'Book 10' }).waitFor()
      for (const link of await alert.getByRole('link', { name: /^Book \d\d$/ }).all())
        assert.match((await link.getAttribute('href')) ?? '', /^#\/member\/books\//)
      assert.equal(await alert.getByRole('link').count(), 10)
      await alert.getByText('There are more').waitFor()
      await assertFocused(page, 'Close')
      await dialog.getByRole('button', { name: 'Close' }).click()
      await heading(page, 'Jane Austen')

      const book = await placeOf(client, 'books', { title: 'Book 11' })
      await goTo(page, book.place)
      await heading(page, 'Book 11')
      await book.member.remove()
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('alert').getByText('Someone else has already deleted it.').waitFor()
      await dialog.getByRole('button', { name: 'Reload' }).click()
      await heading(page, 'Book not found')
    },
  )

  await t.test(
    'nothing is deleted before the user confirms it, nor if someone else has changed the member',
    async () => {
      const { page, client, expectErrors } = opened
      await startAt(opened, '/')
      const { member, place } = await placeOf(client, 'books', { title: 'Book 07' })
      await goTo(page, place)
      const dialog = page.getByRole('dialog')
      const ask = async () => {
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('dialog', { name: 'Delete “Book 07' }).waitFor()
      }

      await ask()
      await assertFocused(page, 'Cancel')
      await scan(page)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await assertFocused(page, 'Delete')
      await ask()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await assertFocused(page, 'Delete')
      assert.equal((await member.reload()).data.title, 'Book 07')

      await member.update({ title: 'Book 07, second edition' })
      expectErrors(/status of (412|404)/)
      await ask()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await dialog.getByRole('alert').getByText('Someone has changed it since you opened this page').waitFor()
      await dialog.getByRole('button', { name: 'Reload' }).click()
      await heading(page, 'Book 07, second edition')

      await ask()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await heading(page, 'Books')
      await page.getByRole('status').getByText('Book 07, second edition was deleted.').waitFor()
      await assert.rejects(member.reload(), { kind: 'not-found' })

      await goTo(page, place)
      await heading(page, 'Book not found')
      await scan(page)
      await page.getByRole('link', { name: 'Back to Books' }).click()
      await page.getByRole('rowheader', { name: 'Book 06' }).waitFor()
    },
  )
})

test('a single resource can be created if it is missing, shown and deleted', async (t) => {
  const { page, client, expectErrors, asked } = await openSignedIn(t, '/', { service: { api: THEATRE } })
  expectErrors(/status of 404/)
  await goTo(page, '/member/House')
  await heading(page, 'House')
  await page.getByText('It does not exist yet.').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Create it' }).getAttribute('href'), '#/edit/House')

  await client.request('PUT', `${client.base}/House`, { body: { seats: 300, motto: 'All the world' } })
  await goTo(page, '/')
  await goTo(page, '/member/House')
  await shownFor(page, 'Seats').getByText('300').waitFor()
  await heading(page, 'House')
  assert.equal(await page.getByRole('link', { name: 'Edit' }).getAttribute('href'), '#/edit/House')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'Theatre')
  await page.getByRole('status').getByText('House was deleted.').waitFor()
  assert.equal(asked.filter((request) => request === 'DELETE /House').length, 1)
  await page.getByText('0 members').nth(2).waitFor()
})
