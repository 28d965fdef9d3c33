import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProblem } from '../../../src/api/problems/index.ts'
import { JsonError, readJson } from '../../../src/json.ts'

/** The answer to a text that is not JSON. */
function answerTo(text: string): [status: number, sentence: string] {
  try {
    readJson(text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { status, sentence } = readProblem(error)
    return [status, sentence]
  }
  return assert.fail(`accepted ${text}`)
}

const REPEATED = '{"a": 1,\n "a": 2}'

test('a text that is not JSON is 400 that says where, and what is expected there', () => {
  const table: [text: string, sentence: string][] = [
    ['', 'This is not JSON: at line 1, column 1 it ends where a value is expected.'],
    [
      '{"title": tru}',
      'This is not JSON: at line 1, column 11 there is "t" where a value is expected; write texts in double quotes, and true, false and null in lower case.',
    ],
    [
      'not json',
      'This is not JSON: at line 1, column 1 there is "n" where a value is expected; write texts in double quotes, and true, false and null in lower case.',
    ],
    [
      "['a']",
      `This is not JSON: at line 1, column 2 there is "'" where a value is expected; write texts in double quotes, and true, false and null in lower case.`,
    ],
    ['[1,\n]', 'This is not JSON: at line 2, column 1 there is "]" where a value is expected.'],
    ['[1 2]', 'This is not JSON: at line 1, column 4 there is "2" where a comma or "]" is expected.'],
    ['{"a":1 2', 'This is not JSON: at line 1, column 8 there is "2" where a comma or "}" is expected.'],
    ['{a', 'This is not JSON: at line 1, column 2 there is "a" where a key in double quotes is expected.'],
    ['{"a"1', 'This is not JSON: at line 1, column 5 there is "1" where a colon is expected.'],
    [
      '1.',
      'This is not JSON: at line 1, column 3 it ends where a digit after the decimal point is expected.',
    ],
    ['"a', 'This is not JSON: at line 1, column 3 it ends where a closing quote is expected.'],
    [REPEATED, 'The key "a" is in one object twice, again at line 2, column 2; send it once.'],
    ['['.repeat(33), 'The JSON is nested more than 32 levels deep at line 1, column 33.'],
  ]
  for (const [text, sentence] of table) assert.deepEqual(answerTo(text), [400, sentence])
})
