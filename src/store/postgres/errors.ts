import postgres from 'postgres'
import { HttpError, unavailable } from '../../errors.ts'
import { postgresAddress, schemaOf, shownDatabase } from '../address.ts'
import { migratedElsewhere } from '../migration/migration.ts'

/**
 * Codes of PostgreSQL, https://www.postgresql.org/docs/current/errcodes-appendix.html. Of these classes: connection,
 * authorisation, no such database, resources, intervention of an operator, system.
 */
const UNREACHABLE = /^(?:08|28|3D|53|57P|58)/
/** Ends a connection that was there, perhaps after a commit; other codes of this class answer a connection attempt. */
const ENDS = /^57P0[125]/
const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'
const LOCK_NOT_AVAILABLE = '55P03'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const DISK_FULL = '53100'
const UNDEFINED_TABLE = '42P01'
const UNIQUE_VIOLATION = '23505'
/** A division by zero, which only a deadline makes (`inTime`). */
const TOO_LATE = '22012'

/** The code of an error, also of one that `translate` has wrapped. */
export const codeOf = (error: unknown): string | undefined => {
  const root = rootOf(error)
  return root instanceof Error && 'code' in root && typeof root.code === 'string' ? root.code : undefined
}

/** The error of PostgreSQL, the driver or Node.js that others wrap. None of them names the password. */
export const rootOf = (error: unknown): unknown =>
  error instanceof HttpError && error.cause !== undefined ? rootOf(error.cause) : error

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const hasCode =
  (...codes: readonly string[]) =>
  (error: unknown): boolean =>
    codes.includes(codeOf(error) ?? '')

export const isTooLate = hasCode(TOO_LATE)

export const isCanceled = hasCode(QUERY_CANCELED)

/**
 * Another writer was faster, and PostgreSQL has rolled back: also by a unique value that was still free a moment ago, which
 * the next try sees. Or the deadline was computed from a clock that has been set since, which is read anew for the next try.
 */
export const isConflict = hasCode(
  ...[SERIALIZATION_FAILURE, DEADLOCK_DETECTED, UNIQUE_VIOLATION, TOO_LATE, LOCK_NOT_AVAILABLE],
)

/** Whether it is an answer of the server, not an error of the driver or of Node.js. */
export const isOfPostgres = (error: unknown): boolean =>
  error instanceof Error && error.name === 'PostgresError'

/** Whether the connection failed, or the server cannot serve: it starts, stops, or is a standby. */
export function isUnreachable(error: unknown): boolean {
  const root = rootOf(error)
  if (root instanceof ConnectionLost) return true
  const code = codeOf(root) ?? ''
  return isOfPostgres(root) && code !== DISK_FULL && (code === READ_ONLY || UNREACHABLE.test(code))
}

/**
 * Whether PostgreSQL has rolled the statement back: nothing was written, and it may be sent again. After a lost connection
 * that is not known, and after a timeout there is no time.
 */
export const isRolledBack = (error: unknown): boolean => isConflict(error) || isOfPostgres(error)

/** Whether PostgreSQL has answered with an error, and so has carried nothing out. */
export const isRefused = (error: unknown): boolean =>
  isOfPostgres(rootOf(error)) && !ENDS.test(codeOf(error) ?? '')

/** The connection ended before an answer, whatever error the driver or Node.js gave for it. */
export class ConnectionLost extends Error {
  readonly code: string

  constructor(cause?: unknown) {
    super(cause instanceof Error ? cause.message : 'The connection was lost.', { cause })
    this.name = 'ConnectionLost'
    this.code = codeOf(cause) ?? 'CONNECTION_CLOSED'
  }
}

export const busy = (cause?: unknown): HttpError =>
  unavailable('The database is busy; try again shortly.', 1, cause)

/** The error for the client, where the database and not the request is the cause. */
export function translate(error: unknown): unknown {
  if (error instanceof HttpError) return error
  if (isUnreachable(error)) {
    return unavailable('The database cannot be reached right now; try again shortly.', 2, error)
  }
  switch (codeOf(error)) {
    case QUERY_CANCELED:
    case LOCK_NOT_AVAILABLE:
    case SERIALIZATION_FAILURE:
    case DEADLOCK_DETECTED:
    case TOO_LATE:
      return busy(error)
    case DISK_FULL:
      return new HttpError(507, 'The disk of the database is full; nothing was changed.', { cause: error })
    case UNDEFINED_TABLE:
      return isOurTable(error) ? migratedElsewhere(error) : error
    default:
      return error
  }
}

/** By its name alone: the words around it are in the language of the server. */
const isOurTable = (error: unknown): boolean =>
  /\b(?:members|values|words|order|versions)_[0-9]+\b/.test(String(error))

