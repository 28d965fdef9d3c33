import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../../support/streams.ts'
import { CREATE, NAMES, serveNewsroom, USERS } from '../newsroom.ts'
import { type EventsPage, idOf, shown } from './changes.ts'

// contract: Only changes of members that the user may read are sent
// contract: Another user's id is a position, and nothing more.
test('each user is told of what that user may read, deletes included, from whatever position', async (t) => {
  const { as, base } = await serveNewsroom(t)
  await as.owner.send('PATCH', '/drafts/d', { title: 'y' })
  await as.owner.send('DELETE', '/drafts/d')
  const OPEN = ['Create /topics/t', 'Create /articles/a', 'Create /Settings']
  const DRAFT = ['Create /drafts/d', 'Update /drafts/d', 'Delete /drafts/d']
  const TOLD: Record<(typeof NAMES)[number], readonly string[]> = {
    reader: OPEN,
    owner: [...OPEN, ...DRAFT],
    author: OPEN,
    editor: [...OPEN, 'Create /tips/p'],
    both: [...OPEN, 'Create /tips/p'],
  }
  const read = async (name: (typeof NAMES)[number], query = '') => {
    const response = await as[name].send('GET', `/events${query}`)
    assert.equal(response.status, 200, response.body)
    return response.json() as EventsPage
  }
  for (const name of NAMES) {
    const { member } = await read(name, '?itemsPerPage=100')
    assert.deepEqual(shown({ base }, member).toSorted(), TOLD[name].toSorted(), name)
  }
  const [, draft] = (await read('owner', `?resource=${base}/drafts/d`)).member
  assert.deepEqual((await read('reader', `?resource=${base}/drafts/d`)).member, [])
  assert.deepEqual((await read('reader', `?after=${idOf(draft)}`)).member, [])
  assert.equal((await read('owner', `?after=${idOf(draft)}`)).member.length, 1)
  assert.equal((await as.reader.send('GET', '/events?collection=secrets')).status, 400)
})

// Streams that show the same share what is encoded: each must be sent exactly what a page tells its reader.
test('streams of many users, side by side, show each what its pages show', async (t) => {
  const { as, client, ...service } = await serveNewsroom(t)
  const opened = []
  for (const name of NAMES) {
    const headers = { 'X-Authorization': await client.signIn(USERS[name][0]) }
    for (const query of ['', '', '?include=object', '?collection=articles']) {
      const stream = openStream(service, query, headers)
      t.after(() => stream.cut())
      opened.push({ name, query, stream })
    }
  }
  await Promise.all(opened.map(({ stream }) => stream.until(1)))
  const operation = [...Array(20).keys()].flatMap((index) => [
    { method: 'POST', target: 'articles', body: { title: `${index}` } },
    { method: 'POST', target: 'drafts', body: { title: `${index}` } },
  ])
  for (const name of ['owner', 'both'] as const) {
    const { status, body } = await as[name].send('POST', '/batch', { operation })
    assert.equal(status, 200, body)
  }
  // Everyone may read it: each stream has come to its end.
  const end = await as.editor.send('PUT', '/articles/end', { title: 'end' }, CREATE)
  assert.equal(end.status, 201)
  for (const { name, query, stream } of opened) {
    const isEnd = ({ data }: (typeof stream.events)[number]) =>
      JSON.stringify(data).includes('/articles/end"')
    const [start, ...events] = await stream.until((found) => found.some(isEnd))
    const rest = query === '' ? '?' : `${query}&`
    const page = await as[name].send('GET', `/events${rest}itemsPerPage=100&after=${start?.id}`)
    assert.deepEqual(
      events.map(({ data: { '@context': _, ...data } }) => data),
      (page.json() as EventsPage).member,
      `${name} ${query}`,
    )
  }
})
