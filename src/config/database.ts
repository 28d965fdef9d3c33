import { isPlainSchema, isPostgres, type PostgresAddress, postgresAddress } from '../database/index.ts'
import type { Problem } from '../problem.ts'
import { nearest, percentDecoded } from '../text.ts'
import { settingProblem } from './problems.ts'

/** Errors repeat only the scheme of the text: it may contain a password. */
export function readDatabase(text: string): string {
  if (/^[\s"'`]/.test(text) || (isPostgres(text) && /[\s"'`]$/.test(text)))
    throw settingProblem('QuotedAddress')
  if (/^sqlite:./s.test(text)) return text
  if (isPostgres(text)) return readPostgres(text)
  if (!text.includes(':')) throw settingProblem('NoDatabaseKind', { text })
  const scheme = text.split(':', 1)[0] ?? ''
  if (scheme === 'sqlite') throw settingProblem('NoDatabasePath')
  if (/^postgres(?:ql)?$/.test(scheme)) throw settingProblem('NoSlashes', { scheme })
  throw settingProblem('UnknownDatabaseKind', { scheme })
}

function readPostgres(text: string): string {
  const address = postgresAddress(text)
  if (address === undefined) throw settingProblem('InvalidPostgresAddress')
  const problem = findAddressProblem(address) ?? findParameterProblem(address.parameters)
  if (problem !== undefined) throw problem
  return text
}

function findAddressProblem({ credentials, hosts, database }: PostgresAddress): Problem | undefined {
  if ([credentials ?? '', database].some((text) => percentDecoded(text) === undefined))
    return settingProblem('InvalidPercent')
  const isThisMachine = hosts.length === 1 && hosts[0] === ''
  if (isThisMachine && credentials !== undefined) return settingProblem('NoDatabaseHost')
  const wrong = isThisMachine ? undefined : hosts.find((host) => !isHost(host))
  if (wrong !== undefined) return settingProblem('InvalidDatabaseHost', { host: wrong })
  return database === '' ? settingProblem('NoDatabaseName') : undefined
}

/** https://www.postgresql.org/docs/current/libpq-connect.html: the values that the driver knows, for servers that accept writes. */
const SESSIONS = ['read-write', 'primary']
const TLS = ['disable', 'allow', 'prefer', 'require', 'verify-full']
/** Any other parameter is a setting of PostgreSQL, which knows whether it exists. */
const PARAMETERS = ['replicas', 'search_path', 'sslmode', 'target_session_attrs']

function findParameterProblem(parameters: URLSearchParams): Problem | undefined {
  const names = [...parameters.keys()]
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) return settingProblem('DuplicateAddressParameter', { name: twice })
  if (parameters.has('sslrootcert')) return settingProblem('RootCertificateParameter')
  const typo = names.find((name) => !PARAMETERS.includes(name) && nearest(name, PARAMETERS) !== undefined)
  if (typo !== undefined) return settingProblem('UnknownAddressParameter', { name: typo, known: PARAMETERS })

  const { search_path: schema, sslmode: tls, target_session_attrs: session } = Object.fromEntries(parameters)
  if (schema !== undefined && !isPlainSchema(schema)) return settingProblem('InvalidSearchPath')
  if (tls !== undefined && !TLS.includes(tls))
    return settingProblem('InvalidSslMode', { known: TLS, isVerifying: tls.startsWith('verify') })
  if (session !== undefined && !SESSIONS.includes(session))
    return settingProblem('ReadOnlySession', { known: SESSIONS })
  const wrong = parameters
    .get('replicas')
    ?.split(',')
    .find((host) => !isHost(host))
  return wrong === undefined ? undefined : settingProblem('InvalidReplica', { host: wrong })
}

/** A name or an IPv4 address, with an optional port. */
function isHost(host: string): boolean {
  const [, port] = /^[\w.-]+(?::(\d{1,5}))?$/.exec(host) ?? [undefined, '0']
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535)
}
