// Sentences for people who start Hydrant or a program with hydrant/auth, loaded if a database cannot be opened.
import type { Sentences } from '../problem.ts'
import type {
  AddressProblems,
  FileSource,
  OpeningProblems,
  PostgresFailure,
  PostgresRight,
} from './problems.ts'

/** How to name another file. */
const ADVICE: Readonly<Record<FileSource, string>> = {
  db: 'name another file with --db sqlite:<path>',
  from: 'name another file with --from sqlite:<path>',
  data: 'name another one as sqlite:<path>',
  backup: 'name a file that `hydrant backup` has written',
}

export const OPENING_SENTENCES: Sentences<OpeningProblems> = {
  DatabaseNotFound: ({ path, source }) => `There is no database ${path}; ${ADVICE[source]}.`,
  DatabaseIsFolder: ({ path, source }) =>
    `The database ${path} cannot be opened: it is a folder; ${ADVICE[source]}.`,
  ForeignFile: ({ path, source }) => `${path} is not a Hydrant database; ${ADVICE[source]}.`,
  NotSqlite: ({ path, source }) => `${path} is not a database of SQLite; ${ADVICE[source]}.`,
  DamagedDatabase: ({ path, damage, source }) => `${path} is damaged (${damage}); ${ADVICE[source]}.`,
  NewerSchema: ({ database, version, known }) =>
    `${database} was upgraded by a newer Hydrant, and can be opened from schema ${version} on (this one has ${known}). ` +
    'Use that version or the one before it; nothing was changed.',
  OutdatedSchema: ({ database, version }) =>
    `${database} was written by a Hydrant from before its first release (schema ${version}). ` +
    'Export its members with that version, and import them here; nothing was changed.',
  WrongEncoding: ({ database, encoding }) =>
    `${database} keeps text as ${encoding}, which cannot hold every character; ` +
    'name a database that was created with ENCODING UTF8. Nothing was changed.',
  WrongSearchPath: ({ database, schema }) =>
    `The search_path of ${database} is ${JSON.stringify(schema)}; ` +
    'give one name of lower-case letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
  AsynchronousCommit: ({ database }) =>
    `The address of ${database} sets synchronous_commit=off, which can lose writes that were acknowledged; ` +
    'leave it out. Nothing was changed.',
  SharedSessions: ({ database }) =>
    `${database} is a connection pooler that lends a session of PostgreSQL for one transaction or statement only; ` +
    'use session pooling (PgBouncer: pool_mode = session), or name the address of PostgreSQL itself. Nothing was changed.',
  ForeignTables: ({ database, schema, tables }) =>
    `The schema "${schema}" of ${database} has tables that are not Hydrant's (${tables.join(', ')}); ` +
    'name another one, such as ?search_path=hydrant. Nothing was changed.',
  NoTables: ({ database }) =>
    `There are no tables of Hydrant at ${database}; name another database, or another schema with ?search_path=<name>.`,
  PostgresNotOpened: ({ database, ...failure }) =>
    `The database ${database} cannot be opened: ${postgresReason(failure)}.`,
}

export const ADDRESS_SENTENCES: Sentences<AddressProblems> = {
  UnknownDatabaseKind: ({ scheme }) =>
    `A database is given as sqlite:<path> or postgres://…; "${scheme}" is not known.`,
  NoDatabasePath: 'A database is given as sqlite:<path>; the path is missing.',
}

/** Why PostgreSQL cannot be used, and what to do. */
function postgresReason(failure: PostgresFailure): string {
  const { reason, said, databaseName, schema } = failure
  switch (reason) {
    case 'nothing listens':
      return 'nothing listens there; start PostgreSQL, or correct the address'
    case 'unknown host':
      return 'there is no such host; correct the address'
    case 'no answer':
      return 'it does not answer; check the host, the port, and any firewall in between'
    case 'connection reset':
      return 'the connection was closed at once; check that PostgreSQL listens there, with TLS if sslmode asks for it'
    case 'connection closed':
      return 'the connection was closed; see the log of PostgreSQL for the reason'
    case 'unknown authority':
      return `its certificate was issued by an authority that is not known here (${said}); name a PEM file with the certificate of that authority in the variable NODE_EXTRA_CA_CERTS`
    case 'wrong password':
      return `the user or the password is wrong (${said}); ${putUserRight(failure)}`
    case 'user rejected':
      return `the user was rejected (${said}); ${putUserRight(failure)}, or in pg_hba.conf`
    case 'no database':
      return `there is no database ${databaseName}; create it with: createdb ${databaseName}`
    case 'no right to the schema':
      return `the user may not use the schema ${schema}; grant that right: ${grantInSchema(schema)}`
    case 'lacking right':
      return `the user lacks a right (${said}); ${giveRight(failure, failure.right)}`
    case 'no connection left':
      return 'it has no free connection left; raise max_connections, or start fewer processes'
    case 'starting or stopping':
      return 'it is starting up or shutting down; try again shortly'
    case 'standby':
      return 'it is a standby, which can only be read; name the primary, or both with target_session_attrs=read-write'
    case 'other':
      return said
  }
}

const grantInSchema = (schema: string): string => `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`

const putUserRight = ({ source, triedUser }: PostgresFailure): string =>
  triedUser === undefined
    ? `correct it in ${source}`
    : `the address names no user, so "${triedUser}" was tried; name one in ${source}, postgres://user:password@host/database`

function giveRight({ databaseName, schema }: PostgresFailure, right: PostgresRight = 'create'): string {
  switch (right) {
    case 'connect':
      return `grant it: GRANT CONNECT ON DATABASE ${databaseName} TO …`
    case 'parameter':
      return 'grant it, or leave out the parameter of the address that needs it'
    case 'schema':
      return `grant it: ${grantInSchema(schema)}`
    case 'tables':
      return 'name the user that created the tables, or another schema with ?search_path=<name>'
    case 'create':
      return `grant it: GRANT CREATE ON DATABASE ${databaseName} TO …`
  }
}
