import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from 'hydrant-client'
import type { Locator, Page, Request } from 'playwright-core'
import { scan } from '../../../support/browser.ts'
import { goTo, openSignedIn, signIn, type TestConsole } from '../../../support/console.ts'
import { soakTest } from '../../../support/soak.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

const announced = (page: Page, sentence: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: sentence }).waitFor()

/** What the member page is still reading is given up before the server goes. */
const leave = (page: Page) => page.goto('about:blank')

/** The first book, being edited. */
async function openEdit(
  t: Parameters<typeof openSignedIn>[0],
  options: Parameters<typeof openSignedIn>[2] = {},
): Promise<TestConsole & { readonly book: Member; readonly path: string; readonly sent: Request[] }> {
  const opened = await openSignedIn(t, '/', options)
  const [book] = (await opened.client.collection('books').page({ title: 'Book 01' })).members
  assert.ok(book)
  const path = book.iri.slice(opened.service.base.length)
  const sent: Request[] = []
  opened.page.on('request', (request) => request.method() === 'PATCH' && sent.push(request))
  await goTo(opened.page, `/edit${path}`)
  await opened.page.getByRole('heading', { name: 'Edit Book 01' }).waitFor()
  return { ...opened, book, path, sent }
}

/** Sooner or later: names of what is linked to are read after the form is there. */
async function hasValue(field: Locator, value: string): Promise<void> {
  for (let tries = 0; tries < 100 && (await field.inputValue()) !== value; tries += 1) {
    await field.page().waitForTimeout(50)
  }
  assert.equal(await field.inputValue(), value)
}

const bodyOf = (request: Request | undefined): unknown => JSON.parse(request?.postData() ?? 'null')

