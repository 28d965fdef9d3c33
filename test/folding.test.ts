import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fold, wordsOf } from '../src/folding.ts'
import { ROOT } from './support/markdown.ts'
import { inSoak } from './support/soak.ts'
import { compareTimes, createLeast } from './support/timing.ts'

// contract: Folded text is NFKD, without the combining marks
test('text is folded as people compare it', () => {
  const table: readonly [folded: string, ...texts: string[]][] = [
    ['muller', 'Müller', 'MÜLLER', 'Mu\u0308ller', 'muller'],
    ['ostby', 'Østby', 'Östby', 'ostby'],
    ['gross', 'groß', 'GROSS', 'GROẞ', 'gross'],
    ['σισυφοσ', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'σίσυφοσ'],
    ['οδοσ', 'ΟΔΟΣ', 'οδός'],
    ['ωδη', 'ᾨΔΉ', 'ᾠδή'],
    ['елка', 'Ёлка', 'ЕЛКА'],
    ['istanbul', 'İstanbul', 'ıstanbul', 'ISTANBUL'],
    ['viet', 'Việt', 'VIỆT'],
    ['dang', 'Đặng'],
    ['fin', 'ﬁn', 'FIN', 'ＦＩＮ', '𝐟𝐢𝐧'],
    ['aether', 'Æther'],
    ['oeuvre', 'Œuvre'],
    ['thor', 'Þór'],
    ['gudrun', 'Guðrún'],
    ['lodz', 'Łódź'],
    ['hamra', 'Ħamra'],
    ['tsapmi', 'Ŧsápmi'],
    ['nga', 'Ŋga'],
    ['o', 'ǿ', 'ɔ', 'Ɵ'],
    ['1⁄2', '½'],
    // The first and the last of each block of letters.
    ['d', 'ð', 'ᶑ'],
    ['ae', 'æ'],
    ['l', 'Ⱡ', 'ⱡ'],
    ['o', 'ⱺ'],
    ['q', 'ʠ'],
    ['s', 'ẜ'],
    ['y', 'ỿ', 'ꭚ'],
    ['tz', 'ꜩ'],
    ['u', 'Ꞹ', 'ᶙ'],
    ['e', 'ꬴ'],
    ['ue', 'ᵫ'],
  ]
  for (const [folded, ...texts] of table) for (const text of texts) assert.equal(fold(text), folded, text)
})

// contract: Folded text is NFKD, without the combining marks
test('letters that are no variants of each other stay apart, and marks of other scripts stay', () => {
  for (const [one, other] of [
    ['ss', 's'],
    ['كِتَاب', 'كتاب'],
    ['שָׁלוֹם', 'שלום'],
    ['हिन्दी', 'हनद'],
    ['น้ำ', 'นำ'],
    ['が', 'か'],
    ['パ', 'ハ'],
    ['한', '하'],
    ['й', 'j'],
  ] as const)
    assert.notEqual(fold(one), fold(other))
})

test('folding takes linear time, whatever the marks and ligatures', async () => {
  for (const part of ['\u0628\u0301\u0323', '\u0301\u0323', '\u1d15e', '\ufdfa', 'a\u0301']) {
    const folding = (length: number) => () => {
      const text = part.repeat(length)
      return () => fold(text)
    }
    const least = createLeast([folding(2_000), folding(40_000)])
    await compareTimes(async () => {
      const [short, long] = await least(3)
      assert.ok(long <= 100 * short + 5_000, `${JSON.stringify(part)}: ${short} µs, ${long} µs`)
    })
  }
})

test('a character that stands for a sentence is written out, up to a hundred of them in one text', () => {
  const sentence = 'صلى الله عليه وسلم'
  assert.equal(fold('\ufdfa'), sentence)
  assert.equal(fold('é\ufdfa'.repeat(102)), `${`e${sentence}`.repeat(100)}e\ufdfae\ufdfa`)
})

test('docs/requests.md lists how letters are written out', () => {
  const table =
    readFileSync(join(ROOT, 'docs/requests.md'), 'utf8').match(/\| letter \| as \|\n(?:\|.*\n)+/)?.[0] ?? ''
  const rows = table.split('\n').slice(2, -1)
  assert.equal(rows.length, 4)
  for (const row of rows) {
    const [letters = [], written = []] = row
      .split(' | ')
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one))
    assert.deepEqual(letters.map(fold), written)
  }
})

test('what is folded stays as it is when it is folded again, for every character', () => {
  // Beyond are ideographs, which stay as they are, and characters for private use.
  for (let code = 0; code <= inSoak(0x10ffff, 0x1ffff); code += 1) {
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
  // A mark that stands alone is no word, and belongs to none behind it.
  assert.deepEqual(wordsOf('Mc´Donald \u0301'), ['mc', 'donald'])
  assert.deepEqual(
    wordsOf('שָׁלוֹם, हिन्दी 東京\u{1e900}'),
    ['שָׁלוֹם', 'हिन्दी', '東京\u{1e922}'].map((word) => word.normalize('NFKD')),
  )
})
