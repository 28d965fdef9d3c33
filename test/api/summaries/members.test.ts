import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import { type SignedIn, serveSignedIn } from '../signed-in.ts'
import { put, read } from '../walks.ts'
import { serveGallery } from './gallery.ts'

const API = `
classes:
  Mark: { properties: { name: string, exists: boolean } }
  Note:
    properties:
      title: string
      kind: { type: string, enum: [old, new] }
      days: { type: date, many: true }
      marks: { type: Mark, many: true }
`

/** The queries of the links, decoded. */
async function linksOf({ base, ...service }: SignedIn, query: string): Promise<(string | undefined)[]> {
  const { member } = await read({ base, ...service }, `/summaries/notes?${query}`)
  return member.map(({ members }) =>
    members === undefined ? undefined : decodeURIComponent(String(members).replace(`${base}/notes`, '')),
  )
}

test('the link of a summary says what was counted', async (t) => {
  const service = await serveSignedIn(t, { db: newDatabase(t), api: API })
  await put(service, '/marks/m', { name: 'x' })
  const marks = [`${service.base}/marks/m`]
  await put(service, '/notes/a', { title: 'a b', kind: 'old', days: ['1937-09-21', '1999-12-31'], marks })
  const table: [query: string, ...links: (string | undefined)[]][] = [
    ['', ''],
    ['group=title', '?title=a b'],
    ['group=title&title=a+b&title=c', '?title=a b&title=c&or[0][title]=a b'],
    ['group=title&title.startsWith=a', '?title.startsWith=a&or[0][title]=a b'],
    ['group=title&or[0][title]=a+b&q=a', '?or[0][title]=a b&q=a&title=a b'],
    ['group=marks.name&marks.name=x', '?marks.name=x&or[0][marks.name]=x'],
    ['group=days&kind=old', '?kind=old&days=1937-09-21', '?kind=old&days=1999-12-31'],
    ['group=days:year', '?days.gte=1937-01-01&days.lt=1938-01-01', '?days.gte=1999-01-01&days.lt=2000-01-01'],
    [
      'group=days:month',
      '?days.gte=1937-09-01&days.lt=1937-10-01',
      '?days.gte=1999-12-01&days.lt=2000-01-01',
    ],
    ['group=days:day', '?days=1937-09-21', '?days=1999-12-31'],
    // The bounds ask of one day, so it is the filter of the request that stands on its own.
    [
      'group=days:year&days.gt=1990-01-01',
      '?days.gte=1937-01-01&days.lt=1938-01-01&or[0][days.gt]=1990-01-01',
      '?days.gte=1999-01-01&days.lt=2000-01-01&or[0][days.gt]=1990-01-01',
    ],
    // Both ask of one day each, which no query can say.
    ['group=days:year&days.gt=1990-01-01&days.lt=2000-01-01', undefined, undefined],
    [
      'group=title&group=kind&or[1][title]=a+b&title=a+b',
      '?or[1][title]=a b&title=a b&or[0][title]=a b&kind=old',
    ],
  ]
  for (const [query, ...links] of table) assert.deepEqual(await linksOf(service, query), links, query)
  // Behind a dot it would be a property of the linked member, and a group has no brackets.
  assert.deepEqual(await linksOf(service, 'group=marks&marks.name.exists=false'), [])
  await put(service, '/notes/b', { title: 'b' })
  assert.deepEqual(await linksOf(service, 'group=marks&title=b'), ['?title=b&exists[marks]=false'])
  assert.deepEqual(await linksOf(service, 'group=marks&title=b&exists[marks.name]=false'), [undefined])
})

test('a value that is no longer allowed has no link', async (t) => {
  const db = newDatabase(t)
  const before = await serveSignedIn(t, { db, api: API })
  await put(before, '/notes/a', { kind: 'old' })
  await before.close()
  const service = await serveSignedIn(t, { db, api: API.replace('enum: [old, new]', 'enum: [new]') })
  await put(service, '/notes/b', { kind: 'new' })
  assert.deepEqual(await linksOf(service, 'group=kind'), ['?kind=new', undefined])
})

// contract: Everything here is over what the user may read
test('what a user may not read is in no count, no group and no figure', async (t) => {
  const { as } = await serveGallery(t)
  const table: [path: string, anns: string, bobs: string, clerks: string][] = [
    ['drafts', '2', '2', '13'],
    ['drafts?sum=price', '2 2.00', '2 2.00', '13 100000000000000000003.77'],
    ['drafts?group=author.name&title=a', 'Ann 2', 'Ann 2', 'Ann 5'],
    [
      'books?group=author.born:year',
      '1899 2, 1900 2, null 5',
      '1937 2, null 7',
      '1899 2, 1900 2, 1937 2, null 3',
    ],
    ['books?max=author.born', '9 1900-01-01', '9 1937-09-01', '9 1937-09-01'],
    ['authors', '2', '2', '4'],
  ]
  for (const [path, ...expected] of table)
    for (const [index, name] of (['ann', 'bob', 'clerk'] as const).entries()) {
      // Again and again: nothing is shared.
      for (let times = 0; times < 3; times++) {
        const response = await as[name].send('GET', `/summaries/${path}`)
        assert.equal(response.status, 200, response.body)
        const { member } = response.json() as { member: Record<string, unknown>[] }
        const rows = member.map(({ group, count, sum, max }) =>
          [group, { count }, sum, max]
            .flatMap((one) => Object.values(one ?? {}))
            .map(String)
            .join(' '),
        )
        assert.equal(rows.join(', '), expected[index], `${path} ${name}`)
      }
    }
  // The collection answers the same.
  for (const name of ['ann', 'clerk'] as const) {
    const statuses = ['/summaries/vaults', '/vaults'].map(
      async (path) => (await as[name].send('GET', path)).status,
    )
    assert.deepEqual(await Promise.all(statuses), name === 'clerk' ? [200, 200] : [403, 403])
  }
})
