import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { fold, nearest, wordsOf } from '../src/text.ts'

test('text that differs in case alone is folded alike', () => {
  const alike = [
    ['groß', 'GROSS', 'GROẞ', 'gross'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος', 'σίσυφοσ'],
    ['ÉCOLE', 'école'],
    ['ﬁn', 'FIN', 'fin'],
  ]
  for (const texts of alike) assert.equal(new Set(texts.map(fold)).size, 1, texts.join())
})

test('letters that are no variants of each other stay apart', () => {
  for (const [one, other] of [
    ['ı', 'i'],
    ['é', 'e'],
    ['ss', 's'],
  ] as const)
    assert.notEqual(fold(one), fold(other))
})

test('what is folded stays as it is when it is folded again, for every character', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const folded = fold(String.fromCodePoint(code))
    if (fold(folded) !== folded) assert.fail(`U+${code.toString(16)}`)
  }
})

test('words are letters, their marks and digits, whatever stands between them', () => {
  assert.deepEqual(wordsOf('The Lord-of_the “Rings”, 2. Straße'), [
    'the',
    'lord',
    'of',
    'the',
    'rings',
    '2',
    'strasse',
  ])
  assert.deepEqual(wordsOf(' … '), [])
})

describe('nearest', () => {
  const candidates = ['title', 'published', 'author', 'view']
  const cases: [name: string, expected: string | undefined][] = [
    ['titel', 'title'],
    ['Author', 'author'],
    ['publishd', 'published'],
    ['xyzzy', undefined],
    ['', undefined],
    ['veiw', 'view'],
    ['vie', 'view'],
    ['wive', 'view'],
    ['void', undefined],
  ]
  for (const [name, expected] of cases) {
    it(`"${name}" → ${expected}`, () => assert.equal(nearest(name, candidates), expected))
  }

  it('does not choose from nothing, nor compare what nobody typed', () => {
    assert.equal(nearest('a', []), undefined)
    assert.equal(nearest('a'.repeat(1_000_000), candidates), undefined)
  })
})
