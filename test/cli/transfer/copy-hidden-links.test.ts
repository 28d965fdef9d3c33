import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStore } from '../../../src/store/open.ts'
import { newPostgres } from '../../support/postgres.ts'
import { modelOf } from '../../support/service.ts'
import { folderWithApi, hydrant } from '../command.ts'

const AUTHOR = 'Author: { properties: { name: string } }'
const WHOLE = `classes: { ${AUTHOR}, Book: { properties: { title: string, author: Author } } }`
const WITHOUT_CLASS = 'classes: { Book: { properties: { title: string } } }'
const WITHOUT_LINK = `classes: { ${AUTHOR}, Book: { properties: { title: string } } }`

const BASE = 'http://localhost:8080/api'
const LINES = [
  { '@id': `${BASE}/authors/7`, '@type': 'Author', name: 'Ann' },
  { '@id': `${BASE}/books/1`, '@type': 'Book', title: 'A', author: `${BASE}/authors/7` },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')

async function under<T>(url: string, api: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(url, classSchemas(modelOf(api)))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const removed = (url: string, api: string, className: string, id: string): Promise<string> =>
  under(url, api, async ({ members }) => (await members.remove(className, id, undefined)).outcome)

/** A book that links to an author; the link is hidden, and so is the class of the author. */
async function folderWithHiddenLink(t: TestContext): Promise<{ folder: string; url: string }> {
  const folder = folderWithApi(t, WHOLE)
  const imported = await hydrant(['import', 'api.yaml', '-'], { cwd: folder, input: LINES })
  assert.equal(imported.status, 0, imported.stderr)
  const url = `sqlite:${join(folder, 'hydrant.db')}`
  await under(url, WITHOUT_CLASS, async () => {})
  return { folder, url }
}

test('a copy takes links along that are hidden with their class: their targets stay, and they come back', async (t) => {
  const { url } = await folderWithHiddenLink(t)
  const to = newPostgres(t)
  const copied = await hydrant(['copy', '--from', url], { env: { HYDRANT_TO: to } })
  assert.equal(copied.status, 0, copied.stderr)
  // The first start after a copy, under whatever file, goes through all members.
  assert.equal(await removed(to, WITHOUT_LINK, 'Author', '7'), 'linked')
  await under(to, WITHOUT_CLASS, async () => {})
  const book = await under(to, WHOLE, async ({ members }) => members.find('Book', '1'))
  assert.equal(book?.body, ',"title":"A","author":"/authors/7"')
  assert.equal(await removed(to, WHOLE, 'Author', '7'), 'linked')
})

test('an export leaves hidden links behind: what is imported elsewhere holds nothing by them', async (t) => {
  const { folder, url } = await folderWithHiddenLink(t)
  await under(url, WITHOUT_LINK, async () => {})
  writeFileSync(join(folder, 'api.yaml'), WITHOUT_LINK)
  const exported = await hydrant(['export', 'api.yaml'], { cwd: folder })
  assert.equal(exported.status, 0, exported.stderr)
  assert.ok(!exported.stdout.includes('"author"'), exported.stdout)
  const imported = await hydrant(['import', 'api.yaml', '-', '--db', 'sqlite:other.db'], {
    cwd: folder,
    input: exported.stdout,
  })
  assert.equal(imported.status, 0, imported.stderr)
  assert.equal(await removed(`sqlite:${join(folder, 'other.db')}`, WITHOUT_LINK, 'Author', '7'), 'removed')
  assert.equal(await removed(url, WITHOUT_LINK, 'Author', '7'), 'linked')
})
