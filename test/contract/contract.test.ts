import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { NOTHING } from './nothing.ts'
import { readSentences } from './sentences.ts'

// The tests that hold a sentence or table row of docs/contract/ name it by its first words, on a line above them:
// `// contract: ETags are strong`. So a test is renamed or moved in one place.

/** What follows the first words of a sentence must not change unnoticed. */
const HASHES = {
  seed: 'dc248af02ba442a7',
  authentication: 'd9b01c7ba78ea0b0',
  hypermedia: '110ce19427c0b24a',
  model: 'deb738eef962002f',
  asking: '244895963b7e2108',
  'command-line': 'f224343d76b9ba26',
  access: 'e23dd2b1b0a18d02',
  people: '764eb42621e567fc',
  history: 'e2d77f7b00ddbc47',
  live: '596a0db2ace48465',
  library: '8f17e73158f70cbe',
  hosts: 'e2756685ae723971',
  agents: '7a5b50c4c235a734',
}
const pages = Object.entries(HASHES).map(([name, hash]) => {
  const text = readFileSync(join(ROOT, 'docs/contract', `${name}.md`), 'utf8')
  return { name, hash, text, sentences: readSentences(text).map((sentence) => sentence.text) }
})

/** The sentence that begins so, where it is one alone. */
function findSentence(words: string): string | undefined {
  const sentences = new Set(pages.flatMap((page) => page.sentences))
  if (sentences.has(words)) return words
  const [found, more] = [...sentences].filter((text) => text.startsWith(words))
  return more === undefined ? found : undefined
}

const TAG = /^[ \t]*\/\/ contract: (.+)\n(?=(.*))/gm
const tags = globSync('test/**/*.test.ts', { cwd: ROOT }).flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(TAG)].map(([, words = '', next = '']) => ({
    file,
    words,
    next,
  })),
)

for (const { name, hash, text, sentences } of pages) {
  test(`docs/contract/${name}.md is the text that tests were written for`, () => {
    const found = createHash('sha256').update(text).digest('hex').slice(0, 16)
    assert.equal(found, hash, 'go through the tests of what has changed, then pin it')
  })

  test(`every sentence and table row of docs/contract/${name}.md is held by a test, or states nothing`, () => {
    const named = new Set([...tags.map(({ words }) => words), ...Object.keys(NOTHING)].map(findSentence))
    assert.deepEqual(
      sentences.filter((sentence) => !named.has(sentence)),
      [],
    )
  })
}

test('every line that names a sentence of the contract stands above a test, and names one', () => {
  const wrong = tags.filter(
    ({ words, next }) =>
      findSentence(words) === undefined || !/\b(?:soakT|t)est\(|\bname:|^\s*\{$|\/\/ contract: /.test(next),
  )
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    Object.keys(NOTHING).filter((words) => findSentence(words) === undefined),
    [],
  )
})
