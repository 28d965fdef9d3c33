import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan, until } from '../../../support/browser.ts'
import { openSignedIn } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'

const PASTE = `{
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', 'two\\nlines')
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

const author = (page: Page) => page.getByRole('combobox', { name: 'Author' })

/** What a field is said to have wrong, by what is tied to it. */
async function wrongWith(page: Page, name: string): Promise<string> {
  const field = page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name }))
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))
  return texts.join(' ')
}

test('a new member is typed, its link is picked with the keyboard, and Enter saves it once', async (t) => {
  const { page, client, asked } = await openSignedIn(t, '/create/books')
  await page.getByRole('heading', { name: 'New book' }).waitFor()
  assert.equal(await page.title(), 'New book · Hydrant console')
  await page.getByLabel('Title').fill('Ancillary Justice')
  await page.getByLabel('Pages').fill('386')
  await page.getByLabel('Price').fill('12.50')
  await page.getByLabel('Published').fill('2013-10-01')
  await page.getByRole('group', { name: 'Available' }).getByLabel('No', { exact: true }).check()
  // Lines that are pasted into a field of one line stay lines, and Enter makes another.
  await page.getByLabel('Notes').focus()
  await page.evaluate(PASTE)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('three')

  await page.getByRole('button', { name: 'Add a value to genres' }).click()
  await page.keyboard.type('fiction')
  await page.keyboard.press('Enter')
  await page.keyboard.type('to be removed')
  await page.getByRole('button', { name: 'Add another to genres' }).click()
  await page.keyboard.type('space')
  await page.getByRole('button', { name: 'Remove genre 2' }).click()

  await author(page).focus()
  await page.keyboard.type('ann')
  await page.getByRole('option', { name: 'Ann Leckie' }).waitFor()
  assert.equal(await author(page).getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('Escape')
  assert.equal(await author(page).getAttribute('aria-expanded'), 'false')
  assert.equal(await author(page).inputValue(), 'ann')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Ann Leckie' }).waitFor()
  await page.keyboard.press('ArrowDown')
  const active = await author(page).getAttribute('aria-activedescendant')
  assert.equal(await page.locator(`[id="${active}"]`).textContent(), 'Ann Leckie')
  asked.length = 0
  await page.keyboard.press('Enter')
  assert.equal(await author(page).inputValue(), 'Ann Leckie')
  assert.equal(asked.length, 0)

  // The answer takes until somebody has lost patience and pressed everything again.
  const { promise: pressed, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/books', async (route) => {
    if (route.request().method() === 'POST') await pressed
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Saving …' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Saving …' }).click({ force: true })
  answer()
  await page.getByRole('heading', { name: 'Ancillary Justice' }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Ancillary Justice was created.' }).waitFor()
  assert.deepEqual(
    asked.filter((line) => line.startsWith('POST')),
    ['POST /books'],
  )
  const { members } = await client.collection('books').page({ title: 'Ancillary Justice' })
  assert.ok(members[0])
  const { '@id': _, '@type': __, createdAt, author: link, ...kept } = members[0].data
  assert.equal((await client.get(link)).data.name, 'Ann Leckie')
  assert.ok(createdAt)
  assert.deepEqual(kept, {
    title: 'Ancillary Justice',
    pages: 386,
    price: '12.50',
    published: '2013-10-01',
    available: false,
    genres: ['fiction', 'space'],
    notes: 'two\nlines\nthree',
  })
  await page.goto('about:blank')
})

test('problems are shown beside their fields, whether the page or the server found them, and typed values stay', async (t) => {
  const { page, client, asked, expectErrors } = await openSignedIn(t, '/create/books')
  expectErrors(/status of 422 .*\/batch/)
  const [first] = (await client.collection('books').page()).members
  await first?.update({ isbn: '978-3' })
  await page.getByLabel('ISBN').fill('abc')
  await page.getByLabel('Pages').fill('0')
  await page.getByLabel('Price').fill('12,50')
  await author(page).fill('nobody at all')
  await page.getByText('No matches.').waitFor()
  await page.getByRole('button', { name: 'Create' }).click()

  // The last of them only the server can find.
  const summary = page.getByRole('region', { name: 'There are 5 problems' })
  await summary.waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'SECTION')
  assert.match(await wrongWith(page, 'Title'), /Title is required\./)
  assert.match(await wrongWith(page, 'Pages'), /Pages must be at least 1\./)
  assert.match(
    await wrongWith(page, 'Price'),
    /Price must be a number such as 12\.50, with a decimal point\./,
  )
  assert.match(await wrongWith(page, 'Author'), /Author must be chosen from the list/)
  assert.match(await wrongWith(page, 'ISBN'), /ISBN .*\^\[0-9X-\]\+\$/)
  assert.deepEqual(
    asked.filter((line) => line.startsWith('POST')),
    ['POST /batch'],
  )
  assert.equal((await client.collection('books').page()).totalItems, 40)
  await scan(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await scan(page)

  await summary.getByRole('link', { name: /^Pages/ }).press('Enter')
  await page.keyboard.type('1')
  assert.equal(await page.getByLabel('Pages').inputValue(), '01')
  // What is right again is not said to be wrong, and the focus stays where one types.
  await page.getByRole('region', { name: 'There are 4 problems' }).waitFor()
  assert.equal(await page.getByLabel('Pages').getAttribute('aria-invalid'), null)
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'INPUT')
  await page.getByLabel('Title').fill('Taken')
  await page.getByLabel('Price').fill('12.50')
  await author(page).fill('Jane Austen')
  await page.getByRole('option', { name: 'Jane Austen' }).click()

  // Patterns are left to the server, and only it knows what is taken.
  expectErrors(/status of 422/)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('region', { name: 'There is a problem' }).waitFor()
  assert.match(await wrongWith(page, 'ISBN'), /ISBN .*\^\[0-9X-\]\+\$/)
  await page.getByLabel('ISBN').fill('978-3')
  expectErrors(/status of 422/)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('region', { name: 'There is a problem' }).waitFor()
  assert.match(await wrongWith(page, 'ISBN'), /ISBN .*unique/)
  assert.equal(await page.getByLabel('Title').getAttribute('aria-invalid'), null)
  assert.equal(await page.getByLabel('Title').inputValue(), 'Taken')
  assert.equal(await author(page).inputValue(), 'Jane Austen')

  await page.getByLabel('ISBN').fill('978-4')
  assert.equal(await page.getByLabel('ISBN').getAttribute('aria-invalid'), null)
  assert.equal(await page.getByRole('region', { name: 'not right yet' }).count(), 0)

  // The link may be to somebody who is not there yet.
  await author(page).fill('Leo Tolstoy')
  await page.getByText('No matches.').waitFor()
  await page.getByRole('button', { name: 'New author' }).click()
  const dialog = page.getByRole('dialog', { name: 'New author' })
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Leo Tolstoy')
  await scan(page)
  await dialog.getByLabel('Name').fill('')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('link', { name: 'Name is required.' }).click()
  await page.keyboard.type('Lev Tolstoy')
  await page.keyboard.press('Enter')
  // The picker takes the new member a frame after the dialog has gone.
  // The dialog returns the focus, and a frame later the picker takes the new member.
  await until(page, "document.activeElement.getAttribute('role') === 'combobox'")
  await until(page, "document.activeElement.value === 'Lev Tolstoy'")
  assert.equal(await page.getByLabel('Title').inputValue(), 'Taken')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Taken' }).waitFor()
  await page.getByRole('link', { name: 'Lev Tolstoy' }).waitFor()
  await page.goto('about:blank')
})

test('a create without a response is not repeated blindly: the page says so, and looks for the new member', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/create/authors')
  expectErrors(/ERR_FAILED/)
  const created = async () => (await client.collection('authors').page({ name: 'Mary Shelley' })).totalItems
  await page.route('**/api/authors', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Name').fill('Mary Shelley')
  await page.getByRole('button', { name: 'Create' }).click()
  const summary = page.getByRole('region', { name: 'It may or may not have been saved' })
  await summary.getByText('Check first').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Mary Shelley')
  await summary.getByRole('button', { name: 'Check whether it exists' }).click()
  await summary.getByRole('link', { name: 'Mary Shelley' }).waitFor()
  assert.equal(await created(), 1)
})

soakTest('an address can be typed, and is shown as a name when its field loses the focus', async (t) => {
  const { page, client, asked } = await openSignedIn(t, '/create/books')
  const { members } = await client.collection('authors').page()
  const { iri, data } = members[1] ?? assert.fail()
  await author(page).click()
  await page.keyboard.type(iri.slice(0, -5))
  // As when another window is looked into.
  await page.evaluate(`document.activeElement.dispatchEvent(new FocusEvent('blur'))`)
  await page.keyboard.type(iri.slice(-5))
  assert.equal(await author(page).inputValue(), iri)
  await page.keyboard.press('Tab')
  for (let tries = 0; tries < 100 && (await author(page).inputValue()) !== data.name; tries += 1)
    await page.waitForTimeout(50)
  assert.equal(await author(page).inputValue(), data.name)
  // Not for each letter of it.
  assert.deepEqual(
    asked.filter((one) => one.startsWith('GET /authors/')),
    [`GET ${iri.slice(client.base.length)}`],
  )
})

// The first test types, picks and saves with the keyboard; member-page, table/accessibility and sign-in-form reach all by Tab.
soakTest('a member can be created and edited with the keyboard alone', async (t) => {
  const { page, client } = await openSignedIn(t, '/table/authors')
  await page.getByRole('heading', { name: 'Authors' }).waitFor()
  const create = page.getByRole('link', { name: 'New author' })
  await create.waitFor()
  const reach = async (what: typeof create) => {
    for (let presses = 0; presses < 40; presses += 1) {
      if (await what.evaluate((node) => node === node.ownerDocument.activeElement)) return
      await page.keyboard.press('Tab')
    }
    assert.fail('The keyboard does not lead there')
  }
  await reach(create)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New author' }).waitFor()
  await reach(page.getByLabel('Name'))
  await page.keyboard.type('Mary Shelley')
  await reach(page.getByRole('button', { name: 'Create' }))
  await page.keyboard.press('Space')
  await page.getByRole('heading', { name: 'Mary Shelley' }).waitFor()

  await reach(page.getByRole('link', { name: 'Edit' }))
  await page.keyboard.press('Enter')
  await reach(page.getByLabel('Name'))
  await page.keyboard.press('End')
  await page.keyboard.type(' Wollstonecraft')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Mary Shelley Wollstonecraft', exact: true }).waitFor()
  assert.equal(
    (await client.collection('authors').page({ name: 'Mary Shelley Wollstonecraft' })).totalItems,
    1,
  )
  await page.goto('about:blank')
})
