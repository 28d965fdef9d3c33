import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { HttpError } from '../errors.ts'
import type { Response } from './response.ts'

export const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 2_000
/** `http.METHODS` of Node.js 24 without CONNECT, written out: a newer Node.js reads more, and some of RTSP besides. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(
  `ACL BIND CHECKOUT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS
  PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK
  UNSUBSCRIBE`.split(/\s+/),
)
/** RFC 3986 §3.2.2 and §3.2.3, by their characters alone. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/

/**
 * What is refused before the gate, the same for everyone (authentication.md): node:http answers some of it by itself,
 * bare, and lets some of it through. Both are taken over here.
 */
export function refusalOf(incoming: IncomingMessage): HttpError | undefined {
  const { httpVersion, headers, rawHeaders } = incoming
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return malformed(`HTTP/${httpVersion} is not spoken here; HTTP/1.1 is.`)
  }
  if (!KNOWN_METHODS.has(incoming.method as string)) return notWellFormed()
  if (rawHeaders.length > 2 * MAX_HEADERS) return tooLarge()
  const { size, hosts } = measure(incoming)
  if (size > MAX_HEADER_BYTES) return tooLarge()
  if (hosts > 1) return malformed('The request has more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return malformed('The request has no Host header.')
  // RFC 9112 §3.2: a Host that cannot be one is refused too.
  if (!HOST.test(headers.host ?? '')) return malformed('The Host header is not a host with an optional port.')
  const encoding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 has no transfer codings; it may smuggle in a second request.
  if (encoding !== undefined && (encoding !== 'chunked' || httpVersion === '1.0')) {
    return malformed('The only Transfer-Encoding that is understood is "chunked", in HTTP/1.1.')
  }
  const expectation = headers.expect
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue') {
    return new HttpError(417, 'The only expectation that can be met is "100-continue".')
  }
  return undefined
}

export const malformed = (sentence: string) => new HttpError(400, sentence)

/** What node:http's parser or its timers gave up on. */
export function refusalOfParserError(error: Error & { code?: string }): HttpError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return tooLarge()
    case 'HPE_INVALID_URL':
      return malformed(
        'The address has a character that stands in none; write it percent-encoded, for example ö as %C3%B6.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'The request was not sent in time.')
    default:
      return notWellFormed()
  }
}

export const notWellFormed = () => malformed('This is not well-formed HTTP/1.1.')

const tooLarge = () =>
  new HttpError(
    431,
    `The request line and the headers together are longer than 16 KiB, or more than ${MAX_HEADERS}.`,
  )

/** A whole response as text, for a connection on which node:http has no response object to write with. */
export function rawResponse({ status, headers, body = '' }: Response): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`]
  for (let index = 0; index < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`)
  lines.push(
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  )
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/**
 * The size as sent, roughly: the parser counts names and values, but not what is between them, which can be most of it.
 * And how many Host headers there are: node:http keeps the first of them. One pass, since every request pays for it.
 */
function measure({ method, url, rawHeaders }: IncomingMessage): { size: number; hosts: number } {
  let size = (method as string).length + (url as string).length + ' HTTP/1.1'.length
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    size += name.length + (rawHeaders[index + 1] as string).length + ': \r\n'.length
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return { size, hosts }
}

/** Whether a request, whose headers have just come, names another protocol than HTTP in its first line. */
export type IsForeign = (incoming: IncomingMessage) => boolean

/** Other protocols that the parser of Node.js reads: it takes `GET / RTSP/1.0` for HTTP/1.0, and does not tell. */
const FOREIGN = /^\S+ +\S+ +(?:RTSP|ICE)\//
/** The parser has given up on headers of this size. */
const LONGEST_HEAD = 64 * 1024

/**
 * Reads the first lines along with the parser, from message to message, since the name of the protocol stands in the
 * bytes alone. The end of a chunked body is known with the next packet; what is pipelined behind it is not looked at.
 */
export function readRequestLines(socket: Socket): IsForeign {
  /** The bytes of a message from its beginning, until its headers have come. */
  let head = ''
  /** How many bytes of a body have yet to come. */
  let body = 0
  let chunked: IncomingMessage | undefined
  socket.prependListener('data', (chunk: Buffer) => {
    if (chunked?.complete) chunked = undefined
    const start = Math.min(body, chunk.length)
    body -= start
    if (chunked !== undefined || start === chunk.length) return
    // RFC 9112 §2.2: empty lines before a request are no part of it.
    if (head === '') head = chunk.toString('latin1', start).trimStart()
    else if (head.length < LONGEST_HEAD) head += chunk.toString('latin1', start)
  })
  return (incoming) => {
    const isForeign = FOREIGN.test(head)
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers
    const end = head.indexOf('\r\n\r\n') + 4 + Number(length)
    body = Math.max(0, end - head.length)
    chunked = encoding === undefined ? undefined : incoming
    head = chunked === undefined ? head.slice(end).trimStart() : ''
    return isForeign
  }
}
