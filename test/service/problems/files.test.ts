import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FILES, fileReason } from '../../../src/service/problems/files.ts'
import { testSentences } from '../../support/sentences.ts'

const ANOTHER_FILE = { path: 'out/api.yaml', other: 'file' } as const

describe('sentences about files that a command reads or writes', () => {
  testSentences(FILES, [
    ['FileUnusable', { reason: 'ENOENT' }, 'there is no such file or folder.'],
    ['FileUnusable', { reason: 'ENOTDIR' }, 'a part of this path is not a folder.'],
    ['FileUnusable', { reason: 'EISDIR' }, 'this is a folder; name a file.'],
    ['FileUnusable', { reason: 'EACCES' }, 'this user may not read or write it.'],
    ['FileUnusable', { reason: 'EPERM' }, 'this user may not read or write it.'],
    [
      'FileNotWritten',
      { ...ANOTHER_FILE, reason: 'EROFS' },
      'out/api.yaml cannot be written: its disk is read-only; name another file.',
    ],
    [
      'FileNotWritten',
      { ...ANOTHER_FILE, reason: 'ENOSPC' },
      'out/api.yaml cannot be written: its disk is full; name another file.',
    ],
    [
      'FileNotWritten',
      { path: 'out', other: 'folder', reason: 'EEXIST' },
      'out cannot be written: something with this name exists already; name another folder.',
    ],
    [
      'FileNotWritten',
      { ...ANOTHER_FILE, reason: { system: 'EMFILE: too many open files' } },
      'out/api.yaml cannot be written: EMFILE: too many open files; name another file.',
    ],
  ])
})

test('the reason of an error is its code, where there is a sentence for it', () => {
  assert.equal(fileReason(Object.assign(new Error(), { code: 'EACCES' })), 'EACCES')
  assert.equal(fileReason(Object.assign(new Error(), { code: 'EMFILE' })), undefined)
  assert.equal(fileReason(undefined), undefined)
})
