import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSignedIn } from '../api/signed-in.ts'
import { newPostgres } from '../support/postgres.ts'
import { addAt, serveFiles } from './changed.ts'
import { eventually } from './hosts.ts'

const file = (properties: string) => `
classes:
  Book: { properties: { title: string, next: Book${properties} } }
`

test('hosts that join while members are written and read refuse nothing', async (t) => {
  const db = newPostgres(t)
  const host = await serveSignedIn(t, { db, api: file('') })
  const path = await addAt(host, '/books', { title: 'First' })
  let isOver = false
  const failed: string[] = []
  const wave = async (send: (number: number) => ReturnType<typeof host.get>) => {
    for (let number = 0; number < 2_000 && !isOver; number += 1) {
      const { status, body } = await send(number)
      if (status >= 400) failed.push(`${status} ${body}`)
    }
  }
  const asPatch = { 'Content-Type': 'application/merge-patch+json' }
  const batch = (title: string) => ({
    operation: [
      { method: 'POST', target: 'books', id: '_:b', body: { title } },
      { method: 'POST', target: 'books', body: { title, next: '_:b' } },
    ],
  })
  const waves = [
    wave((number) => host.post('/books', { title: `Added ${number}`, next: host.base + path })),
    wave((number) => host.send('PATCH', path, asPatch, JSON.stringify({ title: `Changed ${number}` }))),
    wave((number) => host.post('/batch', batch(`Batch ${number}`))),
    wave(() => host.get('/books?title=Added+1')),
    wave(() => host.get('/books?q=added')),
    wave(() => host.get(path)),
  ]
  for (const more of [', a: string', ', a: string, b: { type: integer, default: 1 }']) {
    await serveSignedIn(t, { db, api: file(more), flags: { baseUrl: host.base } })
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  isOver = true
  await Promise.all(waves)
  assert.deepEqual(failed, [])
})

test('a member that was read before it was converted can be changed afterwards', async (t) => {
  let path = ''
  let etag = ''
  const [former, changed] = await serveFiles(
    t,
    [file(', pages: integer'), file(', language: { type: string, default: en }')],
    async (host) => {
      path = await addAt(host, '/books', { title: 'T', pages: 1 })
      etag = String((await host.get(path)).headers.etag)
    },
  )
  const early = String((await changed.get(path)).headers.etag)
  await eventually('converted', async () => (await changed.get('/books?language=en')).status === 200)
  assert.equal(String((await changed.get(path)).headers.etag), early)
  const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': etag }
  const response = await former.send('PATCH', path, headers, '{"pages":2}')
  assert.equal(response.status, 200, response.body)
})
