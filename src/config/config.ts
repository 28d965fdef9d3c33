import { nearest } from '../text.ts'
import type { WebhookDeclaration } from '../webhooks/declaration.ts'
import {
  countWorkers,
  readBodyMemory,
  readConsole,
  readOps,
  readTls,
  readWatch,
} from './combined-settings.ts'
import { COMMAND_SETTINGS } from './command-settings.ts'
import { settingProblem } from './problems.ts'
import {
  createSettingsReader,
  type Environment,
  type Flags,
  readSetting,
  sourceOf,
} from './setting-reader.ts'
import { PREFIX, SETTINGS, type Setting, variableFor } from './settings.ts'
import { readSecrets } from './values.ts'

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. */
export function readConfig(flags: Flags, environment: Environment = process.env) {
  const settings = createSettingsReader(flags, environment)
  const { find, read } = settings
  const tls = readTls(settings)
  const baseUrl = find('baseUrl')
  const port = find('port') ?? baseUrl?.port ?? 8080
  return Object.freeze({
    /** Undefined until the port is known: `--port 0` without `--base-url`. */
    base: baseUrl?.base ?? (port === 0 ? undefined : defaultBase(port, tls === undefined ? 'http' : 'https')),
    host: read('host'),
    port,
    db: read('db'),
    mode: !read('auth') ? 'open' : read('token') ? 'token' : 'nonce',
    tokenTtlMs: read('tokenTtl'),
    nonceTtlMs: read('nonceTtl'),
    /** The first secret signs new nonces. Undefined if the secret is kept in the database. */
    secrets: (find('secretFile') ?? readSetting(SECRET, undefined, environment)) as Buffer[] | undefined,
    /** Addresses and ranges of proxies. */
    trusted: find('trustProxy') ?? [],
    limits: { user: read('userFailures'), address: read('addressFailures') },
    pageSizes: { ...readPageSizes(flags, environment), bytes: read('maxPageBytes') },
    batchLimits: { operations: read('maxBatchSize'), bytes: read('maxBatchBytes') },
    /** A module with hooks, operations and followers, and how long one of its promises may take. */
    with: find('with'),
    hookMs: read('hookTime'),
    /** A file with webhooks, or those of a program, and the hosts that may be in private networks. */
    webhooks: find('webhooks') as string | readonly WebhookDeclaration[] | undefined,
    webhookHosts: find('webhookAllow') ?? [],
    scanMs: read('scanTime'),
    requireIfMatch: read('requireIfMatch'),
    /** Changes that a follower has not passed are kept longer. */
    history: { ...read('history'), followedMs: read('followerHistory') },
    streams: { all: read('maxStreams'), perUser: read('maxUserStreams') },
    maxConnections: read('maxConnections'),
    /** Requests a minute of an address without a token. */
    anyoneRequests: read('anyoneRequests'),
    bodyMemory: readBodyMemory(settings),
    compression: read('compression'),
    tls,
    /** Undefined without a console. */
    console: readConsole(settings, port),
    ops: readOps(settings, port),
    access: find('access'),
    /** `compatible`: the server does not start if hosts with the former API file could not go on serving. */
    migrate: read('migrate'),
    watch: readWatch(settings),
    workers: countWorkers(settings),
    logLevel: read('logLevel'),
    logFormat: find('logFormat'),
    /** The level at which each request is logged; undefined if requests are not logged. */
    requestLevel: (read('logLevel') === 'debug' ? 'debug' : undefined) as 'info' | 'debug' | undefined,
  })
}

/** HYDRANT_SECRET: only for the environment, never an argument. */
const SECRET = { flag: 'secret', help: '', read: readSecrets }

/** The default and the maximum number of members on a page. */
export function readPageSizes(
  { pageSize, maxPageSize }: Pick<Flags, 'pageSize' | 'maxPageSize'>,
  environment: Environment,
): { readonly standard: number; readonly maximum: number } {
  const standard = readSetting(SETTINGS.pageSize, pageSize, environment) as number
  const maximum = readSetting(SETTINGS.maxPageSize, maxPageSize, environment) as number
  if (standard <= maximum) return { standard, maximum }
  const source = sourceOf(SETTINGS.pageSize, pageSize, environment)
  // It is enough to set a smaller maximum: the default follows.
  if (source === undefined) return { standard: maximum, maximum }
  throw settingProblem('PageSizeTooLarge', { standard, maximum }, { at: { source } })
}

/** Variables that nothing reads and that are probably misspelt, with the nearest name. Programs may have their own variables. */
export function misspeltVariables(
  environment: Environment,
): { readonly name: string; readonly meant: string }[] {
  const meant = [SECRET, ...Object.values<Setting<unknown>>(SETTINGS)].map(variableFor)
  const known = new Set([...meant, ...Object.values<Setting<unknown>>(COMMAND_SETTINGS).map(variableFor)])
  // Without the common prefix, which would make all names similar.
  const bare = (name: string) => name.slice(PREFIX.length)
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name))
  return unknown.flatMap((name) => {
    const found = nearest(bare(name), meant.map(bare))
    return found === undefined ? [] : [{ name, meant: PREFIX + found }]
  })
}

export const defaultBase = (port: number, scheme: 'http' | 'https'): string =>
  `${scheme}://localhost:${port}/api`
