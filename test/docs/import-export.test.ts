import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeBlock, codeBlocks } from '../support/markdown.ts'
import { HYDRANT, run } from '../support/processes.ts'
import { temporaryFolder } from '../support/service.ts'

const PAGE = 'docs/import-export.md'

test('every command of docs/import-export.md works as printed, one after the other', async (t) => {
  const folder = temporaryFolder(t)
  const command = join(folder, 'hydrant')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${HYDRANT}' "$@"\n`)
  chmodSync(command, 0o755)
  writeFileSync(join(folder, 'api.yaml'), codeBlock(PAGE, 'yaml', 'Library'))
  writeFileSync(join(folder, 'library.ndjson'), codeBlock(PAGE, 'ndjson', 'Austen'))
  writeFileSync(join(folder, 'more.jsonld'), codeBlock(PAGE, 'jsonld', 'Woolf'))
  const env = { PATH: `${folder}:${process.env.PATH}` }

  const [first, again, more, pipe, exported, roundTrip, ...others] = codeBlocks(PAGE, 'sh')
  assert.deepEqual(others, [])
  const results = []
  for (const block of [first, again, more, pipe, exported, roundTrip])
    results.push(await run('bash', ['-c', block ?? ''], { cwd: folder, env }))
  assert.deepEqual(
    results.map(({ status }) => status),
    [1, 0, 0, 0, 0, 0],
  )

  const [refused, rerun, fromDocument, fromPipe, written] = results
  assert.ok(refused?.stderr.startsWith(codeBlock(PAGE, 'text', 'library.ndjson:4')), refused?.stderr)
  const { seconds, membersPerSecond, ...tally } = JSON.parse(rerun?.stdout ?? '')
  assert.deepEqual(tally, JSON.parse(codeBlock(PAGE, 'json', 'alreadyThere')))
  assert.match(fromDocument?.stdout ?? '', /^2 added/)
  assert.match(fromPipe?.stdout ?? '', /^1 added/)
  assert.equal(written?.stdout, codeBlock(PAGE, 'text', 'members written'))
})
