import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSafe } from 'redos-detector'
import { expressionsOf } from './expressions.ts'

const OPERATOR = 'of a setting, a command line or the program that calls, never of a request'
const OURS = 'of a text that is written here'
const ONE_START =
  'what may be repeated ends where the next match could begin, so each character is read twice at most'
const BOUNDED = 'from each place it reads no more than a fixed number of characters'
const NEVER_FAILS = 'its end takes whatever is left, so nothing is tried again'

/** By room: what the checker, which cannot see the text, does not hold to be linear, and why it is all the same. */
const LINEAR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/config': {
    '/(?:^|\\.)(?:\\d+|0x[\\da-f]*)\\.?$/i': OPERATOR,
    '/^https?:\\/\\/[^/]*:(\\d+)(?:\\/|$)/i': OPERATOR,
    '/\\/+$/': OPERATOR,
  },
  'src/auth': {
    '/\\/+$/': OPERATOR,
    '/\\p{M}{31}/u': BOUNDED,
    '/^\\$.*,p=\\d+\\$/': OURS,
    '/%.*$/': 'of an address, which is short',
  },
  'src/cli': {
    '/\\n\\(Did you mean (.*)\\?\\)$/': OPERATOR,
    "/=[\\s\\S]*'/": OPERATOR,
  },
  'src/conform': {
    '/<([^<>]*)>([^<>]*)/g': ONE_START,
    '/;[ \\t]*rel[ \\t]*=[ \\t]*(?:"([^"]*)"|([^\\s",;]+))/i': ONE_START,
    '/\\{([+#./;?&]?)([^{}]*)\\}/g': ONE_START,
  },
  'src/database': {
    '/^postgres(?:ql)?:\\/\\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\\/([^/?#@]*))?(?:\\?([^#@]*))?$/': OPERATOR,
    '/:\\d+$/': OPERATOR,
  },
  'src/service': {
    '/<meta name="hydrant-base" content=""\\s*\\/?>/g': OURS,
    '/(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){64}/': BOUNDED,
    '/(?:[1-9a-f]|%(?:25){0,3}(?:3[1-9]|[46][1-6]))(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){7}(?:-|%(?:25){0,3}2d)(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){4}(?:-|%(?:25){0,3}2d)(?:8|%(?:25){0,3}38)(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){3}(?:-|%(?:25){0,3}2d)(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){4}(?:-|%(?:25){0,3}2d)(?:[\\da-f]|%(?:25){0,3}(?:3\\d|[46][1-6])){12}/':
      BOUNDED,
    '/\\bbasic\\s+[\\w+/=]+/gi': ONE_START,
    '/\\/\\/[^/\\s"@]*@/g': ONE_START,
  },
  'src/members': { '/\\/[0-9]+(?=\\/)/g': ONE_START },
  'src/api': { '/"([^"]*)"/g': ONE_START },
  'packages/client': {
    '/\\/+$/': OPERATOR,
    '/\\{(\\W?)([^{}]+)\\}/g': ONE_START,
    '/\\.([^.\\]]+)$/': ONE_START,
  },
  'packages/mcp': { '/\\{([^{}]+)\\}/g': ONE_START },
  'src/vocabulary': {
    "new RegExp(pattern, 'u')": 'shows whether it is one, and is never matched',
    '/\\\\u(d[89ab][0-9a-f]{2})\\\\u(d[c-f][0-9a-f]{2})|\\\\p\\{[^}]*\\}|\\\\.|\\(\\?[a-z-]+:|[[\\].]/gis':
      'of a pattern that JavaScript has read: what begins also ends',
    '/^(-?)P(?=[0-9T])(?:([0-9]{1,9})Y)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:\\.([0-9]+))?S)?)?$/':
      'six numbers, each read at most three times; only the last has more than nine digits',
  },
  console: {
    '/\\/+$/': OURS,
    '/^-?P(?=[\\dT])(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+(?:\\.\\d+)?S)?)?$/':
      'six numbers, each read at most three times',
    '/\\.\\d+Z$/': OURS,
    '/^([^=]*)=?(.*)$/s': NEVER_FAILS,
    '/\\{[+#./;?&]?([^{}]+)\\}/g': ONE_START,
    '/\\.\\d*[1-9]/': ONE_START,
    '/\\{\\s*\\}|\\[\\s*\\]|"(?:[^"\\\\]|\\\\.)*"|\\s+|[{}[\\],:]/g':
      'of JSON that has been parsed: what begins also ends',
  },
}

/** `src/auth/gate.ts` → `src/auth`; all of the console is one. */
const roomOf = (file: string): string =>
  file.startsWith('console/') ? 'console' : file.split('/').slice(0, 2).join('/')

test('every regular expression takes linear time', () => {
  const all = [
    ...expressionsOf('tsconfig.build.json', 'src'),
    ...expressionsOf('packages/client/tsconfig.json', 'packages/client'),
    ...expressionsOf('packages/mcp/tsconfig.json', 'packages/mcp'),
    ...expressionsOf('console/tsconfig.json', 'console'),
  ]
  assert.ok(all.length > 200, `${all.length} found`)
  const unlisted = all.filter(({ file, text }) => LINEAR[roomOf(file)]?.[text] === undefined)
  const known = new Map([...new Set(unlisted.map(({ text }) => text))].map((text) => [text, isLinear(text)]))
  const found = unlisted.filter(({ text }) => !known.get(text)).map(({ file, text }) => `${file}: ${text}`)
  assert.deepEqual(found, [], 'write it so that nothing is tried again, or list it with the reason')
  const gone = Object.entries(LINEAR).flatMap(([room, texts]) =>
    Object.keys(texts).filter((text) => !all.some((one) => roomOf(one.file) === room && one.text === text)),
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
  // What is put together elsewhere, and the sets of `v`, the checker cannot read.
  if (!/^\/.*\/[^v]*$/s.test(text)) return false
  const end = text.lastIndexOf('/')
  const source = text.slice(1, end)
  // Nothing is repeated; the checker would take its time to find out.
  if (!/[*+{]/.test(source)) return true
  const read = source.replaceAll(/\(\?<?=/g, '(?:').replaceAll(/\(\?<?!/g, '(?:$|')
  return [...new Set([source, read])].every(
    (one) => isSafe(new RegExp(one, text.slice(end + 1)), { maxScore: 20 }).safe,
  )
}
