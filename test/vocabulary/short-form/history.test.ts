import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whoMay } from '../../../src/vocabulary/index.ts'
import { classIn, modelOf, problemsOf } from '../api-files.ts'

const DAY_MS = 86_400_000
const historiesOf = (text: string) => modelOf(text).classes.map(({ name, history }) => [name, history])

// contract: `history: true`, or `history: 90d`
test('history is said for all classes, or for one', () => {
  const classes = `classes:
  A: { properties: { p: string, b: B } }
  B: { collection: false, properties: { p: string } }
  C: { history: false, properties: { p: string } }
  D: { history: 90d, properties: { p: string } }
`
  assert.deepEqual(historiesOf(`history: true\n${classes}`), [
    ['A', { ageMs: undefined }],
    // Embedded values have none of their own.
    ['B', undefined],
    ['C', undefined],
    ['D', { ageMs: 90 * DAY_MS }],
  ])
  assert.deepEqual(historiesOf(`history: 1d\n${classes}`)[0], ['A', { ageMs: DAY_MS }])
  assert.deepEqual(historiesOf(classes)[0], ['A', undefined])
})

test('what is no rule for a history is a problem', () => {
  const withRule = (rule: string) =>
    problemsOf(`history: ${rule}\nclasses: { A: { properties: { p: string } } }`)
  for (const rule of ['0d', '90', '-1d', '90 d', '1w', '100000d', 'yes', '[90d]', '~'])
    assert.deepEqual(withRule(rule), ['1:10 InvalidHistoryRule'], rule)
  const embedded =
    'classes:\n  A: { properties: { b: B } }\n  B: { collection: false, history: true, properties: { p: string } }\n'
  assert.deepEqual(problemsOf(embedded), ['3:27 HistoryOfEmbedded(B)'])
})

test('who may see a history: its rule, then that of the group, and without one who may read', () => {
  const who = (access: string) => {
    const model = modelOf(
      `roles: [a, b]\nhistory: true\nclasses: { A: { access: ${access}, properties: { p: string } } }`,
    )
    assert.ok(classIn(model, 'A').history)
    return whoMay(model.access, 'A', 'history').roles
  }
  assert.deepEqual(who('{ read: a }'), ['a'])
  assert.deepEqual(who('{ view: [a, b], history: b }'), ['b'])
  assert.deepEqual(who('{ view: a }'), ['a'])
  assert.deepEqual(who('{ all: b }'), ['b'])
  const without = problemsOf(
    'roles: [a]\nclasses: { A: { access: { history: a }, properties: { p: string } } }',
  )
  assert.deepEqual(without, ['2:27 RuleWithoutOperation(history)'])
})
