import { UsageError } from './setting-values.ts'
import { isPostgres, type PostgresAddress, postgresAddress } from './store/store.ts'

const KINDS = 'give sqlite:<path>, such as sqlite:hydrant.db, or postgres://user@host/database'

/** The text is not repeated beyond its scheme: it may carry a password. */
export function readDatabase(text: string): string {
  if (/^sqlite:./s.test(text)) return text
  if (isPostgres(text)) return readPostgres(text)
  if (!text.includes(':')) {
    throw new UsageError(
      `"${text}" does not say what kind of database it is; give sqlite:${text}, or postgres://user@host/database.`,
    )
  }
  const scheme = text.split(':', 1)[0] ?? ''
  throw new UsageError(
    scheme === 'sqlite'
      ? 'the path is missing; give sqlite:<path>, such as sqlite:hydrant.db.'
      : /^postgres(?:ql)?$/.test(scheme)
        ? `after ${scheme}: come two slashes; give ${scheme}://user@host/database.`
        : `a database of the kind "${scheme}" is not known; ${KINDS}.`,
  )
}

function readPostgres(text: string): string {
  const address = postgresAddress(text)
  if (address === undefined) {
    throw new UsageError(
      'this is not an address of PostgreSQL: a @, /, ? or # in a user or a password is written %40, %2F, %3F or %23; ' +
        'give postgres://user:password@host:5432/database.',
    )
  }
  const fault = faultIn(address)
  if (fault !== undefined) throw new UsageError(`${fault}.`)
  return text
}

/** https://www.postgresql.org/docs/current/libpq-connect.html, those that the driver knows. */
const SESSIONS = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby']
const TLS = ['disable', 'allow', 'prefer', 'require', 'verify-full']

function faultIn({ credentials, hosts, database, parameters }: PostgresAddress): string | undefined {
  if (![credentials, database].every(isEncoded)) {
    return 'a % in a user, a password or a name is written %25; give postgres://user:password@host/database'
  }
  // An empty one is this machine.
  const badHost = hosts.length === 1 && hosts[0] === '' ? undefined : hosts.find((host) => !isHost(host))
  if (badHost !== undefined) {
    return `"${badHost}" is not a host; give postgres://user@host:5432/database, or several hosts with commas between them`
  }
  if (database === '') return 'the name of the database is missing; give postgres://user@host/database'
  const session = parameters.get('target_session_attrs')
  if (session !== null && !SESSIONS.includes(session)) {
    return `target_session_attrs is none of ${SESSIONS.join(', ')}; give one of them, such as read-write`
  }
  const tls = parameters.get('sslmode')
  if (tls !== null && !TLS.includes(tls))
    return `sslmode is none of ${TLS.join(', ')}; give one of them, such as require`
  return undefined
}

/** A name or an address of version 4, and perhaps a port. */
function isHost(host: string): boolean {
  const [, port] = /^[\w.-]+(?::(\d{1,5}))?$/.exec(host) ?? [undefined, '0']
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