test('an edit sends only the changes, with the ETag of the version that was read', async (t) => {
  const { page, book, sent } = await openEdit(t)
  await save(page)
  await page.getByText('Nothing was changed, so there is nothing to save.').waitFor()
  assert.equal(sent.length, 0)

  assert.match((await page.getByText('Created at').locator('..').textContent()) ?? '', /\d{4}/)
  await page.getByLabel('Pages').fill('999')
  await page.getByRole('group', { name: 'Available' }).getByLabel('Not set').check()
  const { etag } = await book.reload()
  await hasValue(page.getByRole('combobox', { name: 'Author' }), 'Jane Austen')
  await save(page)
  await announced(page, 'Book 01 was saved.')
  await page.getByRole('heading', { name: 'Book 01', exact: true }).waitFor()
  assert.equal(sent.length, 1)
  assert.deepEqual(bodyOf(sent[0]), { pages: 999, available: null })
  // An ETag ends in the compression that its client accepts, which is another one here than in the browser.
  const version = (tag = '') => tag.replace(/-[a-z]+"$/, '"')
  assert.equal(version(sent[0]?.headers()['if-match']), version(etag))
  const { pages, title, price, available } = (await book.reload()).data
  assert.deepEqual([pages, title, price, available], [999, 'Book 01', '1.50', undefined])
  await leave(page)
})

/** The radio of a side of a property that differs. */
const choice = (page: Page, property: string, side: 'Your value' | 'Current value'): Locator =>
  page.getByRole('group', { name: property }).getByRole('radio', { name: side })

test('a conflict is shown as a comparison, and is resolved for one side or the other', async (t) => {
  const { page, client, book, path, sent, expectErrors } = await openEdit(t)
  expectErrors(/status of 412/)
  await page.getByLabel('Title').fill('Mine')
  await page.getByLabel('Pages').fill('7')
  await book.update({ title: 'Theirs', price: '99.00' })
  await save(page)
  const question = page.getByRole('heading', { name: 'Someone else has changed it' })
  await question.waitFor()
  await scan(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await scan(page)

  const title = page.getByRole('group', { name: 'Title changed by both' })
  assert.equal(
    await title.locator('.compare-columns').innerText(),
    'Before\nBook 01\nCurrent value\nTheirs\nYour value\nMine',
  )
  assert.equal(await choice(page, 'Pages', 'Your value').isChecked(), true)
  assert.equal(await choice(page, 'Price', 'Current value').isChecked(), true)
  assert.equal(await page.getByRole('group', { name: 'Author' }).count(), 0)

  // What both have changed has to be decided, and what was typed is there all the time.
  await save(page)
  await page.getByText('You have both changed title: choose one of the values.').waitFor()
  await page.getByRole('button', { name: 'Back to the form' }).click()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Mine')
  await save(page)
  await question.waitFor()
  await choice(page, 'Title', 'Current value').check()
  await choice(page, 'Price', 'Your value').check()
  sent.length = 0
  await save(page)
  await announced(page, 'Theirs was saved.')
  assert.deepEqual(bodyOf(sent[0]), { pages: 7, price: '1.50' })
  const after = (await book.reload()).data
  assert.deepEqual([after.title, after.pages, after.price], ['Theirs', 7, '1.50'])

  // Again, and the other way; with one more who is faster in between.
  await goTo(page, `/edit${path}`)
  await page.getByLabel('Title').fill('Mine again')
  await (await client.get(book.iri)).update({ title: 'Theirs again' })
  await save(page)
  await choice(page, 'Title', 'Your value').check()
  await (await client.get(book.iri)).update({ title: 'A third' })
  await save(page)
  await page.getByRole('group', { name: 'Title' }).getByText('A third', { exact: true }).waitFor()
  await choice(page, 'Title', 'Your value').check()
  await save(page)
  await announced(page, 'Mine again was saved.')
  assert.equal((await book.reload()).data.title, 'Mine again')
  await leave(page)
})

// The tests before this one have the conflict, and create-page has violations beside their fields.
soakTest('a violation after a conflict is shown in the form, beside its field', async (t) => {
  const { page, client, book, expectErrors } = await openEdit(t)
  expectErrors(/status of 412/, /status of 422/)
  const other = (await client.collection('books').page({ title: 'Book 02' })).members[0]
  await other?.update({ isbn: '978-2' })
  await page.getByLabel('ISBN').fill('978-2')
  await book.update({ pages: 5 })
  await save(page)
  await page.getByRole('heading', { name: 'Someone else has changed it' }).waitFor()
  await save(page)
  await page
    .getByText(/^ISBN .*unique/)
    .first()
    .waitFor()
  assert.equal(await page.getByLabel('Pages').inputValue(), '5')
  await page.getByLabel('ISBN').fill('978-1')
  await save(page)
  await announced(page, 'Book 01 was saved.')
  const { isbn, pages } = (await book.reload()).data
  assert.deepEqual([isbn, pages], ['978-1', 5])
  await leave(page)
})

test('the form says that a member was deleted, and can create a new one from the typed values', async (t) => {
  const { page, book, client, expectErrors } = await openEdit(t)
  expectErrors(/status of 4(04|12)/)
  await page.getByLabel('Title').fill('Still here')
  await book.remove()
  await save(page)
  await page.getByRole('heading', { name: 'Someone else has deleted it' }).waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Still here')
  await page.getByRole('button', { name: 'Create it as a new book' }).click()
  await announced(page, 'Still here was created.')
  const { members } = await client.collection('books').page({ title: 'Still here' })
  assert.deepEqual(
    members.map(({ data }) => [data.pages, data.price, data.genres]),
    [[101, '1.50', ['fiction']]],
  )
  await leave(page)
})

test('nothing that was typed is lost when the token expires', async (t) => {
  const time = { now: Date.now() }
  const { page, book } = await openEdit(t, { service: { time } })
  await page.getByLabel('Title').fill('Typed before')
  await page.getByLabel('Notes').fill('and after')
  time.now += 46 * 60_000
  await save(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Passphrase').waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Typed before')
  await signIn(page)
  await announced(page, 'Typed before was saved.')
  const { title, notes } = (await book.reload()).data
  assert.deepEqual([title, notes], ['Typed before', 'and after'])
  await leave(page)
})

// drafts/changes-conflict leaves them out.
soakTest(
  'a deleted member is created again without the read-only parts of its embedded values',
  async (t) => {
    const api = `
classes:
  Line: { collection: false, properties: { text: string, at: { type: dateTime, writable: false, default: now } } }
  Order: { properties: { name: string, first: Line, lines: { type: Line, many: true } } }
`
    const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api } })
    expectErrors(/status of 404/)
    const line = { text: 'One' }
    const order = await client.collection('orders').create({ name: 'Old', first: line, lines: [line] })
    await goTo(page, `/edit${order.iri.slice(client.base.length)}`)
    await page.getByLabel('Name').fill('New')
    await order.remove()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Create it as a new order' }).click()
    await page.getByRole('status').filter({ hasText: 'New was created.' }).waitFor()
    const { members } = await client.collection('orders').page({ name: 'New' })
    assert.deepEqual(
      members.map(({ data }) => [data.first.text, data.lines.length, data.lines[0].text]),
      [['One', 1, 'One']],
    )
  },
)
