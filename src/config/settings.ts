import { readDatabase } from './database.ts'
import { readCertificate, readKey, readSecretFile } from './files.ts'
import {
  readBaseUrl,
  readBytes,
  readConsolePort,
  readCount,
  readDuration,
  readFormat,
  readHost,
  readId,
  readLimit,
  readLogFormat,
  readLogLevel,
  readOpsPort,
  readPort,
  readRanges,
  readSwitch,
  readText,
  readTokenId,
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
  /** Empty where there is none. */
  readonly default: string
  /** What help shows where the default depends on others. */
  readonly shownDefault: string
  /** Throws a UsageError that says what would be right. */
  readonly read: (text: string) => T
}

type Given<T> = Pick<Setting<T>, 'flag' | 'help' | 'read'> & Partial<Setting<T>>

const setting = <T>({ default: standard = '', shownDefault = standard || 'none', ...rest }: Given<T>) =>
  ({ ...rest, default: standard, shownDefault }) satisfies Setting<T>

/** Every setting of `hydrant serve`. */
export const SETTINGS = {
  baseUrl: setting({
    flag: 'base-url <url>',
    help: 'public base URL; its path is where the API is mounted',
    shownDefault: 'http://localhost:8080/api',
    read: readBaseUrl,
  }),
  host: setting({
    flag: 'host <address>',
    help: 'address to listen on',
    default: '127.0.0.1',
    read: readHost,
  }),
  port: setting({
    flag: 'port <number>',
    help: 'port to listen on; 0 for any free one',
    shownDefault: 'the port in the base URL, else 8080',
    read: readPort,
  }),
  db: setting({
    flag: 'db <url>',
    help: 'database: sqlite:<path>, sqlite::memory: or postgres://user@host/database; one with a password better in the variable',
    default: 'sqlite:hydrant.db',
    read: readDatabase,
  }),
  auth: setting({ flag: 'auth', help: 'authentication', default: 'on', read: readSwitch }),
  token: setting({ flag: 'token', help: 'tokens within authentication', default: 'on', read: readSwitch }),
  tokenTtl: setting({
    flag: 'token-ttl <duration>',
    help: 'how long a token lives, 45m at most',
    default: '45m',
    read: readTokenTtl,
  }),
  nonceTtl: setting({
    flag: 'nonce-ttl <duration>',
    help: 'how long a nonce can be used',
    default: '5m',
    read: readDuration,
  }),
  secretFile: setting({
    flag: 'secret-file <path>',
    help: 'file with the nonce secret; two lines while rotating. HYDRANT_SECRET may hold the secret itself',
    shownDefault: 'kept in the database',
    read: readSecretFile,
  }),
  trustProxy: setting({
    flag: 'trust-proxy <ranges>',
    help: 'addresses or ranges whose X-Forwarded-For is believed, such as 10.0.0.0/8,::1',
    read: readRanges,
  }),
  userFailures: setting({
    flag: 'user-failures <n/duration>',
    help: 'wrong paraphrases per address and user before 429',
    default: '20/5m',
    read: readLimit,
  }),
  addressFailures: setting({
    flag: 'address-failures <n/duration>',
    help: 'wrong paraphrases per address before 429',
    default: '100/1m',
    read: readLimit,
  }),
  pageSize: setting({
    flag: 'page-size <number>',
    help: 'members on a page',
    default: '20',
    read: readCount,
  }),
  maxPageSize: setting({
    flag: 'max-page-size <number>',
    help: 'most members that a client may ask for on a page',
    default: '100',
    read: readCount,
  }),
  maxPageBytes: setting({
    flag: 'max-page-bytes <size>',
    help: 'most bytes of members on a page, which ends before the member with which it would have more',
    default: '4MiB',
    read: readBytes,
  }),
  scanTime: setting({
    flag: 'scan-time <duration>',
    help: 'how long a filter without an index may search before 503',
    default: '2s',
    read: readDuration,
  }),
  requireIfMatch: setting({
    flag: 'require-if-match',
    help: '428 for a change without If-Match',
    default: 'off',
    read: readSwitch,
  }),
  tlsCert: setting({
    flag: 'tls-cert <path>',
    help: 'certificate (PEM), to serve https',
    read: readCertificate,
  }),
  tlsKey: setting({ flag: 'tls-key <path>', help: 'key of the certificate (PEM)', read: readKey }),
  consolePort: setting({
    flag: 'console-port <port>',
    help: 'port of the web console, on the host of the API unless an address stands before it; 0 for any free one, off for none',
    default: '8081',
    read: readConsolePort,
  }),
  opsPort: setting({
    flag: 'ops-port <port>',
    help: 'port for health and metrics, on 127.0.0.1 unless an address stands before it',
    default: 'off',
    read: readOpsPort,
  }),
  workers: setting({
    flag: 'workers <number>',
    help: 'server processes; more than one with PostgreSQL only',
    default: '1',
    read: readWorkers,
  }),
  logLevel: setting({
    flag: 'log-level <level>',
    help: 'error, warn, info or debug',
    default: 'info',
    read: readLogLevel,
  }),
  logFormat: setting({
    flag: 'log-format <format>',
    help: 'pretty or json',
    shownDefault: 'pretty on a terminal, else json',
    read: readLogFormat,
  }),
}

/** What the other commands take beside `--db` and `--base-url`. */
export const COMMAND_SETTINGS = {
  json: setting({ flag: 'json', help: 'output for programs', default: 'off', read: readSwitch }),
  format: setting({
    flag: 'format <format>',
    help: 'ndjson or jsonld',
    shownDefault: "by the ending of the file's name, else ndjson",
    read: readFormat,
  }),
  from: setting({ flag: 'from <db>', help: 'the embedded database, sqlite:<path>', read: readDatabase }),
  to: setting({
    flag: 'to <db>',
    help: 'the empty database, postgres://user@host/database; one with a password better in the variable',
    read: readDatabase,
  }),
  out: setting({
    flag: 'out <file>',
    help: 'file to write',
    shownDefault: 'standard output',
    read: readText,
  }),
  signInAs: setting({
    flag: 'user <id>',
    help: 'who signs in, where the API at the url wants credentials',
    read: readId,
  }),
  tokensOf: setting({ flag: 'user <id>', help: 'all tokens of a user', read: readId }),
  tokenId: setting({
    flag: 'token-id <n>',
    help: 'one token, by its number in "hydrant token list"',
    read: readTokenId,
  }),
  allTokens: setting({ flag: 'all', help: 'every token', default: 'off', read: readSwitch }),
}

export type SettingName = keyof typeof SETTINGS

/** A setting that is on or off takes no value: there is a flag for each. */
export const isSwitch = ({ flag }: Setting<unknown>): boolean => !flag.includes(' ')

export const flagOf = ({ flag }: Setting<unknown>): string => flag.split(' ', 1)[0] as string

export const flagName = (name: SettingName): string => flagOf(SETTINGS[name])

export const variableFor = (of: Setting<unknown>): string =>
  `HYDRANT_${flagOf(of).toUpperCase().replaceAll('-', '_')}`

export const variableOf = (name: SettingName): string => variableFor(SETTINGS[name])
