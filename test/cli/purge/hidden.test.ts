import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { newPostgres } from '../../support/postgres.ts'
import { serve, type TestService, temporaryFolder } from '../../support/service.ts'
import { assertRefused, hydrant } from '../command.ts'

const BEFORE = `
classes:
  Book:
    properties:
      title: { type: string, required: true }
      subtitle: string
      author: Author
      parts: { type: Part, many: true }
  Author: { properties: { name: string } }
  Part: { collection: false, properties: { text: string, secret: string } }
`
const AFTER = `
classes:
  Book:
    properties:
      title: { type: string, required: true }
      parts: { type: Part, many: true }
  Part: { collection: false, properties: { text: string } }
`

/** Until the members have the form of the API file, which a purge needs. */
async function convert({ store, close }: TestService): Promise<void> {
  while (await store.catchUp.turn());
  await close()
}

for (const store of ['SQLite', 'PostgreSQL'] as const)
  describe(`purge on ${store}`, () => {
    // contract: `hydrant purge …` ¦ removes hidden values
    // contract: **Hidden data can be removed**
    test('what the API file hides is listed, and removed when asked for', async (t) => {
      const folder = temporaryFolder(t)
      const db = store === 'SQLite' ? `sqlite:${join(folder, 'test.db')}` : newPostgres(t)
      const file = join(folder, 'api.yaml')
      const command = (...args: string[]) => hydrant(['purge', file, ...args], { env: { HYDRANT_DB: db } })
      const withVariable = (name: string) =>
        hydrant(['purge', file, '--yes'], { env: { HYDRANT_DB: db, HYDRANT_HIDDEN: name } })
      const purged = async (...args: string[]) => {
        const { status, stdout, stderr } = await command(...args, '--json')
        assert.equal(status, 0, stderr)
        return JSON.parse(stdout)
      }
      const first = await serve(t, { api: BEFORE, db })
      const token = await first.client.signIn()
      const send = async (path: string, body: object, { client } = first) => {
        const sent = { 'X-Authorization': token, 'Content-Type': 'application/json', 'If-None-Match': '*' }
        const { status, headers, body: text } = await client.send('PUT', path, sent, JSON.stringify(body))
        assert.equal(status, 201, text)
        return Number(/^"([0-9]+)-/.exec(headers.etag ?? '')?.[1])
      }
      const version = await send('/authors/a', { name: 'Ann' })
      const parts = [{ text: 'p', secret: 'whispered' }, { text: 'q' }]
      await send('/books/1', { title: 'One', subtitle: 'sub-one', author: '/api/authors/a', parts })
      await send('/books/2', { title: 'Two', subtitle: 'sub-two' })

      // A server shows the class that this file lacks.
      writeFileSync(file, 'classes: { Author: { properties: { name: string } } }')
      assertRefused(await command('--hidden', '--yes'), 1, 'Book')
      assert.equal((await first.client.send('GET', '/books/1', { 'X-Authorization': token })).status, 200)
      await first.close()

      writeFileSync(file, AFTER)
      assertRefused(await command(), 1, 'Book')
      await convert(await serve(t, { api: AFTER, db }))
      const all = [
        { class: 'Book', property: 'subtitle', members: 2 },
        { class: 'Book', property: 'author', members: 1 },
        { class: 'Book', property: 'parts.secret', members: 1 },
        { class: 'Author', members: 1 },
      ]
      const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).toSorted()
      assert.deepEqual(sorted((await purged()).hidden), sorted(all))
      assert.match((await command()).stdout, /Book\.parts\.secret/)

      assertRefused(await command('--hidden', 'Book.subtitel', '--yes'), 2, 'Book.subtitle')
      assertRefused(await withVariable('Book.subtitel'), 2, 'Book.subtitle')
      assertRefused(await command('--hidden'), 2, '--yes')
      assertRefused(await command('--hidden', 'Author', '--yes'), 1, 'Book.author')
      assert.equal((await purged()).hidden.length, all.length)

      assert.deepEqual(await purged('--hidden', 'Book.subtitle', '--yes'), { removed: [all[0]] })
      const again = await serve(t, { api: BEFORE, db })
      const read = await again.client.send('GET', '/books/1', { 'X-Authorization': token })
      const { subtitle, author, parts: kept } = read.json() as Record<string, unknown>
      assert.equal(subtitle, undefined)
      assert.equal(author, `${again.base}/authors/a`)
      assert.deepEqual(
        (kept as object[]).map((part) => ({ ...part, '@type': undefined })),
        parts.map((part) => ({ ...part, '@type': undefined })),
      )
      await again.close()

      await convert(await serve(t, { api: AFTER, db }))
      const { removed } = await purged('--hidden', '--yes', '--compact')
      assert.deepEqual(sorted(removed), sorted(all.slice(1)))
      assert.deepEqual(await purged(), { hidden: [] })
      assert.deepEqual(await purged('--hidden', '--yes'), { removed: [] })
      if (store === 'SQLite')
        for (const text of ['whispered', 'sub-one', 'Ann'])
          assert.ok(!readFileSync(join(folder, 'test.db')).includes(text), text)

      const last = await serve(t, { api: BEFORE, db })
      const empty = await last.client.send('GET', '/authors', { 'X-Authorization': token })
      assert.equal(empty.json().totalItems, 0)
      // An ETag of the author who is gone is none of the new one.
      assert.ok((await send('/authors/a', { name: 'Bob' }, last)) > version)
    })
  })
