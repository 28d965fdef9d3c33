import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CREDENTIAL_SENTENCES,
  makeParaphrase,
  nameKey,
  readName,
  readParaphrase,
} from '../../src/auth/rules.ts'
import { testSentences } from '../support/sentences.ts'
import { compareTimes, createLeast } from '../support/timing.ts'

interface Row {
  readonly name: string
  readonly text: string
  /** The text as it is taken, or the code of the problem. */
  readonly read: string | { readonly code: string; readonly values?: object }
}

const PARAPHRASES: readonly Row[] = [
  { name: 'a paraphrase is normalised to NFC', text: 'e\u0301', read: '\u00e9' },
  { name: 'an empty paraphrase cannot be set', text: '', read: { code: 'ParaphraseEmpty' } },
  {
    name: 'a paraphrase of 1025 bytes cannot be set',
    text: 'x'.repeat(1025),
    read: { code: 'ParaphraseTooLong', values: { maxBytes: 1024, bytes: 1025 } },
  },
  {
    name: 'the length of a paraphrase is counted in UTF-8',
    text: '\u6b63'.repeat(342),
    read: { code: 'ParaphraseTooLong', values: { maxBytes: 1024, bytes: 1026 } },
  },
  {
    name: 'the length of a paraphrase is that of its NFC',
    text: 'e\u0301'.repeat(512),
    read: '\u00e9'.repeat(512),
  },
  {
    name: 'a paraphrase of 1024 bytes may be combining marks alone, and is put in their order',
    text: '\u0301\u0316'.repeat(256),
    read: '\u0316'.repeat(256) + '\u0301'.repeat(256),
  },
  {
    name: 'a paraphrase whose NFC is longer than 1024 bytes cannot be set',
    text: '\u{1d160}'.repeat(256),
    read: { code: 'ParaphraseTooLong', values: { maxBytes: 1024, bytes: 3072 } },
  },
  {
    name: 'a paraphrase with a line break cannot be set',
    text: 'a\nb',
    read: { code: 'ParaphraseCharacters' },
  },
  {
    name: 'a paraphrase with a byte order mark cannot be set',
    text: 'a\ufeff',
    read: { code: 'ParaphraseCharacters' },
  },
  {
    name: 'a paraphrase with half a surrogate pair cannot be set',
    text: 'a\ud800',
    read: { code: 'ParaphraseCharacters' },
  },
]

const TOO_LONG = { code: 'NameTooLong', values: { maxLength: 200 } }

const NAMES: readonly Row[] = [
  { name: 'an address for e-mail can be a name', text: 'anna@studio.example', read: 'anna@studio.example' },
  { name: 'a name may have blanks', text: 'Anna Berg', read: 'Anna Berg' },
  { name: 'a name is normalised to NFC', text: 'E\u0301mile', read: '\u00c9mile' },
  { name: 'a single letter can be a name', text: 'x', read: 'x' },
  { name: 'a name may begin with digits', text: '7x', read: '7x' },
  { name: 'digits that are not ASCII can be a name', text: '\uff17', read: '\uff17' },
  { name: 'a name may have 200 characters', text: '\u{1f40e}'.repeat(200), read: '\u{1f40e}'.repeat(200) },
  { name: 'its length is that of its NFC', text: 'e\u0301'.repeat(200), read: '\u00e9'.repeat(200) },
  {
    name: 'a name of 200 characters whose NFD has three times as many bytes can be set',
    text: '\u0390'.repeat(200).normalize('NFD'),
    read: '\u0390'.repeat(200),
  },
  { name: 'an empty text is no name', text: '', read: { code: 'NameEmpty' } },
  { name: 'a text of 201 characters is no name', text: 'x'.repeat(201), read: TOO_LONG },
  { name: 'a text of megabytes is no name', text: 'e\u0301'.repeat(1_000_000), read: TOO_LONG },
  { name: 'a text with a colon is no name', text: 'a:b', read: { code: 'NameCharacters' } },
  { name: 'a text with a line break is no name', text: 'a\nb', read: { code: 'NameCharacters' } },
  { name: 'a text with a C1 control is no name', text: 'a\x85', read: { code: 'NameCharacters' } },
  { name: 'a text with half a surrogate pair is no name', text: 'a\ud800', read: { code: 'NameCharacters' } },
  { name: 'digits alone are no name', text: '007', read: { code: 'NameOnlyDigits' } },
]

