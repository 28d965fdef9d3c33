import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { scan } from '../support/browser.ts'
import { goTo, openSignedIn } from '../support/console.ts'

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
  Settings:
    collection: false
    operations: [create, read, update, replace]
    properties:
      openingHours: { type: string, required: true }
      motto: langString
`

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

async function pick(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true })
  await field.fill(text)
  await page.getByRole('option', { name: text }).click()
}

test('every kind of property has its field, on a narrow screen too', async (t) => {
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
  await page.getByRole('button', { name: 'Add a value to former' }).click()
  await group(page, 'Former 1').getByLabel('Street').fill('F')
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

test('a single resource is created by its first edit, and edited by the next', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api: API } })
  expectErrors(/status of 404/)
  await goTo(page, '/edit/Settings')
  await page.getByRole('heading', { name: 'Create settings' }).waitFor()
  await page.getByLabel('Opening hours').fill('always')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').filter({ hasText: 'Settings was created.' }).waitFor()
  assert.equal((await client.single('Settings')).data.openingHours, 'always')

  await goTo(page, '/edit/Settings')
  await page.getByLabel('Opening hours').fill('never')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').filter({ hasText: 'was saved.' }).waitFor()
  assert.equal((await client.single('Settings')).data.openingHours, 'never')
  await page.goto('about:blank')
})

test('the keyboard alone leads from the table to a saved member', async (t) => {
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

test('a single resource that was deleted meanwhile can be created anew from what was typed', async (t) => {
  const api =
    'classes: { Motto: { collection: false, operations: [create, read, update, delete], properties: { text: string } } }'
  const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api } })
  expectErrors(/status of 404/)
  await client.request('PUT', `${client.base}/Motto`, { body: { text: 'We' } })
  await goTo(page, '/edit/Motto')
  await page.getByLabel('Text').fill('They')
  await (await client.single('Motto')).remove()
  await page.getByText('Someone has deleted it. Save to see your options.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Create it again' }).click()
  await page.getByRole('status').filter({ hasText: 'They was created.' }).waitFor()
  assert.equal((await client.single('Motto')).data.text, 'They')
})

test('what was deleted meanwhile is created anew without what only the server writes in its embedded values', async (t) => {
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
})

// contract: The console offers what is offered
test('a single resource that can only be created is not edited, and one that can only be replaced is not created', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', {
    service: {
      api: `
classes:
  Charter: { collection: false, operations: [create, read], properties: { text: string } }
  Rules: { collection: false, operations: [read, replace], properties: { text: string } }
`,
    },
  })
  expectErrors(/status of 404/)
  await client.request('PUT', `${client.base}/Charter`, { body: { text: 'We' } })
  await goTo(page, '/member/Charter')
  await page.getByText('We', { exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
  await goTo(page, '/edit/Charter')
  await page.getByText('You may not change this charter.').waitFor()

  await goTo(page, '/member/Rules')
  await page.getByRole('heading', { name: 'Rules not found' }).waitFor()
  await goTo(page, '/edit/Rules')
  await page.getByText('There is no Rules yet.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create' }).count(), 0)
})
