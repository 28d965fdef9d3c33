import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keptDatabase } from '../../support/databases.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { idsOf, put, read, walk } from '../walks.ts'

const API = `
classes:
  Note:
    properties:
      title: string
      body: string
      tags: { type: string, many: true }
      secret: { type: string, filterable: false }
      link: anyURI
      rank: integer
      blurb: langString
      quiet: { type: langString, filterable: false }
`

const NOTES: Record<string, object> = {
  n1: { title: 'The Old Man and the Sea', body: 'A fisherman, far out.', rank: 2 },
  n2: { title: 'Straßenbahn', body: 'NULL OR NOT AND NEAR', tags: ['Sea-side', 'Ὀδυσσεύς'], rank: 1 },
  n3: {
    title: 'Café',
    tags: ['old', 'man'],
    secret: 'hidden treasure',
    link: 'https://example.org/word',
    rank: 3,
    blurb: { en: 'Coffee houses', 'de-AT': 'Kaffeehäuser', ja: '喫茶店' },
    quiet: { en: 'whisper' },
  },
  n4: { title: '東京 tower', body: '"quoted" * (x) title:sea 3rd', rank: 3 },
  n5: {},
}

async function serveNotes(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { api: API })
  for (const [id, body] of Object.entries(NOTES)) await put(service, `/notes/${id}`, body)
  return service
}

async function finds(service: SignedIn, table: readonly [text: string, ids: string, more?: string][]) {
  for (const [text, ids, more = ''] of table) {
    const page = await read(service, `/notes?q=${encodeURIComponent(text)}${more}`)
    assert.equal(idsOf(page).join(' '), ids, text)
    assert.equal(page.totalItems, ids === '' ? 0 : ids.split(' ').length, text)
  }
}

// contract: **Filters**: `p=v`
// contract: What a value means is the same on both stores
test('free text finds the members that have all its words, in whichever strings, without regard to case', async (t) => {
  await finds(await serveNotes(t), [
    ['sea', 'n1 n2 n4'],
    ['SEA', 'n1 n2 n4'],
    ['old man', 'n1 n3'],
    ['man old', 'n1 n3'],
    ['old old OLD', 'n1 n3'],
    ['old tower', ''],
    ['fisherman sea', 'n1'],
    ['strassenbahn', 'n2'],
    ['STRASSENBAHN', 'n2'],
    ['ὀδυσσεύσ', 'n2'],
    ['café', 'n3'],
    ['東京', 'n4'],
    ['3rd', 'n4'],
    ['cafe', 'n3'],
    ['kaffeehauser', 'n3'],
    ['οδυσσευς', 'n2'],
    // Words, not their beginnings or parts.
    ['fisher', ''],
    ['se', ''],
    // What stands between words does not matter.
    ['sea-side', 'n2'],
    ['…sea!?', 'n1 n2 n4'],
    // Texts in every language.
    ['coffee', 'n3'],
    ['KAFFEEHÄUSER houses café', 'n3'],
    ['喫茶店', 'n3'],
    ['de', ''],
    // No property but the filterable texts.
    ['whisper', ''],
    ['treasure', ''],
    ['word', ''],
    ['example', ''],
  ])
})

test('no word has a meaning of its own for the index', async (t) => {
  await finds(await serveNotes(t), [
    ['NOT', 'n2'],
    ['sea NOT man', ''],
    ['AND', 'n1 n2'],
    ['NULL OR', 'n2'],
    ['NEAR', 'n2'],
    ['*sea', 'n1 n2 n4'],
    ['"quoted"', 'n4'],
    ['x"', 'n4'],
    ['title:sea', 'n4'],
    ['title : tower', 'n4'],
    ['^the', 'n1'],
    ["sea'; DROP TABLE classes; --", ''],
    ['{title}: sea', 'n4'],
    ['-sea', 'n1 n2 n4'],
  ])
})

test('free text goes with filters, with an order and with cursors', async (t) => {
  const service = await serveNotes(t)
  await finds(service, [
    ['sea', 'n2 n1 n4', '&sort=rank'],
    ['sea', 'n4 n1 n2', '&sort=-rank'],
    ['sea', 'n4', '&rank[gt]=2'],
    ['sea', 'n2', '&tags=Sea-side'],
    ['sea', 'n1 n4', '&exists[tags]=false'],
    ['sea', 'n1', '&title[contains]=old'],
  ])
  const pages = await walk(service, '/notes?q=sea&sort=-rank&itemsPerPage=1')
  assert.deepEqual(pages, [['n4'], ['n1'], ['n2']])
})

test('free text sees what was written last', async (t) => {
  const service = await serveNotes(t)
  const patch = { 'Content-Type': 'application/merge-patch+json' }
  await service.send('PATCH', '/notes/n1', patch, '{"title":"The lake"}')
  await finds(service, [
    ['sea', 'n2 n4'],
    ['lake fisherman', 'n1'],
  ])
  await service.send('PATCH', '/notes/n3', patch, '{"blurb":{"en":"Tea rooms"}}')
  await finds(service, [
    ['coffee', ''],
    ['tea kaffeehäuser', 'n3'],
  ])
  await service.send('DELETE', '/notes/n4')
  await finds(service, [['sea', 'n2']])
})

