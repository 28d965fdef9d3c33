import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyTables, tablesOf } from '../../../src/members/sqlite/tables.ts'
import { createMergeWatch } from '../../../src/members/sqlite/words-merge.ts'
import { connect, newSqlite } from '../../support/stores.ts'

test('every commit that merges levels of the index of words is announced, and few others', (t) => {
  const db = connect(t, newSqlite(t))
  const tables = tablesOf(1)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${createKeyTables(tables)}`)
  const takesLong = createMergeWatch(db, new Map([['Book', tables]]))
  assert.equal(takesLong('Book'), false)
  const add = db.prepare(`INSERT INTO ${tables.words} (rowid, words) VALUES (?, ?)`)
  const segments = db.prepare(`SELECT count(DISTINCT segid) AS count FROM ${tables.words}_idx`)
  const count = () => Number(segments.get()?.count)
  const ROWS = 1_500
  let announced = 0
  let merges = 0
  for (let row = 1; row <= ROWS; row += 1) {
    const isAnnounced = takesLong('Book')
    const before = count()
    add.run(row, Array.from({ length: 60 }, (_, index) => `word${row * index}`).join(' '))
    const merged = before - count()
    // The segments of the first level alone become one; there are 16 at most, with the new one.
    const isLong = merged > 0 && merged !== FIRST_LEVEL_MERGED
    assert.ok(isAnnounced || !isLong, `the commit of row ${row} has merged ${merged} segments`)
    if (isAnnounced) announced += 1
    if (isLong) merges += 1
  }
  assert.ok(merges >= ROWS / 64 - 3, String(merges))
  assert.ok(announced <= (ROWS / 64) * 2 + 1, String(announced))
})

const FIRST_LEVEL_MERGED = 14
