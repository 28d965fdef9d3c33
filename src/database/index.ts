import { Problem, problemsOf } from '../problem.ts'
import type { AddressProblems, BackupProblems, DatabaseProblems, OpeningProblems } from './problems.ts'

export type * from './problems.ts'

/** SQLite answers at once, PostgreSQL later; callers always `await`. */
export type Awaitable<T> = T | Promise<T>

/**
 * How far a time may lie ahead of "now": the clocks of the hosts that share a database differ, and steps of up to this
 * size are smoothed (authentication.md, Time).
 */
export const AHEAD_MS = 5_000

/** How long a statement without an index may take (hypermedia.md, Cost), and how many of them a process runs at once. */
export const SCAN_MS = 2_000
export const MAX_SCANS = 2

export const databaseProblem = problemsOf<DatabaseProblems>()

/** For people who open, back up or restore a database. */
export const openingProblem = problemsOf<OpeningProblems & AddressProblems & BackupProblems>()

/** True for problems that may have passed when the request is sent again. The type makes the table complete. */
const IS_UNAVAILABLE: Readonly<Record<keyof DatabaseProblems, boolean>> = {
  DatabaseLocked: true,
  DatabaseBusy: true,
  DatabaseUnreachable: true,
  DatabaseNotAnswering: true,
  DatabaseClosing: true,
  DiskFailed: true,
  DiskFull: false,
  DatabaseReplaced: true,
  MigratedElsewhere: true,
  KeysPending: true,
  OutcomeUnknown: true,
  TooManySearches: true,
  SearchTooLong: true,
  SearchFailed: true,
}

/** Whether the database cannot serve right now, whatever the request. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && (IS_UNAVAILABLE as Readonly<Record<string, boolean>>)[error.code] === true

/** Whether the database, and not the request, is the cause. */
export const isDatabaseProblem = (error: unknown): error is Problem =>
  error instanceof Problem && Object.hasOwn(IS_UNAVAILABLE, error.code)

export const closing = (): Problem => databaseProblem('DatabaseClosing', { retryAfterSeconds: 1 })

export const outcomeUnknown = (cause: unknown): Problem => databaseProblem('OutcomeUnknown', {}, { cause })

export const isOutcomeUnknown = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'OutcomeUnknown'

// Addresses of databases: `sqlite:<path>`, or `postgres://…`, which may contain a password.

export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url)

/** The file of an address of SQLite. */
export const sqlitePath = (url: string): string => url.slice('sqlite:'.length)

/** Like `sqlitePath`, but throws if the address is not one of SQLite. */
export function requireSqlitePath(url: string): string {
  if (!url.startsWith('sqlite:')) {
    // The whole URL may contain a password.
    const [scheme] = url.split(':', 1)
    throw openingProblem('UnknownDatabaseKind', { scheme: scheme ?? '' })
  }
  const path = sqlitePath(url)
  if (path === '') throw openingProblem('NoDatabasePath')
  return path
}

/** The parts of a PostgreSQL address, still percent-encoded. */
export interface PostgresAddress {
  /** Undefined if there is no `@`. */
  readonly credentials: string | undefined
  /** `host`, `host:5432`, or several of them. */
  readonly hosts: readonly string[]
  readonly database: string
  readonly parameters: URLSearchParams
}

/**
 * Undefined if the address is malformed. An `@`, `/`, `?` or `#` in a password must be percent-encoded: otherwise a
 * part of the password could be taken for the host, and shown.
 */
export function postgresAddress(url: string): PostgresAddress | undefined {
  const found = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#@]*))?$/.exec(url)
  if (found === null) return undefined
  const [, credentials, hosts = '', database = '', parameters = ''] = found
  return { credentials, hosts: hosts.split(','), database, parameters: new URLSearchParams(parameters) }
}

/** The address of the primary, without the parameter that names replicas, which the driver does not know. */
export function primaryAddress(url: string): string {
  const address = postgresAddress(url)
  if (address === undefined || !address.parameters.has('replicas')) return url
  return toAddress(address, address.hosts.join(','), 'replicas')
}

/** The standbys that an address names to read from, each with its own address. */
export function replicaAddresses(url: string): { readonly name: string; readonly url: string }[] {
  const address = postgresAddress(url)
  const names = address?.parameters.get('replicas')?.split(',') ?? []
  return names.map((name) => ({
    name,
    url: toAddress(address as PostgresAddress, name, 'replicas', 'target_session_attrs'),
  }))
}

/** `without`: parameters that are left out. */
function toAddress(
  { credentials, database, parameters }: PostgresAddress,
  hosts: string,
  ...without: readonly string[]
): string {
  const kept = new URLSearchParams([...parameters].filter(([name]) => !without.includes(name)))
  const query = kept.size === 0 ? '' : `?${kept}`
  return `postgres://${credentials === undefined ? '' : `${credentials}@`}${hosts}/${database}${query}`
}

/** Why a standby cannot be read from, apart from being behind. */
export type StandbyProblem = 'unreachable' | 'not a standby' | 'another database' | 'another timeline'

/** How many reads went to standbys and to the primary, and how many standbys can be read from now. */
export interface ReplicaFigures {
  readonly standby: number
  readonly primary: number
  readonly current: number
}

/** A file with the number of acknowledged writes of each process of this host, and the place of one process in it. */
export interface SharedCount {
  readonly path: string
  readonly place: number
  readonly places: number
}

/** For messages and logs: without user and password. */
export function shownDatabase(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const address = postgresAddress(url)
  if (address === undefined) return `${url.split(':', 1)[0]}:…`
  const hosts = address.hosts.map((host) => (/:\d+$/.test(host) ? host : `${host || 'localhost'}:5432`))
  const schema = address.parameters.get('search_path')
  return `postgres://${hosts.join(',')}/${address.database}${schema === null ? '' : `?search_path=${schema}`}`
}

/** The PostgreSQL schema that the address names, or the default. */
export const schemaOf = (url: string): string =>
  postgresAddress(url)?.parameters.get('search_path') ?? 'hydrant'

/** Whether PostgreSQL reads the name unchanged, without quotes; names that begin with pg_ are its own. */
export const isPlainSchema = (name: string): boolean => /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name)
