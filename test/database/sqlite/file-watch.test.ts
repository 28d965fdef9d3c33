import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  arrays,
  CHECKPOINT_PAGES,
  CHECKPOINTED,
  type Checkpointed,
} from '../../../src/database/sqlite/connection.ts'
import { isBusy } from '../../../src/database/sqlite/errors.ts'
import { type FileWatch, watchFile } from '../../../src/database/sqlite/file-watch.ts'
import { pause } from '../../../src/database/sqlite/group-commit.ts'
import { SCHEMA_VERSION } from '../../../src/database/sqlite/schema.ts'
import { identifyFile } from '../../../src/database/sqlite/watched-file.ts'
import { connect, newSqlite, pathOf } from '../../support/stores.ts'

/** Two connections of one process, as its threads have them, and one of another process. */
function openThreads(t: TestContext) {
  const url = newSqlite(t)
  const path = pathOf(url)
  const one = connect(t, url)
  one.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; CREATE TABLE rows (x); PRAGMA journal_mode = WAL;
    SELECT 1 FROM sqlite_schema LIMIT 1`)
  const watched = identifyFile(one, path)
  const first = watchFile(one, watched, { isCheckpointing: false })
  const second = connect(t, url)
  const others = connect(t, url)
  return {
    path,
    others,
    first: { db: one, file: first },
    second: { db: second, file: watchFile(second, watched, { isCheckpointing: true }) },
  }
}

interface OneThread {
  readonly db: DatabaseSync
  readonly file: FileWatch
}

function write({ db, file }: OneThread): void {
  file.checkBeforeWrite()
  db.exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES ('x')")
  file.write(() => db.exec('COMMIT'))
}

/** A timer is run after a poll. */
const nextPoll = () => sleep(2)

const logged = (db: DatabaseSync) => arrays(db, CHECKPOINTED).get<Checkpointed>()?.[1]

test('a first write that fails on one thread is no replacement of the file for the others', (t) => {
  const { first, second } = openThreads(t)
  second.db.exec('BEGIN IMMEDIATE')
  assert.throws(() =>
    second.file.write(() => {
      throw new Error('The disk is full.')
    }),
  )
  second.db.exec('ROLLBACK')
  first.file.check()
})

test('another process that leaves the log as long as our own write did has not replaced the file', (t) => {
  const { first, second, others } = openThreads(t)
  write(second)
  const length = logged(second.db)
  others.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  while (logged(others) !== length) others.exec("INSERT INTO rows VALUES ('y')")
  first.file.check()
})

test('threads that write in turns notice at once that the file was written over', (t) => {
  const { path, first, second } = openThreads(t)
  for (let turn = 0; turn < 10; turn += 1) for (const thread of [first, second]) write(thread)
  copyFileSync(path, `${path}.copy`)
  pause(20)
  copyFileSync(`${path}.copy`, path)
  assert.throws(() => first.file.check(), { code: 'DatabaseReplaced' })
})

test('requests that arrive together share a check, and those that arrive later have another', async (t) => {
  const { path, first } = openThreads(t)
  first.file.read(() => undefined)
  await nextPoll()
  first.file.read(() => undefined)
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
  pause(2)
  assert.equal(
    first.file.read(() => 'read'),
    'read',
  )
  await nextPoll()
  assert.throws(() => first.file.read(() => 'read'), { code: 'DatabaseReplaced' })
  assert.throws(() => first.file.read(() => 'read'), { code: 'DatabaseReplaced' })
})

/** Fills the file itself, and no cache. */
function fill({ db, file }: OneThread): void {
  db.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (zeroblob(100000))')
  file.write(() => db.exec('COMMIT; PRAGMA wal_checkpoint; PRAGMA shrink_memory'))
  pause(20)
}

const FIRST_PAGE = 4_096

/** Reads while the file is written over, after the check before the read. */
const readWhileOverwritten = ({ db, file }: OneThread, path: string) =>
  file.read(() => {
    writeFileSync(path, readFileSync(path).fill(1, FIRST_PAGE))
    return db.prepare('SELECT * FROM rows').all()
  })

test('a read that fails because the file was written over since the check says so', (t) => {
  const { path, first } = openThreads(t)
  fill(first)
  assert.throws(() => readWhileOverwritten(first, path), { code: 'DatabaseReplaced' })
})

test('where another process has written, a read that meets a file that was written over can be repeated', (t) => {
  const { path, first, others } = openThreads(t)
  others.exec("INSERT INTO rows VALUES ('y')")
  fill(first)
  assert.throws(() => readWhileOverwritten(first, path), { code: 'DatabaseLocked' })
})

test('a read that meets a file that was written over while another thread writes can be repeated', (t) => {
  const { path, first, second } = openThreads(t)
  fill(first)
  second.file.checkBeforeWrite()
  second.db.exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES ('x')")
  const write = () =>
    second.file.write(() => {
      assert.throws(() => readWhileOverwritten(first, path), { code: 'DatabaseLocked' })
      second.db.exec('ROLLBACK')
    })
  assert.throws(write, { code: 'DatabaseReplaced' })
})

test('damage is no replacement of the file', (t) => {
  const { first } = openThreads(t)
  const damage = Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
  const read = () => {
    throw damage
  }
  assert.throws(() => first.file.read(read), damage)
  first.file.check()
})

/** Writes while the file is written over, between the checks before and after the write. */
function writeWhileOverwritten({ db, file }: OneThread, path: string): void {
  copyFileSync(path, `${path}.copy`)
  pause(20)
  file.checkBeforeWrite()
  copyFileSync(`${path}.copy`, path)
  db.exec("BEGIN IMMEDIATE; INSERT INTO rows VALUES ('x')")
  file.write(() => db.exec('COMMIT'))
}

test('a write is not acknowledged if the file was written over since the check before it', (t) => {
  const { path, first } = openThreads(t)
  write(first)
  assert.throws(() => writeWhileOverwritten(first, path), { code: 'DatabaseReplaced' })
})

test('where another process has written once, no write is begun after the file was written over', (t) => {
  const { path, first, others } = openThreads(t)
  others.exec("INSERT INTO rows VALUES ('y')")
  write(first)
  // A checkpoint of the other process may explain the change: the write that meets it is acknowledged, and no later one.
  writeWhileOverwritten(first, path)
  for (let turn = 0; turn < 5; turn += 1) {
    pause(2)
    assert.throws(() => write(first), isBusy)
  }
})

test('a connection that makes no checkpoints takes none for its own, however long the log is', (t) => {
  const { path, first, second, others } = openThreads(t)
  for (const { db } of [first, second]) db.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF')
  for (let count = 0; count <= CHECKPOINT_PAGES; count += 1) write(second)
  others.exec('BEGIN; SELECT * FROM rows LIMIT 1')
  second.db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  write(second)
  assert.throws(() => writeWhileOverwritten(first, path), { code: 'DatabaseReplaced' })
})

const REPLACEMENTS: readonly [name: string, replace: (log: string) => void][] = [
  ['removed', rmSync],
  [
    'replaced by a new one',
    (log) => {
      rmSync(log)
      writeFileSync(log, '')
    },
  ],
  ['emptied in place', (log) => truncateSync(log)],
]

for (const [name, replace] of REPLACEMENTS) {
  test(`a write is not acknowledged if the log was ${name}`, (t) => {
    const { path, first } = openThreads(t)
    write(first)
    replace(`${path}-wal`)
    assert.throws(() => write(first), { code: 'DatabaseReplaced' })
  })
}

test('a log that was emptied in place is noticed by reads, also where its first page was in it', (t) => {
  const { path, first, second } = openThreads(t)
  for (const thread of [first, second]) write(thread)
  truncateSync(`${path}-wal`)
  for (const { file } of [first, second]) assert.throws(() => file.check(), { code: 'DatabaseReplaced' })
})

test('a log that another process has emptied by a checkpoint is still the same file', (t) => {
  const { first, second, others } = openThreads(t)
  for (let turn = 0; turn < 3; turn += 1) {
    for (const thread of [first, second]) write(thread)
    // The second one finds nothing to carry over, and so leaves the file as it is.
    for (const mode of ['PASSIVE', 'TRUNCATE']) {
      others.exec(`PRAGMA wal_checkpoint(${mode})`)
      for (const { file } of [first, second]) file.check()
    }
    others.exec("INSERT INTO rows VALUES ('y'); PRAGMA wal_checkpoint(TRUNCATE)")
    for (const { file } of [first, second]) file.check()
  }
})

test('a log that another process has begun again is still the same file', (t) => {
  const { first, second, others } = openThreads(t)
  for (let turn = 0; turn < 3; turn += 1) {
    for (const thread of [first, second]) write(thread)
    others.exec("PRAGMA wal_checkpoint(RESTART); INSERT INTO rows VALUES ('y')")
  }
  for (const { file } of [first, second]) file.check()
})
