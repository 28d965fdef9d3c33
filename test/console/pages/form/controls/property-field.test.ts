import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../../../../support/browser.ts'
import { goTo, openSignedIn } from '../../../../support/console.ts'

const API = `
title: People
classes:
  Country: { properties: { name: { type: string, required: true } } }
  Address:
    collection: false
    properties:
      street: { type: string, required: true, maxLength: 20 }
      country: Country
  Person:
    collection: people
    properties:
      name: { type: string, required: true }
      kind: { type: string, enum: [friend, foe] }
      colours: { type: string, enum: [red, green, blue], many: true }
      seen: dateTime
      walk: duration
      member: { type: boolean, required: true }
      motto: langString
      friends: { type: Person, many: true }
      home: { type: Address, required: true }
      work: Address
      former: { type: Address, many: true }
      biography: { type: string, description: A page or two }
`

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

async function pick(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.fill(text)
  await page.getByRole('option', { name: text }).click()
}

test('every kind of property has its field, also on a narrow screen', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', {
    service: { api: API },
    viewport: { width: 360, height: 740 },
  })
  const country = await client.collection('countries').create({ name: 'Iceland' })
  const members = await client.collection('people')
  for (const name of ['Ann', 'Bob']) await members.create({ name, member: true, home: { street: 'A' } })
  await goTo(page, '/create/people')
  await page.getByLabel('Name').fill('Cleo')
  await page.getByLabel('Kind').selectOption('friend')
  await group(page, 'Colours').getByLabel('blue').check()
  await group(page, 'Colours').getByLabel('red').check()
  await page.getByRole('button', { name: 'Now' }).click()
  await page.getByLabel('Seen', { exact: true }).fill('2024-02-29T12:30:15')
  await page.getByLabel('Time zone of seen').selectOption('UTC')
  await page.getByLabel('Walk').fill('PT2H')

  await page.getByRole('button', { name: 'Add a language to motto' }).click()
  assert.equal(await page.getByLabel('Language of motto').inputValue(), 'en')
  await page.keyboard.type('en')
  await page.getByRole('textbox', { name: 'Motto (en)' }).fill('Hello')
  await page.getByRole('button', { name: 'Add a language to motto' }).click()
  await page.keyboard.type('is')
  await page.getByRole('textbox', { name: 'Motto (is)' }).fill('Halló')

  await page.getByRole('button', { name: 'Add a value to friends' }).click()
  await pick(page, 'Friend 1', 'Ann')
  await page.getByRole('button', { name: 'Add another to friends' }).click()
  await pick(page, 'Friend 2', 'Bob')

  await pick(page, 'Country', 'Iceland')
  await page.getByRole('button', { name: 'Add work' }).click()
  await group(page, 'Work').getByLabel('Street').fill('taken away again')
  await page.getByRole('button', { name: 'Remove work' }).click()
  await page.getByRole('button', { name: 'Add a row to former' }).click()
  await page.getByLabel('Former 1: Street').fill('F')
  await page.getByRole('button', { name: 'Create' }).click()

  await page.getByRole('region', { name: 'There are 2 problems' }).waitFor()
  await page.getByRole('link', { name: 'Member is required.' }).click()
  assert.equal(await page.evaluate('document.activeElement.type'), 'radio')
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await scan(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await scan(page)
  await group(page, 'Member').getByLabel('Yes').check()
  await group(page, 'Home').getByLabel('Street').fill('H')
  // Only the server can tell that what is linked to is no longer there.
  expectErrors(/status of 422/)
  await country.remove()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: /^Home: Country links to/ }).click()
  assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'combobox')
  await page.getByRole('button', { name: 'Clear country' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Cleo' }).waitFor()

  const { members: found } = await client.collection('people').page({ name: 'Cleo' })
  assert.ok(found[0])
  const { '@id': iri, seen, friends, ...kept } = found[0].data
  assert.equal(seen, '2024-02-29T12:30:15Z')
  assert.equal(friends.length, 2)
  assert.deepEqual(kept, {
    '@type': 'Person',
    name: 'Cleo',
    kind: 'friend',
    colours: ['blue', 'red'],
    walk: 'PT2H',
    member: true,
    motto: { en: 'Hello', is: 'Halló' },
    home: { '@type': 'Address', street: 'H' },
    former: [{ '@type': 'Address', street: 'F' }],
  })

  // All of it comes back into the form, and only what is changed goes out again.
  await goTo(page, `/edit/people/${iri.split('/').at(-1)}`)
  await page.getByRole('button', { name: 'Remove motto (en)' }).click()
  await group(page, 'Colours').getByLabel('blue').uncheck()
  await group(page, 'Home').getByLabel('Street').fill('Z')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual(JSON.parse((await sent).postData() ?? ''), {
    colours: ['red'],
    motto: { en: null },
    home: { street: 'Z' },
  })
  await page.getByRole('heading', { name: 'Cleo', exact: true }).waitFor()
  await page.goto('about:blank')
})

test('a year has four digits, and further digits go into the next part of the field', async (t) => {
  const api = 'classes: { Talk: { properties: { name: string, day: date, starts: dateTime } } }'
  const { page } = await openSignedIn(t, '/table/talks', { service: { api } })
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByLabel('Property').selectOption('Starts')
  const value = page.getByLabel('Value (local time)')
  await value.focus()
  await page.keyboard.type('03152026103045AM')
  assert.equal(await value.inputValue(), '2026-03-15T10:30:45')

  await goTo(page, '/create/talks')
  await page.getByLabel('Day').focus()
  await page.keyboard.type('031520261')
  // The same field, which still has the focus.
  assert.equal(await page.evaluate('document.activeElement.type'), 'date')
})
