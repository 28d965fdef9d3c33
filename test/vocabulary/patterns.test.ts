import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern, findPatternProblem } from '../../src/vocabulary/patterns.ts'
import { compareTimes, createLeast } from '../support/timing.ts'

const TEXTS = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'aab',
    'a\rb',
    'a\u2028b',
    'a\nb',
    'one two',
    'x@example.org',
    'aaaa!',
    'ABBA',
    '9',
    '_',
    '-',
  ],
  ...[
    '\0',
    '\b',
    '\t',
    '\n',
    '\v',
    '\f',
    '\r',
    ' ',
    '\x1f',
    '\x85',
    '\xa0',
    '\u1680',
    '\u180e',
    '\u200b',
    '\u2028',
  ],
  ...[
    '\u2060',
    '\u3000',
    '\ufefe',
    '\ufeff',
    '\uff00',
    '\u{10ffff}',
    '/',
    '[',
    ']',
    '[a]',
    ':',
    '.',
    '^',
    '$',
    '\\',
  ],
  ...['é', 'É', 'e\u0301', 'Ω', 'α', 'İ', 'ſ', 'K', 'K', '漢', '😀', 'a😀', '😐', '１'],
]

test('a pattern means what JSON Schema says: ECMA-262 with the u flag, anywhere in the text', () => {
  const patterns = [
    ...[
      '^[0-9X-]+$',
      '^a.b$',
      '.',
      '^.$',
      'b',
      '^$',
      'a|b|',
      'a??',
      'a{2,}',
      '(a+)+$',
      '^[^@ ]+@[^@ ]+\\.[a-z]+$',
    ],
    ...[
      '\\s',
      '^\\s+$',
      '^\\S+$',
      '[\\s]',
      '[^\\s]',
      '[\\S]',
      '[^\\S]',
      '[\\s\\d]',
      '\\w+\\s\\w+',
      'a\\Bb',
      '\\ba\\b',
    ],
    ...[
      '\\d',
      '[\\D]',
      '[^\\W]',
      '[\\b]',
      '\\cA',
      '\\0',
      '\\v',
      '\\xe9',
      '\\u00e9',
      '\\u{1F600}',
      '\\uD83D\\uDE00',
    ],
    ...[
      '[\\uD83D\\uDE00-\\uD83D\\uDE10]',
      '[\\u{61}-\\u{63}]',
      '[\\x00-\\x1f]',
      '\\ufeff',
      '\\/',
      '[\\-a]',
      '\\\\.',
    ],
    ...[
      '[]',
      '^[^]$',
      '[[a]',
      '[[]',
      '[[:a]',
      '[\\]a]',
      '[^[]',
      '\\[.\\]',
      '[.]',
      '[^.]',
      '[(?s:.]',
      '(?<n>a)b',
      '(?i:k)',
    ],
    ...['\\p{L}+', '^\\p{Letter}$', '\\P{Letter}', '[\\p{Letter}\\p{Nd}]', '[^\\P{Lu}]', '\\p{Script=Greek}'],
    ...[
      '\\p{sc=Greek}',
      '\\p{gc=Lu}',
      '\\p{Alphabetic}',
      '\\p{Emoji}',
      '\\p{Cased_Letter}',
      '\\p{Any}',
      '\\p{Other}',
    ],
  ]
  for (const pattern of patterns) {
    assert.equal(findPatternProblem(pattern), undefined, pattern)
    const linear = compilePattern(pattern)
    const native = new RegExp(pattern, 'u')
    for (const text of TEXTS) {
      assert.equal(linear.test(text), native.test(text), `${pattern} on ${JSON.stringify(text)}`)
    }
  }
})

test('what takes more than linear time is no pattern, and the sentence names it', () => {
  const table: [pattern: string, part: string][] = [
    ['^(?=a)', '(?='],
    ['^(?!a)', '(?!'],
    ['(?<=a)b', '(?<=a)b'],
    ['(?<!a)b', '(?<!a)b'],
    ['(a)\\1', '\\1'],
    ['(?<n>a)\\k<n>', '\\k'],
    ['a{1001}', '{1001}'],
    ['((a{0,100}){0,100}){0,100}', '{0,100}'],
    ['(?s:.)', '(?s:'],
    ['(?m-i:^a)', '(?m-i:'],
    ['\\p{Script_Extensions=Greek}', '\\p{Script_Extensions=Greek}'],
  ]
  for (const [pattern, part] of table) {
    assert.deepEqual(findPatternProblem(pattern), { code: 'UnsupportedPattern', values: { part } }, pattern)
  }
  for (const pattern of ['[', '\\-', 'a{2', '(?<n>a', '\\p{Nothing}', '[[:alpha:]]'])
    assert.equal(findPatternProblem(pattern)?.code, 'InvalidPattern', pattern)
})

test('a text that is a hundred times as long takes no more than a thousand times as long', async () => {
  // To an engine that goes back, these are exponential, or at least the square of the length.
  for (const pattern of ['^(a+)+$', '^(a|aa)+$', 'a*a*a*b', '(.*)(.*)(.*)x$', '(a|a)*b']) {
    const expression = compilePattern(pattern)
    const match = (length: number) => () => {
      const text = `${'a'.repeat(length)}!`
      return () => expression.test(text)
    }
    const least = createLeast([match(10_000), match(1_000_000)])
    await compareTimes(async () => {
      const [short, long] = await least(1)
      assert.ok(long < 1_000 * (short + 50), `${pattern}: ${short} µs, then ${long} µs`)
    })
  }
})
