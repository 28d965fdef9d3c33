import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpError } from '../../../src/api/index.ts'
import {
  apiProblem,
  apiViolation,
  fromProgram,
  readProblem,
  validationFailed,
} from '../../../src/api/problems/index.ts'
import { type Problem, problemAt } from '../../../src/problem.ts'
import { RETRY } from './table.ts'

test('the sentence of several violations has all of them, and where each is', () => {
  const problem = validationFailed(
    apiViolation('OperationsNotAList', 'operation'),
    apiViolation('OperationNotAnObject', ''),
  )
  assert.equal(
    readProblem(problem).sentence,
    'operation: must be a list of operations. must be an object with a method and a target.',
  )
  const { sentence, violations, furtherViolations } = readProblem(problem, 1)
  assert.equal(sentence, 'operation: must be a list of operations. And 1 more.')
  assert.deepEqual([violations.length, furtherViolations], [1, 1])
})

test('a problem within a batch names its operation, and one of a query its parameter', () => {
  const inBatch = problemAt(validationFailed(apiViolation('IdTaken', '@id', { id: 'a' })), { operation: 3 })
  const { sentence, violations, at } = readProblem(inBatch)
  assert.equal(sentence, 'operation[3]: @id: a exists already.')
  assert.deepEqual([violations[0]?.propertyPath, at.operation], ['operation[3]/@id', 3])
  const inQuery = apiProblem('Rejected', { sentence: 'no.' }, { at: { parameter: 'page' } })
  assert.equal(readProblem(inQuery).sentence, 'page: no.')
})

test('headers come from the values of a problem', () => {
  const headersOf = (problem: Problem) => readProblem(problem).headers
  assert.deepEqual(headersOf(apiProblem('TooManyBatches', RETRY)), ['Retry-After', '2'])
  assert.deepEqual(headersOf(apiProblem('MethodNotAllowed', { method: 'PUT', allow: 'GET' })), [
    'Allow',
    'GET',
  ])
  assert.deepEqual(
    headersOf(apiProblem('UnsupportedMediaType', { sent: 'a/b', types: ['c/d', 'e/f'], isPatch: true })),
    ['Accept-Patch', 'c/d, e/f'],
  )
  assert.deepEqual(headersOf(apiProblem('ServerFault', { requestId: 'r1' })), ['X-Request-Id', 'r1'])
})

test('what a program throws keeps its own status and sentence, and the code that the API gave it', () => {
  const own = readProblem(fromProgram(new HttpError(409, 'It is shipped.')))
  assert.deepEqual([own.status, own.sentence, own.code], [409, 'It is shipped.', 'Rejected'])
  const passedOn = readProblem(fromProgram(new HttpError(404, 'No member.', { code: 'MemberNotFound' })))
  assert.deepEqual([passedOn.status, passedOn.sentence, passedOn.code], [404, 'No member.', 'MemberNotFound'])
  const unknown = readProblem(fromProgram(new HttpError(418, 'A teapot.', { code: 'Teapot' })))
  assert.deepEqual([unknown.status, unknown.code], [418, 'Rejected'])
})
