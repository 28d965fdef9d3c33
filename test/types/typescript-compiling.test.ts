import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ANY_SCRIPT } from '../clients/scripts.ts'
import { ROOT } from '../support/markdown.ts'
import {
  BREAKING_OUT,
  CHOICES,
  EMBEDDED,
  EVERY_DATATYPE,
  NAMES,
  OPERATED,
  OPERATIONS,
  REMEMBERING,
} from './api-files.ts'
import { compile, typesOf, WRONG, wrongLines } from './compiling.ts'

const LIBRARY = readFileSync(join(ROOT, 'examples/library.yaml'), 'utf8')

const CLIENT = `import { createClient } from 'hydrant/client'\n`
const open = (api: string, module: string): string =>
  `${CLIENT}import type { ${api} } from './${module}.ts'\nconst client = createClient<${api}>({ base: 'http://localhost/api' })\n`

/** Nothing but the marked lines is refused, and each of them is. */
async function assertRefusals(t: TestContext, files: Readonly<Record<string, string>>): Promise<void> {
  const found = (await compile(t, files)).map(({ file, line }) => `${file}:${line}`)
  const expected = Object.entries(files).flatMap(([file, text]) =>
    wrongLines(text).map((line) => `${file}:${line}`),
  )
  assert.ok(expected.length > 0)
  assert.deepEqual([...new Set(found)].sort(), expected.sort())
}

const ANY_SCRIPT_USES = `${open('Bücherei図書館', 'any-script')}import type { MaßMember, 本 } from './any-script.ts'
const books = client.collection('本')
const book = await books.create({ größe: 1, 名前: 'x', maß: { länge: '1' } })
const maß: MaßMember | undefined = book.data.maß
const größe: 本['größe'] = book.data.größe
await book.update({ 名前: 'y', '𠮷-2': 0.5 })
await book.update({ grosse: 1 }) ${WRONG}
for await (const one of books.members({ 'größe[gte]': 2, 'order[मूल्य]': 'desc' })) one.data.слова
books.members({ 'größe[gte]': 'x' }) ${WRONG}
export { größe, maß }
`

const LIBRARY_USES = `${open('Library', 'library')}
const authors = client.collection('authors')
const books = client.collection('books')
client.collection('boks') ${WRONG}

const author = await authors.create({ name: 'Ann Leckie', born: '1966-03-02' })
const book = await books.create({
  title: 'Ancillary Justice',
  pages: 386,
  price: 9.99,
  genres: ['space'],
  author: author.data['@id'],
})
await books.create({ title: 'Provenance', price: '9.99', author: 'http://localhost/api/authors/leckie' })
await books.create({ titel: 'Provenance', author: author.iri }) ${WRONG}
await books.create({ title: 'Provenance', author: author.iri, titel: '' }) ${WRONG}
await books.create({ title: 'Provenance' }) ${WRONG}
await books.create({ title: 'Provenance', author: author.iri, pages: '386' }) ${WRONG}
await books.create({ title: 'Provenance', author: author.iri, genres: [1] }) ${WRONG}
await books.create({ title: 'Provenance', author: author.iri, createdAt: '2026-11-15T12:00:00Z' }) ${WRONG}
await books.create({ title: 'Provenance', author: book.data['@id'] }) ${WRONG}

const title: string = book.data.title
const pages: number | undefined = book.data.pages
const price: string | undefined = book.data.price
const kind: 'Book' = book.data['@type']
book.data.genres?.push('prize')
book.data.notes = 'lent'
book.data.titel ${WRONG}
book.data.createdAt = '2026-11-15T12:00:00Z' ${WRONG}
book.data['@id'] = author.iri ${WRONG}
const count: number = book.data.pages ${WRONG}

await book.update({ title: 'Ancillary Mercy', pages: null })
await book.update({ genres: ['space'] as readonly string[], price: '9.99' })
await book.update({ titel: 'Ancillary Mercy' }) ${WRONG}
await book.update({ genres: [1] }) ${WRONG}
await book.update({ pages: '12' }) ${WRONG}
await book.update({ createdAt: '2026-11-15T12:00:00Z' }) ${WRONG}

const name: string = (await client.get(book.data.author)).data.name
const own: string = (await client.get(author.data['@id'])).data.name
;(await client.get(book.data.author)).data.title ${WRONG}

await books.page({ 'title[startsWith]': 'A', 'pages[gte]': 300, 'order[published]': 'desc', page: 2 })
await books.page({ genres: ['space', 'prize'], available: true, 'exists[price]': false, price: 9.99 })
await books.page({ author: author.data['@id'], q: 'mercy', sort: 'title,-pages', after: 'x', itemsPerPage: 5 })
for await (const one of books.members({ title: 'Ancillary Mercy' })) one.data.title
await books.page({ pages: book.data.pages, author: undefined })
await books.page({ 'title.startsWith': 'A', 'pages.gte': 300, 'price.exists': false })
await books.page({ 'title.begins': 'A' }) ${WRONG}
await books.page({ 'pages.gte': 'many' }) ${WRONG}
await books.page({ 'pages[gte]': 'many' }) ${WRONG}
await books.page({ titel: 'A' }) ${WRONG}
await books.page({ 'title[begins]': 'A' }) ${WRONG}
await books.page({ 'pages[contains]': '3' }) ${WRONG}
await books.page({ 'order[genres]': 'asc' }) ${WRONG}
await books.page({ pages: 'many' }) ${WRONG}
await books.page({ available: 'yes' }) ${WRONG}
await books.page({ 'order[title]': 'up' }) ${WRONG}
await books.page({ 'title[ne]': ['A', 'B'] }) ${WRONG}
await books.page({ author: book.data['@id'] }) ${WRONG}
await authors.page({ title: 'A' }) ${WRONG}

const included = await books.get('x', { include: 'author' })
const writer = included.data.author
if (typeof writer !== 'string') writer.name
const born: string | undefined = typeof writer === 'string' ? writer : writer.born
included.data.author.name ${WRONG}
await included.update({ title: 'x', author: writer })
await included.update({ titel: 'x' }) ${WRONG}
await books.get('x', { include: 'title' }) ${WRONG}
await authors.get('x', { include: 'author' }) ${WRONG}
const plainly: string = (await books.get('x')).data.author
for await (const { data } of books.members({ include: ['author'], available: true }))
  if (typeof data.author === 'object') data.author.name
await books.page({ include: 'authr' }) ${WRONG}
await books.page({ include: ['author'], titel: 'x' }) ${WRONG}
const followed = (await client.get(book.data['@id'], { include: 'author' })).data.author
const ofFollowed: string = typeof followed === 'string' ? followed : followed.name

export { title, pages, price, kind, count, name, own, born, plainly, ofFollowed }
`

