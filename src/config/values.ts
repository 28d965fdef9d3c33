import { readFileSync, statSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { FailureLimit } from '../auth/index.ts'
import { readName } from '../auth/rules.ts'
import { LONGEST_TOKEN_MS, readAddressRange } from '../auth/throttle.ts'
import type { LogLimits } from '../members/index.ts'
import { Problem } from '../problem.ts'
import { withUsualEncodings } from '../text.ts'
import { ROLE } from '../vocabulary/names.ts'
import { type SettingProblems, settingProblem } from './problems.ts'

// The readers of setting texts: each returns a value, or throws the problem of the text.

const wholeNumber =
  (what: SettingProblems['InvalidNumber']['what'], least: number, most: number) => (text: string) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw settingProblem('InvalidNumber', { text, what, least, most })
  }

const oneOf =
  <T extends string>(what: SettingProblems['InvalidChoice']['what'], ...choices: T[]) =>
  (text: string) => {
    const chosen = choices.find((choice) => choice === text)
    if (chosen !== undefined) return chosen
    throw settingProblem('InvalidChoice', { text, what, choices })
  }

export const readPort = wholeNumber('port', 0, 65_535)
export const readCount = wholeNumber('count', 1, 10_000)
export const readConnections = wholeNumber('number of connections', 1, 100_000)
export const readWorkers = wholeNumber('number of processes', 1, 256)
export const readLogLevel = oneOf('level', 'error', 'warn', 'info', 'debug')
export const readLogFormat = oneOf('format', 'pretty', 'json')
export const readMigrate = oneOf('kind of change', 'any', 'compatible')
export const readFormat = oneOf('format', 'ndjson', 'jsonld', 'csv')
export const readEncoding = oneOf('encoding', 'utf-8', 'latin1', 'utf-16')

/** `dd.mm.yyyy`, and the other orders of day, month and year in which people write dates. */
export function readDates(text: string) {
  const separator = (['.', '/', '-'] as const).find((one) => text.includes(one)) ?? '.'
  const parts = text.toLowerCase().split(separator)
  const order = (['dmy', 'mdy', 'ymd'] as const).find((one) =>
    parts.every((part, index) => DATE_PARTS.includes(part) && part.charAt(0) === one.charAt(index)),
  )
  if (order === undefined || parts.length !== 3) throw settingProblem('InvalidDates', { text })
  return { order, separator }
}

const DATE_PARTS = ['d', 'dd', 'm', 'mm', 'yyyy']

/**
 * The base without its trailing slash, and its port if it is written out: without one, the API need not listen on port
 * 80 or 443.
 */
export function readBaseUrl(text: string) {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The text may contain a password.
    throw settingProblem('InvalidUrl', { text: text.includes('@') ? undefined : text })
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) throw settingProblem('UnusableUrl')
  // Read from the text: a URL drops the default port of its scheme.
  const port = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(text)?.[1]
  if (Number(port) === 0) throw settingProblem('PortZeroInUrl')
  // Other spellings of the same address are normalised when they are compared with it.
  return {
    base: withUsualEncodings(url.href.replace(/\/+$/, '')),
    port: port === undefined ? undefined : Number(port),
  }
}

export function readHost(text: string): string {
  if (isHost(text)) return text
  throw settingProblem('InvalidHost', { text })
}

/** A name or a complete address: resolvers take `0` for 0.0.0.0, which is every network, and `010.0.0.1` for 8.0.0.1. */
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (/^[\w.-]+$/.test(text) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(text))

/** The address of something that is served beside the API. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A port, with or without an address before it, or `off`. */
export const addressReader =
  (example: string) =>
  (text: string): { readonly host: string | undefined; readonly port: number } | undefined => {
    if (text === 'off') return undefined
    const [, bracketed, name, port] = /^(?:(?:\[([^\]]+)\]|([\w.-]+)):)?(\d{1,5})$/.exec(text) ?? []
    const isGood = bracketed === undefined ? name === undefined || isHost(name) : isIPv6(bracketed)
    if (port !== undefined && isGood) return { host: bracketed ?? name, port: readPort(port) }
    throw settingProblem('InvalidAddress', { text, example })
  }

export function readSwitch(text: string): boolean {
  if (['on', 'true', '1', 'yes'].includes(text.toLowerCase())) return true
  if (['off', 'false', '0', 'no'].includes(text.toLowerCase())) return false
  throw settingProblem('InvalidSwitch', { text })
}

/** A number with its unit, such as 4MiB; NaN for anything else. */
function measure(text: string, units: Readonly<Record<string, number>>): number {
  const [, count, unit = ''] = /^([1-9]\d{0,9})([A-Za-z]*)$/.exec(text) ?? []
  return Number(count) * (units[unit] ?? Number.NaN)
}

const MEBIBYTE = 1_024 * 1_024

const bytesReader = (most: string, mostBytes: number) => (text: string) => {
  const bytes = measure(text, { '': 1, KiB: 1_024, MiB: MEBIBYTE, GiB: 1_024 * MEBIBYTE })
  if (bytes <= mostBytes) return bytes
  throw settingProblem('InvalidSize', { text, most })
}

/** The limit exists because a page is built as one string. */
export const readBytes = bytesReader('128MiB', 128 * MEBIBYTE)

export const readMemory = bytesReader('64GiB', 64 * 1_024 * MEBIBYTE)

