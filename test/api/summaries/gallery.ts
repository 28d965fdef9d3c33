import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newDatabase } from '../../support/databases.ts'
import type { Json } from '../signed-in.ts'
import { serveUsers, type Visitor } from '../users.ts'

/** Books that everyone may list, drafts that only their owners may, and authors whom only their owners may read. */
const VALUES = `
      title: string
      author: Author
      others: { type: Author, many: true }
      marks: { type: integer, many: true }
      dates: { type: date, many: true }
      times: { type: dateTime, many: true }
      sold: dateTime
      price: { type: decimal, scale: 2 }
      weight: double
      good: boolean
      home: anyURI
      print: Print
      lines: { type: Line, many: true }`

const OWN = '{ read: [owner, clerk], list: [owner, clerk] }'

export const GALLERY = `
roles: [clerk]
classes:
  Author:
    access: ${OWN}
    properties: { name: string, born: date, agent: Author }
  Print: { collection: false, properties: { city: string, by: Author } }
  Line:
    collection: false
    properties:
      count: integer
      note: string
      by: Author
      days: { type: date, many: true }
  Vault:
    access: { all: clerk }
    properties: { name: string }
  Book:
    properties: ${VALUES}
  Draft:
    access: ${OWN}
    properties: ${VALUES}
`

const USERS = { ann: [11], bob: [12], clerk: [13, 'clerk'] } as const

const LONG = 'Long '.repeat(60)

const BOOKS: readonly Json[] = [
  {
    title: 'a',
    author: 'a1',
    others: ['a1', 'b1'],
    marks: [1, 2],
    dates: ['1900-05-01', '1937-09-21'],
    times: ['0001-01-01T00:00:00+14:00', '2024-02-29T23:30:00-05:00'],
    sold: '2024-01-01T00:00:00+14:00',
    price: '1.50',
    weight: 0.1,
    good: true,
    home: 'https://a.example/?x=1+1&y=%20#z',
    print: { city: 'Rom', by: 'b1' },
    lines: [
      { count: 1, note: 'x', by: 'a1', days: ['1937-09-01', '1938-01-01'] },
      { count: 2, note: 'y', by: 'b1' },
    ],
  },
  {
    title: 'Á',
    author: 'b1',
    others: ['b2'],
    marks: [2],
    dates: ['1937-09-30', '1938-01-01', '9999-12-31'],
    times: ['9999-12-31T23:59:59-14:00'],
    price: '-2.25',
    weight: 0.2,
    good: false,
    print: { city: 'Oslo' },
    lines: [{ count: 1, note: 'y', days: ['1900-01-31', '9999-12-31'] }, { by: 'b2' }],
  },
  {
    title: 'a & b = c + d',
    author: 'a2',
    marks: [3],
    price: '99999999999999999999.01',
    lines: [{ note: 'x' }],
  },
  { title: LONG, author: 'a1', others: ['a2', 'b2'], dates: ['1937-12-31'], price: '0.01', weight: -3 },
  { title: `${LONG}!`, author: 'b2', marks: [1, 3], sold: '1937-09-22T04:30:00.5Z', lines: [{ count: 2 }] },
  {
    title: '',
    author: 'a2',
    price: '1.5',
    good: true,
    lines: [
      { count: 1, by: 'a2' },
      { count: 1, note: 'x' },
    ],
  },
  { title: '\u0001\u0002', marks: [2], sold: '1937-09-22T04:30:00.50Z', weight: 0.3 },
  { author: 'b1', dates: ['1900-05-01'], times: ['2024-03-01T04:30:00Z'], print: { by: 'a1' } },
  {},
]

const AUTHORS: readonly (readonly [id: string, Json])[] = [
  ['a1', { name: 'Ann', born: '1899-12-31' }],
  ['a2', { born: '1900-01-01', agent: 'a1' }],
  ['b1', { name: 'Ann', born: '1937-09-01', agent: 'a1' }],
  ['b2', { name: LONG, agent: 'b1' }],
]

/** Every other member is ann's, the rest bob's. */
export async function serveGallery(t: TestContext) {
  const service = await serveUsers(t, USERS, { db: newDatabase(t), api: GALLERY })
  const { as, base } = service
  const put = async (visitor: Visitor, path: string, body: Json) => {
    const text = JSON.stringify(body).replaceAll(/"([ab]\d)"/g, `"${base}/authors/$1"`)
    const response = await visitor.send('PUT', path, text, { 'If-None-Match': '*' })
    assert.equal(response.status, 201, `${path}: ${response.body}`)
  }
  // The clerk may link to everyone's authors; owners are those who create.
  for (const [id, body] of AUTHORS) {
    const { agent: _, ...bare } = body
    await put(id.startsWith('a') ? as.ann : as.bob, `/authors/${id}`, bare)
  }
  for (const [id, { agent }] of AUTHORS)
    if (agent !== undefined)
      await as.clerk.send('PATCH', `/authors/${id}`, { agent: `${base}/authors/${agent}` })
  for (const collection of ['books', 'drafts'])
    for (const [index, body] of BOOKS.entries()) await put(as.clerk, `/${collection}/c${index}`, body)
  for (const [index, name] of (['ann', 'bob', 'ann', 'bob'] as const).entries())
    await put(as[name], `/drafts/${name}${index}`, {
      title: 'a',
      author: index % 2 === 0 ? 'a1' : 'b1',
      marks: [index],
      price: '1',
    })
  return service
}
