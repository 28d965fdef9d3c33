import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isPublicAnswer,
  isTokenRefused,
  latestOf,
  MOST_CHARACTERS,
  mayHaveChanged,
  stepOf,
  type WireEntry,
  withoutParaphrases,
} from '../../../../console/shared/connection/wire-log.ts'

test('a new token or a missing collection is a reason to read the API again', () => {
  const base = 'http://localhost/api'
  const collections = [{ iri: `${base}/books` }]
  const token = { 'x-authorization': '<token>' }
  const basic = { authorization: 'Basic <credentials>', 'x-authentication': '<nonce>' }
  const cases = [
    [`${base}/`, basic, 200, token, true],
    [`${base}/`, basic, 401, { 'x-authentication': '<nonce>' }, false],
    [`${base}/`, basic, undefined, {}, false],
    [`${base}/books?page=2`, token, 404, {}, true],
    [`${base}/books`, token, 200, {}, false],
    [`${base}/books/emma`, token, 404, {}, false],
  ] as const
  for (const [url, requestHeaders, status, responseHeaders, expected] of cases) {
    const seen = { method: 'GET', url, requestHeaders, status, responseHeaders }
    assert.equal(mayHaveChanged(seen, collections), expected, url)
  }
  // What was offered is forbidden now; not for a GET, by which the API is looked at anew.
  for (const method of ['GET', 'DELETE', 'PATCH']) {
    const seen = {
      method,
      url: `${base}/books/emma`,
      requestHeaders: token,
      status: 403,
      responseHeaders: {},
    }
    assert.equal(mayHaveChanged(seen, collections), method !== 'GET', method)
  }
})

test('a record shows which step of the authentication it was', () => {
  const nonce = { 'x-authentication': '<nonce>' }
  const token = { 'x-authorization': '<token>' }
  const basic = { Authorization: 'Basic <credentials>', 'X-Authentication': '<nonce>' }
  const cases = [
    [{}, 401, nonce, 'challenge'],
    [token, 401, nonce, 'challenge'],
    [basic, 200, token, 'exchange'],
    [basic, 401, nonce, 'exchange'],
    [basic, 429, {}, 'exchange'],
    [basic, undefined, {}, 'exchange'],
    [basic, 200, nonce, 'credentials'],
    [{ 'X-Authorization': '<token>' }, 200, {}, 'token'],
    [token, 404, {}, 'token'],
    [token, undefined, {}, 'token'],
    [{}, 200, {}, undefined],
    [{}, undefined, {}, undefined],
  ] as const
  for (const [requestHeaders, status, responseHeaders, step] of cases) {
    assert.equal(stepOf({ requestHeaders, status, responseHeaders }), step)
  }
  assert.equal(isTokenRefused({ requestHeaders: token, status: 401, responseHeaders: nonce }), true)
  assert.equal(isTokenRefused({ requestHeaders: {}, status: 401, responseHeaders: nonce }), false)
  assert.equal(isTokenRefused({ requestHeaders: token, status: 200, responseHeaders: {} }), false)
})

test('the wire log keeps the latest requests: old bodies are dropped first, then whole entries, and short bodies stay', () => {
  const record = (number: number, requestBody: string | undefined, responseBody: string): WireEntry => ({
    number,
    method: 'GET',
    url: 'http://api.test/books',
    requestHeaders: {},
    requestBody,
    status: 200,
    responseHeaders: {},
    responseBody,
    startedAt: 0,
    milliseconds: 1,
  })
  const half = 'x'.repeat(MOST_CHARACTERS / 2)
  let log: readonly WireEntry[] = []
  for (let number = 1; number <= 4; number += 1) log = latestOf([record(number, '{}', half), ...log])
  assert.deepEqual(
    log.map(({ number, requestBody, responseBody, dropped }) => [
      number,
      requestBody,
      responseBody.length,
      dropped,
    ]),
    [
      [4, '{}', half.length, undefined],
      [3, '{}', half.length, undefined],
      [2, '{}', 0, ['response']],
      [1, '{}', 0, ['response']],
    ],
  )
  const [first, second] = latestOf([record(6, undefined, `${half}${half}${half}`), record(5, half, 'short')])
  assert.equal(first?.dropped, undefined)
  assert.deepEqual(
    [second?.requestBody, second?.responseBody, second?.dropped],
    [undefined, 'short', ['request']],
  )
  for (let number = 7; number <= 300; number += 1) log = latestOf([record(number, undefined, ''), ...log])
  assert.deepEqual([log.length, log[0]?.number, log.at(-1)?.number], [200, 300, 101])
})

test('paraphrases in bodies are left out, and nothing else is', () => {
  const base = 'http://localhost/api'
  const hidden = (path: string, requestBody: string | undefined, responseBody = '') => {
    const record = withoutParaphrases({ url: base + path, requestBody, responseBody })
    return [record.requestBody, record.responseBody]
  }
  const made = '{"userId":8,"paraphrase":"a \\"b\\" c","name":"new"}'
  const shown = '{"userId":8,"paraphrase":"<paraphrase>","name":"new"}'
  assert.deepEqual(hidden('/accounts', undefined, made), [undefined, shown])
  assert.deepEqual(hidden('/accounts/8', made), [shown, ''])
  assert.deepEqual(hidden('/accounts/8/paraphrase', '{"current":"a","new":"b"}'), [
    '{"current":"<paraphrase>","new":"<paraphrase>"}',
    '',
  ])
  assert.deepEqual(hidden('/books', '{"new":"b"}', made), ['{"new":"b"}', made])
})

test('an answer is public if it was served without a token, and would depend on one', () => {
  const vary = { vary: 'X-Authorization, X-Authentication, Authorization, Accept' }
  const rows = [
    [{}, 200, vary, true],
    [{}, 200, { vary: 'Accept' }, false],
    [{}, 200, {}, false],
    [{}, 401, vary, false],
    [{ 'x-authorization': '<token>' }, 200, vary, false],
  ] as const
  for (const [requestHeaders, status, responseHeaders, expected] of rows)
    assert.equal(isPublicAnswer({ requestHeaders, status, responseHeaders }), expected)
})
