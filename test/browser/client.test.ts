import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'hydrant-client'
import type { Request } from 'playwright-core'
import { serveSignedIn } from '../api/signed-in.ts'
import { IMPATIENT } from '../support/browser.ts'
import { PARAPHRASE, USER } from '../support/client.ts'
import { newDatabase } from '../support/databases.ts'
import { type ServiceOptions, serve } from '../support/service.ts'
import { inSoak, soakTest } from '../support/soak.ts'
import { openClientPage } from './client-page.ts'

declare const hydrant: typeof import('hydrant-client')

/** More than seed.md, step C lets a token live. */
const LATER_MS = 46 * 60_000

/** So many requests at once, none of which can be mistaken for another: how many members each of the pages has. */
async function askMany(client: Client, many: number): Promise<number[]> {
  const sizes = Array.from({ length: many }, (_, index) => index + 1)
  const pages = sizes.map((size) => client.collectionAt('authors').page(`authors?itemsPerPage=${size}`))
  return (await Promise.all(pages)).map(({ members }) => members.length)
}

/** A browser has six under way with a server, and the others wait. */
const MANY = inSoak(100, 25)

const AUTHORS = 3
const ANSWERS = Array.from({ length: MANY }, (_, index) => Math.min(index + 1, AUTHORS))

async function serveAuthors(t: TestContext, options: ServiceOptions = {}) {
  const service = await serveSignedIn(t, { limits: IMPATIENT, ...options })
  for (const name of ['Ursula K. Le Guin', 'J. R. R. Tolkien', 'Jane Austen']) {
    await service.add('/authors', { name })
  }
  return service
}

test('many requests at once make one exchange, without a token and with an expired one', async (t) => {
  const time = { now: Date.now() }
  const service = await serveAuthors(t, { time })
  const { client, exchanges } = await openClientPage(t, service.base)
  assert.deepEqual(await client.evaluate(askMany, MANY), ANSWERS)
  assert.equal(exchanges(), 1)

  time.now += LATER_MS
  assert.deepEqual(await client.evaluate(askMany, MANY), ANSWERS)
  assert.equal(exchanges(), 2)
  assert.equal((await service.store.auth.listTokens(time.now)).length, 1, 'one token was issued')
})

test('many requests with a wrong paraphrase try it once, and later ones fail with the same error', async (t) => {
  const service = await serveAuthors(t)
  const credentials = { id: USER, paraphrase: `not ${PARAPHRASE}` }
  const { client, exchanges } = await openClientPage(t, service.base, { credentials })
  const errors = await client.evaluate(async (client, many) => {
    const reads = Array.from({ length: many }, (_, index) => client.get(`authors?page=${index + 1}`))
    const settled = await Promise.allSettled(reads)
    settled.push(...(await Promise.allSettled([client.get('authors')])))
    return settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'read'))
  }, MANY)
  assert.deepEqual(new Set(errors), new Set(['credentials-wrong']))
  assert.equal(exchanges(), 1)
  assert.equal(service.logged.filter((line) => line.includes('a wrong passphrase')).length, 1)
})

// client/request-restart, in Node.js.
soakTest('a token survives a restart of the server', async (t) => {
  const time = { now: Date.now() }
  const service = await serveAuthors(t, { db: newDatabase(t), time })
  const { client, exchanges, expectErrors } = await openClientPage(t, service.base)
  await client.evaluate((client) => client.signIn())

  await service.close()
  expectErrors(/ERR_CONNECTION_REFUSED/)
  const away = await client.evaluate((client) =>
    client.request('POST', 'authors', { body: { name: 'Nobody' } }).catch((error) => error.kind),
  )
  assert.equal(away, 'unreachable')

  await serve(t, { db: service.db, time, limits: IMPATIENT, flags: { port: String(service.port) } })
  assert.deepEqual(await client.evaluate(askMany, MANY), ANSWERS, 'and the create did not happen')
  assert.equal(exchanges(), 1)
})

// The same.
soakTest('requests during a restart of the server succeed, with one exchange for all', async (t) => {
  const time = { now: Date.now() }
  const service = await serveAuthors(t, { db: newDatabase(t), time })
  const { page, client, exchanges, expectErrors } = await openClientPage(t, service.base, {
    prepare: (page) => page.clock.install(),
  })
  await client.evaluate((client) => client.signIn())

  await service.close()
  expectErrors(/ERR_CONNECTION_REFUSED/)
  const allFailed = new Promise<void>((resolve) => {
    let left = ANSWERS.length
    page.on('requestfailed', () => {
      left -= 1
      if (left === 0) resolve()
    })
  })
  // Not a count: the end of an earlier request may be heard of only now.
  const underWay = new Set<Request>()
  const end = (request: Request) => void underWay.delete(request)
  page.on('request', (request) => void underWay.add(request))
  page.on('requestfinished', end).on('requestfailed', end)
  let isAnswered = false
  const answers = client.evaluate(askMany, MANY).finally(() => {
    isAnswered = true
  })
  await allFailed

  time.now += LATER_MS
  await serve(t, { db: service.db, time, limits: IMPATIENT, flags: { port: String(service.port) } })
  // The client waits before it tries again, by the clock of the page. So does it for an exchange, up to its deadline:
  // while a request is under way, the clock must not run ahead of the server.
  while (!isAnswered) await (underWay.size === 0 ? page.clock.runFor(100) : wait(10))
  assert.deepEqual(await answers, ANSWERS)
  assert.equal(exchanges(), 2)
})

// client/member, in Node.js.
soakTest('an update that would overwrite another is refused, with both versions in the error', async (t) => {
  const service = await serveSignedIn(t, { limits: IMPATIENT })
  const { '@id': iri } = await service.add('/books', { title: 'The Hobbit', pages: 310 })
  const { client, expectErrors } = await openClientPage(t, service.base)
  const book = await client.evaluateHandle((client, iri) => client.get(iri), iri)
  expectErrors(/status of 412/)

  const path = iri.slice(service.base.length)
  const type = { 'Content-Type': 'application/merge-patch+json' }
  assert.equal((await service.send('PATCH', path, type, '{"pages": 320}')).status, 200)
  const conflict = await book.evaluate((book) =>
    book.update({ title: 'There and Back Again' }).then(
      () => 'overwritten',
      (error) => [
        error instanceof hydrant.ConflictError,
        [error.seen.title, error.seen.pages],
        error.attempted,
        [error.current.data.title, error.current.data.pages],
      ],
    ),
  )
  assert.deepEqual(conflict, [
    true,
    ['The Hobbit', 310],
    { title: 'There and Back Again' },
    ['The Hobbit', 320],
  ])
  const { title, pages } = (await service.get(path)).json()
  assert.deepEqual({ title, pages }, { title: 'The Hobbit', pages: 320 })

  const written = await book.evaluate(async (book) => {
    const { data } = await (await book.reload()).update({ title: 'There and Back Again' })
    return [data.title, data.pages]
  })
  assert.deepEqual(written, ['There and Back Again', 320])
})
