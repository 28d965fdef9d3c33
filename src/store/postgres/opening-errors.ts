import postgres from 'postgres'
import { HttpError } from '../../errors.ts'
import { postgresAddress, schemaOf, shownDatabase } from '../address.ts'
import { codeOf, messageOf, rootOf } from './errors.ts'

interface Context {
  readonly database: string
  readonly schema: string
  /** What PostgreSQL, the driver or node has said, in one line. It names users, never passwords. */
  readonly said: string
  /** Where the address was given. */
  readonly source: string
  /** The user that was tried where the address names none. */
  readonly otherUser: string | undefined
  /** Before anything was asked for: while the connection was made. */
  readonly isEntering: boolean
}

type Reason = (context: Context) => string

const UNANSWERED: Reason = () =>
  'it does not answer; see whether host and port are right, and whether a firewall is in between'
const NO_HOST: Reason = () => 'there is no such host; put the address right'
const UNKNOWN_AUTHORITY: Reason = ({ said }) =>
  `its certificate is of an authority that is not known here (${said}); ` +
  'name the file with that one (PEM) in the variable NODE_EXTRA_CA_CERTS'

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
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  '28P01': ({ said, ...context }) => `the user or the password is wrong (${said}); ${putUserRight(context)}`,
  '28000': ({ said, ...context }) =>
    `the user is not let in (${said}); ${putUserRight(context)}, or in pg_hba.conf`,
  '3D000': ({ database }) => `there is no database ${database}; make it with: createdb ${database}`,
  '3F000': ({ schema }) => `the user may not use the schema ${schema}; give the right: ${inSchema(schema)}`,
  '42501': (context) => `the user lacks a right (${context.said}); ${giveRight(context)}`,
  '53300': () => 'it has no connection left; raise max_connections, or start fewer processes',
  '57P03': () => 'it is starting up or shutting down; try again shortly',
  '25006': () =>
    'it can only be read, since it is a standby; name the primary, or both with target_session_attrs=read-write',
}

const putUserRight = ({ otherUser, source }: Pick<Context, 'otherUser' | 'source'>): string =>
  otherUser === undefined
    ? `put it right in ${source}`
    : `the address names no user, so "${otherUser}" was tried; name one in ${source}, postgres://user:password@host/database`

/** What the right is for is in the language of the server; where it cannot be told, the one to make a schema is likely. */
function giveRight({ said, database, schema, isEntering }: Context): string {
  if (isEntering && said.includes(database)) return `give it: GRANT CONNECT ON DATABASE ${database} TO …`
  if (isEntering) return 'give it, or leave out of the address what it is for'
  if (/\bschema\b/.test(said)) return `give it: ${inSchema(schema)}`
  if (/\b(?:table|relation|sequence)\b/.test(said))
    return 'name the user that has made the tables, or another schema with ?search_path=<name>'
  return `give it, such as: GRANT CREATE ON DATABASE ${database} TO …`
}

const inSchema = (schema: string): string => `GRANT USAGE, CREATE ON SCHEMA ${schema} TO …`

/**
 * One line for the terminal: what is wrong, where, and what to do. Other errors are given back as they are.
 * `source`: where the address was given.
 */
export function explainOpening(error: unknown, url: string, source = 'HYDRANT_DB'): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  const { database = '', credentials = '' } = postgresAddress(url) ?? {}
  const root = rootOf(error)
  const told = reason({
    database,
    schema: schemaOf(url),
    said: messageOf(root).replace(/\s+/g, ' ').replace(/\.$/, ''),
    source,
    otherUser: /^(?::|$)/.test(credentials) ? userTried(url) : undefined,
    // PostgreSQL ends the connection with it.
    isEntering: root instanceof Error && 'severity' in root && root.severity === 'FATAL',
  })
  return new Error(`The database ${shownDatabase(url)} cannot be opened: ${told}.`, { cause: error })
}

/** As the driver chooses it: from the variables that PostgreSQL's own programs know, else the user of this process. */
const userTried = (url: string): string => postgres(url).options.user

function reasonOf(error: unknown): Reason | undefined {
  const code = codeOf(error)
  if (code === undefined) return error instanceof HttpError && error.status === 503 ? UNANSWERED : undefined
  return REASONS[code] ?? (({ said }) => said)
}
