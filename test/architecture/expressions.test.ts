import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafe } from 'redos-detector'
import { expressionsOf } from './expressions.ts'

const OPERATOR = 'of a setting, a command line or the program that calls, never of a request'
const OURS = 'of a text that is written here'
const ONE_START =
  'what may be repeated ends where the next match could begin, so each character is read twice at most'
const NEVER_FAILS = 'its end takes whatever is left, so nothing is tried again'

/** What the checker, which cannot see the text, does not hold to be linear; and why it is all the same. */
const LINEAR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/config/values.ts': { '/^https?:\\/\\/[^/]*:(\\d+)(?:\\/|$)/i': OPERATOR, '/\\/+$/': OPERATOR },
  'src/auth/protection.ts': { '/\\/+$/': OPERATOR },
  'src/client/client.ts': { '/\\/+$/': OPERATOR },
  'console/console.tsx': { '/\\/+$/': OURS },
  'src/cli/usage.ts': { '/\\n\\(Did you mean (.*)\\?\\)$/': OPERATOR, "/=[\\s\\S]*'/": OPERATOR },
  'src/store/address.ts': {
    '/^postgres(?:ql)?:\\/\\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\\/([^/?#@]*))?(?:\\?([^#@]*))?$/': OPERATOR,
    '/:\\d+$/': OPERATOR,
  },
  'src/transfer/tally.ts': { '/ line (\\d+), column /': OURS },
  'src/cli/log.ts': {
    '/[\\da-f]{64}/gi': 'from each place of a target, which has 16 KiB at most, 64 characters',
  },
  'src/api/output/rdf/quads.ts': { '/(\\d)0*e\\+?/': OURS },
  'src/service/console/index-page.ts': { '/<meta name="hydrant-base" content=""\\s*\\/?>/g': OURS },
  'src/members/adopt-value.ts': { '/, not an? [a-z]+\\.$/': OURS },
  'src/members/adopt.ts': { '/\\/[0-9]+(?=\\/)/g': ONE_START },
  'src/api/prefer.ts': { '/"([^"]*)"/g': ONE_START },
  'src/client/entry-point.ts': { '/<([^<>]+)>[^<]*core#apiDoc/': ONE_START },
  'src/client/template.ts': { '/\\{(\\W?)([^{}]+)\\}/g': ONE_START },
  'src/vocabulary/long-form/document.ts': { '/line (\\d+), column (\\d+)/': OURS },
  'src/vocabulary/patterns.ts': {
    "new RegExp(pattern, 'u')": 'shows whether it is one, and is never matched',
    '/`(.*)`$/s': 'of a message that has two backticks',
    '/\\\\u(d[89ab][0-9a-f]{2})\\\\u(d[c-f][0-9a-f]{2})|\\\\p\\{[^}]*\\}|\\\\.|\\(\\?[a-z-]+:|[[\\].]/gis':
      'of a pattern that JavaScript has read: what begins also ends',
  },
  'src/vocabulary/temporal.ts': {
    '/^(-?)P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\\.([0-9]+))?S)?)?$/':
      'six numbers, each read at most three times; only the last has more than nine digits',
  },
  'console/form/checks.ts': {
    '/^-?P(?=[\\dT])(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+(?:\\.\\d+)?S)?)?$/':
      'six numbers, each read at most three times',
  },
  'console/form/date-time-control.tsx': { '/\\.\\d+Z$/': OURS },
  'console/form/violations.ts': { '/^(\\d+)[/.[\\]]*(.*)$/s': NEVER_FAILS },
  'console/table/query.ts': { '/^([^=]*)=?(.*)$/s': NEVER_FAILS },
  'console/search/variables.ts': { '/\\{[+#./;?&]?([^{}]+)\\}/g': ONE_START },
  'console/values/value-text.ts': { '/\\.\\d*[1-9]/': ONE_START },
  'console/member/addresses.ts': {
    '/(https?:\\/\\/[^\\s,;"\'<>)]*[^\\s,;"\'<>).])/':
      'an address that fails has nothing but points before the next blank, among them no other address',
  },
  'console/wire/json-text.ts': {
    '/\\{\\s*\\}|\\[\\s*\\]|"(?:[^"\\\\]|\\\\.)*"|\\s+|[{}[\\],:]/g':
      'of JSON that has been parsed: what begins also ends',
  },
}

test('every regular expression takes linear time', () => {
  const all = [...expressionsOf('tsconfig.json', 'src'), ...expressionsOf('console/tsconfig.json', 'console')]
  assert.ok(all.length > 200, `${all.length} found`)
  const unlisted = all.filter(({ file, text }) => LINEAR[file]?.[text] === undefined)
  const known = new Map([...new Set(unlisted.map(({ text }) => text))].map((text) => [text, isLinear(text)]))
  const found = unlisted.filter(({ text }) => !known.get(text)).map(({ file, text }) => `${file}: ${text}`)
  assert.deepEqual(found, [], 'write it so that nothing is tried again, or list it with the reason')
  const gone = Object.entries(LINEAR).flatMap(([file, texts]) =>
    Object.keys(texts).filter((text) => !all.some((one) => one.file === file && one.text === text)),
  )
  assert.deepEqual(gone, [], 'listed, but not there any more')
})

test('the checker finds what takes the square of the length, also where it looks ahead', () => {
  for (const one of [
    '/.*[:#/]/',
    '/^(.*)\\[(.*)\\]$/s',
    '/^\\s*(?:"[^"]*")?\\s*$/',
    '/\\d+(?=;)/',
    '/^(a+)+$/',
  ])
    assert.equal(isLinear(one), false, one)
  for (const one of ['/^"[^"]*"$/', '/^([^[]*)\\[([^\\]]*)\\]$/', '/[\\p{L}\\d]+/gu'])
    assert.equal(isLinear(one), true, one)
})

/** To the checker, nothing fails at a lookaround: it is shown what is looked for as if it were read, or the end. */
function isLinear(text: string): boolean {
  const end = text.lastIndexOf('/')
  const source = text.slice(1, end)
  const read = source.replaceAll(/\(\?<?=/g, '(?:').replaceAll(/\(\?<?!/g, '(?:$|')
  return [...new Set([source, read])].every(
    (one) => isSafe(new RegExp(one, text.slice(end + 1)), { maxScore: 20 }).safe,
  )
}
