import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { classSchemas } from '../../../src/members/conversion/conversion.ts'
import type { Change } from '../../../src/members/index.ts'
import type { Store } from '../../../src/store/index.ts'
import { openStore } from '../../../src/store/open.ts'
import type { TestClient } from '../../support/client.ts'
import { countRows } from '../../support/databases.ts'
import { prepareDatabase, spawnServer } from '../../support/server-processes.ts'
import { modelOf } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { type Entry, pathOf } from './entries.ts'

const API = `
history: true
classes:
  Shelf: { collection: shelves, properties: { name: string } }
  Book:
    properties:
      title: string
      shelf: { type: Shelf, onDelete: delete }
      sequel: { type: Book, onDelete: unset }
`
const SCHEMAS = classSchemas(modelOf(API))
const WRITERS = 6
/** How many writes have been answered when the process is killed. */
const COUNTS = inSoak([1, 5, 12, 30, 31, 47, 60, 75, 100, 150, 200, 300], [40])

/** What a client was told to be done, in the order of its requests. */
type Acknowledged = { readonly method: string; readonly path: string }[]

/** Shelves with books that follow each other; some are changed, brought back, and removed with their shelf. */
async function writeOn(client: TestClient, token: string, done: Acknowledged, name: string): Promise<never> {
  async function send(method: string, path: string, body?: object, more = {}) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json'
    const headers = { 'X-Authorization': token, ...(body && { 'Content-Type': type }), ...more }
    const answer = await client.send(method, path, headers, body && JSON.stringify(body))
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.body}`)
    if (method !== 'GET') done.push({ method, path: pathOf(answer.headers.location) || path })
    return answer
  }
  const restoreOldest = async (path: string) => {
    const entries = (await send('GET', `${path}/history`)).json().member as Entry[]
    await send('POST', pathOf(entries.at(-1)?.restore))
  }
  for (let round = 0; ; round += 1) {
    const id = `${name}-${round}`
    const [shelf, one, other] = [`/shelves/${id}`, `/books/${id}-1`, `/books/${id}-2`]
    const isNew = { 'If-None-Match': '*' }
    await send('PUT', shelf, { name: id }, isNew)
    await send('PUT', one, { title: 'one', shelf: `/api${shelf}` }, isNew)
    await send('POST', '/batch', {
      operation: [
        { method: 'PUT', target: other.slice(1), ifNoneMatch: '*', body: { sequel: `/api${one}` } },
        { method: 'PATCH', target: one.slice(1), body: { title: 'two' } },
        { method: 'PATCH', target: one.slice(1), body: { title: 'three' } },
      ],
    })
    await restoreOldest(one)
    // The first book goes with its shelf, and the other one loses its link.
    await send('DELETE', shelf)
    await restoreOldest(shelf)
  }
}

async function readLog({ changes }: Store): Promise<Change[]> {
  const all: Change[] = []
  for (;;) {
    const page = await changes.after(all.at(-1)?.position ?? 0, 1_000)
    if (page.changes.length === 0) return all
    all.push(...page.changes)
  }
}

/** No entry without its change, no change without its entry, and each member is as its last entry says. */
async function assertWhole(store: Store, db: string): Promise<readonly Change[]> {
  const log = await readLog(store)
  for (const changes of Map.groupBy(log, ({ className, id }) => `${className}/${id}`).values()) {
    const name = changes[0] as Change
    const entries = (await store.history.list(name, { limit: 1_000 }, 10_000_000)).toReversed()
    const headOf = ({ kind, at, actor }: Pick<Change, 'kind' | 'at' | 'actor'>) => ({ kind, at, actor })
    assert.deepEqual(entries.map(headOf), changes.map(headOf), name.id)
    const [last, found] = [entries.at(-1), await store.members.find(name.className, name.id)]
    if (last?.kind === 'delete') assert.equal(found, undefined, name.id)
    else assert.deepEqual([found?.version, found?.body], [last?.version, last?.body], name.id)
  }
  const rows = Object.entries(await countRows(db)).filter(([table]) => table.startsWith('history_'))
  assert.equal(
    rows.reduce((sum, [, count]) => sum + count, 0),
    log.length,
  )
  return log
}

// contract: The entry is written in the transaction of the change
test('a process that is killed while it writes leaves every change with its entry, and no other', async (t) => {
  const db = await prepareDatabase(t)
  for (const [round, count] of COUNTS.entries()) {
    const { client, kill } = await spawnServer(t, db, API)
    const token = await client.signIn()
    const done: Acknowledged = []
    const refusals: unknown[] = []
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      writeOn(client, token, done, `w${round}-${index}`).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) refusals.push(error)
      }),
    )
    while (done.length < count && refusals.length === 0) await wait(1)
    await kill()
    await Promise.all(writers)
    assert.deepEqual(refusals, [])
    const store = await openStore(db, SCHEMAS)
    const log = await assertWhole(store, db)
    await store.close()
    const logged = new Set(
      log.map(({ className, id }) => `/${className === 'Book' ? 'books' : 'shelves'}/${id}`),
    )
    for (const { method, path } of done) if (method === 'PUT') assert.ok(logged.has(path), path)
    t.diagnostic(`${done.length} writes were answered; ${log.length} changes in all`)
  }
})
