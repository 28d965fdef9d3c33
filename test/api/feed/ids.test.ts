import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backUp, openStore } from '../../../src/store/open.ts'
import { execute, newDatabase } from '../../support/databases.ts'
import { serve, temporaryFolder } from '../../support/service.ts'
import { sentenceOf, serveSignedIn } from '../signed-in.ts'
import { change, idOf, pageAt } from './changes.ts'

// contract: An id that is too old, or of another or a restored database
test('an id that is too old, or of another database, is 410 that says where to go on', async (t) => {
  const service = await serveSignedIn(t)
  const { base, store, get } = service
  await change(service)
  const [first, second] = (await pageAt(service, '/events')).member.map(idOf)
  await store.changes.sweep(Date.now(), { ageMs: 86_400_000, count: 3 }, 100)
  assert.equal((await get(`/events?after=${second}`)).status, 200)
  const other = await serveSignedIn(t)
  await change(other)
  const [, theirs] = (await pageAt(other, '/events')).member.map(idOf)
  for (const id of [first, theirs]) {
    const gone = await get(`/events?after=${id}`)
    assert.equal(gone.status, 410)
    const next = /<([^>]+)>; rel="next"/.exec(gone.headers.link ?? '')?.[1] ?? ''
    assert.ok(sentenceOf(gone).includes(next.split('after=')[1] ?? '?'), gone.body)
    await service.add('/authors', { name: 'Ben' })
    assert.equal((await pageAt(service, next.slice(base.length))).member.length, 1)
  }
})

test('ids of a database are none of its backup, nor of a file that was put back and went another way', async (t) => {
  const folder = temporaryFolder(t)
  const [path, backup, copy] = ['one.db', 'backup.db', 'copy.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const service = await serveSignedIn(t, { db: `sqlite:${path}` })
  await change(service)
  const early = (await pageAt(service, '/events')).member.map(idOf)
  await backUp(`sqlite:${path}`, backup)
  await service.close()
  copyFileSync(path, copy)
  const again = await serveSignedIn(t, { db: `sqlite:${path}` })
  await again.add('/authors', { name: 'Ben' })
  const late = (await pageAt(again, '/events')).member.map(idOf)
  await again.close()
  const restored = await serveSignedIn(t, { db: `sqlite:${backup}` })
  assert.equal((await restored.get(`/events?after=${early[1]}`)).status, 410)
  const putBack = await serveSignedIn(t, { db: `sqlite:${copy}` })
  // What both have is still a place in both; what only the other has is none, before and after the positions meet.
  assert.equal((await putBack.get(`/events?after=${early[1]}`)).status, 200)
  assert.equal((await putBack.get(`/events?after=${late[4]}`)).status, 410)
  await putBack.add('/authors', { name: 'Cem' })
  assert.equal((await putBack.get(`/events?after=${late[4]}`)).status, 410)
})

// contract: History is kept for 24 hours or 1,000,000 changes
// contract: `--history` ¦
test('the history is swept every 5 s, by age and by number', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const service = await serveSignedIn(t, { db: newDatabase(t), flags: { history: '1h/3' } })
  await change(service)
  const length = async () => (await service.store.changes.after(0, 10)).changes.length
  assert.equal(await length(), 4)
  const sweeps = async (left: number) => {
    t.mock.timers.tick(5_000)
    while ((await length()) !== left) await new Promise((resolve) => setImmediate(resolve))
  }
  await sweeps(3)
  const old = {
    sqlite: 'UPDATE changes SET at = at - 3600000',
    postgres: 'UPDATE changes SET at = at - 3600000',
  }
  await execute(service.db, old)
  await sweeps(1)
})

test('a database that was copied elsewhere has another epoch', async (t) => {
  const [one, other] = [await serve(t, { db: newDatabase(t) }), await serve(t)]
  assert.notEqual(await one.store.changes.epoch(), await other.store.changes.epoch())
  const again = await openStore(one.db)
  t.after(() => again.close())
  assert.equal(await again.changes.epoch(), await one.store.changes.epoch())
})
