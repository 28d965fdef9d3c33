import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hydrant } from '../../support/processes.ts'
import { serve } from '../../support/service.ts'
import { inSoak } from '../../support/soak.ts'
import { folderWithApi } from '../command.ts'

const MEMBERS = inSoak(3_000, 1_500)

test('an import into a database that is being served, and written to, loses nothing of either', async (t) => {
  const folder = folderWithApi(t)
  const lines = Array.from({ length: MEMBERS }, (_, id) => `{"@type":"Author","name":"imported ${id}"}\n`)
  writeFileSync(join(folder, 'data.ndjson'), lines.join(''))
  const { base } = await serve(t, { db: `sqlite:${join(folder, 'hydrant.db')}`, flags: { auth: 'off' } })
  let imported: Awaited<ReturnType<typeof hydrant>> | undefined
  const importing = hydrant(['import', 'api.yaml', 'data.ndjson', '--json'], { cwd: folder }).then(
    (finished) => {
      imported = finished
    },
  )

  let posted = 0
  while (imported === undefined) {
    const response = await fetch(`${base}/authors`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `posted ${posted}` }),
    })
    assert.equal(response.status, 201, await response.text())
    posted++
  }
  await importing
  assert.equal(imported.status, 0, imported.stderr)
  assert.equal(JSON.parse(imported.stdout).added, MEMBERS)
  const collection = (await (await fetch(`${base}/authors`)).json()) as { totalItems: number }
  assert.equal(collection.totalItems, MEMBERS + posted)
})