for (const { name, text, read } of PARAPHRASES) {
  test(name, () => assert.deepEqual(readParaphrase(text), expected('paraphrase', read)))
}

for (const { name, text, read } of NAMES) {
  // contract: A user may have a name
  test(name, () => assert.deepEqual(readName(text), expected('name', read)))
}

const expected = (key: string, read: Row['read']): object =>
  typeof read === 'string' ? { [key]: read } : { problem: { at: {}, values: {}, ...read } }

// contract: A user may have a name: 1 to 200 characters
test('names that people take for the same have one key', () => {
  const same = ['Jos\u00e9 Stra\u00dfe', 'JOSE STRASSE', 'jose\u0301 strasse', '\uff2aosé stra\u1e9ee']
  assert.deepEqual(new Set(same.map(nameKey)), new Set(['jose strasse']))
  assert.notEqual(nameKey('anna'), nameKey('anne'))
})

test('a hostile text of the longest length is read in no time', async () => {
  const hostile = ['\u0301\u0316'.repeat(600), `a${'\u0315\u0300'.repeat(99)}`, '\ufdfa'.repeat(200)]
  await compareTimes(async () => {
    const least = await createLeast(
      hostile.map((text) => () => () => {
        const read = readName(text)
        if ('name' in read) nameKey(read.name)
      }),
    )(20)
    assert.ok(
      least.every((micros) => micros < 2_000),
      `${least} µs`,
    )
  })
})

test('a paraphrase that is made has five words, each with a capital or without, and is never the same', async () => {
  const made = await Promise.all(Array.from({ length: 200 }, makeParaphrase))
  assert.equal(new Set(made).size, 200)
  for (const paraphrase of made) {
    assert.match(paraphrase, /^[A-Za-z][a-z]+(?: [A-Za-z][a-z]+){4}$/)
    assert.deepEqual(readParaphrase(paraphrase), { paraphrase })
  }
  const words = made.flatMap((paraphrase) => paraphrase.split(' '))
  const capitals = words.filter((word) => /^[A-Z]/.test(word)).length
  // 500 of 1,000 on average; the deviation is 16.
  assert.ok(350 < capitals && capitals < 650, `${capitals}`)
  // Of 2,048 words, 1,000 draws hit 791 different ones on average.
  assert.ok(new Set(words.map((word) => word.toLowerCase())).size > 700)
})

describe('sentences about paraphrases and names', () => {
  testSentences(CREDENTIAL_SENTENCES, [
    ['ParaphraseEmpty', {}, 'A passphrase must have at least one character; this one is empty.'],
    [
      'ParaphraseTooLong',
      { maxBytes: 1024, bytes: 1026 },
      'A passphrase must have at most 1024 bytes of UTF-8; this one has 1026.',
    ],
    [
      'ParaphraseCharacters',
      {},
      'A passphrase must have no control characters (no line breaks, no tabs) and no byte order mark.',
    ],
    ['NameEmpty', {}, 'A name must have at least one character; this one is empty.'],
    ['NameTooLong', { maxLength: 200 }, 'A name must have at most 200 characters; this one has more.'],
    ['NameCharacters', {}, 'A name must have no colon and no control characters (no line breaks, no tabs).'],
    [
      'NameOnlyDigits',
      {},
      'A name must have at least one character that is not a digit, since digits alone are an id.',
    ],
  ])
})
