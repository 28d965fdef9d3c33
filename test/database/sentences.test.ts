import { describe } from 'node:test'
import { ADDRESS_SENTENCES, OPENING_SENTENCES } from '../../src/database/sentences.ts'
import { testSentences } from '../support/sentences.ts'

const FILE = { path: 'a.db', source: 'db' } as const
const POSTGRES = { database: 'postgres://h/db' }
const FAILED = {
  ...POSTGRES,
  said: 'in its words',
  databaseName: 'db',
  schema: 'public',
  source: '--db',
  triedUser: undefined,
  right: undefined,
}

describe('sentences about a database that cannot be opened', () => {
  testSentences(OPENING_SENTENCES, [
    ['DatabaseNotFound', FILE, 'There is no database a.db; name another file with --db sqlite:<path>.'],
    [
      'DatabaseNotFound',
      { ...FILE, source: 'from' },
      'There is no database a.db; name another file with --from sqlite:<path>.',
    ],
    [
      'DatabaseNotFound',
      { ...FILE, source: 'backup' },
      'There is no database a.db; name a file that `hydrant backup` has written.',
    ],
    [
      'DatabaseIsFolder',
      FILE,
      'The database a.db cannot be opened: it is a folder; name another file with --db sqlite:<path>.',
    ],
    ['ForeignFile', FILE, 'a.db is not a Hydrant database; name another file with --db sqlite:<path>.'],
    [
      'NotSqlite',
      { ...FILE, source: 'data' },
      'a.db is not a database of SQLite; name another one as sqlite:<path>.',
    ],
    [
      'DamagedDatabase',
      { ...FILE, damage: 'database disk image is malformed' },
      'a.db is damaged (database disk image is malformed); name another file with --db sqlite:<path>.',
    ],
    [
      'NewerSchema',
      { database: 'a.db', version: 99, known: 7 },
      'a.db was upgraded by a newer Hydrant, and can be opened from schema 99 on (this one has 7). Use that version or the one before it; nothing was changed.',
    ],
    [
      'OutdatedSchema',
      { database: 'a.db', version: 1 },
      'a.db was written by a Hydrant from before its first release (schema 1). Export its members with that version, and import them here; nothing was changed.',
    ],
    [
      'WrongEncoding',
      { ...POSTGRES, encoding: 'LATIN1' },
      'postgres://h/db keeps text as LATIN1, which cannot hold every character; name a database that was created with ENCODING UTF8. Nothing was changed.',
    ],
    [
      'WrongSearchPath',
      { ...POSTGRES, schema: 'My Schema' },
      'The search_path of postgres://h/db is "My Schema"; give one name of lower-case letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
    ],
    [
      'AsynchronousCommit',
      POSTGRES,
      'The address of postgres://h/db sets synchronous_commit=off, which can lose writes that were acknowledged; leave it out. Nothing was changed.',
    ],
    [
      'SharedSessions',
      POSTGRES,
      'postgres://h/db is a connection pooler that lends a session of PostgreSQL for one transaction or statement only; use session pooling (PgBouncer: pool_mode = session), or name the address of PostgreSQL itself. Nothing was changed.',
    ],
    [
      'ForeignTables',
      { ...POSTGRES, schema: 'public', tables: ['users', 'tokens'] },
      'The schema "public" of postgres://h/db has tables that are not Hydrant\'s (users, tokens); name another one, such as ?search_path=hydrant. Nothing was changed.',
    ],
    [
      'NoTables',
      POSTGRES,
      'There are no tables of Hydrant at postgres://h/db; name another database, or another schema with ?search_path=<name>.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'nothing listens' },
      'The database postgres://h/db cannot be opened: nothing listens there; start PostgreSQL, or correct the address.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'unknown host' },
      'The database postgres://h/db cannot be opened: there is no such host; correct the address.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'no answer' },
      'The database postgres://h/db cannot be opened: it does not answer; check the host, the port, and any firewall in between.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'connection reset' },
      'The database postgres://h/db cannot be opened: the connection was closed at once; check that PostgreSQL listens there, with TLS if sslmode asks for it.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'connection closed' },
      'The database postgres://h/db cannot be opened: the connection was closed; see the log of PostgreSQL for the reason.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'unknown authority' },
      'The database postgres://h/db cannot be opened: its certificate was issued by an authority that is not known here (in its words); name a PEM file with the certificate of that authority in the variable NODE_EXTRA_CA_CERTS.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'wrong password' },
      'The database postgres://h/db cannot be opened: the user or the password is wrong (in its words); correct it in --db.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'wrong password', triedUser: 'ann' },
      'The database postgres://h/db cannot be opened: the user or the password is wrong (in its words); the address names no user, so "ann" was tried; name one in --db, postgres://user:password@host/database.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'user rejected' },
      'The database postgres://h/db cannot be opened: the user was rejected (in its words); correct it in --db, or in pg_hba.conf.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'no database' },
      'The database postgres://h/db cannot be opened: there is no database db; create it with: createdb db.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'no right to the schema' },
      'The database postgres://h/db cannot be opened: the user may not use the schema public; grant that right: GRANT USAGE, CREATE ON SCHEMA public TO ….',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'lacking right', right: 'connect' },
      'The database postgres://h/db cannot be opened: the user lacks a right (in its words); grant it: GRANT CONNECT ON DATABASE db TO ….',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'lacking right', right: 'parameter' },
      'The database postgres://h/db cannot be opened: the user lacks a right (in its words); grant it, or leave out the parameter of the address that needs it.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'lacking right', right: 'schema' },
      'The database postgres://h/db cannot be opened: the user lacks a right (in its words); grant it: GRANT USAGE, CREATE ON SCHEMA public TO ….',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'lacking right', right: 'tables' },
      'The database postgres://h/db cannot be opened: the user lacks a right (in its words); name the user that created the tables, or another schema with ?search_path=<name>.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'lacking right', right: 'create' },
      'The database postgres://h/db cannot be opened: the user lacks a right (in its words); grant it: GRANT CREATE ON DATABASE db TO ….',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'no connection left' },
      'The database postgres://h/db cannot be opened: it has no free connection left; raise max_connections, or start fewer processes.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'starting or stopping' },
      'The database postgres://h/db cannot be opened: it is starting up or shutting down; try again shortly.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'standby' },
      'The database postgres://h/db cannot be opened: it is a standby, which can only be read; name the primary, or both with target_session_attrs=read-write.',
    ],
    [
      'PostgresNotOpened',
      { ...FAILED, reason: 'other' },
      'The database postgres://h/db cannot be opened: in its words.',
    ],
  ])
})

describe('sentences about the address of a database, where no setting has been checked', () => {
  testSentences(ADDRESS_SENTENCES, [
    [
      'UnknownDatabaseKind',
      { scheme: 'mysql' },
      'A database is given as sqlite:<path> or postgres://…; "mysql" is not known.',
    ],
    ['NoDatabasePath', {}, 'A database is given as sqlite:<path>; the path is missing.'],
  ])
})
