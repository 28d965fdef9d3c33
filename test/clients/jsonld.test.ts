import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertSame } from '../api/rdf-text.ts'
import { representedKinds } from './representations.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

// contract: What is served must be right twice
// contract: `@api-platform/api-doc-parser`, the data provider of `@api-platform/admin`
test('jsonld reads the recorded quads from each kind of response', async (t) => {
  const kinds = await representedKinds(t)
  const fixtures = readdirSync(FOLDER).map((file) => file.replace(/\.nq$/, ''))
  assert.deepEqual(fixtures.sort(), [...kinds.keys()].sort())
  for (const [name, quads] of kinds) {
    const expected = readFileSync(join(FOLDER, `${name}.nq`), 'utf8')
      .trimEnd()
      .split('\n')
    assertSame(quads, expected, `${name}; if this is meant: node test/clients/fixtures.ts`)
  }
})
