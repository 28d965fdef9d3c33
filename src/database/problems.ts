// Types alone, so that what only stores accounts loads no file for them; the door creates the problems.

/** The client may try again after this time. */
export interface RetryLater {
  readonly retryAfterSeconds: number
}

/** What can happen to the file of a database while a server uses it. */
export type FileLoss = 'replaced' | 'upgraded'

/** What a request can meet where the database, and not the request, is the cause. */
export interface DatabaseProblems {
  /** By another process. */
  DatabaseLocked: RetryLater
  /** Others are using it, and the request has waited long enough. */
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
  /** A write was sent, and was not answered. */
  OutcomeUnknown: object
  /** Too many searches without an index are waiting. */
  TooManySearches: RetryLater
  SearchTooLong: RetryLater & { readonly maxMs: number }
  /** The thread that ran the search has ended. */
  SearchFailed: RetryLater
}

/** How the person who has named a file can name another one. */
export type FileSource = 'db' | 'from' | 'backup'

export interface NamedFile {
  readonly path: string
  readonly source: FileSource
}

export interface NamedDatabase {
  /** A path, or an address without user and password. */
  readonly database: string
}

/** Why a database cannot be opened: for the person who starts Hydrant. Nothing was changed then. */
export interface OpeningProblems {
  DatabaseNotFound: NamedFile
  DatabaseIsFolder: NamedFile
  ForeignFile: NamedFile
  /** `damage`: in SQLite's words. */
  DamagedDatabase: NamedFile & { readonly damage: string }
  NewerSchema: NamedDatabase & { readonly version: number; readonly known: number }
  /** Of a Hydrant from before the first release. */
  OutdatedSchema: NamedDatabase & { readonly version: number }
  WrongEncoding: NamedDatabase & { readonly encoding: string }
  WrongSearchPath: NamedDatabase & { readonly schema: string }
  AsynchronousCommit: NamedDatabase
  /** `tables`: those of another program, with the names of ours. */
  ForeignTables: NamedDatabase & { readonly schema: string; readonly tables: readonly string[] }
  NoTables: NamedDatabase
  PostgresNotOpened: PostgresFailure & NamedDatabase
}

/** Why PostgreSQL cannot be used. */
export interface PostgresFailure {
  readonly reason: PostgresReason
  /** In PostgreSQL's words, the driver's or those of Node.js, in one line. */
  readonly said: string
  /** As the address names them. */
  readonly databaseName: string
  readonly schema: string
  /** Where the address was given. */
  readonly source: string
  /** The user that was tried, where the address names none. */
  readonly triedUser: string | undefined
  /** The right that the user lacks, where it lacks one. */
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

/** `parameter`: to connect with a setting of the address. `create`: to create the schema, or an unknown one. */
export type PostgresRight = 'connect' | 'parameter' | 'schema' | 'tables' | 'create'

/** What is wrong with an address, where the settings have not checked it. */
export interface AddressProblems {
  UnknownDatabaseKind: { readonly scheme: string }
  NoDatabasePath: object
}

/** Why a backup cannot be written, or be put in the place of a database. */
export interface BackupProblems {
  BackupExists: { readonly path: string }
  NoBackupFolder: { readonly folder: string }
  /** There is a database already where the backup is to be put. */
  DatabaseExists: { readonly path: string }
  /** `damage`: in SQLite's words. */
  DamagedBackup: { readonly path: string; readonly damage: string }
  DatabaseInUse: { readonly path: string }
}
