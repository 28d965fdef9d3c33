// Only types, so that code that only stores accounts need not load this file; the door creates the problems.

/** The client may try again after this time. */
export interface RetryLater {
  readonly retryAfterSeconds: number
}

/** Ways in which a server can lose the file of its database. */
export type FileLoss = 'replaced' | 'upgraded'

/** Problems of a request that are caused by the database, and not by the request. */
export interface DatabaseProblems {
  /** Another process has locked the database. */
  DatabaseLocked: RetryLater
  /** Other requests use the database, and this one has waited long enough. */
  DatabaseBusy: RetryLater
  DatabaseUnreachable: RetryLater
  /** `needsFreshNonce`: the nonce of the request may be spent. */
  DatabaseNotAnswering: RetryLater & { readonly needsFreshNonce?: boolean }
  DatabaseClosing: RetryLater
  /** Reading or writing the disk has failed. */
  DiskFailed: RetryLater
  DiskFull: object
  /** `loss`: see FileLoss; the server must be restarted. */
  DatabaseReplaced: RetryLater & { readonly loss: FileLoss }
  /** Another process has opened the database with another API file, and migrated the members to it. */
  MigratedElsewhere: RetryLater
  /** The keys of a new filter are being computed for members that were stored before; `percent`: how far that is. */
  KeysPending: RetryLater & {
    readonly className: string
    readonly property: string
    readonly percent: number
  }
  /** A write was sent, but its result did not arrive. */
  OutcomeUnknown: object
  /** Too many searches without an index are waiting. */
  TooManySearches: RetryLater
  SearchTooLong: RetryLater & { readonly maxMs: number }
  /** The thread that ran the search has ended. */
  SearchFailed: RetryLater
}

/** Where the path of a file was given. */
export type FileSource = 'db' | 'from' | 'backup' | 'data'

export interface NamedFile {
  readonly path: string
  readonly source: FileSource
}

export interface NamedDatabase {
  /** A path, or an address without user and password. */
  readonly database: string
}

/** Problems of opening a database, for the person who starts Hydrant. Nothing was changed. */
export interface OpeningProblems {
  DatabaseNotFound: NamedFile
  DatabaseIsFolder: NamedFile
  ForeignFile: NamedFile
  /** A file to read tables from is no database at all. */
  NotSqlite: NamedFile
  /** `damage`: in SQLite's words. */
  DamagedDatabase: NamedFile & { readonly damage: string }
  NewerSchema: NamedDatabase & { readonly version: number; readonly known: number }
  /** The schema of a Hydrant from before the first release. */
  OutdatedSchema: NamedDatabase & { readonly version: number }
  WrongEncoding: NamedDatabase & { readonly encoding: string }
  WrongSearchPath: NamedDatabase & { readonly schema: string }
  AsynchronousCommit: NamedDatabase
  /** A connection pooler lends a session of PostgreSQL for a transaction or a statement only. */
  SharedSessions: NamedDatabase
  /** `tables`: tables of another program that have the names of ours. */
  ForeignTables: NamedDatabase & { readonly schema: string; readonly tables: readonly string[] }
  NoTables: NamedDatabase
  PostgresNotOpened: PostgresFailure & NamedDatabase
}

/** Why PostgreSQL cannot be used. */
export interface PostgresFailure {
  readonly reason: PostgresReason
  /** The message of PostgreSQL, the driver or Node.js, in one line. */
  readonly said: string
  /** Names from the address. */
  readonly databaseName: string
  readonly schema: string
  /** Where the address was given. */
  readonly source: string
  /** The user that was tried, if the address names none. */
  readonly triedUser: string | undefined
  /** The right that the user lacks, if that is the reason. */
  readonly right: PostgresRight | undefined
}

export type PostgresReason =
  | 'nothing listens'
  | 'unknown host'
  | 'no answer'
  | 'connection reset'
  | 'connection closed'
  | 'unknown authority'
  | 'wrong password'
  | 'user rejected'
  | 'no database'
  | 'no right to the schema'
  | 'lacking right'
  | 'no connection left'
  | 'starting or stopping'
  | 'standby'
  | 'other'

/** `parameter`: to connect with a setting of the address. `create`: to create the schema, or an unknown right. */
export type PostgresRight = 'connect' | 'parameter' | 'schema' | 'tables' | 'create'

/** Problems of an address that the settings have not checked. */
export interface AddressProblems {
  UnknownDatabaseKind: { readonly scheme: string }
  NoDatabasePath: object
}

/** Problems of writing or restoring a backup. */
export interface BackupProblems {
  BackupExists: { readonly path: string }
  NoBackupFolder: { readonly folder: string }
  /** A database exists at the path to which the backup is to be restored. */
  DatabaseExists: { readonly path: string }
  /** `damage`: in SQLite's words. */
  DamagedBackup: { readonly path: string; readonly damage: string }
  DatabaseInUse: { readonly path: string }
  /** `path`: of the backup, or of the database that it is restored to. */
  NoSpaceForCopy: { readonly path: string }
}
