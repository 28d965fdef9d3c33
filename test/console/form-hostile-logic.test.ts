import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { ApiError, type CollectionDescription, createClient, type PropertyViolation } from 'hydrant-client'
import { changesOf } from '../../console/pages/form/drafts/changes.ts'
import { type Draft, draftsOf, newItem, type PropertyDraft } from '../../console/pages/form/drafts/draft.ts'
import { problemsOf } from '../../console/pages/form/drafts/problems.ts'
import { readForm } from '../../console/pages/form/drafts/reading.ts'
import { withLineEnds } from '../../console/pages/form/drafts/typed-text.ts'
import { findOptions } from '../../console/pages/form/picker/picker-search.ts'
import { cls, documentation, LANG_STRING, property } from './form-descriptions.ts'

const NOTE = cls('Note', property('text', 'string'), property('motto', LANG_STRING, { many: true }))
const NOTES = documentation([NOTE], ['Note'])

test('without violations, or with one of no property, the sentence of the API is shown above the form', () => {
  const drafts = draftsOf(NOTE, undefined, NOTES)
  const told = (...violations: readonly PropertyViolation[]) => {
    const details = { status: 422, violations }
    const { list } = problemsOf(new ApiError('invalid', 'It is not allowed.', details), drafts)
    return list.map(({ id, sentence }) => [id, sentence])
  }
  assert.deepEqual(told(), [[undefined, 'It is not allowed.']])
  assert.deepEqual(told({ propertyPath: '', message: 'No.' }), [[undefined, 'No.']])
  assert.deepEqual(told({ propertyPath: 'text', message: 'No.' }), [['field-0', 'Text: No.']])
})

/** Groups that are there to be filled in, on all levels. */
const groupsIn = (drafts: readonly PropertyDraft[]): number =>
  drafts.reduce((sum, { draft }) => sum + groupsOf(draft), 0)

function groupsOf(draft: Draft): number {
  if (draft.kind === 'list') return draft.items.reduce((sum, item) => sum + groupsOf(item.draft), 0)
  return draft.kind === 'embedded' && draft.present ? 1 + groupsIn(draft.properties) : 0
}

test('a class that requires several values of its own class has a form of two levels, and more where it is asked for', () => {
  const names = ['a', 'b', 'c', 'd']
  const single = cls('Self', ...names.map((name) => property(name, 'Self', { required: true })))
  assert.equal(groupsIn(draftsOf(single, undefined, documentation([single]))), 4 + 16)
  const several = cls('Self', ...names.map((name) => property(name, 'Self', { required: true, many: true })))
  const all = documentation([several])
  assert.equal(groupsIn(draftsOf(several, undefined, all)), 4 + 16)
  const [first] = several.properties
  assert.ok(first)
  assert.equal(groupsOf(newItem(first, all)), 1 + 4)
  // What is there is shown, however deep.
  const deep = { a: { a: { a: { a: {} } } } }
  const optional = cls('Self', property('a', 'Self'))
  assert.equal(groupsIn(draftsOf(optional, deep, documentation([optional]))), 4)
})

test('a pattern, which could stop the page, is left to the server', () => {
  const of = cls('Odd', property('text', 'string', { constraints: { pattern: '^(a+)+$' } }))
  const typed = draftsOf(of, { text: '' }, NOTES).map((one) => ({
    ...one,
    draft: { ...one.draft, text: `${'a'.repeat(60)}!` } as Draft,
  }))
  assert.deepEqual(readForm(typed).violations, [])
})

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
    (await findOptions(createClient({ base }), collection, text, AbortSignal.timeout(20_000))).map(
      ({ name }) => name,
    )
  return { find, asked }
}

test('a collection whose empty pages never end is looked through for a while', async (t) => {
  const { find, asked } = await serveEndless(t, (page) => (page === 3 ? ['Bob', 'Ann'] : []))
  assert.deepEqual(await find('ann'), ['Ann'])
  assert.equal(Math.max(...asked), 20)
})

test('of a collection that cannot be asked two hundred members are looked at, or as many as there is room for', async (t) => {
  const { find, asked } = await serveEndless(t, (page) =>
    Array.from({ length: 60 }, (_, index) => (index === 50 ? `Ann ${page}` : 'Bob')),
  )
  assert.deepEqual(await find('ann'), ['Ann 1', 'Ann 2', 'Ann 3'])
  assert.equal(Math.max(...asked), 4)
  asked.length = 0
  assert.equal((await find('bob')).length, 10)
  assert.equal(Math.max(...asked), 1)
})

test('of two properties with one name, that which can be written is shown, and what is typed there is sent', () => {
  const twice = cls(
    'Twice',
    property('text', 'string', { writable: false }),
    property('text', 'string'),
    property('text', 'integer'),
    property('other', 'string'),
  )
  const data = { text: 'a', other: 'b' }
  const described = documentation([twice])
  const drafts = draftsOf(twice, data, described)
  assert.deepEqual(
    drafts.map((one) => [one.property.name, one.draft.kind]),
    [
      ['text', 'text'],
      ['other', 'text'],
    ],
  )
  const typed = drafts.map((one, index) =>
    index === 0 ? { ...one, draft: { ...one.draft, text: 'c' } as Draft } : one,
  )
  assert.deepEqual(changesOf(typed, data, readForm(typed, data).values, described), { text: 'c' })
})

test('the lines of a text end as they did before it was edited', () => {
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
