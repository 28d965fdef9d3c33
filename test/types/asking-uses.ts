import { WRONG } from './compiling.ts'

/** Links of one and of many values, embedded values, and a class that links to itself. */
export const BOOKS = `
title: Books
classes:
  Author:
    properties:
      name: { type: string, required: true }
      born: date
      home: Address
      former: { type: Address, many: true }
  Address:
    collection: false
    properties:
      town: { type: string, required: true }
      country: Country
  Country:
    properties:
      name: string
      population: integer
  Book:
    properties:
      title: { type: string, required: true }
      isbn: string
      pages: integer
      price: decimal
      rating: double
      published: date
      genre: { type: string, enum: [novel, play] }
      tags: { type: string, many: true }
      author: { type: Author, required: true, reverse: books }
      editors: { type: Author, many: true }
      sequel: Book
`

const OPEN = `import { createClient, type Member } from 'hydrant/client'
import type { Author, Book, BookQuery, Books } from './books.ts'
const client = createClient<Books>({ base: 'http://localhost/api' })
const books = client.collection('books')
const authors = client.collection('authors')
export type Used = [Author, Book, BookQuery, Member, typeof authors, typeof books]
`

const PATHS = `${OPEN}
await books.page({ 'author.name': 'Ann', 'author.born.lt': '1900-01-01', pages: 3 })
await books.page({ 'author.name': ['Ann', 'Ben'], 'author.name.startsWith': 'A', 'author.born.exists': false })
await books.page({ 'author.name[startsWith]': 'A', 'exists[author.born]': false, 'author.born[lt]': undefined })
await books.page({ 'sequel.sequel.sequel.title': 'Emma', 'sequel.sequel.author.name': 'Ann' })
await books.page({ 'editors.home.country': 'http://localhost/api/countries/1' })
await books.page({ 'author.home.town': 'Bath', 'editors.former.town.startsWith': 'B', 'author.books.pages.gt': 20 })
await authors.page({ 'books.price.gt': 20, 'books.genre': 'novel', 'books.exists': false })
await authors.page({ 'exists[books]': true, 'home.country.population.gte': 1000 })
await books.page({ 'autor.name': 'Ann' }) ${WRONG}
await books.page({ 'author.nmae': 'Ann' }) ${WRONG}
await books.page({ 'author.name.begins': 'A' }) ${WRONG}
await books.page({ 'author.name': 1 }) ${WRONG}
await books.page({ 'author.books.pages.gt': 'many' }) ${WRONG}
await books.page({ 'author.name.length': 1 }) ${WRONG}
await books.page({ 'author.page': 1 }) ${WRONG}
await books.page({ 'author.q': 'Ann' }) ${WRONG}
await books.page({ 'author.__steps': {} }) ${WRONG}
await books.page({ 'sequel.sequel.sequel.sequel.title': 'Emma' }) ${WRONG}
await authors.page({ 'books.genre': 'poem' }) ${WRONG}
await authors.page({ books: 'http://localhost/api/books?author=1' }) ${WRONG}
await authors.page({ 'home.country': (await books.get('1')).data['@id'] }) ${WRONG}

await books.page({ 'order[author.name]': 'asc', 'order[author.home.town]': 'desc', 'order[author]': 'asc' })
await books.page({ 'order[editors.name]': 'asc' }) ${WRONG}
await books.page({ 'order[author.books.title]': 'asc' }) ${WRONG}
await books.page({ 'order[author.nmae]': 'asc' }) ${WRONG}
await books.page({ 'order[author.name]': 'up' }) ${WRONG}

const asked: BookQuery = { title: 'Emma', include: 'author' }
for await (const book of books.members(asked)) book.data.title
const typed: Promise<unknown> = books.page((await books.page()).next)
export { typed }
`

