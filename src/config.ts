import { readFileSync } from 'node:fs'
import type { GateMode } from './auth/gate.ts'
import { type AddressRange, readAddressRange } from './auth/throttle.ts'
import type { FailureLimit } from './store/store.ts'

/** The command was called wrongly: exit status 2. The message says what would be right. */
export class UsageError extends Error {}

/**
 * Every setting: its flag, its default as text, and how its text is read. The same text may come from the
 * environment: HYDRANT_ and the flag's name in capitals, `_` for `-`. A flag wins.
 */
interface Setting<T> {
  /** As commander takes it: `base-url <url>`, or a bare name for one that is on or off. */
  readonly flag: string
  readonly help: string
  readonly default: string
  readonly read: (text: string) => T
}

const setting = <T>(flag: string, standard: string, help: string, read: (text: string) => T): Setting<T> => ({
  flag,
  help,
  default: standard,
  read,
})

export const LONGEST_TOKEN_MS = 45 * 60_000

export const SETTINGS = {
  baseUrl: setting(
    'base-url <url>',
    '',
    'public base URL; its path is where the API is mounted',
    readBaseUrl,
  ),
  host: setting('host <address>', '127.0.0.1', 'address to listen on', readText),
  port: setting('port <number>', '', 'port to listen on; 0 for any free one', readPort),
  db: setting('db <url>', 'sqlite:hydrant.db', 'database: sqlite:<path> or sqlite::memory:', readText),
  auth: setting('auth', 'on', 'authentication', readSwitch),
  token: setting('token', 'on', 'tokens within authentication', readSwitch),
  tokenTtl: setting('token-ttl <duration>', '45m', 'how long a token lives, 45m at most', readTokenTtl),
  nonceTtl: setting('nonce-ttl <duration>', '5m', 'how long a nonce can be used', readDuration),
  secretFile: setting(
    'secret-file <path>',
    '',
    'file with the nonce secret; two lines while rotating',
    readText,
  ),
  trustProxy: setting(
    'trust-proxy <ranges>',
    '',
    'addresses or ranges whose X-Forwarded-For is believed',
    readRanges,
  ),
  userFailures: setting(
    'user-failures <n/duration>',
    '20/5m',
    'wrong paraphrases per address and user before 429',
    readLimit,
  ),
  addressFailures: setting(
    'address-failures <n/duration>',
    '100/1m',
    'wrong paraphrases per address before 429',
    readLimit,
  ),
  pageSize: setting('page-size <number>', '20', 'members on a page', readCount),
  maxPageSize: setting(
    'max-page-size <number>',
    '100',
    'most members that a client may ask for on a page',
    readCount,
  ),
  requireIfMatch: setting('require-if-match', 'off', '428 for a change without If-Match', readSwitch),
  tlsCert: setting('tls-cert <path>', '', 'certificate, to serve https', readText),
  tlsKey: setting('tls-key <path>', '', 'key of the certificate', readText),
  logLevel: setting('log-level <level>', 'info', 'error, warn, info or debug', readLogLevel),
  logFormat: setting('log-format <format>', '', 'pretty or json', readLogFormat),
} as const

export type SettingName = keyof typeof SETTINGS

type Values = { readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['read']> | undefined }

/** What flags say, by setting; absent where no flag was given. */
export type Flags = { readonly [Name in SettingName]?: string | boolean }

export type Environment = Readonly<Record<string, string | undefined>>

export const flagName = (name: SettingName): string => SETTINGS[name].flag.split(' ', 1)[0] as string

export const variableOf = (name: SettingName): string =>
  `HYDRANT_${flagName(name).toUpperCase().replaceAll('-', '_')}`

export const isSwitch = (name: SettingName): boolean => !SETTINGS[name].flag.includes(' ')

/** What is shown as the default, for settings whose default depends on others. */
export const DEFAULT_HINTS: Readonly<Partial<Record<SettingName, string>>> = {
  baseUrl: 'http://localhost:8080/api',
  port: 'the port in the base URL, else 8080',
  secretFile: 'kept in the database',
  trustProxy: 'none',
  tlsCert: 'none',
  tlsKey: 'none',
  logFormat: 'pretty on a terminal, else json',
}

export interface Config {
  /** Undefined until the port is known: `--port 0` without `--base-url`. */
  readonly base: string | undefined
  readonly host: string
  readonly port: number
  readonly db: string
  readonly mode: GateMode
  readonly tokenTtlMs: number
  readonly nonceTtlMs: number
  /** The first one seals new nonces. Undefined: kept in the database. */
  readonly secrets: readonly Buffer[] | undefined
  readonly trusted: readonly AddressRange[]
  readonly limits: { readonly user: FailureLimit; readonly address: FailureLimit }
  readonly pageSizes: { readonly standard: number; readonly maximum: number }
  readonly requireIfMatch: boolean
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined
  readonly logLevel: string
  readonly logFormat: 'pretty' | 'json' | undefined
}

