import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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
  const old = new DatabaseSync(join(folder, 'old.db'))
  old.exec(`${codeBlock(PAGE, 'sql', 'authors')}
    INSERT INTO authors VALUES (1, 'Hilary Mantel', x'00');
    INSERT INTO books (id, title, author_id, sequel_to) VALUES (2, 'Bring Up the Bodies', 1, 3), (3, 'Wolf Hall', 1, NULL);
    INSERT INTO genres VALUES ('historical', NULL);
    INSERT INTO book_genres VALUES (2, 'historical');`)
  old.close()
  writeFileSync(join(folder, 'openapi.yaml'), codeBlock(PAGE, 'yaml', 'openapi: 3.1.0'))
  const env = { PATH: `${folder}:${process.env.PATH}` }

  const blocks = codeBlocks(PAGE, 'sh')
  const results = []
  for (const block of blocks) results.push(await run('bash', ['-c', block], { cwd: folder, env }))
  assert.deepEqual(
    results.map(({ status }) => status),
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  )

  const [refused, rerun, csv, spreadsheet, tables, proposed, database, described] = results
  const [fromDocument, fromPipe, written] = results.slice(8)
  assert.ok(refused?.stderr.startsWith(codeBlock(PAGE, 'text', 'library.ndjson:4')), refused?.stderr)
  const { seconds, membersPerSecond, ...tally } = JSON.parse(rerun?.stdout ?? '')
  assert.deepEqual(tally, JSON.parse(codeBlock(PAGE, 'json', 'alreadyThere')))
  for (const added of [csv, spreadsheet, tables]) assert.match(added?.stdout ?? '', /^2 added/)
  assert.match(proposed?.stdout ?? '', /^2 added, 0 already there, 0 refused/m)
  assert.match(database?.stdout ?? '', /^4 added, 0 already there, 0 refused/m)
  const shop = readFileSync(join(folder, 'shop', 'api.yaml'), 'utf8')
  assert.equal(shop.slice(shop.indexOf('classes:')), codeBlock(PAGE, 'yaml', 'rows of book_genres'))
  assert.match(described?.stdout ?? '', /it describes Author, Book, Address\./)
  assert.match(fromDocument?.stdout ?? '', /^2 added/)
  assert.match(fromPipe?.stdout ?? '', /^1 added/)
  assert.equal(written?.stdout, codeBlock(PAGE, 'text', 'members written'))
  assert.match(
    results.at(-1)?.stdout ?? '',
    /^6 members written to books.csv\.\n\{"added":0,"alreadyThere":6,"refused":0,/,
  )
})
