import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Client } from 'hydrant-client'
import type { Locator, Page } from 'playwright-core'
import { openSignedIn, type TestConsole } from '../support/console.ts'

/** The place in the console of the member that has a name. */
export async function placeOf(client: Client, collection: string, query: Readonly<Record<string, string>>) {
  const { members } = await client.collection(collection).page(query)
  const [member] = members
  assert.ok(member)
  return { member, place: `/member${member.iri.slice(client.base.length)}` }
}

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** What is written beside the name of a property. */
export const shownFor = (page: Page, label: string): Locator =>
  page
    .locator('.member-properties > div')
    .filter({ has: page.getByRole('term').getByText(label, { exact: true }) })
    .getByRole('definition')
    .first()

/** With values within members, texts by language, many links and what there is only one of. */
export const THEATRE = `
title: Theatre
classes:
  Person:
    operations: [list, create, read]
    properties:
      name: { type: string, required: true }
      home: Address
      former: { type: Address, many: true }
      motto: langString
      site: anyURI
      friends: { type: Person, many: true }
  Address:
    collection: false
    properties:
      town: string
      country: Country
  Country:
    properties: { name: string }
  House:
    collection: false
    operations: [create, read, update, replace, delete]
    properties: { motto: string, seats: integer }
  Play:
    operations: [list, create, read]
    properties:
      title: { type: string, required: true }
      director: { type: Person, reverse: directed }
      actors: { type: Person, many: true }
`

/** Ann lives there; `place` is hers. */
export async function openTheatre(t: TestContext): Promise<TestConsole & { readonly place: string }> {
  const opened = await openSignedIn(t, '/', { service: { api: THEATRE } })
  const { client, page } = opened
  // The overview has read everything: what is made now, nobody knows yet.
  await page.getByText('0 members').nth(2).waitFor()
  const country = await client.collection('countries').create({ name: 'Iceland' })
  const friends = []
  for (let number = 1; number <= 14; number += 1) {
    friends.push((await client.collection('persons').create({ name: `Friend ${number}` })).iri)
  }
  const ann = await client.collection('persons').create({
    name: 'Ann',
    home: { town: 'Vík', country: country.iri },
    former: [{ town: 'Hella' }, { town: 'Höfn' }],
    motto: { en: 'Break a leg', de: 'Toi toi toi' },
    site: 'javascript:alert(1)',
    friends,
  })
  await client.collection('plays').create({ title: 'Hamlet', director: ann.iri, actors: [ann.iri] })
  await client.collection('persons').create({ name: 'Bea', friends: [ann.iri] })
  return { ...opened, place: `/member${ann.iri.slice(client.base.length)}` }
}