export function readDuration(text: string): number {
  const milliseconds = measure(text, { s: 1_000, m: 60_000, h: 3_600_000 })
  if (milliseconds <= 24 * 3_600_000) return milliseconds
  throw settingProblem('InvalidDuration', { text })
}

/** Up to a year. */
export function readLongDuration(text: string): number {
  const milliseconds = measure(text, { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 })
  if (milliseconds <= 365 * 86_400_000) return milliseconds
  throw settingProblem('InvalidLongDuration', { text })
}

export function readTokenTtl(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds <= LONGEST_TOKEN_MS) return milliseconds
  throw settingProblem('TokenTtlTooLong', { text })
}

export function readLimit(text: string): FailureLimit {
  const [, failures, window] = /^([1-9]\d{0,5})\/(\w+)$/.exec(text) ?? []
  if (failures === undefined || window === undefined) throw settingProblem('InvalidLimit', { text })
  return { failures: Number(failures), windowMs: readDuration(window) }
}

export function readHistory(text: string): LogLimits {
  const [, age, count] = /^(\w+)\/([1-9]\d{0,9})$/.exec(text) ?? []
  if (age === undefined || count === undefined) throw settingProblem('InvalidHistory', { text })
  return { ageMs: readDuration(age), count: Number(count) }
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** A day begins at midnight UTC. */
export function readTime(text: string): number {
  const [, day] = TIME.exec(text) ?? []
  const time = Date.parse(text)
  // Date rolls 30 February over into March.
  const isDay = day !== undefined && new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8))
  if (!isDay || Number.isNaN(time)) throw settingProblem('InvalidTime', { text })
  return time
}

/** Kept as text, which can be sent to workers; a parsed range would lose its methods. */
export function readRanges(text: string): string[] {
  const ranges = text.split(',').map((range) => range.trim())
  const wrong = ranges.find((range) => readAddressRange(range) === undefined)
  if (wrong === undefined) return ranges
  throw settingProblem('InvalidRange', { text: wrong })
}

/** Hosts as a URL has them: in lower case and in ASCII. Neither an address nor a port of theirs. */
export function readHostNames(text: string): string[] {
  return text.split(',').map((given) => {
    const host = given.trim()
    const isHostAlone = isIPv6(host) || /^[^\s/:@?#\\[\]]+$/.test(host)
    const url = isHostAlone ? URL.parse(`https://${isIPv6(host) ? `[${host}]` : host}`) : null
    if (url === null) throw settingProblem('InvalidHostName', { text: host })
    return url.hostname.replace(/^\[(.*)\]$/, '$1')
  })
}

/**
 * The input is not repeated: it may be a paraphrase in the wrong place. The rule is that of `readUserId` in auth/,
 * which is not imported because it loads the hashing library, and --help must stay quick.
 */
export function readId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw settingProblem('InvalidUserId')
}

/** The input is not repeated either. */
export function readUserName(text: string): string {
  const read = readName(text)
  if ('name' in read) return read.name
  throw new Problem(read.problem.code, read.problem.values)
}

/** Digits alone are an id. */
export const readIdOrName = (text: string): number | string =>
  /^\d*$/.test(text) ? readId(text) : readUserName(text)

/** Stands for a user without roles where a role is expected. */
export const WITHOUT_ROLES = 'nobody-in-particular'

/** The roles of a user, each once (access.md, Users). */
export function readRoles(text: string): string[] {
  const roles = text.split(',').map((role) => role.trim())
  if (roles.every((role) => ROLE.test(role))) return [...new Set(roles)]
  throw settingProblem('InvalidRoleName')
}

/** The input is not repeated: it may be a token instead of its number. */
export function readTokenId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw settingProblem('InvalidTokenNumber')
}

const SHORTEST_SECRET = 32

/** One secret, or two while rotating: the first signs, both are accepted. Messages never repeat them. */
export function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\r?\n/).filter((line) => line !== '')
  if (secrets.length !== 1 && secrets.length !== 2)
    throw settingProblem('WrongSecretCount', { lines: secrets.length })
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET))
    throw settingProblem('SecretTooShort', { minLength: SHORTEST_SECRET })
  return secrets.map((secret) => Buffer.from(secret))
}

export const readSecretFile = (path: string): Buffer[] => readSecrets(readFileBytes(path).toString('utf8'))

export function readCertificate(path: string): Buffer {
  const cert = readFileBytes(path)
  if (isUsable({ cert })) return cert
  throw settingProblem('InvalidCertificate', { path })
}

export function readKey(path: string): Buffer {
  const key = readFileBytes(path)
  if (isUsable({ key })) return key
  throw settingProblem('InvalidKey', { path })
}

export function isUsable(options: SecureContextOptions): boolean {
  try {
    // Not imported above: it takes longer to load than all of config/, and few deployments set a certificate.
    process.getBuiltinModule('node:tls').createSecureContext(options)
    return true
  } catch {
    // OpenSSL's message ("PEM routines::no start line") helps nobody; the caller's problem says more.
    return false
  }
}

/** The name of a file, which is read later. */
export function readFileName(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw settingProblem('NoSuchFile', { path })
  if (found.isDirectory()) throw settingProblem('FileIsFolder', { path })
  return path
}

function readFileBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw settingProblem('NoSuchFile', { path })
    if (code === 'EISDIR') throw settingProblem('FileIsFolder', { path })
    throw settingProblem('UnreadableFile', { path, systemCode: code })
  }
}
