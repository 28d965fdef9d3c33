import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { inSoak } from '../../support/soak.ts'
import { CREATE } from '../newsroom.ts'
import { serveWriter, type Writer } from '../writing.ts'
import { carryOut, everything, operations } from './operations.ts'

/** Each waits for all others in turn: on a busy machine many would wait for longer than a request may. */
const WRITERS = inSoak(8, 5)
const ROUNDS = inSoak(12, 6)

const patchOf = (id: string, body: object) => ({ method: 'PATCH', target: `books/${id}`, body })

/** Each of the writers sends its requests one after the other, all writers at once. Returns how often each status came. */
async function statusesOf(send: (writer: number, round: number) => Promise<{ status: number }>) {
  const counts: Record<number, number> = {}
  const write = async (writer: number) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { status } = await send(writer, round)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return counts
}

async function serveHot(t: Parameters<typeof serveWriter>[0]): Promise<Writer> {
  const writer = await serveWriter(t, { db: newDatabase(t) })
  for (const id of ['a', 'b']) await writer.put(`/books/${id}`, { title: 'x' }, CREATE)
  return writer
}

const allDone = { 200: WRITERS * ROUNDS }

test('batches of many writers on one member are all carried out', async (t) => {
  const { post } = await serveHot(t)
  const send = (writer: number, round: number) =>
    post('/batch', { operation: [patchOf('a', { pages: 1 + writer * ROUNDS + round })] })
  assert.deepEqual(await statusesOf(send), allDone)
})

test('batches beside single changes of one member are all carried out, and none is lost', async (t) => {
  const { post, patch, values } = await serveHot(t)
  const send = (writer: number, round: number) =>
    writer % 2 === 0
      ? post('/batch', { operation: [patchOf('a', { available: true }), patchOf('a', { pages: 1 + round })] })
      : patch('/books/a', { genres: [`${round}`] })
  assert.deepEqual(await statusesOf(send), allDone)
  // The last change of each property is that of a writer's last round; one that was lost would have left an earlier one.
  const { pages, genres } = await values('/books/a')
  assert.deepEqual([pages, genres], [ROUNDS, [`${ROUNDS - 1}`]])
})

test('batches over two members in opposite orders are all carried out, each as a whole', async (t) => {
  const { post, values } = await serveHot(t)
  const send = (writer: number, round: number) => {
    const body = { pages: 1 + writer * ROUNDS + round }
    const both = [patchOf('a', body), patchOf('b', body)]
    return post('/batch', { operation: writer % 2 === 0 ? both : both.toReversed() })
  }
  assert.deepEqual(await statusesOf(send), allDone)
  assert.equal((await values('/books/a')).pages, (await values('/books/b')).pages)
})

test('batches that race for the same members are carried out one after the other', async (t) => {
  const writer = await serveWriter(t)
  const ids = ['a', 'b', 'c']
  for (const id of ids) await writer.put(`/books/${id}`, { title: 'x' }, CREATE)
  const racing = Array.from({ length: 6 }, (_, index) => {
    const order = index % 2 === 0 ? ids : ids.toReversed()
    return carryOut(
      writer,
      order.map((id) => ['PATCH', `books/${id}`, { body: { pages: index + 1 } }] as const),
    )
  })
  await Promise.all(racing)
  const pages = await Promise.all(ids.map(async (id) => (await writer.values(`/books/${id}`)).pages))
  assert.equal(new Set(pages).size, 1, String(pages))

  const etag = await writer.etag('/books/a')
  const two = await Promise.all(
    [1, 2].map((n) =>
      writer.post(
        '/batch',
        operations([
          ['POST', 'authors', { body: { name: `of ${n}` } }],
          ['PATCH', 'books/a', { ifMatch: etag, body: { title: String(n) } }],
        ]),
      ),
    ),
  )
  assert.deepEqual(two.map(({ status }) => status).toSorted(), [200, 412])
  const winner = two.findIndex(({ status }) => status === 200) + 1
  const [authors] = await everything(writer)
  assert.deepEqual(
    (authors as { member: { name: string }[] }).member.map(({ name }) => name),
    [`of ${winner}`],
  )
})