test('a class whose only texts are by language is searched, and members that were written before it was are found', async (t) => {
  const api = 'classes: { Note: { properties: { blurb: { type: langString, filterable: false } } } }'
  const first = await serveSignedIn(t, { db: keptDatabase(t), api })
  await put(first, '/notes/n1', { blurb: { en: 'Sea', de: 'Meer' } })
  assert.equal((await first.get('/notes?q=sea')).status, 400)
  await first.close()
  const second = await serveSignedIn(t, { api: api.replace(', filterable: false', ''), db: first.db })
  // On PostgreSQL, the words of stored members are indexed in the background.
  for (let tries = 0; tries < 500 && (await second.get('/notes?q=sea')).status === 503; tries += 1)
    await sleep(20)
  await finds(second, [
    ['sea', 'n1'],
    ['meer', 'n1'],
  ])
  const patch = { 'Content-Type': 'application/merge-patch+json' }
  await second.send('PATCH', '/notes/n1', patch, '{"blurb":{"en":null}}')
  await finds(second, [
    ['sea', ''],
    ['meer', 'n1'],
  ])
  await second.send('DELETE', '/notes/n1')
  await finds(second, [['meer', '']])
})

/** The status of a write that may take longer than the database waits on a busy machine: 503 is tried again. */
async function patiently(write: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await write()
    if (status !== 503 || tries === 5) return status
  }
}

test('a member of 20,000 different words can be made, changed and removed; one more is 422 in every write', async (t) => {
  const { send, post } = await serveSignedIn(t, { api: API })
  const text = (count: number, start: string) => Array.from({ length: count }, (_, n) => start + n).join(' ')
  const { status, headers } = await post('/notes', { body: text(20_000, 'a'), secret: text(50_000, 's') })
  assert.equal(status, 201)
  const path = new URL(headers.location ?? '').pathname.replace(/^\/api/, '')
  const patch = (body: object) =>
    send('PATCH', path, { 'Content-Type': 'application/merge-patch+json' }, JSON.stringify(body))
  const sentence =
    'The texts of a member may have at most 20,000 different words, and these have 20,001; ' +
    'words of properties with `filterable: false` in the API file do not count.'
  for (const refused of [
    await post('/notes', { body: text(20_001, 'a') }),
    await send(
      'PUT',
      path,
      { 'Content-Type': 'application/json' },
      JSON.stringify({ body: text(20_001, 'b') }),
    ),
    await patch({ title: 'one' }),
  ]) {
    assert.deepEqual([refused.status, refused.json()], [422, { '422': sentence }])
  }
  assert.equal(await patiently(() => patch({ body: text(20_000, 'b') })), 200)
  assert.equal(await patiently(() => send('DELETE', path)), 204)
})

const LONG = `
classes:
  Text:
    properties:
      code: { type: string, unique: true }
      iri: anyURI
      instant: dateTime
      many: { type: string, many: true }
`

// contract: What a value means is the same on both stores
test('values longer than an index keeps are found exactly, and taken once where they are unique', async (t) => {
  const service = await serveSignedIn(t, { api: LONG })
  const head = 'ä'.repeat(200)
  const fraction = '1'.repeat(250)
  for (const end of ['1', '2', '3']) {
    const iri = `https://example.org/${'x'.repeat(200)}${end}`
    const instant = `2024-02-29T12:30:00.${fraction}${end}Z`
    await put(service, `/texts/t${end}`, { code: head + end, iri, instant, many: [head + end, 'ö'] })
  }
  const [text, iri] = [encodeURIComponent(head), `https://example.org/${'x'.repeat(200)}`]
  const table: [query: string, ids: string][] = [
    [`code=${text}2`, 't2'],
    [`code[ne]=${text}2`, 't1 t3'],
    [`code[gt]=${text}2`, 't3'],
    [`code[gte]=${text}2&code[lt]=${text}3`, 't2'],
    [`code[gt]=${text}`, 't1 t2 t3'],
    [`code[lte]=${text}`, ''],
    [`code[startsWith]=${text}3`, 't3'],
    [`code[contains]=${encodeURIComponent(head.toUpperCase())}3`, 't3'],
    [`q=${text}2`, 't2'],
    [`many[lt]=${text}2`, 't1'],
    [`many[gte]=${text}2&many[lte]=${text}2`, 't2'],
    [`iri=${iri}1`, 't1'],
    [`iri[lte]=${iri}2`, 't1 t2'],
    [`instant=2024-02-29T14:30:00.${fraction}2%2B02:00`, 't2'],
    [`instant[gt]=2024-02-29T14:30:00.${fraction}2%2B02:00`, 't3'],
    [`instant[lt]=2024-02-29T12:30:00.${fraction}Z`, ''],
  ]
  for (const [query, ids] of table)
    assert.equal(
      idsOf(await read(service, `/texts?${query}`))
        .toSorted()
        .join(' '),
      ids,
      query,
    )
  const headers = { 'Content-Type': 'application/ld+json' }
  const add = (code: string) => service.send('POST', '/texts', headers, JSON.stringify({ code }))
  assert.equal((await add(`${head}2`)).status, 422)
  assert.equal((await add(`${head}4`)).status, 201)
})
