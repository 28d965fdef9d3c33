import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { idsOf, put, read, walk } from '../walks.ts'

const API = `
classes:
  Person:
    properties:
      name: { type: string, unique: true }
      nicknames: { type: string, many: true }
      rank: integer
`

/** In the order of their names. */
const PEOPLE: readonly [id: string, name: string, ...nicknames: string[]][] = [
  ['apple', 'apple'],
  ['lodz', 'Łódź'],
  ['muller', 'Muller', 'Ringo'],
  ['umlaut', 'Müller', 'the Ring'],
  ['small', 'muller'],
  ['ostby', 'Ostby', 'Rin'],
  ['umlauts', 'Östby'],
  ['stroke', 'Østby'],
  ['street', 'Straße'],
  ['viet', 'Việt'],
  ['zebra', 'Zebra'],
  ['greek', 'ΟΔΟΣ'],
  ['yo', 'Ёлка'],
  ['armenian', 'Հայ'],
  ['hebrew', 'שָׁלוֹם'],
  ['arabic', 'كتاب'],
  ['vowels', 'كِتَاب'],
  ['hindi', 'हिन्दी'],
  ['thai', 'ไทย'],
  ['georgian', 'ქართული'],
  ['korean', '한국'],
  ['kana', 'か'],
  ['voiced', 'が'],
  ['tokyo', '東京'],
]

async function servePeople(t: Parameters<typeof serveSignedIn>[0]): Promise<SignedIn> {
  const service = await serveSignedIn(t, { api: API, flags: { pageSize: '50' } })
  const created = PEOPLE.map(([id, name, ...nicknames], rank) => ({ id, name, nicknames, rank }))
  for (const { id, nicknames, ...rest } of created.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    await put(service, `/persons/${id}`, { ...rest, ...(nicknames.length > 0 && { nicknames }) })
  return service
}

async function finds(service: SignedIn, table: readonly [parameter: string, value: string, ids: string][]) {
  for (const [parameter, value, ids] of table) {
    const page = await read(service, `/persons?${parameter}=${encodeURIComponent(value)}&sort=rank`)
    assert.equal(idsOf(page).join(' '), ids, `${parameter}=${value}`)
    assert.equal(page.totalItems, ids === '' ? 0 : ids.split(' ').length)
  }
}

const NAMES = PEOPLE.map(([id]) => id)

// contract: `contains`, `startsWith`, `q`, ranges and orders work on folded text
// contract: So `muller` finds `Müller`, `apple` comes before `Zebra`
// contract: What a value means is the same on both stores
test('filters, free text and orders work on folded text; equal ones are ranked by code point', async (t) => {
  const service = await servePeople(t)
  await finds(service, [
    ['name[contains]', 'MULLER', 'muller umlaut small'],
    ['name[contains]', 'ülle', 'muller umlaut small'],
    ['name[contains]', 'stras', 'street'],
    ['name[contains]', 'ß', 'street'],
    ['name[contains]', 'ODZ', 'lodz'],
    ['name[contains]', 'كت', 'arabic'],
    ['name[contains]', 'か', 'kana voiced'],
    ['name[contains]', 'が', 'voiced'],
    ['name[startsWith]', 'öst', 'ostby umlauts stroke'],
    ['name[startsWith]', 'vie', 'viet'],
    ['name[startsWith]', 'елк', 'yo'],
    ['name[startsWith]', 'οδός', 'greek'],
    ['name[startsWith]', '하', 'korean'],
    ['name[gte]', 'ZEBRA', NAMES.slice(10).join(' ')],
    ['name[lt]', 'Ł', 'apple'],
    ['name[lte]', 'muller', 'apple lodz muller umlaut small'],
    ['name[gt]', 'İ', NAMES.slice(1).join(' ')],
    ['q', 'müller', 'muller umlaut small'],
    ['q', 'ОДОС', ''],
    ['q', 'Οδοσ', 'greek'],
    ['q', 'viet', 'viet'],
    ['q', 'ОД*', ''],
    ['nicknames[startsWith]', 'RÎN', 'muller ostby'],
  ])
  for (const [sort, names] of [
    ['name', NAMES],
    ['-name', NAMES.toReversed()],
  ] as const) {
    assert.deepEqual(idsOf(await read(service, `/persons?sort=${sort}`)), names)
    const pages = await walk(service, `/persons?sort=${sort}&itemsPerPage=3`)
    assert.deepEqual(pages.flat(), names)
  }
})

// contract: `=`, `ne`, any-of and `unique` stay exact.
test('a text equals no other one that is folded alike', async (t) => {
  const service = await servePeople(t)
  await finds(service, [
    ['name', 'Müller', 'umlaut'],
    ['name', 'MÜLLER', ''],
    ['name', 'Mu\u0308ller', ''],
    ['name=Muller&name', 'muller', 'muller small'],
    ['name[startsWith]=mul&name[ne]', 'Müller', 'muller small'],
  ])
  assert.equal((await service.post('/persons', { name: 'mülleR' })).status, 201)
  assert.equal((await service.post('/persons', { name: 'Müller' })).status, 422)
})

// contract: `q=rin*`: a word that begins so.
test('a word with an asterisk finds the words that begin so', async (t) => {
  const service = await servePeople(t)
  await finds(service, [
    ['q', 'rin', 'ostby'],
    ['q', 'rin*', 'muller umlaut ostby'],
    ['q', 'RÏNG*', 'muller umlaut'],
    ['q', 'th* ring*', 'umlaut'],
    ['q', 'm* rin*', 'muller umlaut'],
    ['q', 'm* ring', 'umlaut'],
    ['q', 'ringo*', 'muller'],
    ['q', 'ringos*', ''],
    ['q', 'ostby*', 'ostby umlauts stroke'],
    ['q', '하*', 'korean'],
    ['q', '한국*', 'korean'],
    ['q', '＊rin＊', 'muller umlaut ostby'],
    ['name[contains]=m&q', 'rin*', 'muller umlaut'],
    ['rank[gt]=2&q', 'rin*', 'umlaut ostby'],
  ])
  assert.deepEqual(await walk(service, '/persons?q=rin*&itemsPerPage=1&sort=-name'), [
    ['ostby'],
    ['umlaut'],
    ['muller'],
  ])
  assert.deepEqual(await walk(service, '/persons?q=rin*&itemsPerPage=2'), [['muller', 'ostby'], ['umlaut']])
  assert.equal((await service.get('/persons?q=*')).status, 400)
})
