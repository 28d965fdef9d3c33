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
  writeFileSync(join(folder, 'authors.csv'), codeBlock(PAGE, 'csv', 'bronte'))
  writeFileSync(join(folder, 'novels.csv'), codeBlock(PAGE, 'csv', 'Silas'))
  writeFileSync(join(folder, 'db.json'), codeBlock(PAGE, 'json', 'Cranford'))
  writeFileSync(join(folder, 'more.jsonld'), codeBlock(PAGE, 'jsonld', 'Woolf'))
  const env = { PATH: `${folder}:${process.env.PATH}` }

  const blocks = codeBlocks(PAGE, 'sh')
  const results = []
  for (const block of blocks) results.push(await run('bash', ['-c', block], { cwd: folder, env }))
  assert.deepEqual(
    results.map(({ status }) => status),
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  )

  const [refused, rerun, csv, spreadsheet, tables, proposed, fromDocument, fromPipe, written] = results
  assert.ok(refused?.stderr.startsWith(codeBlock(PAGE, 'text', 'library.ndjson:4')), refused?.stderr)
  const { seconds, membersPerSecond, ...tally } = JSON.parse(rerun?.stdout ?? '')
  assert.deepEqual(tally, JSON.parse(codeBlock(PAGE, 'json', 'alreadyThere')))
  for (const added of [csv, spreadsheet, tables]) assert.match(added?.stdout ?? '', /^2 added/)
  assert.match(proposed?.stdout ?? '', /^2 added, 0 already there, 0 refused/m)
  assert.match(fromDocument?.stdout ?? '', /^2 added/)
  assert.match(fromPipe?.stdout ?? '', /^1 added/)
  assert.equal(written?.stdout, codeBlock(PAGE, 'text', 'members written'))
  assert.match(
    results.at(-1)?.stdout ?? '',
    /^6 members written to books.csv\.\n\{"added":0,"alreadyThere":6,"refused":0,/,
  )
})