// contract: `hydrant types <api-file or url>` ¦
test('with the types of the library a wrong name, a wrong value, a missing property and a write to what is read-only do not compile', async (t) => {
  await assertRefusals(t, { 'library.ts': typesOf(LIBRARY), 'library-uses.ts': LIBRARY_USES })
})

const DATATYPE_USES = `${open('EveryDatatype2ndEdition', 'datatypes')}
const things = client.collection('things')
const required = { string: 'a', decimal: 1.5, texts: ['a'] }
const thing = await things.create(required)
const { data } = thing
await thing.update({ langString: { en: 'Hello', de: null } })
await thing.update({ langString: { en: 1 } }) ${WRONG}
await things.create({ ...required, langString: { en: 'Hello' }, flags: [true], decimals: ['1', 2], double: 2 })
await things.create({ string: 'a', decimal: '1.50' }) ${WRONG}
await things.create({ ...required, langString: 'Hello' }) ${WRONG}
await things.create({ ...required, boolean: 'true' }) ${WRONG}
await things.create({ ...required, date: '2026-11-15' }) ${WRONG}
await things.create({ ...required, texts: 'a' }) ${WRONG}
const served: {
  string: string
  decimal: string
  double: number
  texts: string[]
  boolean?: boolean
  integer?: number
  nonNegativeInteger?: number
  positiveInteger?: number
  float?: number
  dateTime?: string
  time?: string
  duration?: string
  anyURI?: string
  langString?: { [language: string]: string }
  decimals?: string[]
} = data
data.others?.push(data['@id'])
data.date = '2026-11-15' ${WRONG}
await things.page({ 'decimal[gt]': 1.5, decimals: '2', 'dateTime[lt]': '2026-11-15T12:00:00Z', other: data['@id'] })
await things.page({ time: '12:00:00' }) ${WRONG}
await things.page({ langString: 'Hello' }) ${WRONG}
await things.page({ hidden: 'x' }) ${WRONG}
export { served }
`

