import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import {
  isTokenRefused,
  latestOf,
  MOST_CHARACTERS,
  type RecordedRequest,
  stepOf,
  type WireEntry,
} from '../../console/shared/connection/wire-log.ts'
import { asCurl, preparationsFor, quote } from '../../console/shared/wire/curl.ts'
import { indented } from '../../console/shared/wire/json-text.ts'

const HOSTILE = [
  '',
  'plain',
  'two words',
  "it's",
  "'; echo hacked; '",
  '$(echo hacked) `echo hacked` $HOME $1',
  '"double" and \\ backslash \\n',
  'hist!ory !! !$',
  'line\nend\n',
  '\n',
  '#comment ~ * ? [a-z] {a,b} <in >out | & ;',
  '-n',
  '@file',
  'tab\there, return\rthere',
  '\u001b[201~\necho hacked',
  '\u009b201~ and \u007f',
  '\u202etxt.exe\u202c \u2028 \u200b',
  'Žluťoučký kůň 🐎 日本語',
  '%s %d %%',
  '=cmd',
  "''",
]

/** Everything that a shell does with a line, but the request. */
const run = (line: string, environment: Record<string, string> = {}): string =>
  execFileSync('sh', { input: line, encoding: 'utf8', env: { PATH: process.env.PATH, ...environment } })

test('a quoted text is one word of a shell, character by character, whatever it contains', () => {
  const line = `printf '%s\\0' ${HOSTILE.map(quote).join(' ')}`
  assert.deepEqual(run(line).split('\0').slice(0, -1), HOSTILE)
})

test('a quoted text has no character that a terminal would obey', () => {
  for (const text of HOSTILE) assert.doesNotMatch(quote(text).replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
})

/** The words that curl would get, and what comes through a pipe. */
function wordsOf(sent: RecordedRequest): readonly string[] {
  const curl = `curl() { printf '%s\\0' "$@"; case " $* " in *" @- "*) cat ;; esac; }\n`
  const secrets = { TOKEN: 'abc', NONCE: 'n-1', USER_ID: '7', PARAPHRASE: "it's $(mine)" }
  return run(curl + asCurl(sent), secrets)
    .split('\0')
    .filter(Boolean)
}

test('a request becomes a command with a variable for each secret and its other words as they are', () => {
  const base = 'http://localhost:8080/api'
  const json = { 'content-type': 'application/merge-patch+json' }
  const body = `{"title": "It's $(rm -rf /) !! \\"\n"}`
  const cases: readonly (readonly [Partial<RecordedRequest>, readonly string[]])[] = [
    [{}, [`${base}/books`]],
    [{ requestHeaders: { 'x-authorization': '<token>' } }, ['-H', 'X-Authorization: abc', `${base}/books`]],
    [
      { requestHeaders: { 'X-Authentication': '<nonce>', Authorization: 'Basic <credentials>' } },
      ['-H', 'X-Authentication: n-1', '-u', "7:it's $(mine)", `${base}/books`],
    ],
    [
      { method: 'PATCH', requestHeaders: { ...json, 'If-Match': '"a\'b"' }, requestBody: body },
      [
        '-X',
        'PATCH',
        '-H',
        'content-type: application/merge-patch+json',
        '-H',
        `If-Match: "a'b"`,
        '--data-raw',
        body,
        `${base}/books`,
      ],
    ],
    [
      { method: 'POST', requestBody: '@/etc/passwd' },
      ['-X', 'POST', '--data-raw', '@/etc/passwd', `${base}/books`],
    ],
    [{ method: 'DELETE' }, ['-X', 'DELETE', `${base}/books`]],
    [{ method: 'HEAD' }, ['--head', `${base}/books`]],
    [{ method: '$(id)' }, ['-X', '$(id)', `${base}/books`]],
    [
      { url: `${base}/books?order[title]=asc&q=it's+$(id)` },
      ['--globoff', `${base}/books?order[title]=asc&q=it's+$(id)`],
    ],
    [{ requestHeaders: { 'x-empty': '' } }, ['-H', 'x-empty;', `${base}/books`]],
  ]
  for (const [sent, words] of cases) {
    const whole = { method: 'GET', url: `${base}/books`, requestHeaders: {}, requestBody: undefined, ...sent }
    assert.deepEqual(wordsOf(whole), words)
  }
})

test('where a nonce or a token is issued the command shows the headers, and what needs one is told how to get it', () => {
  const sent = { method: 'GET', url: 'http://localhost/api/', requestHeaders: {}, requestBody: undefined }
  assert.equal(asCurl(sent, { showHeaders: true }), 'curl -i \\\n  http://localhost/api/')
  const base = "http://localhost/it's"
  const linesFor = (...names: readonly string[]) =>
    preparationsFor({ requestHeaders: Object.fromEntries(names.map((name) => [name, ''])) }, base)
  const [nonce = '', token = ''] = linesFor('accept', 'X-Authorization')
  assert.deepEqual(linesFor('accept'), [])
  assert.deepEqual(linesFor('authorization', 'x-authentication'), [nonce])
  const curl = `curl() { printf '<%s>' "$@"; }\n`
  assert.equal(
    run(`${curl}${nonce}; printf %s "$NONCE"`),
    `<-s><-o></dev/null><-w><%header{x-authentication}><${base}/>`,
  )
  assert.equal(
    run(`${curl}${token}; printf %s "$TOKEN"`, { USER_ID: '7', PARAPHRASE: 'a b', NONCE: 'n-1' }),
    `<-s><-o></dev/null><-w><%header{x-authorization}><-u><7:a b><-H><X-Authentication: n-1><${base}/>`,
  )
})

test('a body that is too long for an argument comes through a pipe', () => {
  const requestBody = JSON.stringify({ text: "it's 日".repeat(16_000) })
  const words = wordsOf({ method: 'POST', url: 'http://localhost/api', requestHeaders: {}, requestBody })
  assert.deepEqual(words, ['-X', 'POST', '--data-binary', '@-', 'http://localhost/api', requestBody])
})

test('JSON is indented and otherwise left as it was sent', () => {
  const text = '{"a":[1.50,12345678901234567890,-0, 1e3],"b{":"x\\"},[:","c":{},"d":[ ],"e":{"f":null}}'
  const shown = indented(text)
  assert.equal(
    shown,
    `{
  "a": [
    1.50,
    12345678901234567890,
    -0,
    1e3
  ],
  "b{": "x\\"},[:",
  "c": {},
  "d": [],
  "e": {
    "f": null
  }
}`,
  )
  assert.equal(indented(shown), shown)
  assert.equal(indented('"text"'), '"text"')
  assert.equal(indented('{"cut": '), undefined)
  assert.equal(indented('<html>'), undefined)
})

test('a record tells which step of the procedure it was', () => {
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

test('the wire keeps what was said last: old bodies go first, then the rest, and short ones stay', () => {
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
