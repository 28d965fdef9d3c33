import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openProtection } from '../../src/auth/middleware.ts'
import { temporaryFolder } from '../support/folders.ts'

test('the author of a program with hydrant/auth gets the code of what is wrong with a database, and its sentence', async (t) => {
  const path = join(temporaryFolder(t), 'theirs.db')
  writeFileSync(path, 'Not a database. '.repeat(500))
  const open = (db: string) => openProtection({ db, base: 'http://localhost' })
  await assert.rejects(open(`sqlite:${path}`), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'ForeignFile')
    assert.ok(error.message.startsWith(path), error.message)
    return true
  })
  await assert.rejects(open('mysql://u:secret@host/'), {
    code: 'UnknownDatabaseKind',
    message: /^(?!.*secret).*"mysql"/,
  })
})
