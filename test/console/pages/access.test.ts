import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from 'hydrant-client'
import type { Page } from 'playwright-core'
import { scan } from '../../support/browser.ts'
import { PARAPHRASE } from '../../support/client.ts'
import { goTo, openConsole, openSignedIn, signIn } from '../../support/console.ts'
import { ROOT } from '../../support/markdown.ts'
import { inSoak, soakTest } from '../../support/soak.ts'
import { addUsers } from '../../support/users.ts'
import { heading } from '../member-reading.ts'

/** The newsroom, and a class that nobody but an editor may see at all. */
const API = `${readFileSync(join(ROOT, 'examples/newsroom.yaml'), 'utf8')}
  Memo:
    access: { all: editor }
    properties: { text: string }
`

const USERS = { 1: ['editor'], 2: ['author'], 3: [] }

interface Expected {
  readonly user: keyof typeof USERS
  /** Of the overview: collections, and what can be added. */
  readonly collections: readonly string[]
  readonly forms: readonly string[]
  /** The buttons of a member, or the title of the page where it is not there. */
  readonly members: Readonly<Record<'article' | 'own' | 'theirs', readonly string[] | 'Draft not found'>>
  /** Addresses, and what stands there instead of a form or a table. */
  readonly refused: Readonly<Record<string, string | RegExp>>
}

const ALL = ['Edit', 'Delete']
/** The API's own reason. */
const ONLY_EDITORS = /editor .*memos/

const TABLE: readonly Expected[] = [
  {
    user: 1,
    collections: ['Topics', 'Drafts', 'Articles', 'Memos'],
    forms: ['New topic', 'New draft', 'New article', 'New memo'],
    members: { article: ALL, own: ALL, theirs: ALL },
    refused: {},
  },
  {
    user: 2,
    collections: ['Topics', 'Drafts', 'Articles'],
    forms: ['New draft'],
    members: { article: [], own: ALL, theirs: 'Draft not found' },
    refused: {
      '/create/articles': 'You may not add articles.',
      '/edit/{article}': 'You may not change this article.',
      '/table/memos': ONLY_EDITORS,
      '/create/memos': ONLY_EDITORS,
    },
  },
  {
    user: 3,
    collections: ['Topics', 'Drafts', 'Articles'],
    forms: [],
    members: { article: [], own: 'Draft not found', theirs: 'Draft not found' },
    refused: {
      '/create/drafts': 'You may not add drafts.',
      '/create/articles': 'You may not add articles.',
      '/edit/{article}': 'You may not change this article.',
      '/table/memos': ONLY_EDITORS,
      '/table/nowhere': 'The API has no collection “nowhere”.',
    },
  },
]

/** The author is offered some controls, refused others, and finds one draft and not the other. */
const SHOWN = inSoak(TABLE, TABLE.slice(1, 2))

const actionsOf = (page: Page): Promise<string[]> =>
  page.locator('.page-head .actions').locator('a, button').allTextContents()

