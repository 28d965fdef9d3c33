import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, compare, mergedDrafts, proposedSide } from '../../console/pages/form/drafts/changes.ts'
import { draftsOf } from '../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../console/pages/form/drafts/reading.ts'
import { cls, documentation, property } from './form-descriptions.ts'

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

test('each property that differs is told apart by who has changed it', () => {
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

test('a comparison shows what was found, what is there now and what was typed', () => {
  const [difference] = compare(drafts, seen, { ...seen, title: 'B' }, { ...seen, title: 'C' })
  assert.deepEqual([difference?.seen, difference?.current, difference?.mine], ['A', 'B', 'C'])
})

test('what was chosen is sent over the member as it is now, whichever way it was chosen', () => {
  const typed = drafts.map((one) =>
    one.property.name === 'title' || one.property.name === 'notes'
      ? { ...one, draft: { kind: 'text' as const, text: 'mine' } }
      : one,
  )
  const current = { ...seen, title: 'theirs', pages: 2 }
  const sent = (...mine: string[]) => {
    const merged = mergedDrafts(typed, current, ({ name }) => mine.includes(name), BOOKS)
    return changesOf(merged, current, readForm(merged).values)
  }
  assert.deepEqual(sent('title', 'notes'), { title: 'mine', notes: 'mine' })
  assert.deepEqual(sent('notes'), { notes: 'mine' })
  assert.deepEqual(sent(), {})
  // Theirs taken back to what was found.
  assert.deepEqual(sent('pages'), { pages: 1 })
})
