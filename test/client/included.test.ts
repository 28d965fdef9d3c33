import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/service.ts'
import { recordClient } from './recording.ts'

test('An included member is written as an address, and its change is no conflict', async (t) => {
  const { base } = await serve(t, { flags: { auth: false }, api: SHELF })
  const { client } = recordClient(base)
  const [authors, books] = [client.collection('authors'), client.collection('books')]
  const ann = await authors.create({ name: 'Ann' })
  const made = await books.create({ title: 'x', author: ann.iri, shelf: { keeper: ann.iri, row: 1 } })
  const include = ['author', 'shelf.keeper']
  const id = made.iri.split('/').at(-1) as string

  const page = await books.page({ include })
  const first = await books.members({ include, itemsPerPage: 1 }).next()
  const found = [
    await books.get(id, { include }),
    await client.get(made.iri, { include }),
    page.members[0],
    first.value || undefined,
  ]
  for (const one of found) {
    assert.ok(one !== undefined)
    assert.equal(one.data.author.name, 'Ann')
    assert.equal(one.data.shelf.keeper['@id'], ann.iri)
    assert.equal((await one.reload()).data.author.name, 'Ann')
  }

  // One with an ETag, and one of a page that is read again: the author has changed meanwhile.
  for (const read of [
    () => books.get(id, { include }),
    async () => (await books.page({ include })).members[0],
  ]) {
    const one = await read()
    assert.ok(one !== undefined)
    await ann.reload().then((author) => author.update({ name: `${author.data.name}!` }))
    const updated = await one.update({ title: 'y', author: one.data.author })
    assert.equal(updated.data.author, ann.iri)
    assert.match((await updated.reload()).data.author.name, /^Ann!/)
    const again = await read()
    assert.ok(again !== undefined)
    const replaced = await again.replace({ ...again.data, title: 'z' })
    assert.deepEqual(
      [replaced.data.title, replaced.data.author, replaced.data.shelf.keeper],
      ['z', ann.iri, ann.iri],
    )
  }
})

const SHELF = `
classes:
  Author: { properties: { name: string } }
  Shelf: { collection: false, properties: { keeper: Author, row: integer } }
  Book: { properties: { title: string, author: Author, shelf: Shelf } }
`

test('An included member is put in every place of its address, though the response has it once', async (t) => {
  const api = `
classes:
  Person: { properties: { name: string, boss: Person, desk: Desk } }
  Desk: { collection: false, properties: { keeper: Person } }
`
  const { base } = await serve(t, { flags: { auth: false }, api })
  const { client, sent } = recordClient(base)
  const persons = client.collection('persons')
  const ann = await persons.create({ name: 'Ann' })
  const ben = await persons.create({ name: 'Ben', boss: ann.iri, desk: { keeper: ann.iri } })
  const cy = await persons.create({ name: 'Cy', boss: ann.iri })
  const boss = await ann.update({ boss: ann.iri })

  await persons.search()
  const before = sent.length
  const page = await persons.page({ include: ['boss.boss', 'desk.keeper'] })
  const [one, two, three] = page.members.map(({ data }) => data)
  // Itself, a member of the same page, and one that is shared: each with what the path asks for, and no cycle.
  const alone = { '@id': ann.iri, '@type': 'Person', name: 'Ann', boss: ann.iri }
  assert.deepEqual(one, { ...alone, boss: { ...alone, boss: alone } })
  assert.deepEqual(two?.boss, { ...alone, boss: alone })
  assert.deepEqual(two?.desk, { '@type': 'Desk', keeper: alone })
  assert.deepEqual(three?.boss, { ...alone, boss: alone })
  assert.ok(JSON.stringify(page.members.map(({ data }) => data)).length > 0)
  const single = await client.get(ben.iri, { include: ['boss', 'desk.keeper'] })
  assert.deepEqual([single.data.boss, single.data.desk.keeper], [alone, alone])
  assert.equal(sent.length, before + 2)

  // What is written has addresses, whether it was there or put there.
  const updated = await (page.members[2] as typeof cy).update({ name: 'Cy!' })
  assert.equal(updated.data.boss, boss.iri)
})

test('An included collection has its members in full, also those that the response has elsewhere', async (t) => {
  const api = `
classes:
  Author: { properties: { name: string } }
  Book: { properties: { title: string, authors: { type: Author, many: true, reverse: books } } }
`
  const { base } = await serve(t, { flags: { auth: false }, api })
  const { client } = recordClient(base)
  const [authors, books] = [client.collection('authors'), client.collection('books')]
  const [ann, ben] = [await authors.create({ name: 'Ann' }), await authors.create({ name: 'Ben' })]
  await books.create({ title: 'both', authors: [ann.iri, ben.iri] })
  await books.create({ title: 'hers', authors: [ann.iri] })
  interface Shown {
    readonly books: { readonly member: { readonly title: string; readonly authors: { name?: string }[] }[] }
  }
  const titles = (data: Shown) => data.books.member.map(({ title }) => title)
  const names = (data: Shown) => data.books.member[0]?.authors.map(({ name }) => name)
  const { members } = await authors.page({ include: 'books' })
  assert.deepEqual(
    members.map(({ data }) => titles(data as never)),
    [['both', 'hers'], ['both']],
  )
  assert.deepEqual(members[0]?.data.books.member[0].authors, [ann.iri, ben.iri])
  const twice = (await authors.page({ include: 'books.authors' })).members
  assert.deepEqual(
    twice.map(({ data }) => names(data as never)),
    [
      ['Ann', 'Ben'],
      ['Ann', 'Ben'],
    ],
  )
  const [both] = (await books.page({ include: 'authors.books' })).members
  assert.deepEqual(both?.data.authors.map(titles), [['both', 'hers'], ['both']])
  const replaced = await (await client.get(ann.iri, { include: 'books' })).update({ name: 'Anne' })
  assert.equal(replaced.data.books, ann.data.books)
})
