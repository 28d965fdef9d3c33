import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocumentation } from '../../../src/vocabulary/index.ts'
import { modelOf } from '../../support/service.ts'
import { type Json, notesOf } from './document.ts'

const API = `
classes:
  Author: { properties: { name: string } }
  Book:
    properties:
      author: { type: Author, required: true, onDelete: delete, reverse: books }
      changedAt: { type: dateTime, always: now }
`

/** The notes on the documentation of the API, with another value of a term in it. */
async function notesWith(before: string, after: string): Promise<string[]> {
  const documentation = createDocumentation(modelOf(API), 'http://localhost:8080/api', {
    session: true,
    problemTypes: [],
  })
  const text = JSON.stringify(documentation)
  assert.ok(text.includes(before))
  const notes = await notesOf(JSON.parse(text.replace(before, after)) as Json)
  return notes.filter((note) => note.startsWith('ignored'))
}

test('a value of "onDelete" or "always" that does not suit the property is ignored, with a note', async () => {
  const rule = (word: string) => notesWith('"onDelete":"delete"', `"onDelete":"${word}"`)
  assert.deepEqual(await rule('delete'), [])
  assert.deepEqual(await rule('refuse'), [])
  for (const word of ['cascade', 'unset']) {
    const [note = '', ...more] = await rule(word)
    assert.deepEqual(more, [])
    assert.ok(note.includes('OwnTermIgnored') && note.includes('"author"') && note.includes(word), note)
  }
  for (const word of ['user', 'daily']) {
    const [note = '', ...more] = await notesWith('"always":"now"', `"always":"${word}"`)
    assert.deepEqual(more, [])
    assert.ok(note.includes('OwnTermIgnored') && note.includes('"changedAt"') && note.includes(word), note)
  }
})

test('a link from the other side of a link that the document does not have is ignored, with a note', async () => {
  const of = '"reverseOf":"http://localhost:8080/api/vocab#'
  assert.deepEqual(await notesWith(`${of}Book/author"`, `${of}Book/author"`), [])
  for (const link of ['Book/editor', 'Book/changedAt', 'Author/name']) {
    const [note = '', ...more] = await notesWith(`${of}Book/author"`, `${of}${link}"`)
    assert.deepEqual(more, [])
    assert.ok(note.includes('OwnTermIgnored(reverseOf') && note.includes('"books"'), note)
  }
})
