import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  PROBLEM_TYPES,
  readProblem,
  titleOf,
  VIOLATION_CODES,
  validationFailed,
} from '../../../src/api/problems/index.ts'
import { ACCOUNT_SENTENCES, ACCOUNT_VIOLATION_SENTENCES } from './accounts.ts'
import { BATCH_SENTENCES, BATCH_VIOLATION_SENTENCES } from './batch.ts'
import { DATABASE_SENTENCES } from './database.ts'
import { FEED_SENTENCES } from './feed.ts'
import { HISTORY_SENTENCES } from './history.ts'
import { HTTP_SENTENCES } from './http.ts'
import { QUERY_SENTENCES } from './query.ts'
import { REQUEST_SENTENCES } from './request.ts'
import { SERVER_SENTENCES, SERVER_VIOLATION_SENTENCES } from './server.ts'
import { SUMMARY_SENTENCES } from './summary.ts'
import { VALUE_SENTENCES, VALUE_VIOLATION_SENTENCES } from './values.ts'
import { WRITE_SENTENCES } from './write.ts'

// Each sentence is asserted in one of these tables, once; other tests compare codes.

const SENTENCES = [
  ...HTTP_SENTENCES,
  ...REQUEST_SENTENCES,
  ...QUERY_SENTENCES,
  ...SUMMARY_SENTENCES,
  ...FEED_SENTENCES,
  ...HISTORY_SENTENCES,
  ...VALUE_SENTENCES,
  ...WRITE_SENTENCES,
  ...BATCH_SENTENCES,
  ...SERVER_SENTENCES,
  ...DATABASE_SENTENCES,
  ...ACCOUNT_SENTENCES,
]

const VIOLATIONS = [
  ...VALUE_VIOLATION_SENTENCES,
  ...BATCH_VIOLATION_SENTENCES,
  ...SERVER_VIOLATION_SENTENCES,
  ...ACCOUNT_VIOLATION_SENTENCES,
]

for (const [problem, status, sentence] of SENTENCES) {
  test(`${problem.code}: ${sentence.slice(0, 60)}`, () => {
    const read = readProblem(problem)
    assert.deepEqual([read.status, read.sentence], [status, sentence])
  })
}

for (const [violation, message] of VIOLATIONS) {
  const { code, at } = violation
  test(`${code} at ${at.property || 'the whole'}: ${message.slice(0, 60)}`, () => {
    const read = readProblem(validationFailed(violation))
    assert.equal(read.code, 'ValidationFailed')
    assert.deepEqual(read.violations, [{ propertyPath: at.property ?? '', message, code }])
  })
}

test('every problem and every violation has a sentence in a table', () => {
  const asserted = new Set(SENTENCES.map(([{ code }]) => code))
  const missing = PROBLEM_TYPES.map(({ code }) => code).filter((code) => !asserted.has(code))
  // Made of its violations.
  assert.deepEqual(missing, ['ValidationFailed'])
  const violations = new Set(VIOLATIONS.map(([{ code }]) => code))
  assert.deepEqual(
    VIOLATION_CODES.filter((code) => !violations.has(code)),
    [],
  )
})

test('every problem has a title and what to do', () => {
  for (const { code, title, help } of PROBLEM_TYPES) {
    assert.match(title, /^[A-Z]/, code)
    assert.match(help, /^[A-Z].*\.$/, code)
  }
  assert.deepEqual(
    [
      'BodyTooLong',
      'BodyNotUtf8',
      'TooManyEtags',
      'UnsupportedHttpVersion',
      'ApiFileChanging',
      'TooMuchJsonLd',
    ].map(titleOf),
    [
      'Body too long',
      'Body not UTF-8',
      'Too many ETags',
      'Unsupported HTTP version',
      'API file changing',
      'Too much JSON-LD',
    ],
  )
})
