import { readDatabase } from './database.ts'
import * as values from './values.ts'

/**
 * A flag, its default as text, and how its text is read. The same text may come from the environment: HYDRANT_ and
 * the flag's name in capitals, `_` for `-`. A flag wins.
 */
export interface Setting<T> {
  /** In the form of commander: `base-url <url>`, or a bare name for a switch. */
  readonly flag: string
  readonly help: string
  readonly default?: string
  /** The default as help shows it, if it depends on other settings. */
  readonly shownDefault?: string
  /** Whether the flag may be given several times: its values are joined by commas, as in the variable. */
  readonly repeats?: boolean
  /** Whether a text in the variable is meant for a flag of the same name of another command, and does not set this one. */
  readonly isForOther?: (text: string) => boolean
  /** Throws a problem if the text is invalid. */
  readonly read: (text: string) => T
}

/** A switch: there is a flag for on and one for off, and neither takes a value. */
export const toggle = (flag: string, help: string, byDefault: 'on' | 'off') => ({
  ...{ flag, help, default: byDefault },
  read: values.readSwitch,
})

/** Every setting of `hydrant serve`. */
export const SETTINGS = {
  baseUrl: {
    flag: 'base-url <url>',
    help: 'public base URL; its path is where the API is mounted',
    shownDefault: 'http://localhost:8080/api',
    read: values.readBaseUrl,
  },
  host: { flag: 'host <address>', help: 'address to listen on', default: '127.0.0.1', read: values.readHost },
  port: {
    flag: 'port <number>',
    help: 'port to listen on; 0 for any free one',
    shownDefault: 'the port in the base URL, else 8080',
    read: values.readPort,
  },
  db: {
    flag: 'db <url>',
    help: 'database: sqlite:<path>, sqlite::memory: or postgres://user@host/database; if it has a password, use the variable',
    default: 'sqlite:hydrant.db',
    read: readDatabase,
  },
  auth: toggle('auth', 'authentication', 'on'),
  token: toggle('token', 'tokens within authentication', 'on'),
  tokenTtl: {
    flag: 'token-ttl <duration>',
    help: 'how long a token lives, 45m at most',
    default: '45m',
    read: values.readTokenTtl,
  },
  nonceTtl: {
    flag: 'nonce-ttl <duration>',
    help: 'how long a nonce can be used',
    default: '5m',
    read: values.readDuration,
  },
  secretFile: {
    flag: 'secret-file <path>',
    help: 'file with the nonce secret; two lines while rotating. HYDRANT_SECRET may hold the secret itself',
    shownDefault: 'kept in the database',
    read: values.readSecretFile,
  },
  trustProxy: {
    flag: 'trust-proxy <ranges>',
    help: 'addresses or ranges whose X-Forwarded-For is believed, such as 10.0.0.0/8,::1',
    read: values.readRanges,
  },
  userFailures: {
    flag: 'user-failures <n/duration>',
    help: 'wrong passphrases per address and user before 429',
    default: '20/5m',
    read: values.readLimit,
  },
  addressFailures: {
    flag: 'address-failures <n/duration>',
    help: 'wrong passphrases per address before 429',
    default: '100/1m',
    read: values.readLimit,
  },
  pageSize: { flag: 'page-size <number>', help: 'members on a page', default: '20', read: values.readCount },
  maxPageSize: {
    flag: 'max-page-size <number>',
    help: 'most members that a client may ask for on a page',
    default: '100',
    read: values.readCount,
  },
  maxPageBytes: {
    flag: 'max-page-bytes <size>',
    help: 'most bytes of members on a page, which ends before a member that would exceed them',
    default: '4MiB',
    read: values.readBytes,
  },
  maxBatchSize: {
    flag: 'max-batch-size <number>',
    help: 'most operations in a batch',
    default: '1000',
    read: values.readCount,
  },
  maxBatchBytes: {
    flag: 'max-batch-bytes <size>',
    help: 'most bytes of a batch',
    default: '8MiB',
    read: values.readBytes,
  },
  with: {
    flag: 'with <module>',
    help: 'module with hooks, operations and followers, its default export; TypeScript or JavaScript',
    read: values.readFileName,
  },
  hookTime: {
    flag: 'hook-time <duration>',
    help: 'how long a hook or an operation of the module may take before 503, and a call of a follower before it counts as failed',
    default: '10s',
    read: values.readDuration,
  },
  webhooks: {
    flag: 'webhooks <file>',
    help: 'YAML file with a list of webhooks, to which changes are sent',
    read: values.readFileName,
  },
  webhookAllow: {
    flag: 'webhook-allow <hosts>',
    help: 'hosts of webhooks that may be in private networks, such as billing.internal,10.0.0.7',
    repeats: true,
    read: values.readHostNames,
  },
  scanTime: {
    flag: 'scan-time <duration>',
    help: 'how long a filter without an index may search before 503',
    default: '2s',
    read: values.readDuration,
  },
  requireIfMatch: toggle('require-if-match', '428 for a change without If-Match', 'off'),
  history: {
    flag: 'history <duration/n>',
    help: 'how long changes are kept for the feed, and how many',
    default: '24h/1000000',
    read: values.readHistory,
  },
  followerHistory: {
    flag: 'follower-history <duration>',
    help: 'how long changes are kept beyond --history for a follower that has not handled them',
    default: '30d',
    read: values.readLongDuration,
  },
  maxStreams: {
    flag: 'max-streams <number>',
    help: 'most streams of the feed that a process has open before 503',
    default: '1000',
    read: values.readCount,
  },
  maxUserStreams: {
    flag: 'max-user-streams <number>',
    help: 'most streams of the feed for one user, or for one address without authentication',
    default: '20',
    read: values.readCount,
  },
  maxConnections: {
    flag: 'max-connections <number>',
    help: "most connections of the API's port; beyond that a new one replaces an idle one",
    default: '10000',
    read: values.readConnections,
  },
  anyoneRequests: {
    flag: 'anyone-requests <number>',
    help: 'most requests a minute of one address that has not signed in, where the API file lets anyone read',
    default: '600',
    read: values.readCount,
  },
  bodyMemory: {
    flag: 'body-memory <size>',
    help: 'most memory for the bodies of all requests in flight; a request beyond it waits, then 503',
    default: '256MiB',
    read: values.readMemory,
  },
  compression: toggle('compression', 'gzip and br for clients that accept them', 'on'),
  tlsCert: {
    flag: 'tls-cert <path>',
    help: 'certificate (PEM), to serve https',
    read: values.readCertificate,
  },
  tlsKey: { flag: 'tls-key <path>', help: 'key of the certificate (PEM)', read: values.readKey },
  consolePort: {
    flag: 'console-port <port>',
    help: 'port of the web console, on the host of the API, or <address>:<port>; 0 for any free port, off for none',
    default: '8081',
    read: values.addressReader('8081 or 127.0.0.1:8081'),
  },
  opsPort: {
    flag: 'ops-port <port>',
    help: 'port for health and metrics, on 127.0.0.1, or <address>:<port>',
    default: 'off',
    read: values.addressReader('9090 or 0.0.0.0:9090'),
  },
  access: {
    flag: 'access <file>',
    help: 'YAML file with roles and access, beside the API file',
    read: values.readFileName,
  },
  migrate: {
    flag: 'migrate <which>',
    help: 'which changes of the API file to start with: any, or only compatible ones, after which hosts with the former file can keep serving',
    default: 'any',
    read: values.readMigrate,
  },
  watch: toggle('watch', 'apply changed files and code while serving; needs a SQLite database file', 'off'),
  workers: {
    flag: 'workers <number>',
    help: 'server processes; more than one with PostgreSQL only',
    default: '1',
    read: values.readWorkers,
  },
  logLevel: {
    flag: 'log-level <level>',
    help: 'error, warn, info or debug',
    default: 'info',
    read: values.readLogLevel,
  },
  logFormat: {
    flag: 'log-format <format>',
    help: 'pretty or json',
    shownDefault: 'pretty on a terminal, else json',
    read: values.readLogFormat,
  },
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

/** Whether the setting is on or off, and so takes no value. */
export const isSwitch = ({ flag }: Setting<unknown>): boolean => !flag.includes(' ')

export const flagOf = ({ flag }: Setting<unknown>): string => flag.split(' ', 1)[0] as string

/** The prefix of every variable. */
export const PREFIX = 'HYDRANT_'

export const variableFor = (of: Setting<unknown>): string =>
  `${PREFIX}${flagOf(of).toUpperCase().replaceAll('-', '_')}`