/** Reports to the operator once when the database stops answering, and once when it answers again. */
export interface Reachability {
  lost(error: unknown): void
  /** Called for every answer: costs next to nothing while all is well. */
  answered(): void
}

/** Answers count only after so long without a failure: connections may fail and answer in turn. */
const QUIET_MS = 1_000
const REMINDER_MS = 60_000

/** `now`: milliseconds of a clock that never runs backwards. */
export function watchReachability(
  onUnreachable: (reason: string) => void,
  onReachable: () => void,
  now: () => number = () => performance.now(),
): Reachability {
  let isDown = false
  let reportedAt = 0
  let lostAt = 0
  return {
    lost(error) {
      lostAt = now()
      if (isDown && lostAt - reportedAt < REMINDER_MS) return
      isDown = true
      reportedAt = lostAt
      onUnreachable(messageOf(rootOf(error)))
    },
    answered() {
      if (!isDown || now() - lostAt < QUIET_MS) return
      isDown = false
      onReachable()
    },
  }
}

const UNANSWERED =
  'it does not answer; see whether host and port are right, and whether a firewall is in between'

/**
 * By the codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), the driver and Node.js
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes). What is in braces is filled in.
 */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL, or put the address right',
  'ENOTFOUND EAI_AGAIN': 'there is no such host; put the address right',
  'CONNECT_TIMEOUT ETIMEDOUT EHOSTUNREACH ENETUNREACH': UNANSWERED,
  ECONNRESET:
    'the connection was closed at once; see whether PostgreSQL listens there, and with TLS where sslmode asks for it',
  CONNECTION_CLOSED: 'the connection was closed; see the log of PostgreSQL for the reason',
  'SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    'its certificate is of an authority that is not known here ({said}); name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS',
  '28P01': 'the user or the password is wrong ({said}); {putUserRight}',
  '28000': 'the user is not let in ({said}); {putUserRight}, or in pg_hba.conf',
  '3D000': 'there is no database {database}; make it with: createdb {database}',
  '3F000': 'the user may not use the schema {schema}; give the right: {grantInSchema}',
  '42501': 'the user lacks a right ({said}); {giveRight}',
  53300: 'it has no connection left; raise max_connections, or start fewer processes',
  '57P03': 'it is starting up or shutting down; try again shortly',
  [READ_ONLY]:
    'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write',
}

function reasonOf(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === undefined) return error instanceof HttpError && error.status === 503 ? UNANSWERED : undefined
  return Object.entries(REASONS).find(([codes]) => codes.split(' ').includes(code))?.[1] ?? '{said}'
}

/**
 * One line for the terminal: what is wrong, where, and what to do. Other errors are given back as they are.
 * `source`: where the address was given.
 */
export function explainOpening(error: unknown, url: string, source = 'HYDRANT_DB'): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  const { database = '', credentials = '' } = postgresAddress(url) ?? {}
  const schema = schemaOf(url)
  const grantInSchema = `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`
  const root = rootOf(error)
  // In one line. It names users, never passwords.
  const said = messageOf(root).replace(/\s+/g, ' ').replace(/\.$/, '')

  function putUserRight(): string {
    if (!/^(?::|$)/.test(credentials)) return `put it right in ${source}`
    // As the driver chooses it: from the variables that PostgreSQL's own programs know, else the user of this process.
    const { user } = postgres(url).options
    return `the address names no user, so "${user}" was tried; name one in ${source}, postgres://user:password@host/database`
  }

  /** PostgreSQL names the missing right in its language; where that is not English, the right to create a schema is likely. */
  function giveRight(): string {
    // Before any statement: PostgreSQL ends the connection with it.
    const isConnecting = root instanceof Error && 'severity' in root && root.severity === 'FATAL'
    if (isConnecting && said.includes(database)) return `give it: GRANT CONNECT ON DATABASE ${database} TO …`
    if (isConnecting) return 'give it, or leave out of the address what it is for'
    if (/\bschema\b/.test(said)) return `give it: ${grantInSchema}`
    if (/\b(?:table|relation|sequence)\b/.test(said))
      return 'name the user that has made the tables, or another schema with ?search_path=<name>'
    return `give it, such as: GRANT CREATE ON DATABASE ${database} TO …`
  }

  const parts = { said, database, schema, grantInSchema, putUserRight, giveRight }
  const sentence = reason.replace(/\{(\w+)\}/g, (_, name: keyof typeof parts) => {
    const part = parts[name]
    return typeof part === 'string' ? part : part()
  })
  return new Error(`The database ${shownDatabase(url)} cannot be opened: ${sentence}.`, { cause: error })
}