// contract: The console offers what is offered
test('each of three users sees only the controls that the API offers them, and a refused address says why', async (t) => {
  const { page, service, expectErrors, asked } = await openConsole(t, { service: { api: API } })
  expectErrors(/status of 40[34] /)
  await addUsers(service, USERS)
  const clientOf = (id: number) =>
    createClient({ base: service.base, credentials: { id, paraphrase: PARAPHRASE } })
  const editor = clientOf(1)
  const paths = Object.fromEntries(
    Object.entries({
      own: await clientOf(2).collection('drafts').create({ title: 'The author’s' }),
      theirs: await editor.collection('drafts').create({ title: 'The editor’s' }),
      article: await editor.collection('articles').create({ title: 'News', text: 'Today' }),
    }).map(([name, { iri }]) => [name, iri.slice(service.base.length + 1)]),
  )

  for (const { user, collections, forms, members, refused } of SHOWN) {
    await signIn(page, user)
    await heading(page, 'Newsroom')
    const main = page.getByRole('main')
    assert.deepEqual(await main.locator('.home-card h3').allTextContents(), collections, `user ${user}`)
    assert.deepEqual(await main.locator('.home-new').allTextContents(), forms, `user ${user}`)
    await scan(page)

    for (const [name, expected] of Object.entries(members)) {
      await goTo(page, `/member/${paths[name]}`)
      const titles = { article: 'News', own: 'The author’s', theirs: 'The editor’s' } as const
      const isThere = typeof expected !== 'string'
      await heading(page, isThere ? titles[name as keyof typeof titles] : expected)
      assert.deepEqual(await actionsOf(page), isThere ? expected : [], `user ${user}, ${name}`)
      assert.equal(await page.getByText('hydra:Operation').count(), 0)
    }
    for (const [address, sentence] of Object.entries(refused)) {
      const place = address.replace('{article}', paths.article ?? '')
      await goTo(page, place)
      await main.getByText(sentence).waitFor()
      assert.equal(await main.getByRole('button').count(), 0, `user ${user}, ${address}`)
      assert.equal(await main.getByRole('textbox').count(), 0, `user ${user}, ${address}`)
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Name or number').waitFor()
  }
  assert.deepEqual(
    asked.filter((request) => !request.startsWith('GET ') && request !== 'DELETE /session'),
    [],
  )
})

// delete-dialog and form/edit-page delete and edit.
soakTest('a control that is offered works: an author deletes their own draft', async (t) => {
  const { page, service } = await openConsole(t, { service: { api: API } })
  await addUsers(service, USERS)
  const author = createClient({ base: service.base, credentials: { id: 2, paraphrase: PARAPHRASE } })
  const { iri } = await author.collection('drafts').create({ title: 'Storm' })
  await signIn(page, 2)
  await page.getByRole('navigation').waitFor()
  await goTo(page, `/edit/${iri.slice(service.base.length + 1)}`)
  await page.getByLabel('Text').fill('Stay in.')
  await page.getByRole('button', { name: 'Save' }).click()
  await heading(page, 'Storm')
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await heading(page, 'Drafts')
  await assert.rejects(author.get(iri), { kind: 'not-found' })
})

test('when a user loses a role while signed in, the refusal says why, and a notice says that the API has changed', async (t) => {
  const { page, service, expectErrors } = await openConsole(t, { service: { api: API } })
  expectErrors(/status of 403 /)
  await addUsers(service, USERS)
  const editor = createClient({ base: service.base, credentials: { id: 1, paraphrase: PARAPHRASE } })
  const { iri } = await editor.collection('articles').create({ title: 'News', text: 'Today' })
  await signIn(page, 1)
  await page.getByRole('navigation').waitFor()
  await goTo(page, `/member/${iri.slice(service.base.length + 1)}`)
  await heading(page, 'News')
  await service.store.auth.setRoles?.(1, [])
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText(/editor.*delete articles/).waitFor()
  assert.deepEqual(await dialog.getByRole('button').allTextContents(), ['Close'])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('The API has changed').waitFor()
})

const PARTIAL_API = `
classes:
  Entry: { collection: entries, operations: [list, create], properties: { text: string } }
  Vote: { operations: [create], properties: { text: string } }
  Note: { operations: [create, read, delete], properties: { text: string } }
`

test('members of a class without the operation read have no pages, and neither rows nor forms link to one', async (t) => {
  const { page, asked } = await openSignedIn(t, '/create/entries', { service: { api: PARTIAL_API } })
  await page.getByLabel('Text').fill('First')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('status').filter({ hasText: 'First was created.' }).waitFor()
  await page.getByRole('rowheader', { name: 'First' }).waitFor()
  assert.equal(await page.getByRole('rowheader').getByRole('link').count(), 0)

  await goTo(page, '/create/votes')
  await page.getByLabel('Text').fill('Yes')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Collections', level: 2 }).first().waitFor()
  await page.getByRole('status').filter({ hasText: 'Yes was created.' }).waitFor()
  assert.ok(!asked.some((one) => /^GET \/(entries|votes)\//.test(one)))
})

test('deleting a member of a collection without a list leads to the overview', async (t) => {
  const { page, client, expectErrors } = await openSignedIn(t, '/', { service: { api: PARTIAL_API } })
  const { iri } = await client.collection('notes').create({ text: 'First' })
  const place = `/member${iri.slice(client.base.length)}`
  await goTo(page, place)
  await page.getByRole('heading', { name: 'First' }).waitFor()
  assert.equal(await page.getByRole('main').getByRole('link', { name: 'Notes' }).count(), 0)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('status').filter({ hasText: 'First was deleted.' }).waitFor()
  await page.getByRole('link', { name: 'Read the documentation' }).waitFor()

  expectErrors(/status of 404/)
  await goTo(page, place)
  await page.getByRole('link', { name: 'Back to the overview' }).waitFor()
})