const CHOICE_USES = `${open('Choices', 'choices')}
const choices = client.collection('choices')
const { data } = await choices.create({ word: "don't", words: ['a'], number: -1, ratio: 1e25, price: 1.5 })
await choices.create({ word: 'back\\\\slash', price: '2.00', day: '2026-11-15Z', page: 'https://example.org/' })
await choices.create({ word: 'polka' }) ${WRONG}
await choices.create({ word: 'rock', words: ['c'] }) ${WRONG}
await choices.create({ word: 'rock', number: 1 }) ${WRONG}
await choices.create({ word: 'rock', page: 'https://example.com/' }) ${WRONG}
if (data.word === 'rock') await choices.page({ word: ['rock', "don't"], 'number[gt]': 7, 'word[contains]': 'oc' })
if (data.word === 'polka') data.price ${WRONG}
await choices.page({ word: 'polka' }) ${WRONG}
await choices.page({ 'number[ne]': 7 }) ${WRONG}
`

const EMBEDDED_USES = `${open('People', 'people')}
const people = client.collection('persons')
const ann = await people.create({ name: 'Ann', home: { town: 'Springfield' }, former: [{ town: 'Shelbyville' }] })
await people.create({ name: 'Ann', home: { street: 'Main Street 1' } }) ${WRONG}
await people.create({ name: 'Ann', home: { town: 'A', twon: 'B' } }) ${WRONG}
await people.create({ name: 'Ann', home: { town: 'A', since: '2026-11-15' } }) ${WRONG}
await people.create({ name: 'Ann', home: ann.data.home, stamp: { by: 'me' } }) ${WRONG}
await ann.update({ home: { town: 'Shelbyville' }, former: null, taste: { dish: 'soup' } })
await ann.update({ home: { street: 'Main Street 2', country: null } })
await ann.update({ home: { '@type': 'Address', street: null }, former: [{ town: 'A' }] as const })
await ann.update({ home: { twon: 'Shelbyville' } }) ${WRONG}
await ann.update({ home: { street: 2 } }) ${WRONG}
await ann.update({ former: [{ street: 'Main Street 1' }] }) ${WRONG}
await client.batch((batch) => batch.update(ann, { home: { street: null } }))
ann.data.home.since = '2026-11-15' ${WRONG}
ann.data.taste?.['@id'] ${WRONG}
await people.page({ home: 'Springfield' }) ${WRONG}

const taste = await client.single('Taste')
client.collection('Taste') ${WRONG}
await client.single('persons') ${WRONG}
taste.data['@id'].length
await taste.update({ dish: 'soup' })
await taste.update({ dsh: 'soup' }) ${WRONG}

const countries = client.collection('countries')
await countries.create({ name: 'Utopia' }) ${WRONG}
await (await countries.get('us')).update({ name: 'Utopia' })

const secrets = client.collection('secrets')
await secrets.create({ word: 'plum' })
await secrets.page({ word: 'plum' }) ${WRONG}

const logbook = client.collection('logbook')
await logbook.create({})
await logbook.create({ text: 'x' }) ${WRONG}
`

const NAME_USES = `${open('BookApi2', 'names')}
import type { Book, BookApi, BookInput, BookInput2, BookQuery, BookQuery2, Link, RecordMember, RecordMember2 } from './names.ts'
const inputs = client.collection('bookinputs')
const { data } = await inputs.create({ constructor: 'x', 'a-b': 'y', new: 'z' })
await inputs.create({ constructor: 'x' }) ${WRONG}
await inputs.create({ constructor: 'x', 'a-b': 'y', toString: 1 }) ${WRONG}
if (typeof data.toString === 'string') data.toString.length
await (await inputs.get('x')).update({ toString: 1 }) ${WRONG}
data.default = 'y' ${WRONG}
data.readonly = 'y' ${WRONG}
await inputs.page({ page: 2, 'page[eq]': [1, 2], 'order[gt]': 'a', 'order[page]': 'asc', order: 'x', 'q[ne]': true })
await inputs.page({ q: 'nothing is searched for where no text is called so', 'a-b': 'y', 'order[a-b]': 'asc' })
await inputs.page({ page: '2' }) ${WRONG}
await client.collection('book-queries').create({ name: 'x' })
await client.collection('0.b~c').create({ name: 'x' })
const type: string = (await client.collection('books').get('1')).data['@type']
const link: Link = (await client.collection('links').get('1')).data
export type All = [Book, BookApi, BookInput, BookInput2, BookQuery, BookQuery2, RecordMember, RecordMember2]
export { link, type }
`

