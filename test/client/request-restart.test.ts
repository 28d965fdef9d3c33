import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { newDatabase } from '../support/databases.ts'
import { serve } from '../support/service.ts'
import { recordClient, times } from './recording.ts'

test('Tokens, ETags and cursors survive a restart of the server', async (t) => {
  const service = await serve(t, { db: newDatabase(t) })
  const { client, exchanges } = recordClient(service.base)
  const books = client.collection('books')
  for (const title of times(5, (n) => `Book ${n}`)) await books.create({ title })
  const walk = books.members({ itemsPerPage: 2 })
  const first = (await walk.next()).value
  const emma = await books.create({ title: 'Emma' })

  await service.close()
  await serve(t, { db: service.db, flags: { port: String(service.port) } })

  const titles = [first?.data.title]
  for await (const { data } of walk) titles.push(data.title)
  assert.deepEqual(titles, ['Book 0', 'Book 1', 'Book 2', 'Book 3', 'Book 4', 'Emma'])
  assert.equal((await emma.update({ pages: 474 })).data.pages, 474)
  assert.equal(exchanges().length, 1)
})

test('Reads during a restart of the server succeed', async (t) => {
  const service = await serve(t, { db: newDatabase(t) })
  const { client, exchanges } = recordClient(service.base)
  await client.entryPoint()
  await service.close()
  const reads = times(20, (n) => client.request('GET', `books?page=${n + 1}`))
  await wait(100)
  await serve(t, { db: service.db, flags: { port: String(service.port) } })
  const answers = await Promise.all(reads)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(exchanges().length, 1)
})

test('An exchange during a restart of the server succeeds when it is back', async (t) => {
  const service = await serve(t, { db: newDatabase(t) })
  const { client, exchanges } = recordClient(service.base)
  await service.close()
  const reads = times(20, (n) => client.request('GET', `books?page=${n + 1}`))
  await wait(100)
  await serve(t, { db: service.db, flags: { port: String(service.port) } })
  await Promise.all(reads)
  assert.equal(exchanges().filter(({ status }) => status === 200).length, 1)
})

test('A write while the server is away is not repeated: the caller decides', async (t) => {
  const service = await serve(t)
  const { client, sent } = recordClient(service.base)
  await client.documentation()
  await service.close()
  const before = sent.length
  await assert.rejects(client.collection('authors').create({ name: 'Ann Leckie' }), { kind: 'unreachable' })
  assert.equal(sent.length - before, 1)
})

test('A server that has lost its database makes the client exchange its credentials again', async (t) => {
  const service = await serve(t)
  const { client, exchanges } = recordClient(service.base)
  await client.entryPoint()
  await service.close()
  await serve(t, { flags: { port: String(service.port) } })
  assert.equal((await client.request('GET', 'books')).status, 200)
  assert.equal(exchanges().length, 2)
})
