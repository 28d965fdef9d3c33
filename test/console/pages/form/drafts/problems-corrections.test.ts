import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, draftsOf, type PropertyDraft } from '../../../../../console/pages/form/drafts/draft.ts'
import {
  type FormProblems,
  incomplete,
  problemsLeft,
} from '../../../../../console/pages/form/drafts/problems.ts'
import { type FormProblem, readForm } from '../../../../../console/pages/form/drafts/reading.ts'
import { cls, documentation, LANG_STRING, property } from '../../../descriptions.ts'

const HOME = cls('Home', property('street', 'string', { constraints: { maxLength: 3 } }))
const PERSON = cls(
  'Person',
  property('name', 'string', { required: true }),
  property('age', 'integer', { constraints: { minimum: 1 } }),
  property('tags', 'string', { many: true }),
  property('motto', LANG_STRING, { many: true }),
  property('home', 'Home'),
)
const PEOPLE = documentation([PERSON, HOME], ['Person'])
const data = { age: 0, tags: ['a', 'b'], motto: { en: 'Hi' }, home: { street: 'A' } }
const before = draftsOf(PERSON, data, PEOPLE)

function typed(drafts: readonly PropertyDraft[], name: string, text: string): readonly PropertyDraft[] {
  return drafts.map((one) =>
    one.property.name === name ? { ...one, draft: { ...one.draft, text } as Draft } : one,
  )
}

const left = (problems: FormProblems | undefined, now: readonly PropertyDraft[]): FormProblems | undefined =>
  problems && problemsLeft(problems, readForm(before), readForm(now))

test('a problem that the form found disappears once the value is right, and is kept up to date until then', () => {
  const wrong = typed(before, 'age', '0.5')
  const problems = incomplete(readForm(wrong).violations)
  assert.equal(problems.title, 'There are 2 problems')
  const still = left(problems, typed(wrong, 'age', '-1'))
  assert.deepEqual(
    still?.list.map(({ sentence }) => sentence),
    ['Name is required.', 'Age must be at least 1.'],
  )
  const one = left(problems, typed(wrong, 'age', '1'))
  assert.equal(one?.title, 'There is a problem')
  assert.equal(one?.attempt, problems.attempt)
  assert.equal(left(one, typed(typed(wrong, 'age', '1'), 'name', 'Ann')), undefined)
})

test('a problem that the server found disappears once the value changes, at any depth', () => {
  const ids = ['field-0', 'field-2-1', 'field-3-0', 'field-4-0', undefined]
  const problems = incomplete(ids.map((id): FormProblem => ({ id, sentence: `at ${id}` })))
  const within = (name: string, change: (draft: Draft) => Draft) =>
    before.map((one) => (one.property.name === name ? { ...one, draft: change(one.draft) } : one))
  const table: [changed: readonly PropertyDraft[], gone: string | undefined][] = [
    [before, undefined],
    [typed(before, 'age', '7'), undefined],
    [typed(before, 'name', 'x'), 'field-0'],
    [
      within('tags', (draft) => (draft.kind === 'list' ? { ...draft, items: draft.items.slice(1) } : draft)),
      undefined,
    ],
    [
      within('tags', (draft) =>
        draft.kind === 'list' ? { ...draft, items: draft.items.slice(0, 1) } : draft,
      ),
      'field-2-1',
    ],
    [
      within('motto', (draft) =>
        draft.kind === 'languages'
          ? { ...draft, rows: draft.rows.map((row) => ({ ...row, text: 'Ho' })) }
          : draft,
      ),
      'field-3-0',
    ],
    [
      within('home', (draft) =>
        draft.kind === 'embedded' ? { ...draft, properties: typed(draft.properties, 'street', 'B') } : draft,
      ),
      'field-4-0',
    ],
  ]
  for (const [changed, gone] of table) {
    assert.deepEqual(
      left(problems, changed)?.list.map(({ id }) => id),
      gone === undefined ? ids : ids.filter((id) => id !== gone),
    )
  }
})

test('a problem with a half-typed date disappears while the date is typed, and one without a field stays', () => {
  const unread = incomplete([{ id: 'field-1', sentence: 'Not complete.' }])
  // The value of the field may be the same as before: none.
  assert.equal(left(unread, typed(before, 'age', '0')), undefined)
  assert.deepEqual(left(unread, typed(before, 'tags', 'x'))?.list, unread.list)
  const failed: FormProblems = {
    title: 'It was not saved',
    list: [{ id: undefined, sentence: 'No.' }],
    uncertain: true,
    attempt: Symbol(),
  }
  assert.equal(left(failed, typed(before, 'name', 'x')), failed)
})
