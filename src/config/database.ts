import { isPlainSchema, isPostgres, type PostgresAddress, postgresAddress } from '../database/index.ts'
import { nearest, percentDecoded } from '../text.ts'
import { UsageError } from './values.ts'

const KINDS = 'give sqlite:<path>, such as sqlite:hydrant.db, or postgres://user@host/database'

/** The text is not repeated beyond its scheme: it may carry a password. */
export function readDatabase(text: string): string {
  if (/^[\s"'`]/.test(text) || (isPostgres(text) && /[\s"'`]$/.test(text))) {
    throw new UsageError(
      'there are quotes or spaces around the address; leave them out (an --env-file of docker keeps them).',
    )
  }
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
  const fault = faultIn(address) ?? faultInParameters(address.parameters)
  if (fault !== undefined) throw new UsageError(fault)
  return text
}

function faultIn({ credentials, hosts, database }: PostgresAddress): string | undefined {
  if ([credentials ?? '', database].some((text) => percentDecoded(text) === undefined))
    return 'a % in a user, a password or a name is written %25; give postgres://user:password@host/database.'
  const isThisMachine = hosts.length === 1 && hosts[0] === ''
  if (isThisMachine && credentials !== undefined)
    return 'the host is missing after the @; give postgres://user:password@localhost/database for this machine.'
  const wrong = isThisMachine ? undefined : hosts.find((host) => !isHost(host))
  if (wrong !== undefined)
    return `"${wrong}" is not a host; give postgres://user@host:5432/database, or several hosts with commas between them.`
  return database === ''
    ? 'the name of the database is missing; give postgres://user@host/database.'
    : undefined
}

/** https://www.postgresql.org/docs/current/libpq-connect.html, those that the driver knows, and can be written to. */
const SESSIONS = ['read-write', 'primary']
const TLS = ['disable', 'allow', 'prefer', 'require', 'verify-full']
/** Others are settings of PostgreSQL, which knows whether there is such a one. */
const PARAMETERS = ['search_path', 'sslmode', 'target_session_attrs']

function faultInParameters(parameters: URLSearchParams): string | undefined {
  const names = [...parameters.keys()]
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) return `${twice} is there twice; give it once.`
  if (parameters.has('sslrootcert'))
    return 'sslrootcert is not possible; name that file in the variable NODE_EXTRA_CA_CERTS, and give ?sslmode=verify-full.'
  const typo = names.find((name) => !PARAMETERS.includes(name) && nearest(name, PARAMETERS) !== undefined)
  if (typo !== undefined)
    return `"${typo}" is no parameter of an address; did you mean "${nearest(typo, PARAMETERS)}"?`

  const { search_path: schema, sslmode: tls, target_session_attrs: session } = Object.fromEntries(parameters)
  if (schema !== undefined && !isPlainSchema(schema))
    return 'search_path is not one plain name; give one name of small letters, digits and _, such as ?search_path=hydrant.'
  if (tls !== undefined && !TLS.includes(tls))
    return `sslmode is none of ${TLS.join(', ')}; give one of them, such as ${tls.startsWith('verify') ? 'verify-full' : 'require'}.`
  if (session !== undefined && !SESSIONS.includes(session))
    return `target_session_attrs is neither ${SESSIONS.join(' nor ')}, and members could not be written; give one of the two.`
  return undefined
}

/** A name or an address of version 4, and perhaps a port. */
function isHost(host: string): boolean {
  const [, port] = /^[\w.-]+(?::(\d{1,5}))?$/.exec(host) ?? [undefined, '0']
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
}
