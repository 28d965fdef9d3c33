import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf } from '../../../../../console/pages/form/drafts/changes.ts'
import { type Draft, draftsOf, type PropertyDraft } from '../../../../../console/pages/form/drafts/draft.ts'
import { readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { isAddress, withLineEnds } from '../../../../../console/pages/form/drafts/typed-text.ts'
import { cls, documentation, LANG_STRING, property } from '../../../descriptions.ts'

const NOTE = cls('Note', property('text', 'string'), property('motto', LANG_STRING, { many: true }))
const NOTES = documentation([NOTE], ['Note'])

test('a text keeps its line endings when it is edited', () => {
  const table: [original: string, typed: string, kept: string][] = [
    ['a\nb', 'a\nc', 'a\nc'],
    ['', 'a\nb', 'a\nb'],
    ['a\r\nb\r\n', 'a\nb\n', 'a\r\nb\r\n'],
    ['a\r\nb\r\nc', 'a\nB\nc', 'a\r\nB\r\nc'],
    ['a\r\nb', 'a\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    ['a\r\nb', 'x', 'x'],
    ['a\rb', 'a\nc', 'a\rc'],
    // Of several kinds each stays what it was.
    ['a\r\nb\nc\rd', 'A\nb\nC\nd', 'A\r\nb\nC\rd'],
    ['a\r\nb\nc\rd', 'a\nb\nnew\nc\nd', 'a\r\nb\nnew\r\nc\rd'],
    ['a\r\nb\nc\rd', 'c\nd', 'c\rd'],
    ['a\r\nb\nc\rd', 'a\nd', 'a\r\nd'],
    ['a\r\na\na\ra', 'a\na', 'a\r\na'],
  ]
  for (const [original, typed, kept] of table) {
    assert.equal(withLineEnds(typed, original), kept, JSON.stringify([original, typed]))
  }
  const data = { text: 'a\r\nb', motto: { en: 'c\r\nd', de: 'e' } }
  const edited = (text: string, motto: string) => {
    const drafts = draftsOf(NOTE, data, NOTES).map((one): PropertyDraft => {
      const { draft } = one
      if (draft.kind !== 'languages') return { ...one, draft: { ...draft, text } as Draft }
      const rows = draft.rows.map((row) => (row.tag === 'en' ? { ...row, text: motto } : row))
      return { ...one, draft: { ...draft, rows } }
    })
    return changesOf(drafts, data, readForm(drafts, data).values, NOTES)
  }
  assert.deepEqual(edited('a\nb', 'c\nd'), {})
  assert.deepEqual(edited('a\nB', 'c\nD'), { text: 'a\r\nB', motto: { en: 'c\r\nD' } })
})

test('an address is distinguished from a name with a colon, which is searched for', () => {
  for (const text of ['http://a/b', 'HTTPS://a', '/api/books/1', 'urn:isbn:0141439580'])
    assert.ok(isAddress(text))
  for (const text of ['ISO:9001', 'Re:Zero', 'Dune: Part Two', 'http', 'http:']) assert.ok(!isAddress(text))
})
