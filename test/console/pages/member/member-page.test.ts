import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../support/console.ts'
import { assertFocused, focused, isTooWide } from '../../document.ts'
import { heading, openTheatre, placeOf, shownFor } from '../../member-reading.ts'

test('a member page shows the values, links in both directions, and the members that link to it', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, client, asked } = await openSignedIn(t, '/', { permissions })
  const { place, member } = await placeOf(client, 'books', { title: 'Book 03' })
  await goTo(page, place)
  await heading(page, 'Book 03')
  for (const [label, text] of [
    ['Title', 'Book 03'],
    ['Pages', '103'],
    ['Price', '3.50'],
    ['Published', 'Jan 1, 1953'],
    ['Available', 'No'],
    ['Author', 'Ann Leckie'],
  ] as const) {
    await shownFor(page, label).getByText(text, { exact: true }).waitFor()
  }
  assert.deepEqual(await shownFor(page, 'Genres').getByRole('listitem').allTextContents(), [
    'fiction',
    'short',
  ])
  await page.getByText('No value: ISBN, Notes').waitFor()
  assert.equal(await page.getByText(member.iri).isVisible(), false)
  await page.getByText('Details', { exact: true }).click()
  await page.getByText(member.iri).waitFor()
  await page.getByRole('button', { name: 'Copy address' }).click()
  await page.getByRole('status').getByText('Copied.').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), member.iri)
  // No class links to books.
  assert.equal(await page.getByRole('heading', { name: 'What links here' }).count(), 0)

  asked.length = 0
  await shownFor(page, 'Author').getByRole('link', { name: 'Ann Leckie' }).click()
  await heading(page, 'Ann Leckie')
  const books = page.getByRole('region', { name: 'What links here' }).locator('section')
  await books.getByRole('heading', { name: 'Books by author 13' }).waitFor()
  assert.deepEqual(await books.getByRole('listitem').allTextContents(), [
    'Book 03',
    'Book 06',
    'Book 09',
    'Book 12',
    'Book 15',
  ])
  const author = (await placeOf(client, 'authors', { name: 'Ann Leckie' })).member.iri
  // And the collection itself for its template, unless it has been seen.
  assert.deepEqual(
    asked.filter((request) => request !== 'GET /books'),
    [`GET ${author.slice(client.base.length)}`, `GET /books?author=${author}&itemsPerPage=5`],
  )

  await books.getByRole('link', { name: 'Book 09' }).click()
  await heading(page, 'Book 09')
  await page.goBack()
  await heading(page, 'Ann Leckie')
  await page.getByRole('link', { name: 'Show all 13 books' }).click()
  await heading(page, 'Books')
  await page.getByRole('rowheader', { name: 'Book 39' }).waitFor()
  assert.equal(await page.getByRole('rowheader').count(), 13)
  await page.goBack()
  await page.getByRole('main').getByRole('link', { name: 'Authors' }).click()
  await page.getByRole('rowheader', { name: 'Jane Austen' }).waitFor()
})

