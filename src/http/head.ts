import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { MAX_HEAD_BYTES, MAX_HEADERS } from './limits.ts'
import { readList, SPACE, TAB } from './lists.ts'
import { httpProblem } from './problems.ts'

/** The head of a request (RFC 9112 §3 to §6): request line and headers, and what they say about body and connection. */
export interface Head extends FirstLine {
  /** Keyed by name, in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, repeated headers included. */
  readonly rawHeaders: readonly string[]
  /** How many bytes the body has, unless it comes in chunks. */
  readonly length: number | 'chunked'
  readonly awaitsContinue: boolean
  /** Whether the client expects the connection to stay open. */
  readonly keepsAlive: boolean
}

interface FirstLine {
  readonly method: string
  readonly target: string
  /** The minor version: HTTP/1.0 or 1.1. */
  readonly minor: 0 | 1
}

export const LF = 0x0a
export const CR = 0x0d
const COLON = 0x3a
const DELETE = 0x7f
const END = '\r\n\r\n'
const END_BYTES = Buffer.from(END)
/** Includes an empty line before the head. */
const LONGEST = 2 + MAX_HEAD_BYTES + END.length

const setOf = (has: (code: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (has(code) ? 1 : 0))

// The types are written out: inferred types would need TypeScript 5.7 in programs that use ours.
/** RFC 9110 §5.6.2. */
export const TOKEN: Uint8Array = setOf((code) => /[\w!#$%&'*+.^`|~-]/.test(String.fromCharCode(code)))
/** RFC 9110 §5.5: bytes beyond ASCII are read as Latin-1. */
export const VALUE: Uint8Array = setOf((code) => code === TAB || (code >= SPACE && code !== DELETE))
const VISIBLE = setOf((code) => code > SPACE && code < DELETE)
/** RFC 3986 §3.2.2 and §3.2.3: checks only the characters. */
const HOST = setOf((code) => /[\w.~!$&'()*+,;=%:[\]-]/.test(String.fromCharCode(code)))

function consistsOf(text: string, set: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) if (set[text.charCodeAt(index)] !== 1) return false
  return true
}

/** RFC 9112 §2.2: one empty line before a request is ignored. */
export const beginsWithEmptyLine = (bytes: Buffer): boolean => bytes[0] === CR && bytes[1] === LF

/**
 * Reads the heads on a connection, however they are split into packets. Everything that it accepts, llhttp (the parser of
 * Node.js) accepts with the same meaning; test/http/ lists what only llhttp accepts.
 */
export class HeadReader {
  /** An incomplete head. */
  #text = ''
  #checked = 0

  get hasBegun(): boolean {
    return this.#text !== ''
  }

  /** Whether a head that is incomplete, or that `read` has refused, is one of a HEAD request. `input`: what it read. */
  isHeadRequest(input: Buffer | undefined): boolean {
    const begun = this.hasBegun ? this.#text : (input?.toString('latin1', 0, '\r\nHEAD '.length) ?? '')
    return /^(?:\r\n)?HEAD /.test(begun)
  }

  /** The next head and its end in `bytes`; undefined while it is incomplete. Throws if it is malformed. */
  read(bytes: Buffer): { readonly head: Head; readonly end: number } | undefined {
    if (this.#text === '') {
      const start = beginsWithEmptyLine(bytes) ? 2 : 0
      const end = bytes.indexOf(END_BYTES, start)
      if (end - start > MAX_HEAD_BYTES) throw httpProblem('HeadersTooLong')
      if (end >= 0) return { head: readHead(bytes.toString('latin1', start, end + 2)), end: end + 4 }
    }
    const before = this.#text.length
    this.#text += bytes.toString('latin1', 0, LONGEST)
    const start = this.#text.startsWith('\r\n') ? 2 : 0
    const end = this.#text.indexOf(END, Math.max(start, before - END.length + 1))
    if (end - start > MAX_HEAD_BYTES) throw httpProblem('HeadersTooLong')
    if (end < 0) {
      this.#check(start)
      return undefined
    }
    const head = readHead(this.#text.slice(start, end + 2))
    this.#text = ''
    this.#checked = 0
    return { head, end: end + END.length - before }
  }

  /** Refuses a head that is malformed so far, without waiting for the rest. */
  #check(start: number): void {
    const text = this.#text
    const end = text.indexOf('\r\n', start)
    if (end < 0) requireMethod(text.slice(start, start + LONGEST_METHOD + 1))
    else if (this.#checked <= end) readFirstLine(text.slice(start), end - start)
    for (let at = this.#checked; at < text.length; at += 1) {
      this.#checked = at
      const code = text.charCodeAt(at)
      if (code === LF ? text.charCodeAt(at - 1) !== CR : code !== CR && VALUE[code] !== 1)
        throw httpProblem('MalformedRequest')
      if (code !== LF && at > 0 && text.charCodeAt(at - 1) === CR) throw httpProblem('MalformedRequest')
    }
    if (text.length - start >= MAX_HEAD_BYTES + END.length) throw httpProblem('HeadersTooLong')
  }
}

/** `begun`: the beginning of a request line, at most the longest method and a space. */
function requireMethod(begun: string): void {
  const [method = '', rest] = begun.split(' ', 2)
  const isPossible =
    rest === undefined ? [...METHODS].some((one) => one.startsWith(method)) : METHODS.has(method)
  if (!isPossible && begun !== '\r') throw refusedMethod(method)
}

/**
 * RFC 9110 §9.1: a method is a token. Unknown and malformed methods are both refused, with different sentences that do
 * not repeat them.
 */
const refusedMethod = (method: string): Problem =>
  method !== '' && consistsOf(method, TOKEN) ? httpProblem('UnknownMethod') : httpProblem('MalformedRequest')

/** `text`: a whole head, with the line end of its last line. Reads it in one pass, since every request pays for this. */
function readHead(text: string): Head {
  const end = text.indexOf('\r\n')
  const { method, target, minor } = readFirstLine(text, end)
  const { headers, rawHeaders } = readFields(text, end + 2)
  requireHost(headers, minor)
  const { connection, upgrade, expect, 'proxy-connection': proxied } = headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw httpProblem('UnmetExpectation')
  return {
    method,
    target,
    minor,
    headers,
    rawHeaders,
    length: readLength(headers, minor),
    // The expectation has no meaning in HTTP/1.0 (RFC 9110 §10.1.1).
    awaitsContinue: expect !== undefined && minor === 1,
    // Upgrades are not supported, and another protocol may follow a request for one. Proxy-Connection is in no RFC, but
    // llhttp takes it for Connection.
    keepsAlive:
      upgrade === undefined &&
      proxied === undefined &&
      (connection === undefined ? minor === 1 : staysOpen(connection, minor)),
  }
}

function readFirstLine(text: string, end: number): FirstLine {
  const space = text.indexOf(' ')
  const method = text.slice(0, Math.max(space, 0))
  if (space > end) throw httpProblem('MalformedRequest')
  if (!METHODS.has(method)) {
    throw method === 'CONNECT' ? httpProblem('ConnectRefused') : refusedMethod(method)
  }
  const last = text.indexOf(' ', space + 1)
  if (last < 0 || last > end) throw httpProblem('MalformedRequest')
  const target = text.slice(space + 1, last)
  requireTarget(target)
  const version = text.slice(last + 1, end)
  if (version === 'HTTP/1.1') return { method, target, minor: 1 }
  if (version === 'HTTP/1.0') return { method, target, minor: 0 }
  throw /^HTTP\/\d\.\d$/.test(version)
    ? httpProblem('UnsupportedHttpVersion', { version })
    : httpProblem('MalformedRequest')
}

/** RFC 9112 §3.2: a path, an absolute address, or an asterisk. */
function requireTarget(target: string): void {
  if (!consistsOf(target, VISIBLE)) throw httpProblem('InvalidTarget')
  if (target.charCodeAt(0) === 0x2f || target === '*' || ABSOLUTE.test(target)) return
  throw httpProblem('MalformedRequest')
}

/** RFC 3986 §4.3: checks only the characters. */
const ABSOLUTE = /^[A-Za-z]+:\/\/[\w.~!$&'()*+,;=%:[\]-]+(?:@[\w.~!$&'()*+,;=%:[\]-]+)?(?:[/?]|$)/

/** RFC 9112 §5, strictly: no folded lines, no blank before the colon, CR and LF at the end of each line. */
export function readFields(text: string, start: number): Pick<Head, 'headers' | 'rawHeaders'> {
  const headers: Record<string, string> = Object.create(NO_NAMES)
  const rawHeaders: string[] = []
  for (let at = start; at < text.length; ) {
    let colon = at
    while (TOKEN[text.charCodeAt(colon)] === 1) colon += 1
    if (colon === at || text.charCodeAt(colon) !== COLON) throw httpProblem('MalformedRequest')
    let from = colon + 1
    while (isBlank(text.charCodeAt(from))) from += 1
    let to = from
    while (VALUE[text.charCodeAt(to)] === 1) to += 1
    if (text.charCodeAt(to) !== CR || text.charCodeAt(to + 1) !== LF) throw httpProblem('MalformedRequest')
    const name = text.slice(at, colon)
    at = to + 2
    while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1
    const value = text.slice(from, to)
    rawHeaders.push(name, value)
    add(headers, name.toLowerCase(), value)
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) throw httpProblem('HeadersTooLong')
  return { headers: headers as IncomingHttpHeaders, rawHeaders }
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB

/** The empty prototype of headers: no name is inherited. With null itself as prototype they are half as fast. */
const NO_NAMES: object = Object.create(null)

/** Combines headers as node:http does: joined by commas, except headers that can occur only once. */
function add(headers: Record<string, string>, name: string, value: string): void {
  const known = headers[name]
  if (known === undefined) headers[name] = value
  else if (name === 'content-length') throw httpProblem('MalformedRequest')
  else if (name === 'host') throw httpProblem('DuplicateHost')
  else if (!FIRST_COUNTS.has(name)) headers[name] = `${known}${name === 'cookie' ? '; ' : ', '}${value}`
}

const FIRST_COUNTS: ReadonlySet<string> = new Set(
  `age authorization content-type etag expires from if-modified-since if-unmodified-since last-modified location
  max-forwards proxy-authorization referer retry-after server user-agent`.split(/\s+/),
)

/** RFC 9112 §3.2: HTTP/1.0 may leave Host out. Its value is a host with an optional port. */
function requireHost({ host }: IncomingHttpHeaders, minor: 0 | 1): void {
  if (host === undefined && minor === 1) throw httpProblem('MissingHost')
  if (host !== undefined && !consistsOf(host, HOST)) throw httpProblem('InvalidHost')
}

/** RFC 9112 §6: the end of a body must be unambiguous, or a proxy and this server could see different requests. */
function readLength(headers: IncomingHttpHeaders, minor: 0 | 1): number | 'chunked' {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  if (encoding !== undefined) {
    if (encoding !== 'chunked' || minor === 0) throw httpProblem('UnsupportedTransferEncoding')
    if (length !== undefined) throw httpProblem('MalformedRequest')
    return 'chunked'
  }
  if (length === undefined) return 0
  // 19 digits always fit into 64 bits, as other parsers need; a body of that length is never read to its end.
  if (!/^\d{1,19}$/.test(length)) throw httpProblem('MalformedRequest')
  return Number(length)
}

const LONGEST_CONNECTION = 128

/** RFC 9112 §9.3. */
function staysOpen(connection: string, minor: 0 | 1): boolean {
  if (connection === 'keep-alive') return true
  // With this many options the connection is closed: `close` may be among those that are not read.
  if (connection.length > LONGEST_CONNECTION) return false
  const options = readList(connection.toLowerCase())
  return !options.includes('close') && (minor === 1 || options.includes('keep-alive'))
}

/** `http.METHODS` of Node.js 24 without CONNECT, written out: a newer Node.js accepts more, including some of RTSP. */
const METHODS: ReadonlySet<string> = new Set(
  `ACL BIND CHECKOUT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS
  PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK
  UNSUBSCRIBE`.split(/\s+/),
)
const LONGEST_METHOD = Math.max(...[...METHODS].map(({ length }) => length))
