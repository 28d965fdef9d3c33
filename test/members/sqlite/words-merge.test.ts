import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyTables, tablesOf } from '../../../src/members/sqlite/tables.ts'
import { createMergeWatch } from '../../../src/members/sqlite/words-merge.ts'
import { connect, newSqlite } from '../../support/stores.ts'

const ROWS = 1_500
/** Of a merge that is announced, and its new segment. */
const PAGES_OF_LONG_MERGE = 24 + 2

for (const [title, changedRows] of [
  ['rows are added', 0],
  ['rows are added and changed', 200],
] as const)
  test(`a commit that merges many pages of the index of words is announced, and few others: ${title}`, (t) => {
    const db = connect(t, newSqlite(t))
    const tables = tablesOf(1)
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${createKeyTables(tables)}`)
    const takesLong = createMergeWatch(db, new Map([['Book', tables]]))
    assert.equal(takesLong('Book'), false)
    const add = db.prepare(`INSERT INTO ${tables.words} (rowid, words) VALUES (?, ?)`)
    const remove = db.prepare(`DELETE FROM ${tables.words} WHERE rowid = ?`)
    const pagesOf = db.prepare(`SELECT CAST(id AS TEXT) AS id FROM ${tables.words}_data`)
    const pages = () => new Set(pagesOf.all().map(({ id }) => id))
    let before = pages()
    let announced = 0
    let merges = 0
    for (let row = 1; row <= ROWS; row += 1) {
      const isAnnounced = takesLong('Book')
      const text = Array.from({ length: 60 }, (_, index) => `word${row * index}`).join(' ')
      if (row % 500 <= changedRows && row > 500) {
        db.exec('BEGIN')
        remove.run(row - 500)
        add.run(row - 500, text)
        db.exec('COMMIT')
      } else add.run(row, text)
      const after = pages()
      const merged = [...before].filter((id) => !after.has(id)).length
      before = after
      const isLong = merged > PAGES_OF_LONG_MERGE
      assert.ok(isAnnounced || !isLong, `the commit of row ${row} has merged ${merged} pages`)
      if (isAnnounced) announced += 1
      if (isLong) merges += 1
    }
    assert.ok(merges >= 3, String(merges))
    assert.ok(announced <= merges * 4, `${announced} of ${merges}`)
  })