const OR = `${OPEN}
await books.page({ or: { a: { title: 'Emma', isbn: '978' } } })
await books.page({ available: true, or: { a: { title: 'Emma' } } }) ${WRONG}
await books.page({ tags: 'x', or: { a: { title: 'Emma', 'pages.gte': 500 }, b: { q: 'ann', 'author.name': 'Ann' } } })
await books.page({ or: { a: { 'title.startsWith': ['A', 'B'], 'pages[gte]': 1, 'exists[isbn]': false } } })
await books.page({ or: { a: { titel: 'Emma' } } }) ${WRONG}
await books.page({ or: { a: { 'author.nmae': 'Ann' } } }) ${WRONG}
await books.page({ or: { a: { pages: 'many' } } }) ${WRONG}
await books.page({ or: { a: { page: 2 } } }) ${WRONG}
await books.page({ or: { a: { 'order[title]': 'asc' } } }) ${WRONG}
await books.page({ or: [{ title: 'Emma' }, { isbn: '978' }] }) ${WRONG}
await books.page({ or: { 1: { title: 'Emma' }, 12: { q: ['ann', 'ben'] } } })
await books.page({ or: { first: { title: 'Emma' } } }) ${WRONG}
`

const FIELDS = `${OPEN}
const [one] = (await books.page({ fields: ['title', 'author.name'], include: 'author' })).members
if (one) {
  const title: string = one.data.title
  const id: string = one.data['@id']
  const kind: 'Book' = one.data['@type']
  const { author } = one.data
  if (typeof author !== 'string') author.name.length
  if (typeof author !== 'string') author.born ${WRONG}
  one.data.pages ${WRONG}
  const whole: number | undefined = (await one.update({ pages: 3, title })).data.pages
  await one.update({ pgaes: 3 }) ${WRONG}
  await client.batch((batch) => batch.update(one, { pages: 4 }))
  const again: string = (await one.reload()).data.title
  ;(await one.reload()).data.pages ${WRONG}
  console.log(id, kind, whole, again)
}
for await (const { data } of books.members({ fields: 'pages', 'author.name': 'Ann' })) data.pages?.toFixed()
for await (const { data } of books.members({ fields: 'pages' })) data.title ${WRONG}
await books.page({ fields: 'titel' }) ${WRONG}
await books.page({ fields: ['title', 'author.nmae'] }) ${WRONG}
await books.page({ fields: ['sequel.sequel.sequel.title', 'author.home.town'] })
await books.page({ fields: ['sequel.sequel.sequel.sequel.title'] }) ${WRONG}
const brief = await books.get('emma', { fields: ['title', 'author'] })
const named: string = brief.data.author
brief.data.pages ${WRONG}
await books.get('emma', { fields: ['titel'] }) ${WRONG}
const writer = await client.get(brief.data.author, { fields: 'name' })
const name: string = writer.data.name
writer.data.born ${WRONG}
await client.get(brief.data.author, { fields: 'nmae' }) ${WRONG}
const chosen: readonly string[] = ['title']
for await (const { data } of books.members({ fields: chosen })) data.title?.length
for await (const { data } of books.members({ fields: chosen })) data.title.length ${WRONG}
const untyped = await createClient({ base: '' }).collection('books').get('1', { fields: ['any', 'thing.else'] })
untyped.data.anything
export { name, named }
`

const REVERSE = `${OPEN}
const ann = await authors.get('ann')
const address: string = ann.data.books ?? ''
ann.data.books = 'x' ${WRONG}
await ann.update({ books: 'x' }) ${WRONG}
await authors.create({ name: 'Ann', books: 'x' }) ${WRONG}
const written: Member<Book>[] = []
if (ann.data.books) for await (const book of client.collectionAt(ann.data.books)) written.push(book)
for await (const one of client.collectionAt('http://localhost/api/books')) one.data.anything
const { data }: { data: Author } = ann
const included = (await client.get(ann.data['@id'], { include: 'books' })).data.books
if (typeof included === 'object') for (const { title } of included.member) title.length
if (typeof included === 'object') included.member[0]?.titel ${WRONG}
if (typeof included === 'object' && included.view?.next) await client.collection('books').page(included.view.next)
const brief = (await client.get(ann.data['@id'], { include: 'books', fields: 'books.title' })).data.books
if (typeof brief === 'object') brief.member[0]?.title.length
if (typeof brief === 'object') brief.member[0]?.pages ${WRONG}
export { address, data, written }
`

