import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../support/markdown.ts'
import { AUTHENTICATION } from './authentication.ts'
import { COMMAND_LINE } from './command-line.ts'
import { HYPERMEDIA } from './hypermedia.ts'
import { SEED } from './seed.ts'
import { readSentences } from './sentences.ts'

/** `hash`: rows name sentences by their first words; what follows those must not change unnoticed. */
const PAGES = [
  { page: 'docs/contract/seed.md', rows: SEED, hash: 'dc248af02ba442a7' },
  { page: 'docs/contract/authentication.md', rows: AUTHENTICATION, hash: '45afabcfe8f35d27' },
  { page: 'docs/contract/hypermedia.md', rows: HYPERMEDIA, hash: '007b084332728174' },
  { page: 'docs/contract/command-line.md', rows: COMMAND_LINE, hash: 'edf3aaf056966f53' },
]

/** Tests are named by literals, so that this can find them: `test('…'` or `name: '…'` in a table. */
function testNames(): Set<string> {
  const names = new Set<string>()
  for (const file of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts')) continue
    const text = readFileSync(join(ROOT, 'test', file), 'utf8')
    for (const [, , name] of text.matchAll(/(?:\btest\(|\bname:)\s*(['"`])((?:(?!\1).)+)\1/g))
      names.add(name as string)
  }
  return names
}

for (const { page, rows, hash } of PAGES) {
  test(`${page} is the text that its rows were written for`, () => {
    const text = readFileSync(join(ROOT, page))
    assert.equal(
      createHash('sha256').update(text).digest('hex').slice(0, 16),
      hash,
      'go through its rows, then pin it',
    )
  })

  test(`every sentence and table row of ${page} has its row in the table`, () => {
    const sentences = readSentences(readFileSync(join(ROOT, page), 'utf8'))
    sentences.forEach(({ heading, text }, index) => {
      const row = rows[index]
      assert.ok(
        row && text.startsWith(row.says),
        `${page}, ${heading}: no row for "${text}", but one for "${row?.says}"`,
      )
    })
    assert.equal(rows.length, sentences.length)
  })

  test(`every row of ${page} names tests that exist, or says why there is nothing to hold`, () => {
    const names = testNames()
    const missing = rows.flatMap(({ says, heldBy, holdsNothing }) =>
      heldBy.length === 0 && holdsNothing === undefined
        ? [`${says}: held by nothing`]
        : heldBy.filter((name) => !names.has(name)).map((name) => `${says}: there is no test "${name}"`),
    )
    assert.deepEqual(missing, [])
  })
}