/** The only reader of the environment. */
export function readConfig(flags: Flags, environment: Environment = process.env): Config {
  const values = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, readSetting(name, flags, environment)]),
  ) as Values
  const required = <Name extends SettingName>(name: Name) => values[name] as NonNullable<Values[Name]>

  const pageSizes = { standard: required('pageSize'), maximum: required('maxPageSize') }
  if (pageSizes.standard > pageSizes.maximum) {
    throw new UsageError(
      `--page-size is ${pageSizes.standard}; it may not exceed --max-page-size, ${pageSizes.maximum}.`,
    )
  }
  if ((values.tlsCert === undefined) !== (values.tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key go together; give both.')
  }
  const scheme = values.tlsCert === undefined ? 'http' : 'https'
  const port = values.port ?? portOf(values.baseUrl) ?? 8080
  const base = values.baseUrl ?? (port === 0 ? undefined : defaultBase(port, scheme))
  return Object.freeze({
    base,
    host: required('host'),
    port,
    db: required('db'),
    mode: !required('auth') ? 'open' : required('token') ? 'token' : 'nonce',
    tokenTtlMs: required('tokenTtl'),
    nonceTtlMs: required('nonceTtl'),
    secrets: readSecrets(values.secretFile, environment.HYDRANT_SECRET),
    trusted: values.trustProxy ?? [],
    limits: { user: required('userFailures'), address: required('addressFailures') },
    pageSizes,
    requireIfMatch: required('requireIfMatch'),
    tls:
      values.tlsCert === undefined || values.tlsKey === undefined
        ? undefined
        : { cert: readNamed('--tls-cert', values.tlsCert), key: readNamed('--tls-key', values.tlsKey) },
    logLevel: required('logLevel'),
    logFormat: values.logFormat,
  })
}

export const defaultBase = (port: number, scheme: 'http' | 'https'): string =>
  `${scheme}://localhost:${port}/api`

function readSetting(name: SettingName, flags: Flags, environment: Environment): unknown {
  const { read, default: standard } = SETTINGS[name]
  const flag = flags[name]
  const variable = environment[variableOf(name)]
  const [text, source] =
    flag !== undefined
      ? [typeof flag === 'boolean' ? (flag ? 'on' : 'off') : flag, `--${flagName(name)}`]
      : [variable || standard, variableOf(name)]
  if (text === '') {
    if (flag !== undefined) throw new UsageError(`${source} needs a value.`)
    return undefined
  }
  try {
    return read(text)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${source}: ${error.message}`)
    throw error
  }
}

function readText(text: string): string {
  return text
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text}" is not a URL; give one such as http://localhost:8080/api.`)
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      'a base URL has no user, query or fragment; give one such as https://example.org/api.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

/** The port that is written in the base URL; the scheme's own port is not a wish to listen there. */
const portOf = (base: string | undefined): number | undefined => {
  const port = base === undefined ? '' : new URL(base).port
  return port === '' ? undefined : Number(port)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`"${text}" is not a port; give a number from 0 to 65535.`)
}

function readSwitch(text: string): boolean {
  if (['on', 'true', '1', 'yes'].includes(text.toLowerCase())) return true
  if (['off', 'false', '0', 'no'].includes(text.toLowerCase())) return false
  throw new UsageError(`"${text}" is neither on nor off.`)
}

function readCount(text: string): number {
  const count = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN
  if (count <= 10_000) return count
  throw new UsageError(`"${text}" is not a whole number from 1 to 10000.`)
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

function readDuration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (milliseconds <= 24 * 3_600_000) return milliseconds
  throw new UsageError(`"${text}" is not a duration of at most 24h; give one such as 90s, 5m or 1h.`)
}

function readTokenTtl(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds <= LONGEST_TOKEN_MS) return milliseconds
  throw new UsageError(`"${text}" is too long: a token may live shorter than 45m, not longer.`)
}

function readLimit(text: string): FailureLimit {
  const [, failures, window] = /^([1-9]\d{0,5})\/(\w+)$/.exec(text) ?? []
  if (failures === undefined || window === undefined) {
    throw new UsageError(`"${text}" is not a limit; give a number and a duration such as 20/5m.`)
  }
  return { failures: Number(failures), windowMs: readDuration(window) }
}

function readRanges(text: string): AddressRange[] {
  return text.split(',').map((part) => {
    const range = readAddressRange(part.trim())
    if (range !== undefined) return range
    throw new UsageError(`"${part.trim()}" is not an address or a range; give some such as 10.0.0.0/8,::1.`)
  })
}

function readLogLevel(text: string): string {
  if (['error', 'warn', 'info', 'debug'].includes(text)) return text
  throw new UsageError(`"${text}" is not a level; give error, warn, info or debug.`)
}

function readLogFormat(text: string): 'pretty' | 'json' {
  if (text === 'pretty' || text === 'json') return text
  throw new UsageError(`"${text}" is not a format; give pretty or json.`)
}

/** One secret, or two while rotating: the first seals, both are accepted. Never an argument: those are public. */
function readSecrets(path: string | undefined, variable: string | undefined): Buffer[] | undefined {
  const [text, source] =
    path !== undefined
      ? [readNamed('--secret-file', path).toString('utf8'), path]
      : [variable, 'HYDRANT_SECRET']
  if (text === undefined || text === '') return undefined
  const secrets = text.split(/\r?\n/).filter((line) => line !== '')
  if (secrets.length === 0 || secrets.length > 2)
    throw new UsageError(`${source} has ${secrets.length} lines; it takes one secret, or two while rotating.`)
  if (secrets.some((secret) => secret.length < 32))
    throw new UsageError(
      `${source}: a secret has at least 32 characters; make one with "openssl rand -hex 32".`,
    )
  return secrets.map((secret) => Buffer.from(secret))
}

function readNamed(flag: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${flag}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