const SUMMARIES = `${OPEN}
const { summaries, totalItems, next } = await books.summary({ group: 'author', sum: 'price', 'pages.gte': 3 })
for (const { group, count, sum, members } of summaries) {
  if (group.author) (await client.get(group.author)).data.name
  const total: string | null = sum.price
  const all: [number, string] = [count, members]
  for await (const book of books.members(members)) book.data.title
  console.log(total, all)
}
summaries[0]?.group.title ${WRONG}
summaries[0]?.avg ${WRONG}
const asked = {
  group: ['published:year', 'author.home.town'],
  avg: ['pages', 'rating'],
  min: 'published',
  max: ['title', 'price'],
  'order[count]': 'desc',
  'order[avg.pages]': 'asc',
  'order[published:year]': 'asc',
  'author.name.startsWith': 'A',
  or: { a: { title: 'Emma', 'author.name': 'Ann' } },
  q: 'emma',
  page: 1,
  itemsPerPage: 50,
} as const
for await (const { group, avg, min, max } of books.summaries(asked)) {
  const year: string | null = group['published:year']
  const town: string | null = group['author.home.town']
  const pages: number | string | null = avg.pages
  const first: string | null = min.published
  const last: string | null = max.title ?? max.price
  console.log(year, town, pages, first, last)
}
const [all] = (await books.summary()).summaries
all?.count.toFixed()
await books.summary({ group: 'genre' }).then(({ summaries: [one] }) => one?.group.genre === 'novel')
await books.summary({ group: 'genre' }).then(({ summaries: [one] }) => one?.group.genre === 'poem') ${WRONG}
await books.summary({ group: 'autor' }) ${WRONG}
await books.summary({ group: ['author', 'nmae'] }) ${WRONG}
await books.summary({ group: ['author', 'genre', 'title'] }) ${WRONG}
await books.summary({ group: 'title:year' }) ${WRONG}
await books.summary({ group: 'pages:year' }) ${WRONG}
await books.summary({ group: 'author.home' }) ${WRONG}
await books.summary({ sum: 'title' }) ${WRONG}
await books.summary({ avg: ['pages', 'published'] }) ${WRONG}
await books.summary({ max: 'author' }) ${WRONG}
await books.summary({ group: 'author', 'order[title]': 'asc' }) ${WRONG}
await books.summary({ group: 'author', 'order[sum.price]': 'asc' }) ${WRONG}
await books.summary({ group: 'author', 'order[author]': 'up' }) ${WRONG}
await books.summary({ group: 'author', titel: 'x' }) ${WRONG}
await books.summary({ group: 'author', 'author.nmae': 'x' }) ${WRONG}
await books.summary({ group: 'author', include: 'author' }) ${WRONG}
const untyped = await createClient({ base: '' }).collection('books').summary({ group: 'a', sum: 'b', 'c.gt': 1 })
untyped.summaries[0]?.sum.b
export { next, totalItems }
`

const FOREIGN = `import { createClient } from 'hydrant/client'
import type { Books } from './foreign.ts'
const books = createClient<Books>({ base: 'http://localhost/api' }).collection('books')
await books.page({ title: 'Emma' })
await books.page({ 'author.name': 'Ann' }) ${WRONG}
await books.page({ fields: 'title' }) ${WRONG}
await books.page({ or: { a: { title: 'Emma' } } }) ${WRONG}
`

/** Uses of the types: the lines that end in the mark must not compile. */
export const USES = {
  'paths.ts': PATHS,
  'or.ts': OR,
  'fields.ts': FIELDS,
  'reverse.ts': REVERSE,
  'summaries.ts': SUMMARIES,
  'without.ts': FOREIGN,
}
