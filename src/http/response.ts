import { type ProblemData, type Sentence, say } from '../problem.ts'
import type { Request, Response, StreamedResponse } from './messages.ts'

export const isStreamed = (response: Response | StreamedResponse): response is StreamedResponse =>
  typeof response.body === 'function'

export const LD_JSON = 'application/ld+json'

const EXPOSED =
  'X-Authentication, X-Authorization, WWW-Authenticate, Link, Location, ETag, Retry-After, Allow, Accept-Patch, Preference-Applied, X-Request-Id, Memento-Datetime, Content-Location'

/** On every response, whatever its status (authentication.md). */
// biome-ignore format: a header a line
export const commonHeaders = (base: string, exposed = ''): readonly string[] => [
  'Link', `<${base}/vocab>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
  'Access-Control-Allow-Origin', '*',
  'Access-Control-Expose-Headers', EXPOSED + exposed,
  'X-Content-Type-Options', 'nosniff',
  'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'",
]

/** The headers of steps A and B and of every error: no caching, and one media type, whatever Accept says. */
export const noStoreHeaders = (common: readonly string[]): readonly string[] =>
  common.concat('Content-Type', LD_JSON, 'Cache-Control', 'no-store')

/** The response to a problem. */
export interface ProblemAnswer<Values = never> {
  readonly status: number
  readonly sentence: Sentence<Values>
  /** General advice, for the documentation of the code. */
  readonly help: string
  /** Headers other than Retry-After, as a flat list of names and values. */
  readonly headers?: (values: Values) => readonly string[]
  /** Further members of its problem document (RFC 9457 §3.2). */
  readonly extension?: (values: Values) => object
}

export type ProblemAnswers = Readonly<Record<string, ProblemAnswer>>

/** The responses to all codes of a room that does not know HTTP. */
export type AnswersTo<Codes> = { readonly [Code in keyof Codes]: ProblemAnswer<Codes[Code]> }

/** One JSON object with one member, the status code as its key (seed.md, Errors). */
export const statusBody = (status: number, sentence: string): string =>
  `{"${status}": ${JSON.stringify(sentence)}}`

/** A problem as the client sees it. */
export interface WireProblem {
  readonly status: number
  readonly sentence: string
  readonly headers?: readonly string[]
  /** Further members of its problem document. */
  readonly extension?: object
}

/** The response to a problem, if the table has its code. */
export function answerFor(problem: ProblemData, answers: ProblemAnswers): WireProblem | undefined {
  const answer = Object.hasOwn(answers, problem.code) ? answers[problem.code] : undefined
  if (answer === undefined) return undefined
  const { retryAfterSeconds: seconds } = problem.values as { retryAfterSeconds?: number }
  const headers = answer.headers?.(problem.values as never) ?? []
  const extension = answer.extension?.(problem.values as never)
  return {
    status: answer.status,
    sentence: say(answer.sentence, problem),
    headers: seconds === undefined ? headers : [...headers, 'Retry-After', String(seconds)],
    ...(extension && { extension }),
  }
}

/** A response in the form that every client understands. `shared`: see noStoreHeaders. */
export const errorResponse = (
  { status, sentence, headers = [] }: WireProblem,
  shared: readonly string[],
): Response => ({ status, shared, headers, body: statusBody(status, sentence) })

/** A browser sends a preflight before it sends credentials, and cannot attach any to it: departure (a) from seed.md. */
export const isPreflight = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const ALLOWED_HEADERS =
  'Authorization, X-Authentication, X-Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, Last-Event-ID, Accept-Datetime'

/** The same for every path, so that it reveals nothing about any. */
// biome-ignore format: a header a line
export const preflightResponse = (common: readonly string[]): Response => ({
  status: 204,
  shared: [
    ...common,
    'Cache-Control', 'no-store',
    'Access-Control-Allow-Methods', ALLOWED_METHODS,
    'Access-Control-Allow-Headers', ALLOWED_HEADERS,
    'Access-Control-Max-Age', '7200',
  ],
  headers: [],
  body: undefined,
})

type ConnectionHeader = 'close' | 'keep-alive' | undefined

/** How a response is sent. */
interface Delivery {
  /** HEAD gets only the headers of GET. */
  readonly isHead: boolean
  /** The Connection header, if one is needed. */
  readonly connection: ConnectionHeader
}

/** A whole response as one text, which takes one write. */
export function writeResponse(
  response: Response,
  { isHead, connection }: Delivery,
): { readonly text: string; readonly encoding: 'latin1' | 'utf8' } {
  const { body } = response
  const head = headText(response, connection)
  if (body === undefined) return { text: `${head}\r\n`, encoding: 'latin1' }
  const length = Buffer.byteLength(body)
  const text = `${head}Content-Length: ${length}\r\n\r\n`
  if (isHead) return { text, encoding: 'latin1' }
  // In Latin-1 every byte is a character.
  const content = typeof body === 'string' ? body : body.toString('latin1')
  // If there are as many bytes as characters, the text is binary or ASCII: as Latin-1 it needs no encoding, and a third
  // of the memory.
  return { text: text + content, encoding: length === content.length ? 'latin1' : 'utf8' }
}

/** The head of a stream, before its parts. */
export const writeStreamHead = (response: StreamedResponse, isChunked: boolean): string =>
  `${headText(response, 'close')}${isChunked ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`

function headText({ status, shared, headers }: Omit<Response, 'body'>, connection: ConnectionHeader): string {
  const text = statusLine(status) + sharedLines(shared) + linesOf(headers) + dateLine()
  return connection === undefined ? text : `${text}Connection: ${connection}\r\n`
}

const SHARED_LINES = new WeakMap<readonly string[], string>()

function sharedLines(shared: readonly string[]): string {
  const known = SHARED_LINES.get(shared)
  if (known !== undefined) return known
  const lines = linesOf(shared)
  SHARED_LINES.set(shared, lines)
  return lines
}

/** The one place where headers become text: a value that is not ASCII, or would end its line, is a bug. */
function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] as string
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at)
      if (code < 0x20 || code > 0x7e)
        throw new Error(`${headers[index]} has a character that no header may have.`)
    }
    lines += `${headers[index]}: ${value}\r\n`
  }
  return lines
}

/** RFC 9110 §15. Not from `node:http`, which would load a whole client before the first request. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

const STATUS_LINES = new Map(
  Object.entries(REASONS).map(([status, reason]) => [Number(status), `HTTP/1.1 ${status} ${reason}\r\n`]),
)

/** A program may respond with any status; the reason phrase may be empty (RFC 9112 §4). */
const statusLine = (status: number): string => STATUS_LINES.get(status) ?? `HTTP/1.1 ${status} \r\n`

let second = 0
let date = ''

/** Formatted once a second. */
function dateLine(): string {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`
  }
  return date
}
