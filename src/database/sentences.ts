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
  backup: 'name a file that `hydrant backup` has written',
}

export const OPENING_SENTENCES: Sentences<OpeningProblems> = {
  DatabaseNotFound: ({ path, source }) => `There is no database ${path}; ${ADVICE[source]}.`,
  DatabaseIsFolder: ({ path, source }) =>
    `The database ${path} cannot be opened: it is a folder; ${ADVICE[source]}.`,
  ForeignFile: ({ path, source }) => `${path} is not a Hydrant database; ${ADVICE[source]}.`,
  DamagedDatabase: ({ path, damage, source }) => `${path} is damaged (${damage}); ${ADVICE[source]}.`,
  NewerSchema: ({ database, version, known }) =>
    `${database} was written by a newer Hydrant (schema ${version}; this one knows ${known}). ` +
    'Use that version or a newer one; nothing was changed.',
  OutdatedSchema: ({ database, version }) =>
    `${database} was written by a Hydrant from before its first release (schema ${version}). ` +
    'Export its members with that version, and import them here; nothing was changed.',
  WrongEncoding: ({ database, encoding }) =>
    `${database} keeps text as ${encoding}, which cannot hold every character; ` +
    'name a database that was made with ENCODING UTF8. Nothing was changed.',
  WrongSearchPath: ({ database, schema }) =>
    `The search_path of ${database} is ${JSON.stringify(schema)}; ` +
    'give one name of small letters, digits and _, such as ?search_path=hydrant. Nothing was changed.',
  AsynchronousCommit: ({ database }) =>
    `${database} is to be used with synchronous_commit=off, which can lose writes that were acknowledged; ` +
    'leave that out of the address. Nothing was changed.',
  ForeignTables: ({ database, schema, tables }) =>
    `The schema "${schema}" of ${database} has tables that are not Hydrant's (${tables.join(', ')}); ` +
    'name another one, such as ?search_path=hydrant. Nothing was changed.',
  NoTables: ({ database }) => `There is no database of Hydrant's at ${database}.`,
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
      return 'nothing listens there; start PostgreSQL, or put the address right'
    case 'unknown host':
      return 'there is no such host; put the address right'
    case 'no answer':
      return 'it does not answer; see whether host and port are right, and whether a firewall is in between'
    case 'connection reset':
      return 'the connection was closed at once; see whether PostgreSQL listens there, and with TLS where sslmode asks for it'
    case 'connection closed':
      return 'the connection was closed; see the log of PostgreSQL for the reason'
    case 'unknown authority':
      return `its certificate is of an authority that is not known here (${said}); name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS`
    case 'wrong password':
      return `the user or the password is wrong (${said}); ${putUserRight(failure)}`
    case 'user rejected':
      return `the user is not let in (${said}); ${putUserRight(failure)}, or in pg_hba.conf`
    case 'no database':
      return `there is no database ${databaseName}; make it with: createdb ${databaseName}`
    case 'no right to the schema':
      return `the user may not use the schema ${schema}; give the right: ${grantInSchema(schema)}`
    case 'lacking right':
      return `the user lacks a right (${said}); ${giveRight(failure, failure.right)}`
    case 'no connection left':
      return 'it has no connection left; raise max_connections, or start fewer processes'
    case 'starting or stopping':
      return 'it is starting up or shutting down; try again shortly'
    case 'standby':
      return 'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write'
    case 'other':
      return said
  }
}

const grantInSchema = (schema: string): string => `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`

const putUserRight = ({ source, triedUser }: PostgresFailure): string =>
  triedUser === undefined
    ? `put it right in ${source}`
    : `the address names no user, so "${triedUser}" was tried; name one in ${source}, postgres://user:password@host/database`

function giveRight({ databaseName, schema }: PostgresFailure, right: PostgresRight = 'create'): string {
  switch (right) {
    case 'connect':
      return `give it: GRANT CONNECT ON DATABASE ${databaseName} TO …`
    case 'parameter':
      return 'give it, or leave out of the address what it is for'
    case 'schema':
      return `give it: ${grantInSchema(schema)}`
    case 'tables':
      return 'name the user that has made the tables, or another schema with ?search_path=<name>'
    case 'create':
      return `give it, such as: GRANT CREATE ON DATABASE ${databaseName} TO …`
  }
}
