import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type CollectionDescription, createClient } from 'hydrant-client'
import { findOptions, searchQueriesFor } from '../../../../../console/pages/form/picker/picker-search.ts'
import type { QueryVariable } from '../../../../../console/shared/connection/index.ts'
import { PARAPHRASE, USER } from '../../../../support/client.ts'
import { serve } from '../../../../support/service.ts'
import { cls, property } from '../../../descriptions.ts'

/** A collection that says nothing of how it can be asked, whose n-th page has these members and leads to the next one. */
async function serveEndless(t: TestContext, membersOf: (page: number) => readonly string[]) {
  const asked: number[] = []
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const page = Number(searchParams.get('page') ?? 1)
    asked.push(page)
    response.setHeader('Content-Type', 'application/ld+json')
    response.end(
      JSON.stringify({
        '@context': { '@vocab': 'http://www.w3.org/ns/hydra/core#' },
        '@id': '/people',
        '@type': 'Collection',
        member: membersOf(page).map((name, index) => ({ '@id': `/people/${page}-${index}`, name })),
        view: { '@id': `/people?page=${page}`, next: { '@id': `/people?page=${page + 1}` } },
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://localhost:${(server.address() as AddressInfo).port}`
  const collection = {
    iri: `${base}/people`,
    memberClass: cls('Person', property('name', 'string')),
  } as CollectionDescription
  const find = async (text: string) =>
    (
      await findOptions(
        { client: createClient({ base }), documentation: NO_CLASSES },
        collection,
        text,
        AbortSignal.timeout(20_000),
      )
    ).map(({ name }) => name)
  return { find, asked }
}

test('a collection with endless empty pages is searched up to a limit', async (t) => {
  const { find, asked } = await serveEndless(t, (page) => (page === 3 ? ['Bob', 'Ann'] : []))
  assert.deepEqual(await find('ann'), ['Ann'])
  assert.equal(Math.max(...asked), 20)
})

test('in a collection without filters, the picker reads up to two hundred members, or as many as it can list', async (t) => {
  const { find, asked } = await serveEndless(t, (page) =>
    Array.from({ length: 60 }, (_, index) => (index === 50 ? `Ann ${page}` : 'Bob')),
  )
  assert.deepEqual(await find('ann'), ['Ann 1', 'Ann 2', 'Ann 3'])
  assert.equal(Math.max(...asked), 4)
  asked.length = 0
  assert.equal((await find('bob')).length, 10)
  assert.equal(Math.max(...asked), 1)
})

/** Names need no other classes here. */
const NO_CLASSES = { classes: [] }

const name = property('name', 'string')
const PERSON = cls('Person', property('age', 'integer'), name)

const filter = (operator: 'eq' | 'contains' | 'startsWith', of = name): QueryVariable => ({
  name: `${of.name}[${operator}]`,
  role: 'filter',
  operator,
  property: of,
  repeatable: false,
})
const general = (role: 'text' | 'limit' | 'position', called: string): QueryVariable => ({
  name: called,
  role,
  repeatable: false,
})

test('a picker searches by a part of the name, its beginning and free text, as far as the collection has such filters', () => {
  const none = { byPart: undefined, byStart: undefined, byWords: undefined }
  const asked = { text: 'ann', words: 'ann*', most: 30 }
  const table: [variables: QueryVariable[], queries: object][] = [
    [[], none],
    [[general('position', 'page'), filter('eq')], none],
    [[filter('startsWith')], { ...none, byStart: { 'name[startsWith]': 'ann' } }],
    [[filter('contains', property('age', 'integer'))], none],
    [
      [general('text', 'q'), filter('contains'), general('limit', 'itemsPerPage')],
      {
        ...none,
        byPart: { 'name[contains]': 'ann', itemsPerPage: 30 },
        byWords: { q: 'ann*', itemsPerPage: 30 },
      },
    ],
  ]
  for (const [variables, queries] of table)
    assert.deepEqual(searchQueriesFor(variables, PERSON, [], asked), queries)
  assert.deepEqual(searchQueriesFor([filter('contains')], undefined, [], asked), none)
})

// contract: The console and the picker search by the beginning of the last word.
test('members are found by a part of their name and by the beginnings of words, best match first, and members with the same name can be distinguished', async (t) => {
  const { base } = await serve(t)
  const requests: string[] = []
  const client = createClient({
    base,
    credentials: { id: USER, paraphrase: PARAPHRASE },
    observe: ({ url, status }) => status === 200 && requests.push(decodeURIComponent(url.slice(base.length))),
  })
  const added = []
  for (const one of [
    'Ann Leckie',
    'Jane Austen',
    'Jane Austen',
    'Mary Shelley',
    'Ursula K. Le Guin',
    'Leo Tolstoy',
  ]) {
    added.push((await client.collection('authors').create({ name: one })).iri)
  }
  const authors = (await client.collections()).find((one) => one.name === 'authors')
  assert.ok(authors)
  const find = (text: string) =>
    findOptions({ client, documentation: NO_CLASSES }, authors, text, new AbortController().signal)

  requests.length = 0
  assert.equal((await find('')).length, 6)
  assert.deepEqual(requests, ['/authors'])
  const ann = [{ iri: added[0], name: 'Ann Leckie', detail: '' }]
  assert.deepEqual(await find('LECK'), ann)
  // A server that takes long for the first, as under load, is also asked for the beginning of names.
  const expected = requests.slice(1).filter((one) => !one.includes('.startsWith'))
  assert.deepEqual(expected.toSorted(), [
    '/authors?name.contains=LECK&itemsPerPage=30',
    '/authors?q=LECK*&itemsPerPage=30',
  ])
  const names = async (text: string) => (await find(text)).map((option) => option.name)
  assert.deepEqual(await names('le'), ['Leo Tolstoy', 'Ann Leckie', 'Ursula K. Le Guin', 'Mary Shelley'])
  assert.deepEqual(await names('tolstoy leo'), ['Leo Tolstoy'])
  assert.deepEqual(
    (await find('jane')).map(({ detail }) => detail),
    added.slice(1, 3),
  )
  assert.deepEqual(await find('nobody'), [])
  for (const isbn of ['978-1', '978-2', null])
    await client.collection('books').create({ title: 'Emma', isbn })
  const books = (await client.collections()).find((one) => one.name === 'books') ?? assert.fail()
  const emmas = await findOptions(
    { client, documentation: NO_CLASSES },
    books,
    'emma',
    AbortSignal.timeout(20_000),
  )
  assert.deepEqual(emmas.map(({ detail, iri }) => (detail === iri ? 'address' : detail)).toSorted(), [
    'Isbn 978-1',
    'Isbn 978-2',
    'address',
  ])
  await assert.rejects(
    findOptions({ client, documentation: NO_CLASSES }, authors, 'ann', AbortSignal.abort()),
    { name: 'AbortError' },
  )
})

test('a name is found by its beginning if the server has no time for a search within names', async (t) => {
  const { base } = await serve(t)
  const credentials = { id: USER, paraphrase: PARAPHRASE }
  const seen: string[] = []
  // As after two seconds of looking at a million members.
  const overloaded: typeof fetch = async (input, init) => {
    const url = decodeURIComponent(String(input instanceof Request ? input.url : input))
    if (url.includes('?name.')) seen.push(url.slice(base.length))
    return url.includes('.contains')
      ? new Response(null, { status: 503, headers: { 'Retry-After': '60' } })
      : fetch(input, init)
  }
  const client = createClient({ base, credentials, fetch: overloaded, patience: 1 })
  for (const one of ['Ann Leckie', 'Leo Tolstoy']) await client.collection('authors').create({ name: one })
  const authors = (await client.collections()).find((one) => one.name === 'authors')
  assert.ok(authors)
  const find = async (text: string) =>
    (
      await findOptions({ client, documentation: NO_CLASSES }, authors, text, new AbortController().signal)
    ).map((option) => option.name)
  assert.deepEqual(await find('le'), ['Leo Tolstoy', 'Ann Leckie'])
  assert.deepEqual(seen, [
    '/authors?name.contains=le&itemsPerPage=30',
    '/authors?name.startsWith=le&itemsPerPage=30',
  ])
  await assert.rejects(find('xyz'), { kind: 'unavailable' })
})

test('a slow search within names is awaited if nothing else is found', async (t) => {
  const { base } = await serve(t)
  const credentials = { id: USER, paraphrase: PARAPHRASE }
  const slow: typeof fetch = async (input, init) => {
    const url = decodeURIComponent(String(input instanceof Request ? input.url : input))
    if (url.includes('.contains')) await new Promise((resolve) => setTimeout(resolve, 1_200))
    return fetch(input, init)
  }
  const client = createClient({ base, credentials, fetch: slow })
  await client.collection('authors').create({ name: 'Leo Tolstoy' })
  const authors = (await client.collections()).find((one) => one.name === 'authors')
  assert.ok(authors)
  const options = await findOptions(
    { client, documentation: NO_CLASSES },
    authors,
    'olst',
    new AbortController().signal,
  )
  assert.deepEqual(
    options.map(({ name }) => name),
    ['Leo Tolstoy'],
  )
})

// The label of a project is that of its customer, and its name.
const SHOP = `
title: Shop
classes:
  Customer:
    properties: { name: string }
  Project:
    label: [customer, name]
    properties: { name: string, customer: Customer }
`

test('members whose label has a link are found by the words of the whole label', async (t) => {
  const { base } = await serve(t, { api: SHOP })
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  for (const name of ['Café Mond', 'Zebra Print']) {
    const customer = await client.collection('customers').create({ name })
    for (const project of ['Website', 'Menu'])
      await client.collection('projects').create({ name: project, customer: customer.iri })
  }
  const documentation = await client.documentation()
  const projects = (await client.collections()).find((one) => one.name === 'projects')
  assert.ok(projects)
  const find = async (text: string) =>
    (await findOptions({ client, documentation }, projects, text, AbortSignal.timeout(20_000))).map(
      ({ name }) => name,
    )
  assert.deepEqual(await find('mond web'), ['Café Mond Website'])
  assert.deepEqual((await find('zebra')).toSorted(), ['Zebra Print Menu', 'Zebra Print Website'])
  assert.deepEqual(await find('menu zebra'), ['Zebra Print Menu'])
  assert.deepEqual(await find('acme'), [])
})
