import { readFileSync, statSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { FailureLimit } from '../auth/index.ts'
import { LONGEST_TOKEN_MS, readAddressRange } from '../auth/throttle.ts'
import type { History } from '../members/index.ts'
import { withUsualEncodings } from '../text.ts'
import { ROLE } from '../vocabulary/names.ts'

/** The command was called wrongly: exit status 2. The message says what would be right. */
export class UsageError extends Error {}

// The readers of setting texts: each gives a value, or throws a UsageError that says what would be right.

const wholeNumber = (what: string, least: number, most: number) => (text: string) => {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`"${text}" is not a ${what}; give a whole number from ${least} to ${most}.`)
}

const oneOf =
  <T extends string>(what: string, ...choices: T[]) =>
  (text: string) => {
    const chosen = choices.find((choice) => choice === text)
    if (chosen !== undefined) return chosen
    const listed = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
    throw new UsageError(`"${text}" is not a ${what}; give ${listed}.`)
  }

export const readPort = wholeNumber('port', 0, 65_535)
export const readCount = wholeNumber('count', 1, 10_000)
export const readConnections = wholeNumber('number of connections', 1, 100_000)
export const readWorkers = wholeNumber('number of processes', 1, 256)
export const readLogLevel = oneOf('level', 'error', 'warn', 'info', 'debug')
export const readLogFormat = oneOf('format', 'pretty', 'json')
export const readFormat = oneOf('format', 'ndjson', 'jsonld', 'csv')

/** The base without its trailing slash, and the port that is written there: the scheme's own is not a wish to listen on it. */
export function readBaseUrl(text: string) {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // A password may be in it.
    const named = text.includes('@') ? 'this' : `"${text}"`
    throw new UsageError(`${named} is not a URL; give one such as http://localhost:8080/api.`)
  }
  if (url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
    throw new UsageError(
      'a base URL has no user, query or fragment; give one such as https://example.org/api.',
    )
  }
  // From the text: a URL forgets a port that is its scheme's own.
  const port = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(text)?.[1]
  if (Number(port) === 0) {
    throw new UsageError('port 0 is no address for clients; leave --base-url out for "any free port".')
  }
  // Other spellings of the same address are normalised where they are compared with it.
  return {
    base: withUsualEncodings(url.href.replace(/\/+$/, '')),
    port: port === undefined ? undefined : Number(port),
  }
}

export function readHost(text: string): string {
  if (isHost(text)) return text
  throw new UsageError(`"${text}" is not an address; give one such as 127.0.0.1, 0.0.0.0 or ::1.`)
}

/** A name, or an address in full: resolvers take `0` for 0.0.0.0, which is every network, and `010.0.0.1` for 8.0.0.1. */
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (/^[\w.-]+$/.test(text) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(text))

/** Where something is served beside the API. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A port, with or without an address before it, or `off`. */
export const addressReader =
  (such: string) =>
  (text: string): { readonly host: string | undefined; readonly port: number } | undefined => {
    if (text === 'off') return undefined
    const [, bracketed, name, port] = /^(?:(?:\[([^\]]+)\]|([\w.-]+)):)?(\d{1,5})$/.exec(text) ?? []
    const isGood = bracketed === undefined ? name === undefined || isHost(name) : isIPv6(bracketed)
    if (port !== undefined && isGood) return { host: bracketed ?? name, port: readPort(port) }
    throw new UsageError(
      `"${text}" is neither a port nor an address with one; give one such as ${such}, or off.`,
    )
  }

export function readSwitch(text: string): boolean {
  if (['on', 'true', '1', 'yes'].includes(text.toLowerCase())) return true
  if (['off', 'false', '0', 'no'].includes(text.toLowerCase())) return false
  throw new UsageError(`"${text}" is neither on nor off; give one of the two.`)
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
  throw new UsageError(
    `"${text}" is not a size of at most ${most}; give one such as 4MiB, 512KiB or 1000000.`,
  )
}

/** A page is put together as one string. */
export const readBytes = bytesReader('128MiB', 128 * MEBIBYTE)

export const readMemory = bytesReader('64GiB', 64 * 1_024 * MEBIBYTE)

export function readDuration(text: string): number {
  const milliseconds = measure(text, { s: 1_000, m: 60_000, h: 3_600_000 })
  if (milliseconds <= 24 * 3_600_000) return milliseconds
  throw new UsageError(`"${text}" is not a duration of at most 24h; give one such as 90s, 5m or 1h.`)
}