const OPERATED_USES = `${open('Shop', 'shop')}import type { Call, Receipt, ShipmentInput } from './shop.ts'
const orders = client.collection('orders')
const order = await orders.create({ text: 'x' })
const shipped: string | undefined = (await order.call('ship', { carrier: 'DHL' }))?.data.text
const receipt: Receipt | undefined = (await order.call('pay-for'))?.data
const nothing: undefined = await order.call('touch', undefined, { signal: AbortSignal.timeout(1) })
await order.call('shp', { carrier: 'DHL' }) ${WRONG}
await order.call('ship') ${WRONG}
await order.call('ship', { carier: 'DHL' }) ${WRONG}
await order.call('touch', { carrier: 'DHL' }) ${WRONG}
;(await order.call('ship', { carrier: 'DHL' }))?.data.total ${WRONG}
await order.call('text') ${WRONG}
await order.update({ ship: 'x' }) ${WRONG}
await (await client.collection('calls').get('1')).call('touch') ${WRONG}
const address: string | undefined = order.data.ship
await (await createClient({ base: '' }).collection('orders').get('1')).call('any', { any: 1 })
const byHand = createClient<{ notes: { member: { '@id': string; any?: unknown }; input: object; query: object } }>({ base: '' })
await (await byHand.collection('notes').get('1')).update({ any: 1 as unknown })
const sent: ShipmentInput = { carrier: 'DHL' }
const call: Call['number'] = '1'
export { address, call, nothing, receipt, sent, shipped }
`

const REMEMBERING_USES = `${open('Archive', 'archive')}
const book = await client.collection('books').get('1')
const address: string | undefined = book.data.history
await book.update({ history: 'x' }) ${WRONG}
for await (const entry of book.history({ itemsPerPage: 5 })) {
  const title: string = (await entry.member()).data.title
  const pages: number | undefined = (await entry.restore()).data.pages
  const names: readonly string[] | undefined = entry.changed
  ;(await entry.member()).data.titel ${WRONG}
  void [title, pages, names, entry.published.getTime(), entry.actor?.length]
}
for await (const { data, deletion } of client.collection('books').deleted()) {
  data.titel ${WRONG}
  void [data.title, (await deletion.restore()).data.title]
}
for await (const entry of client.history(book.data['@id'])) (await entry.member()).data.titel ${WRONG}
const diary = await client.collection('diaries').get('1')
const number: number | undefined = diary.data.history
for await (const entry of diary.history()) void (await entry.member()).data.deletion
;(await client.collection('plains').get('1')).data.history ${WRONG}
export { address, number }
`

// contract: `member.history()`, `collection
test('with the types of every datatype, of choices, of embedded values, of names that are taken, of operations and of histories, right uses compile and wrong ones do not', async (t) => {
  await assertRefusals(t, {
    'datatypes.ts': typesOf(EVERY_DATATYPE),
    'datatype-uses.ts': DATATYPE_USES,
    'choices.ts': typesOf(CHOICES),
    'choice-uses.ts': CHOICE_USES,
    'people.ts': typesOf(EMBEDDED),
    'people-uses.ts': EMBEDDED_USES,
    'names.ts': typesOf(NAMES),
    'name-uses.ts': NAME_USES,
    'shop.ts': typesOf(OPERATED, OPERATIONS),
    'shop-uses.ts': OPERATED_USES,
    'archive.ts': typesOf(REMEMBERING),
    'archive-uses.ts': REMEMBERING_USES,
    'any-script.ts': typesOf(ANY_SCRIPT.replaceAll('Maß', '𠮷Maß')),
    'any-script-uses.ts': ANY_SCRIPT_USES,
  })
})

test('text that would like to be code stays text: the module compiles and exports its types alone', async (t) => {
  const types = typesOf(BREAKING_OUT)
  const exported = [...types.matchAll(/^export (\w+ \w+)/gm)].map(([, name]) => name)
  const api = exported.at(-1) ?? ''
  assert.deepEqual(exported, ['interface Trap', 'interface TrapInput', 'interface TrapQuery', api])
  const uses = `import * as module from './trap.ts'
import type { Trap } from './trap.ts'
const words: Trap['word'][] = ["'", '\\\\', "\\\\'", '\\n', '\\u2028', '*/', '\${1}', '\`', "' | string", '\\u202e', '😀']
words.push('anything') ${WRONG}
const trap: Trap = { '@id': '', '@type': 'Trap', plain: 1 } ${WRONG}
const none: {} = module
module.escaped ${WRONG}
module.fromDescription ${WRONG}
export { none, trap }
`
  await assertRefusals(t, { 'trap.ts': types, 'trap-uses.ts': uses })
})
