import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createClient } from 'hydrant-client'
import {
  changesOf,
  compare,
  mergedDrafts,
  proposedSide,
} from '../../../../../console/pages/form/drafts/changes.ts'
import { draftsOf } from '../../../../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'

import { PARAPHRASE, USER } from '../../../../support/client.ts'
import { serve } from '../../../../support/service.ts'
import { cls, documentation, property } from '../../../descriptions.ts'

const BOOK = cls(
  'Book',
  property('title', 'string'),
  property('pages', 'integer'),
  property('genres', 'string', { many: true }),
  property('notes', 'string'),
  property('changed', 'dateTime', { writable: false }),
)
const BOOKS = documentation([BOOK], ['Book'])

const seen = { title: 'A', pages: 1, genres: ['x'], changed: '1' }
const drafts = draftsOf(BOOK, seen, BOOKS)

test('each difference says who has changed the property', () => {
  const table: [current: object, mine: object, found: [string, string, string | undefined][]][] = [
    [seen, seen, []],
    [seen, { ...seen, title: 'B' }, [['title', 'mine', 'mine']]],
    [{ ...seen, title: 'B' }, seen, [['title', 'theirs', 'theirs']]],
    [{ ...seen, title: 'B' }, { ...seen, title: 'C' }, [['title', 'both', undefined]]],
    [{ ...seen, title: 'B' }, { ...seen, title: 'B' }, []],
    [{ ...seen, pages: 2 }, { ...seen, pages: undefined }, [['pages', 'both', undefined]]],
    [
      { ...seen, genres: ['x', 'y'] },
      { ...seen, notes: 'n' },
      [
        ['genres', 'theirs', 'theirs'],
        ['notes', 'mine', 'mine'],
      ],
    ],
    // What only the server writes is not for us to decide.
    [{ ...seen, changed: '2' }, seen, []],
  ]
  for (const [current, mine, expected] of table) {
    const found = compare(drafts, seen, current as typeof seen, mine as typeof seen)
    assert.deepEqual(
      found.map((one) => [one.property.name, one.changedBy, proposedSide(one)]),
      expected,
    )
  }
})

test('a comparison shows the value that was read, the current one and the typed one', () => {
  const [difference] = compare(drafts, seen, { ...seen, title: 'B' }, { ...seen, title: 'C' })
  assert.deepEqual([difference?.seen, difference?.current, difference?.mine], ['A', 'B', 'C'])
})

test('the chosen values are sent over the current version of the member', () => {
  const typed = drafts.map((one) =>
    one.property.name === 'title' || one.property.name === 'notes'
      ? { ...one, draft: { kind: 'text' as const, text: 'mine' } }
      : one,
  )
  const current = { ...seen, title: 'theirs', pages: 2 }
  const sent = (...mine: string[]) => {
    const merged = mergedDrafts(typed, current, ({ name }) => mine.includes(name), BOOKS)
    return changesOf(merged, current, readForm(merged).values, BOOKS)
  }
  assert.deepEqual(sent('title', 'notes'), { title: 'mine', notes: 'mine' })
  assert.deepEqual(sent('notes'), { notes: 'mine' })
  assert.deepEqual(sent(), {})
  // Theirs taken back to what was found.
  assert.deepEqual(sent('pages'), { pages: 1 })
})

const ORDERS = `
classes:
  Line:
    collection: false
    properties:
      what: { type: string, required: true }
      noted: { type: dateTime, writable: false, default: now }
  Order:
    properties:
      first: Line
      lines: { type: Line, many: true }
`

type Line = { readonly what: string; readonly noted: string }

type Values = Readonly<Record<string, unknown>>

async function serveOrder(t: TestContext) {
  const { base } = await serve(t, { api: ORDERS })
  const client = createClient({ base, credentials: { id: USER, paraphrase: PARAPHRASE } })
  const described = await client.documentation()
  const order = described.classes.find(({ title }) => title === 'Order')
  assert.ok(order)
  const created = await client
    .collection('orders')
    .create({ first: { what: 'a' }, lines: [{ what: 'a' }, { what: 'b' }, { what: 'c' }] })
  const changes = (before: Values, after: Values) =>
    changesOf(draftsOf(order, before, described), before, after, described)
  return { created, changes }
}

test('the user’s embedded values win, and keep their read-only parts only if those still exist', async (t) => {
  const { created, changes } = await serveOrder(t)
  const [a, b, c] = created.data.lines as [Line, Line, Line]
  const mine = { first: { ...created.data.first, what: 'A' }, lines: [{ ...a, what: 'A' }, c] }

  // Another user puts others in their place: these are noted later.
  const without = await created.update({ first: null, lines: [b, c] })
  const current = await without.update({ first: { what: 'x' }, lines: [{ what: 'x' }, b, { what: 'y' }, c] })
  const [x] = current.data.lines as [Line]
  assert.notEqual(x.noted, a.noted)

  const sent = changes(current.data, mine)
  // The line that was changed has the time of one that is still there.
  assert.deepEqual(sent, { first: { what: 'A' }, lines: [{ ...a, what: 'A' }, c] })
  const { first, lines } = (await current.update(sent)).data
  assert.deepEqual(first, { ...(current.data.first as Line), what: 'A' })
  assert.deepEqual(lines, [{ ...a, what: 'A' }, c])

  // Nothing that is there has the time of this one.
  const late = changes(current.data, {
    ...current.data,
    lines: [{ what: 'B', noted: '2020-02-02T00:00:00.000Z' }],
  })
  assert.deepEqual(late.lines, [{ what: 'B' }])
})

test('a list can have one value removed, a later one changed and another one added', async (t) => {
  const { created, changes } = await serveOrder(t)
  const [a, b, c] = created.data.lines as [Line, Line, Line]
  const longer = await created.update({ lines: [a, b, c, { what: 'd' }] })
  const [, , , d] = longer.data.lines as [Line, Line, Line, Line]
  assert.notEqual(d.noted, a.noted)

  const sent = changes(longer.data, { ...longer.data, lines: [b, { ...d, what: 'D' }, { what: 'e' }] })
  const { lines } = (await longer.update(sent)).data
  const [, , e] = lines as [Line, Line, Line]
  assert.deepEqual(lines, [b, { ...d, what: 'D' }, { ...e, what: 'e' }])
})

test('read-only parts are left out of a value that no longer exists', () => {
  const parts = cls('Part', property('name', 'string'), property('made', 'date', { writable: false }))
  const whole = cls('Whole', property('part', 'Part'))
  const described = documentation([whole, parts], ['Whole'])
  const wanted = { part: { name: 'b', made: '2020-02-02' } }
  for (const current of [{}, { part: { name: 'c' } }]) {
    const sent = changesOf(draftsOf(whole, current, described), current, wanted, described)
    assert.deepEqual(sent, { part: { name: 'b' } })
  }
})