test('a member of a theatre', async (t) => {
  const opened = await openTheatre(t)

  await t.test(
    'embedded values, texts by language and many links are shown, and a hostile address is not a link',
    async () => {
      const { page, place, asked } = opened
      asked.length = 0
      await goTo(page, place)
      await heading(page, 'Ann')
      await shownFor(page, 'Home').getByText('Vík').waitFor()
      await shownFor(page, 'Country').getByRole('link', { name: 'Iceland' }).waitFor()
      assert.deepEqual(await shownFor(page, 'Former').getByRole('row').allTextContents(), [
        'Town',
        'Hella',
        'Höfn',
      ])
      assert.equal(await page.getByText('Toi toi toi').getAttribute('lang'), 'de')
      await shownFor(page, 'Site').getByText('javascript:alert(1)').waitFor()
      assert.equal(await shownFor(page, 'Site').getByRole('link').count(), 0)

      const friends = shownFor(page, 'Friends').getByRole('link')
      await friends.getByText('Friend 10', { exact: true }).waitFor()
      assert.equal(await friends.count(), 10)
      await page.getByRole('button', { name: 'Show 4 more of 14' }).click()
      await friends.getByText('Friend 14', { exact: true }).waitFor()
      assert.equal(await friends.count(), 14)
      await assertFocused(page, 'Friend 11')
      // Itself, the country, ten friends, and four more when they were asked for.
      const members = asked.filter((request) => /^GET \/(persons|countries)\/./.test(request))
      assert.equal(members.length, 1 + 1 + 10 + 4)

      // Only what the documentation declares can be done.
      assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
      assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    },
  )

  await t.test('a collection that cannot be read does not hide the links from others', async () => {
    const { page, place, service, expectErrors } = opened
    await goTo(page, '/')
    await heading(page, 'Theatre')
    expectErrors(/status of 500/)
    const failing = (url: URL) =>
      url.href.startsWith(`${service.base}/plays?`) && url.searchParams.has('actors')
    await page.route(failing, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'Access-Control-Allow-Origin': '*' },
        json: { 500: 'Something is broken here.' },
      }),
    )
    await goTo(page, place)
    const incoming = page.getByRole('region', { name: 'What links here' })
    await incoming.getByRole('heading', { name: 'Persons by friends 1' }).waitFor()
    await incoming.getByRole('heading', { name: 'Plays by director 1' }).waitFor()
    const failed = incoming.locator('section').filter({ hasText: 'Plays by actors' })
    await failed.getByText('Something is broken here.').waitFor()
    await scan(page)
    await page.unroute(failing)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await failed.getByRole('link', { name: 'Hamlet' }).waitFor()
    await incoming.getByRole('link', { name: 'Bea' }).click()
    await heading(page, 'Bea')
    await page.getByText('Nothing links to it.').waitFor()
  })

  await t.test('a link from the other side leads to the filtered table', async () => {
    const { page, client, place } = opened
    await client.collection('plays').create({ title: 'Of nobody' })
    await goTo(page, place)
    await heading(page, 'Ann')
    await shownFor(page, 'Directed').getByRole('link', { name: 'Show plays' }).click()
    await heading(page, 'Plays')
    await page.getByRole('link', { name: 'Hamlet' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Of nobody' }).count(), 0)

    // A new one has the link already.
    await page.goBack()
    await shownFor(page, 'Directed').getByRole('link', { name: 'New play' }).click()
    await heading(page, 'New play')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await heading(page, 'Ann')
    await page.goBack()
    await page.getByLabel('Title').fill('Macbeth')
    assert.equal(await page.getByRole('combobox', { name: 'Director' }).inputValue(), 'Ann')
    await page.getByRole('button', { name: 'Create' }).click()
    await heading(page, 'Macbeth')
    await shownFor(page, 'Director').getByRole('link', { name: 'Ann' }).waitFor()
  })
})

test('a member can be read, followed to its links and deleted with the keyboard alone, on small and wide screens', async (t) => {
  const { page, client } = await openSignedIn(t, '/', { viewport: { width: 360, height: 740 } })
  const { place } = await placeOf(client, 'books', { title: 'Book 20' })
  await goTo(page, place)
  await heading(page, 'Book 20')
  await shownFor(page, 'Author').getByText('Ursula K. Le Guin').waitFor()
  await assertFocused(page, 'Book 20')
  assert.equal(await isTooWide(page), false)
  await scan(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1600, height: 900 })
  assert.equal(await isTooWide(page), false)
  await scan(page)

  const tabTo = async (name: string) => {
    for (let tabs = 0; tabs < 30 && (await focused(page)) !== name; tabs += 1)
      await page.keyboard.press('Tab')
    await assertFocused(page, name)
  }
  await tabTo('Ursula K. Le Guin')
  await page.keyboard.press('Enter')
  await heading(page, 'Ursula K. Le Guin')
  await page.getByRole('link', { name: 'Book 02' }).waitFor()
  await tabTo('Book 02')
  await page.keyboard.press('Enter')
  await heading(page, 'Book 02')
  await tabTo('Delete')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo('Cancel')
  await tabTo('Delete')
  await page.keyboard.press('Enter')
  await heading(page, 'Books')
  await page.getByRole('status').getByText('Book 02 was deleted.').waitFor()
  await page.getByRole('rowheader', { name: 'Book 03' }).waitFor()
})
