import { isIP, isIPv6 } from 'node:net'
import { type AddressRange, LONGEST_TOKEN_MS, readAddressRange } from '../auth/settings.ts'
import type { FailureLimit } from '../store/index.ts'

/** The command was called wrongly: exit status 2. The message says what would be right. */
export class UsageError extends Error {}

// The readers of setting texts: each gives a value, or throws a UsageError that says what would be right.

export function readText(text: string): string {
  return text
}

export interface BaseUrl {
  /** Without its trailing slash. */
  readonly base: string
  /** The one that is written there, if any: the scheme's own port is not a wish to listen on it. */
  readonly port: number | undefined
}

export function readBaseUrl(text: string): BaseUrl {
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
  return { base: url.href.replace(/\/+$/, ''), port: port === undefined ? undefined : Number(port) }
}

export function readHost(text: string): string {
  if (isHost(text)) return text
  throw new UsageError(`"${text}" is not an address; give one such as 127.0.0.1, 0.0.0.0 or ::1.`)
}

/** A name, or an address in full: resolvers take `0` for 0.0.0.0, which is every network, and `010.0.0.1` for 8.0.0.1. */
const isHost = (text: string): boolean =>
  isIP(text) !== 0 || (/^[\w.-]+$/.test(text) && !/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(text))

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new UsageError(`"${text}" is not a port; give a number from 0 to 65535.`)
}

/** Where something is served beside the API. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A port alone is one of this machine: to be reached by others it takes an address before it. */
export function readOpsPort(text: string): Address | undefined {
  const read = readAddress(text, '9090 or 0.0.0.0:9090')
  return read && { host: read.host ?? '127.0.0.1', port: read.port }
}

/** Without a host it is where the API is, which the console needs. */
export const readConsolePort = (text: string): { host: string | undefined; port: number } | undefined =>
  readAddress(text, '8081 or 127.0.0.1:8081')

function readAddress(text: string, such: string): { host: string | undefined; port: number } | undefined {
  if (text === 'off') return undefined
  const [, bracketed, name, port] = /^(?:(?:\[([^\]]+)\]|([\w.-]+)):)?(\d{1,5})$/.exec(text) ?? []
  const isGood = bracketed === undefined ? name === undefined || isHost(name) : isIPv6(bracketed)
  if (port !== undefined && isGood) return { host: bracketed ?? name, port: readPort(port) }
  throw new UsageError(
    `"${text}" is neither a port nor an address with one; give one such as ${such}, or off.`,
  )
}

const MOST_WORKERS = 256

export function readWorkers(text: string): number {
  const count = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN
  if (count <= MOST_WORKERS) return count
  throw new UsageError(
    `"${text}" is not a number of processes; give a whole number from 1 to ${MOST_WORKERS}.`,
  )
}

export function readSwitch(text: string): boolean {
  if (['on', 'true', '1', 'yes'].includes(text.toLowerCase())) return true
  if (['off', 'false', '0', 'no'].includes(text.toLowerCase())) return false
  throw new UsageError(`"${text}" is neither on nor off; give one of the two.`)
}

export function readCount(text: string): number {
  const count = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : Number.NaN
  if (count <= 10_000) return count
  throw new UsageError(`"${text}" is not a count; give a whole number from 1 to 10000.`)
}

const BYTES: Readonly<Record<string, number>> = { '': 1, KiB: 1_024, MiB: 1_024 * 1_024 }
/** A page is put together as one string. */
const MOST_MEBIBYTES = 128

export function readBytes(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,9})(KiB|MiB|)$/.exec(text) ?? []
  const bytes = Number(count) * (BYTES[unit] ?? Number.NaN)
  if (bytes <= MOST_MEBIBYTES * 1_024 * 1_024) return bytes
  throw new UsageError(
    `"${text}" is not a size of at most ${MOST_MEBIBYTES}MiB; give one such as 4MiB, 512KiB or 1000000.`,
  )
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

export function readDuration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? []
  const milliseconds = Number(count) * (UNITS[unit] ?? Number.NaN)
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

export function readRanges(text: string): AddressRange[] {
  return text.split(',').map((part) => {
    const range = readAddressRange(part.trim())
    if (range !== undefined) return range
    throw new UsageError(`"${part.trim()}" is not an address or a range; give some such as 10.0.0.0/8,::1.`)
  })
}

export function readLogLevel(text: string): string {
  if (['error', 'warn', 'info', 'debug'].includes(text)) return text
  throw new UsageError(`"${text}" is not a level; give error, warn, info or debug.`)
}

export function readLogFormat(text: string): 'pretty' | 'json' {
  if (text === 'pretty' || text === 'json') return text
  throw new UsageError(`"${text}" is not a format; give pretty or json.`)
}

export function readFormat(text: string): 'ndjson' | 'jsonld' {
  if (text === 'ndjson' || text === 'jsonld') return text
  throw new UsageError(`"${text}" is not a format; give ndjson or jsonld.`)
}

/**
 * What was typed is not repeated: it may be a paraphrase in the wrong place. The rule is that of `readUserId` in auth/,
 * which comes with the library that hashes: --help does without.
 */
export function readId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw new UsageError('that is not a user id; give a whole number from 1 to 9007199254740991, such as 1.')
}

/** What was typed is not repeated: it may be a token where its number should be. */
export function readTokenId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new UsageError('that is not the number of a token; "hydrant token list" shows which there are.')
}
