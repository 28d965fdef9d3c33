import { HttpError } from '../../errors.ts'
import { postgresAddress, shownDatabase } from '../address.ts'
import { codeOf } from './errors.ts'

type Reason = (context: { readonly database: string; readonly said: string }) => string

const UNANSWERED: Reason = () =>
  'it does not answer; see whether host and port are right, and whether a firewall is in between'
const NO_HOST: Reason = () => 'there is no such host; put the address right'

/** By the codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), the driver and node. */
const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: () => 'nothing listens there; start PostgreSQL, or put the address right',
  ENOTFOUND: NO_HOST,
  EAI_AGAIN: NO_HOST,
  CONNECT_TIMEOUT: UNANSWERED,
  ETIMEDOUT: UNANSWERED,
  EHOSTUNREACH: UNANSWERED,
  ENETUNREACH: UNANSWERED,
  ECONNRESET: () =>
    'the connection was closed at once; see whether PostgreSQL listens there, and with TLS where sslmode asks for it',
  CONNECTION_CLOSED: () => 'the connection was closed; see the log of PostgreSQL for the reason',
  '28P01': () => 'the user or the password is wrong; put it right in HYDRANT_DB',
  '28000': ({ said }) => `the user is not let in (${said}); put it right in HYDRANT_DB, or in pg_hba.conf`,
  '3D000': ({ database }) => `there is no database ${database}; make it with: createdb ${database}`,
  '42501': ({ said, database }) =>
    `the user lacks a right (${said}); give it, such as: GRANT CREATE ON DATABASE ${database} TO …`,
  '53300': () => 'it has no connection left; raise max_connections, or start fewer processes',
  '57P03': () => 'it is starting up or shutting down; try again shortly',
  '25006': () =>
    'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write',
}

/** Whoever starts a command reads one line: what is wrong, where, and what to do. Other errors are given back as they are. */
export function explainOpening(error: unknown, url: string): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  const database = postgresAddress(url)?.database ?? ''
  const said = rootOf(error).replace(/\s+/g, ' ')
  return new Error(`The database ${shownDatabase(url)} cannot be opened: ${reason({ database, said })}.`, {
    cause: error,
  })
}

function reasonOf(error: unknown): Reason | undefined {
  const code = codeOf(error)
  if (code === undefined) return error instanceof HttpError && error.status === 503 ? UNANSWERED : undefined
  return REASONS[code] ?? (({ said }) => said.replace(/\.$/, ''))
}

const rootOf = (error: unknown): string =>
  error instanceof HttpError && error.cause !== undefined
    ? rootOf(error.cause)
    : error instanceof Error
      ? error.message
      : String(error)
