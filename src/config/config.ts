import { Problem, problemAt } from '../problem.ts'
import { nearest } from '../text.ts'
import { readDatabase } from './database.ts'
import { type PortUser, settingProblem } from './problems.ts'
import { flagOf, PREFIX, SETTINGS, type Setting, type SettingName, toggle, variableFor } from './settings.ts'
import * as values from './values.ts'
import { type Address, isUsable, readSecrets } from './values.ts'

type ReadValue<Name extends SettingName> = ReturnType<(typeof SETTINGS)[Name]['read']>

/** What flags say, by setting; absent where no flag was given. */
export type Flags = { readonly [Name in SettingName]?: string | boolean | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

export type Config = ReturnType<typeof readConfig>

/** The only reader of the environment. */
export function readConfig(flags: Flags, environment: Environment = process.env) {
  const source = (name: SettingName) => sourceOf(SETTINGS[name], flags[name], environment)
  const find = <Name extends SettingName>(name: Name) =>
    readSetting<unknown>(SETTINGS[name], flags[name], environment) as ReadValue<Name> | undefined
  /** For settings whose default is a value. */
  const read = <Name extends SettingName>(name: Name) => find(name) as ReadValue<Name>
  const at = (name: SettingName) => ({ at: { source: source(name) ?? '' } })

  const tls = readTls()
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
    /** The first one seals new nonces. Undefined: kept in the database. */
    secrets: (find('secretFile') ?? readSetting(SECRET, undefined, environment)) as Buffer[] | undefined,
    /** Addresses and ranges of proxies. */
    trusted: find('trustProxy') ?? [],
    limits: { user: read('userFailures'), address: read('addressFailures') },
    pageSizes: { ...readPageSizes(flags, environment), bytes: read('maxPageBytes') },
    batchLimits: { operations: read('maxBatchSize'), bytes: read('maxBatchBytes') },
    /** A module with hooks and operations; how long one of its promises may take. */
    with: find('with'),
    hookMs: read('hookTime'),
    scanMs: read('scanTime'),
    requireIfMatch: read('requireIfMatch'),
    history: read('history'),
    streams: { all: read('maxStreams'), perUser: read('maxUserStreams') },
    maxConnections: read('maxConnections'),
    bodyMemory: readBodyMemory(),
    compression: read('compression'),
    tls,
    /** Undefined without a console. */
    console: readConsole(),
    ops: readOps(),
    access: find('access'),
    watch: readWatch(),
    workers: countWorkers(),
    logLevel: read('logLevel'),
    logFormat: find('logFormat'),
    /** The level at which each request is logged; undefined where requests are not logged. */
    requestLevel: (read('logLevel') === 'debug' ? 'debug' : undefined) as 'info' | 'debug' | undefined,
  })

  function readTls(): { cert: Buffer; key: Buffer } | undefined {
    const [cert, key] = [find('tlsCert'), find('tlsKey')]
    if (cert === undefined && key === undefined) return undefined
    if (cert === undefined || key === undefined) throw settingProblem('CertificateWithoutKey')
    if (isUsable({ cert, key })) return { cert, key }
    throw settingProblem('KeyOfOtherCertificate')
  }

  /** The largest body must fit, beside those that are not admitted yet. */
  function readBodyMemory(): number {
    const memory = read('bodyMemory')
    const least = leastBodyMemory(read('maxBatchBytes'))
    if (memory >= least) return memory
    // Larger batches are enough to say: the default follows them.
    if (source('bodyMemory') === undefined) return least
    const minMebibytes = Math.ceil(least / 1_024 / 1_024)
    throw settingProblem('BodyMemoryTooSmall', { minMebibytes }, at('bodyMemory'))
  }

  /** authentication.md, The gate: nothing but the API listens on the API's port. */
  function readOps(): Address | undefined {
    const wanted = read('opsPort')
    if (wanted === undefined) return undefined
    // Of this machine alone: to be reached by others it takes an address.
    if (wanted.port === 0 || wanted.port !== port)
      return { host: wanted.host ?? '127.0.0.1', port: wanted.port }
    throw settingProblem('PortOfApi', { port }, at('opsPort'))
  }

  function readConsole(): Address | undefined {
    const wanted = read('consolePort')
    if (wanted === undefined) return undefined
    const address = { host: wanted.host ?? read('host'), port: wanted.port }
    const user = userOfPort(address.port, port, read('opsPort')?.port)
    // A default that conflicts with a chosen port is no mistake of the user: opening the console warns of it.
    if (user === undefined || source('consolePort') === undefined) return address
    throw settingProblem('ConsolePortTaken', { port: address.port, user }, at('consolePort'))
  }

  /** A database in memory cannot be opened twice, and other processes would keep the former file. */
  function readWatch(): boolean {
    const db = read('db')
    if (!read('watch') || (db.startsWith('sqlite:') && db !== 'sqlite::memory:')) return read('watch')
    throw settingProblem('WatchWithoutFile', {}, at('watch'))
  }

  function countWorkers(): number {
    const workers = read('workers')
    if (workers === 1 || !read('db').startsWith('sqlite:')) return workers
    throw settingProblem('WorkersOnSqlite', { workers }, at('workers'))
  }
}

/** What the largest body takes, as bytes and as text, when it is alone; a quarter is for requests before admission. */
export const leastBodyMemory = (batchBytes: number): number => 4 * Math.max(batchBytes, 1_024 * 1_024)

/** HYDRANT_SECRET: for the environment alone, never an argument. */
const SECRET = { flag: 'secret', help: '', read: readSecrets }

