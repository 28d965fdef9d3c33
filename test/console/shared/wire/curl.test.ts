import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { RecordedRequest } from '../../../../console/shared/connection/index.ts'
import { asCurl, preparationsFor, quote } from '../../../../console/shared/wire/curl.ts'

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

test('a quoted text is one word for a shell, unchanged, whatever it contains', () => {
  const line = `printf '%s\\0' ${HOSTILE.map(quote).join(' ')}`
  assert.deepEqual(run(line).split('\0').slice(0, -1), HOSTILE)
})

test('a quoted text has no control characters for a terminal', () => {
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

test('a request becomes a curl command, with a variable in place of each secret', () => {
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

test('a command that gets a nonce or a token shows the headers, and one that needs them says how to get them', () => {
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

test('a body that is too long for an argument is piped', () => {
  const requestBody = JSON.stringify({ text: "it's 日".repeat(16_000) })
  const words = wordsOf({ method: 'POST', url: 'http://localhost/api', requestHeaders: {}, requestBody })
  assert.deepEqual(words, ['-X', 'POST', '--data-binary', '@-', 'http://localhost/api', requestBody])
})
