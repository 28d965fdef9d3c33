// Writes the fixtures anew from what is served: node test/clients/fixtures.ts
// Look at what has changed before you keep it: every line is a promise to clients that read RDF.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { representedKinds } from './representations.ts'

test('the fixtures are written', async (t) => {
  const folder = join(import.meta.dirname, 'fixtures')
  const kinds = await representedKinds(t)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, quads] of kinds) writeFileSync(join(folder, `${name}.nq`), `${quads.join('\n')}\n`)
})
