import assert from 'node:assert/strict'
import { test } from 'node:test'
import jsonld from 'jsonld'
import { newDatabase } from '../../support/databases.ts'
import { type Json, serveSignedIn, withoutContext } from '../signed-in.ts'
import { put, read } from '../walks.ts'

// Names that summaries have themselves, and a class that is called like theirs.
const API = `
classes:
  Summary:
    collection: notes
    properties:
      group: string
      sum: integer
      count: integer
      order: integer
      published: date
      page: integer
`

async function serveNotes(t: Parameters<typeof serveSignedIn>[0]) {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: API })
  const notes = [
    { group: 'x', sum: 1, count: 5, order: 3, published: '1937-09-21', page: 1 },
    { group: 'y', sum: 2, count: 5, order: 4, published: '1937-10-01' },
    { group: 'y', sum: 4, count: 6 },
  ]
  for (const [index, body] of notes.entries()) await put(service, `/notes/n${index}`, body)
  return service
}

// contract: A Hydra collection of `Summary` members
test('summaries are JSON that reads well, and a graph', async (t) => {
  const service = await serveNotes(t)
  const { base } = service
  const path = '/summaries/notes?group=published:year&sum=sum'
  const page = await read(service, path)
  const links = `${base}${path}&page=1`
  assert.deepEqual(withoutContext(page), {
    '@id': base + path,
    '@type': 'Collection',
    memberAssertion: { property: 'rdf:type', object: `${base}/vocab#summaries/Summary` },
    totalItems: 2,
    member: [
      {
        '@type': 'Summary',
        group: { 'published:year': '1937' },
        count: 2,
        sum: { sum: '3' },
        members: `${base}/notes?published.gte=1937-01-01&published.lt=1938-01-01`,
      },
      {
        '@type': 'Summary',
        group: { 'published:year': null },
        count: 1,
        sum: { sum: '4' },
        members: `${base}/notes?published.exists=false`,
      },
    ],
    view: { '@id': base + path, '@type': 'PartialCollectionView', first: links, last: links },
  })

  const [expanded] = (await jsonld.expand(page as never)) as Json[]
  const hydra = (name: string) => `http://www.w3.org/ns/hydra/core#${name}`
  const vocab = (name: string) => `${base}/vocab#${name}`
  const first = Object(expanded)[hydra('member')][0]
  assert.deepEqual(first, {
    '@type': [vocab('summaries/Summary')],
    [vocab('group')]: [{ '@type': '@json', '@value': { 'published:year': '1937' } }],
    [vocab('count')]: [{ '@value': 2 }],
    [vocab('sum')]: [{ '@type': '@json', '@value': { sum: '3' } }],
    [vocab('members')]: [{ '@id': `${base}/notes?published.gte=1937-01-01&published.lt=1938-01-01` }],
  })

  const plain = await service.get(path, { Accept: 'application/json' })
  assert.deepEqual(plain.json(), withoutContext(page))
  assert.match(String(plain.headers.link), new RegExp(`<${base}/contexts/summaries>; rel="[^"]*context"`))
  assert.deepEqual((await service.get('/contexts/summaries')).json(), { '@context': page['@context'] })

  const turtle = await service.get(path, { Accept: 'text/turtle' })
  assert.match(turtle.body, /:group "\{\\"published:year\\":null\}"\^\^rdf:JSON;/)
  const quads = await service.get(path, { Accept: 'application/n-quads' })
  const asked = (await jsonld.toRDF(page as never, { format: 'application/n-quads' })) as string
  assert.equal(canonical(quads.body), canonical(asked))
})

/** Without the names of blank nodes, which are all that differ. */
const canonical = (quads: string): string =>
  quads.replaceAll(/_:\w+/g, '_:b').split('\n').filter(Boolean).sort().join('\n')

test('parameters win over properties of the same name, which have filters all the same', async (t) => {
  const service = await serveNotes(t)
  const table: [query: string, found: string][] = [
    ['group=group', 'x 1, y 2'],
    ['group=group&group.eq=y', 'y 2'],
    ['group=sum&sum.eq=2', '2 1'],
    ['group=page&page.eq=1', '1 1'],
    ['group=order&order[gte]=4', '4 1'],
    ['group=group&order[count]=desc', 'y 2, x 1'],
    ['group=count&order[count]=desc', '5 2, 6 1'],
    ['group=count&sum=sum&order[sum.sum]=desc', '6 1, 5 2'],
  ]
  for (const [query, found] of table) {
    const { member } = await read(service, `/summaries/notes?${query}`)
    const rows = member.map(({ group, count }) => `${Object.values(group as Json)} ${count}`)
    assert.equal(rows.join(', '), found, query)
    for (const { members, count } of member)
      assert.equal((await read(service, String(members).slice(service.base.length))).totalItems, count, query)
  }
})

// contract: Linked from the collection (`summary`
test('a collection links to its summaries, which say what can be asked', async (t) => {
  const service = await serveNotes(t)
  const { base } = service
  const bare = await read(service, '/notes')
  const { template, mapping, ...rest } = bare.summary as Json & { mapping: Json[] }
  assert.deepEqual(rest, {
    '@id': `${base}/notes#summary`,
    '@type': 'IriTemplate',
    variableRepresentation: 'BasicRepresentation',
  })
  assert.equal(template, `${base}/summaries/notes{?group*,sum*,avg*,min*,max*,sort,page,itemsPerPage}`)
  assert.deepEqual(
    mapping.map(({ variable, property }) => [variable, property]),
    [
      ...['group', 'sum', 'avg', 'min', 'max', 'sort'].map((name) => [name, `${base}/vocab#${name}`]),
      ['page', 'hydra:pageIndex'],
      ['itemsPerPage', 'hydra:limit'],
    ],
  )
  const [expanded] = (await jsonld.expand(bare as never)) as Json[]
  const summary = Object(expanded)[`${base}/vocab#summary`][0]
  assert.deepEqual(summary?.['@type'], ['http://www.w3.org/ns/hydra/core#IriTemplate'])
  assert.ok(!('summary' in (await read(service, '/notes?page=1'))))
  const plain = await service.get('/notes', { Accept: 'application/json' })
  assert.ok(!('summary' in plain.json()))

  const { search } = await read(service, '/summaries/notes')
  const { mapping: mapped } = search as { mapping: Json[] }
  const variables = mapped.map(({ variable }) => variable)
  for (const variable of ['group.eq', 'sum.eq', 'sum.gte', 'published.lt', 'q', 'group', 'sum', 'sort'])
    assert.ok(variables.includes(variable), variable)
  assert.equal(new Set(variables).size, variables.length)
  assert.ok(!('search' in (await read(service, '/summaries/notes?group=sum'))))

  const { supportedClass } = (await service.get('/vocab')).json() as { supportedClass: Json[] }
  const described = supportedClass.find((one) => one['@id'] === `${base}/vocab#summaries/Summary`)
  const properties = described?.supportedProperty as Json[]
  assert.deepEqual(
    properties.map(({ title }) => title),
    ['group', 'count', 'sum', 'avg', 'min', 'max', 'members'],
  )
})
