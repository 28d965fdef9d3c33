import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openProtection } from '../../src/auth/middleware.ts'
import { errorOf, failureOf } from '../../src/database/sqlite/errors.ts'
import { Problem } from '../../src/problem.ts'
import { linesOf } from '../../src/service/problems/index.ts'
import { temporaryFolder } from '../support/folders.ts'

const FILE = { path: 'a.db', source: 'db' }
const WITHOUT_INDEX =
  'a search that no index answers (contains, ne, an exact count, or several filters at once)'

/** Those that no other test reads. */
const SENTENCES: readonly (readonly [code: string, values: object, sentence: string])[] = [
  ['DatabaseLocked', {}, 'The database is locked by another process; try again shortly.'],
  ['DatabaseNotAnswering', {}, 'The database does not answer; try again shortly.'],
  [
    'DatabaseNotAnswering',
    { needsFreshNonce: true },
    'The database does not answer; try again shortly, with a fresh nonce.',
  ],
  ['DiskFull', {}, 'The disk of the database is full; nothing was changed.'],
  ['DiskFailed', {}, 'The database cannot be read or written right now; nothing was changed.'],
  [
    'DatabaseReplaced',
    { loss: 'upgraded' },
    'The database was upgraded by a newer version of Hydrant while this server was running; restart it to go on.',
  ],
  [
    'TooManySearches',
    {},
    `Too many others wait for ${WITHOUT_INDEX}; try again shortly, or ask for fewer members by one indexed filter.`,
  ],
  [
    'SearchTooLong',
    { maxMs: 300 },
    `This is ${WITHOUT_INDEX}, and it was not done within 0.3 s; add a filter that few members match (=, a range, startsWith or a link), or leave out what has no index.`,
  ],
  ['DatabaseNotFound', FILE, 'There is no database a.db; name another file with --db sqlite:<path>.'],
  [
    'ForeignFile',
    { ...FILE, source: 'backup' },
    'a.db is not a Hydrant database; name a file that `hydrant backup` has written.',
  ],
  [
    'NewerSchema',
    { database: 'a.db', version: 99, known: 7 },
    'a.db was written by a newer Hydrant (schema 99; this one knows 7). Use that version or a newer one; nothing was changed.',
  ],
  [
    'OutdatedSchema',
    { database: 'a.db', version: 1 },
    'a.db was written by a Hydrant from before its first release (schema 1). Export its members with that version, and import them here; nothing was changed.',
  ],
  ['NoTables', { database: 'postgres://h/db' }, "There is no database of Hydrant's at postgres://h/db."],
  [
    'CopyDiffers',
    {
      differences: [
        { table: 'users', expectedRows: 2, rows: 1 },
        { table: 'links', expectedRows: 0, rows: undefined },
        { table: 'tokens', expectedRows: 3, rows: 3 },
      ],
    },
    'The copy is not what was read: users has 1 rows instead of 2; links has no rows instead of 0; tokens has rows that are not the same. Nothing was changed.',
  ],
]

test('a person at a terminal reads what is wrong with a database', () => {
  for (const [code, values, sentence] of SENTENCES)
    assert.deepEqual(linesOf(new Problem(code, values)), [sentence], code)
})

test('the author of a program with hydrant/auth reads the same, and compares the code', async (t) => {
  const path = join(temporaryFolder(t), 'theirs.db')
  writeFileSync(path, 'Not a database. '.repeat(500))
  const open = (db: string) => openProtection({ db, base: 'http://localhost' })
  await assert.rejects(open(`sqlite:${path}`), {
    code: 'ForeignFile',
    message: `${path} is not a Hydrant database; name another file with --db sqlite:<path>.`,
  })
  await assert.rejects(open('mysql://u:secret@host/'), {
    code: 'UnknownDatabaseKind',
    message: 'A database is given as sqlite:<path> or postgres://…; "mysql" is not known.',
  })
})

test('a problem keeps its code, its values and its place on the way from another thread', () => {
  const violations = [{ code: 'NotUnique', at: { property: 'title' }, values: {} }]
  const details = { at: { operation: 2 }, violations, cause: new Error('stays behind') }
  const problem = new Problem('SearchTooLong', { maxMs: 5 }, details)
  const received = errorOf(structuredClone(failureOf(problem)))
  assert.ok(received instanceof Problem)
  const { code, values, at } = received
  assert.deepEqual(
    { code, values, at, violations: received.violations },
    { code: 'SearchTooLong', values: { maxMs: 5 }, at: { operation: 2 }, violations },
  )
})
