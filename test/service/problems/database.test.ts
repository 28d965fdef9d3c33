import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DATABASE_PROBLEMS } from '../../../src/auth/problems.ts'
import { OPENING_SENTENCES } from '../../../src/database/sentences.ts'
import { COMMANDS_ON_DATABASES, DATABASE } from '../../../src/service/problems/database.ts'
import { testSentences } from '../../support/sentences.ts'

const PATH = { path: 'data/a.db' }

describe('sentences about commands on databases', () => {
  testSentences(COMMANDS_ON_DATABASES, [
    [
      'DatabaseNotOpened',
      { ...PATH, reason: 'ENOENT' },
      'The database data/a.db cannot be opened: there is no folder data; name another file with --db sqlite:<path>.',
    ],
    [
      'DatabaseNotOpened',
      { ...PATH, reason: 'ENOTDIR' },
      'The database data/a.db cannot be opened: data is not a folder; name another file with --db sqlite:<path>.',
    ],
    [
      'DatabaseNotOpened',
      { ...PATH, reason: 'EISDIR' },
      'The database data/a.db cannot be opened: it is a folder; name another file with --db sqlite:<path>.',
    ],
    [
      'DatabaseNotOpened',
      { ...PATH, reason: 'EACCES' },
      'The database data/a.db cannot be opened: this user may not read or write it; name another file with --db sqlite:<path>.',
    ],
    ['BackupExists', PATH, 'data/a.db exists already; name a file that does not.'],
    ['NoBackupFolder', { folder: 'data' }, 'There is no folder data; create it first.'],
    [
      'DatabaseExists',
      PATH,
      'data/a.db exists already; with --force it is moved aside, to a name that is printed.',
    ],
    [
      'DamagedBackup',
      { ...PATH, damage: 'database disk image is malformed' },
      'data/a.db is damaged (database disk image is malformed); take another backup. Nothing was changed.',
    ],
    [
      'NoSpaceForCopy',
      PATH,
      'The disk of data/a.db is full; make room there, or name a file on another disk. Nothing was changed.',
    ],
    [
      'DatabaseInUse',
      PATH,
      'data/a.db is open in another process; stop the server on it first. Nothing was changed.',
    ],
    [
      'NothingToCopy',
      PATH,
      'There is nothing in data/a.db to copy; name another file with --from sqlite:<path>.',
    ],
    [
      'StillConverting',
      { ...PATH, classNames: ['Book', 'Author'] },
      'The members of Book, Author in data/a.db are being converted to a changed API file; let a server finish that, and try again.',
    ],
    ['SourceBusy', PATH, 'Another process keeps writing to data/a.db; stop that process, or try again.'],
    [
      'TargetNotEmpty',
      {
        database: 'postgres://h/db',
        tables: [
          { table: 'users', rows: 2 },
          { table: 'members', rows: 30 },
        ],
      },
      'postgres://h/db is not empty (2 in users, 30 in members); name an empty database, or another schema with ?search_path=<name>.',
    ],
    [
      'CopyDiffers',
      {
        differences: [
          { table: 'users', expectedRows: 2, rows: 1 },
          { table: 'links', expectedRows: 0, rows: undefined },
          { table: 'tokens', expectedRows: 3, rows: 3 },
        ],
      },
      'The copy differs from the source: users has 1 rows instead of 2; links has no rows instead of 0; tokens has rows that differ. Nothing was changed.',
    ],
    [
      'IncompatibleFile',
      { changes: [{ className: 'Book', kind: 'embedded', isCompatible: false }] },
      'With this API file, hosts with the former one could not go on serving: Book is embedded now. Start it without --migrate=compatible to migrate the members, or change the file.',
    ],
    [
      'BothClassesStored',
      { from: 'Book', to: 'Tome' },
      'The database has members of Tome and of Book, and the API file says that Tome was Book. Leave the "was" out if the members of Tome are the right ones; otherwise give the class another name.',
    ],
  ])
})

test('a command also says what opening a database and a request say', () => {
  for (const code of [...Object.keys(OPENING_SENTENCES), ...Object.keys(DATABASE_PROBLEMS)])
    assert.ok(Object.hasOwn(DATABASE, code), code)
})