/** Members on a page: where none is asked for, and at most. */
export function readPageSizes(
  { pageSize, maxPageSize }: Pick<Flags, 'pageSize' | 'maxPageSize'>,
  environment: Environment,
): { readonly standard: number; readonly maximum: number } {
  const standard = readSetting(SETTINGS.pageSize, pageSize, environment) as number
  const maximum = readSetting(SETTINGS.maxPageSize, maxPageSize, environment) as number
  if (standard <= maximum) return { standard, maximum }
  const source = sourceOf(SETTINGS.pageSize, pageSize, environment)
  // A smaller maximum is enough to say: the default page follows it.
  if (source === undefined) return { standard: maximum, maximum }
  throw settingProblem('PageSizeTooLarge', { standard, maximum }, { at: { source } })
}

/** Variables that are probably misspelt, with the nearest name: nothing reads them. Programs may have variables of their own. */
export function misspeltVariables(
  environment: Environment,
): { readonly name: string; readonly meant: string }[] {
  const meant = [SECRET, ...Object.values<Setting<unknown>>(SETTINGS)].map(variableFor)
  const known = new Set([...meant, ...Object.values<Setting<unknown>>(COMMAND_SETTINGS).map(variableFor)])
  // Without what all of them begin with, which would make any two of them near.
  const bare = (name: string) => name.slice(PREFIX.length)
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name))
  return unknown.flatMap((name) => {
    const found = nearest(bare(name), meant.map(bare))
    return found === undefined ? [] : [{ name, meant: PREFIX + found }]
  })
}

/** One setting: what its flag says, else the environment, else its default. Undefined where that is empty. */
export function readSetting<T>(
  setting: Setting<T>,
  flag: string | boolean | undefined,
  environment: Environment,
): T | undefined {
  const source = sourceOf(setting, flag, environment)
  const given = typeof flag === 'boolean' ? (flag ? 'on' : 'off') : flag
  const text = given ?? (environment[variableFor(setting)] || setting.default || '')
  if (text === '' && flag === undefined) return undefined
  if (text === '') throw settingProblem('MissingValue', { source: source ?? '' })
  try {
    return setting.read(text)
  } catch (error) {
    if (!(error instanceof Problem) || source === undefined) throw error
    throw problemAt(error, { source })
  }
}

export const defaultBase = (port: number, scheme: 'http' | 'https'): string =>
  `${scheme}://localhost:${port}/api`

/** What already uses the port of the console. */
export function userOfPort(port: number, api: number, ops: number | undefined): PortUser | undefined {
  if (port === 0) return undefined
  return port === api ? 'api' : port === ops ? 'ops' : undefined
}

/** The flag or the variable that a value comes from; undefined for a default. An empty variable is as good as none. */
function sourceOf(
  setting: Setting<unknown>,
  flag: string | boolean | undefined,
  environment: Environment,
): string | undefined {
  if (flag !== undefined) return `--${flagOf(setting)}`
  return environment[variableFor(setting)] ? variableFor(setting) : undefined
}

/** The settings of other commands, beside `--db` and `--base-url`. */
export const COMMAND_SETTINGS = {
  json: toggle('json', 'output for programs', 'off'),
  format: {
    flag: 'format <format>',
    help: "ndjson, jsonld (for json-server's db.json too) or, to import, csv",
    shownDefault: "by the ending of the file's name, else ndjson",
    read: values.readFormat,
  },
  csvClass: {
    flag: 'class <name>',
    help: 'class of which the lines of CSV are members',
    shownDefault: 'by the name of the file',
    read: String,
  },
  data: {
    flag: 'from <file>',
    help: 'CSV with a header, or the db.json of json-server, to propose an API file for',
    read: String,
  },
  from: { flag: 'from <db>', help: 'the embedded database, sqlite:<path>', read: readDatabase },
  to: {
    flag: 'to <db>',
    help: 'the empty database, postgres://user@host/database; one with a password better in the variable',
    read: readDatabase,
  },
  role: {
    flag: 'role <role>',
    help: 'role of the user; may be given several times',
    repeats: true,
    read: values.readRoles,
  },
  api: {
    flag: 'api <api-file>',
    help: 'API file that declares the roles',
    shownDefault: 'api.yaml in this folder',
    read: String,
  },
  noRoles: toggle('none', 'the user has no role', 'off'),
  asRole: {
    flag: 'as <role>',
    help: `also print what a user with this role may do, or with several; ${values.WITHOUT_ROLES} for one without roles`,
    repeats: true,
    read: values.readRoles,
  },
  owner: {
    flag: 'owner <id>',
    help: 'user to whom the members that are added belong',
    shownDefault: 'nobody',
    read: values.readId,
  },
  hooks: toggle('hooks', 'run the hooks of the module that --with names', 'on'),
  asStored: toggle(
    'as-stored',
    'take members that break a constraint as they are, such as those of an export, and add no defaults',
    'off',
  ),
  out: { flag: 'out <file>', help: 'file to write', shownDefault: 'standard output', read: String },
  signInAs: {
    flag: 'user <id>',
    help: 'who signs in, where the API at the url wants credentials',
    read: values.readId,
  },
  tokensOf: { flag: 'user <id>', help: 'all tokens of a user', read: values.readId },
  tokenId: {
    flag: 'token-id <n>',
    help: 'one token, by its number in "hydrant token list"',
    read: values.readTokenId,
  },
  force: toggle('force', 'put the database that is there aside, under a name that is printed', 'off'),
  allTokens: toggle('all', 'every token', 'off'),
} satisfies Record<string, Setting<unknown>>