export function readTokenTtl(text: string): number {
  const milliseconds = readDuration(text)
  if (milliseconds <= LONGEST_TOKEN_MS) return milliseconds
  throw new UsageError(`"${text}" is too long: a token may live shorter than 45m, not longer.`)
}

export function readLimit(text: string): FailureLimit {
  const [, failures, window] = /^([1-9]\d{0,5})\/(\w+)$/.exec(text) ?? []
  if (failures === undefined || window === undefined) {
    throw new UsageError(`"${text}" is not a limit; give a number and a duration such as 20/5m.`)
  }
  return { failures: Number(failures), windowMs: readDuration(window) }
}

export function readHistory(text: string): History {
  const [, age, count] = /^(\w+)\/([1-9]\d{0,9})$/.exec(text) ?? []
  if (age === undefined || count === undefined) {
    throw new UsageError(
      `"${text}" is not a history; give a duration and a number of changes such as 24h/1000000.`,
    )
  }
  return { ageMs: readDuration(age), count: Number(count) }
}

/** As text, which can be sent to workers; of a parsed range only the values would arrive there. */
export function readRanges(text: string): string[] {
  const ranges = text.split(',').map((range) => range.trim())
  const wrong = ranges.find((range) => readAddressRange(range) === undefined)
  if (wrong === undefined) return ranges
  throw new UsageError(`"${wrong}" is not an address or a range; give some such as 10.0.0.0/8,::1.`)
}

/**
 * What was typed is not repeated: it may be a paraphrase in the wrong place. The rule is that of `readUserId` in auth/,
 * which comes with the library that hashes: --help does without.
 */
export function readId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new UsageError('that is not a user id; give a whole number from 1 to 9007199254740991, such as 1.')
}

/** A user without roles, where a role is asked for. */
export const WITHOUT_ROLES = 'nobody-in-particular'

/** Of a user, each once (access.md, Users). */
export function readRoles(text: string): string[] {
  const roles = text.split(',').map((role) => role.trim())
  if (roles.every((role) => ROLE.test(role))) return [...new Set(roles)]
  throw new UsageError(
    'that is not a role; give a name of 1 to 64 lower-case letters, digits and "-" that begins with a letter, such as editor.',
  )
}

/** What was typed is not repeated: it may be a token where its number should be. */
export function readTokenId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError('that is not the number of a token; "hydrant token list" shows which there are.')
}

const SHORTEST_SECRET = 32

/** One secret, or two while rotating: the first seals, both are accepted. They are never repeated in a message. */
export function readSecrets(text: string): Buffer[] {
  const secrets = text.split(/\r?\n/).filter((line) => line !== '')
  if (secrets.length !== 1 && secrets.length !== 2) {
    throw new UsageError(
      `there are ${secrets.length} lines; give one secret on a line, or two while rotating, the new one first.`,
    )
  }
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET)) {
    throw new UsageError(
      `a secret has at least ${SHORTEST_SECRET} characters; make one with "openssl rand -hex 32".`,
    )
  }
  return secrets.map((secret) => Buffer.from(secret))
}

export const readSecretFile = (path: string): Buffer[] => readSecrets(readFileBytes(path).toString('utf8'))

export function readCertificate(path: string): Buffer {
  const cert = readFileBytes(path)
  if (isUsable({ cert })) return cert
  throw new UsageError(`${path} is not a certificate in PEM form ("-----BEGIN CERTIFICATE-----" …).`)
}

export function readKey(path: string): Buffer {
  const key = readFileBytes(path)
  if (isUsable({ key })) return key
  throw new UsageError(`${path} is not a private key in PEM form, without a password of its own.`)
}

export function isUsable(options: SecureContextOptions): boolean {
  try {
    // Not imported above: it takes longer to load than all of config/, and few have a certificate.
    process.getBuiltinModule('node:tls').createSecureContext(options)
    return true
  } catch {
    // OpenSSL's own words ("PEM routines::no start line") help nobody; the caller has better ones.
    return false
  }
}

/** The name of a file, which is read later. */
export function readFileName(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`there is no file ${path}.`)
  if (found.isDirectory()) throw new UsageError(`${path} is a folder; name a file.`)
  return path
}

function readFileBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`there is no file ${path}.`)
    if (code === 'EISDIR') throw new UsageError(`${path} is a folder; name a file.`)
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
}
