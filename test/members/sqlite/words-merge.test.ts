import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyTables, tablesOf } from '../../../src/members/sqlite/tables.ts'
import { createMergeWatch } from '../../../src/members/sqlite/words-merge.ts'
import { connect, newSqlite } from '../../support/stores.ts'

test('every commit that merges the index of words is announced, and four of five others are not', (t) => {
  const db = connect(t, newSqlite(t))
  const tables = tablesOf(1)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${createKeyTables(tables)}`)
  const mayMerge = createMergeWatch(db, new Map([['Book', tables]]))
  const add = db.prepare(`INSERT INTO ${tables.words} (rowid, words) VALUES (?, ?)`)
  const segments = db.prepare(`SELECT count(DISTINCT segid) AS count FROM ${tables.words}_idx`)
  const count = () => Number(segments.get()?.count)
  const ROWS = 2_000
  let announced = 0
  let merges = 0
  for (let row = 1; row <= ROWS; row += 1) {
    const isAnnounced = mayMerge('Book')
    const before = count()
    add.run(row, `word${row} another${row % 7}`)
    const isMerging = count() < before
    assert.ok(isAnnounced || !isMerging, `the commit of row ${row} has merged`)
    if (isAnnounced) announced += 1
    if (isMerging) merges += 1
  }
  assert.ok(merges > ROWS / 20, String(merges))
  assert.ok(announced < ROWS / 5, String(announced))
})

test('a class whose tables are gone is left to the write thread, which says so', (t) => {
  const db = connect(t, newSqlite(t))
  const mayMerge = createMergeWatch(db, new Map([['Book', tablesOf(1)]]))
  assert.deepEqual([mayMerge('Book'), mayMerge('Author')], [true, true])
})
