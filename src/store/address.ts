/** What can be told from the address of a database alone: `sqlite:<path>`, or `postgres://…`, which may carry a password. */

export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url)

/** The parts of an address of PostgreSQL as they are written, still percent-encoded. */
export interface PostgresAddress {
  /** Undefined where there is no `@`. */
  readonly credentials: string | undefined
  /** `host`, `host:5432`, or several of them. */
  readonly hosts: readonly string[]
  readonly database: string
  readonly parameters: URLSearchParams
}

/**
 * Undefined for what is none. An `@`, `/`, `?` or `#` in a password must be percent-encoded: where it is not, the end of
 * the password is not known, and nothing of it may be taken for a host.
 */
export function postgresAddress(url: string): PostgresAddress | undefined {
  const found = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#@]*))?$/.exec(url)
  if (found === null) return undefined
  const [, credentials, hosts = '', database = '', parameters = ''] = found
  return { credentials, hosts: hosts.split(','), database, parameters: new URLSearchParams(parameters) }
}

/** For messages and logs: where it is, never the user nor the password. */
export function shownDatabase(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const address = postgresAddress(url)
  if (address === undefined) return `${url.split(':', 1)[0]}:…`
  const hosts = address.hosts.map((host) => (/:\d+$/.test(host) ? host : `${host || 'localhost'}:5432`))
  const schema = address.parameters.get('search_path')
  return `postgres://${hosts.join(',')}/${address.database}${schema === null ? '' : `?search_path=${schema}`}`
}

/** The schema of PostgreSQL that everything is in unless the address names another. */
export const DEFAULT_SCHEMA = 'hydrant'

export const schemaOf = (url: string): string =>
  postgresAddress(url)?.parameters.get('search_path') ?? DEFAULT_SCHEMA

/** What PostgreSQL reads as this very name; names that begin with pg_ are its own. */
export const isPlainSchema = (name: string): boolean => /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name)
