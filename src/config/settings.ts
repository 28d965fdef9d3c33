import { readDatabase } from './database.ts'
import {
  type Read,
  readBaseUrl,
  readBytes,
  readConsolePort,
  readCount,
  readDuration,
  readHost,
  readLimit,
  readLogFormat,
  readLogLevel,
  readOpsPort,
  readPort,
  readRanges,
  readSwitch,
  readText,
  readTokenTtl,
  readWorkers,
} from './values.ts'

/**
 * A flag, its default as text, and how its text is read. The same text may come from the environment: HYDRANT_ and
 * the flag's name in capitals, `_` for `-`. A flag wins.
 */
export interface Setting<T> {
  /** As commander takes it: `base-url <url>`, or a bare name for one that is on or off. */
  readonly flag: string
  readonly help: string
  readonly default: string
  /** What help shows where the default depends on others. */
  readonly shownDefault: string
  readonly read: Read<T>
}

export const setting = <T>(
  flag: string,
  standard: string,
  help: string,
  read: Read<T>,
  shownDefault = standard,
): Setting<T> => ({ flag, help, default: standard, shownDefault, read })

/** Every setting of `hydrant serve`. */
export const SETTINGS = {
  baseUrl: setting(
    'base-url <url>',
    '',
    'public base URL; its path is where the API is mounted',
    readBaseUrl,
    'http://localhost:8080/api',
  ),
  host: setting('host <address>', '127.0.0.1', 'address to listen on', readHost),
  port: setting(
    'port <number>',
    '',
    'port to listen on; 0 for any free one',
    readPort,
    'the port in the base URL, else 8080',
  ),
  db: setting(
    'db <url>',
    'sqlite:hydrant.db',
    'database: sqlite:<path>, sqlite::memory: or postgres://user@host/database; one with a password better in the variable',
    readDatabase,
  ),
  auth: setting('auth', 'on', 'authentication', readSwitch),
  token: setting('token', 'on', 'tokens within authentication', readSwitch),
  tokenTtl: setting('token-ttl <duration>', '45m', 'how long a token lives, 45m at most', readTokenTtl),
  nonceTtl: setting('nonce-ttl <duration>', '5m', 'how long a nonce can be used', readDuration),
  secretFile: setting(
    'secret-file <path>',
    '',
    'file with the nonce secret; two lines while rotating. HYDRANT_SECRET may hold the secret itself',
    readText,
    'kept in the database',
  ),
  trustProxy: setting(
    'trust-proxy <ranges>',
    '',
    'addresses or ranges whose X-Forwarded-For is believed, such as 10.0.0.0/8,::1',
    readRanges,
    'none',
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
  maxPageBytes: setting(
    'max-page-bytes <size>',
    '4MiB',
    'most bytes of members on a page, which ends before the member with which it would have more',
    readBytes,
  ),
  scanTime: setting(
    'scan-time <duration>',
    '2s',
    'how long a filter without an index may search before 503',
    readDuration,
  ),
  requireIfMatch: setting('require-if-match', 'off', '428 for a change without If-Match', readSwitch),
  tlsCert: setting('tls-cert <path>', '', 'certificate (PEM), to serve https', readText, 'none'),
  tlsKey: setting('tls-key <path>', '', 'key of the certificate (PEM)', readText, 'none'),
  consolePort: setting(
    'console-port <port>',
    '8081',
    'port of the web console, on the host of the API unless an address stands before it; 0 for any free one, off for none',
    readConsolePort,
  ),
  opsPort: setting(
    'ops-port <port>',
    'off',
    'port for health and metrics, on 127.0.0.1 unless an address stands before it',
    readOpsPort,
  ),
  workers: setting(
    'workers <number>',
    '1',
    'server processes; more than one with PostgreSQL only',
    readWorkers,
  ),
  logLevel: setting('log-level <level>', 'info', 'error, warn, info or debug', readLogLevel),
  logFormat: setting(
    'log-format <format>',
    '',
    'pretty or json',
    readLogFormat,
    'pretty on a terminal, else json',
  ),
} as const

export type SettingName = keyof typeof SETTINGS

export const flagOf = ({ flag }: Setting<unknown>): string => flag.split(' ', 1)[0] as string

export const flagName = (name: SettingName): string => flagOf(SETTINGS[name])

export const variableFor = (of: Setting<unknown>): string =>
  `HYDRANT_${flagOf(of).toUpperCase().replaceAll('-', '_')}`

export const variableOf = (name: SettingName): string => variableFor(SETTINGS[name])
