// Requests and responses of node:http, and of the compatibility API of node:http2.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Writable } from 'node:stream'
import type { AddressReader, GateRequest, Response } from '../http/index.ts'
import { authProblem } from './problems.ts'

export type NodeRequest = IncomingMessage | Http2ServerRequest
export type NodeResponse = ServerResponse | Http2ServerResponse

/** A request of Node.js as the gate sees it. */
export const toGateRequest = (incoming: NodeRequest, readAddress: AddressReader): GateRequest => ({
  rawHeaders: incoming.rawHeaders,
  get address() {
    const forwardedFor = incoming.headers['x-forwarded-for'] as string | undefined
    return readAddress(incoming.socket.remoteAddress ?? '', forwardedFor)
  },
  async drain() {
    if (bodyLengthOf(incoming) === 0 || incoming.readableEnded) return true
    // A client that waits for `100 Continue` gets none before admission; if it sends a body anyway, that must be
    // well-formed. The expectation has no meaning in HTTP/1.0 (RFC 9110 §10.1.1).
    const { headers, httpVersion } = incoming
    if (headers.expect !== undefined && httpVersion === '1.1' && !(await hasBegun(incoming))) return true
    return drain(bodyOf(incoming))
  },
})

/**
 * The length of the body in bytes; undefined if it is not known. HTTP/2 need not declare a length, but the headers say
 * if there is no body (RFC 9113 §8.1). Node.js enforces a declared length for both.
 */
export function bodyLengthOf(incoming: NodeRequest): number | undefined {
  const { 'transfer-encoding': coding, 'content-length': length } = incoming.headers
  const isNone = 'stream' in incoming ? incoming.stream.endAfterHeaders : (coding ?? length) === undefined
  if (isNone) return 0
  return coding === undefined && length !== undefined ? Number(length) : undefined
}

async function hasBegun(incoming: NodeRequest): Promise<boolean> {
  await new Promise(setImmediate)
  return incoming.complete || incoming.readableLength > 0
}

/** A body as an iterator that leaves the connection open for the response, even if it is not read to its end. */
export const bodyOf = (incoming: NodeRequest): AsyncIterable<Buffer> =>
  incoming.iterator({ destroyOnReturn: false })

/** Answers a request of Node.js. */
export function send(
  incoming: NodeRequest,
  outgoing: NodeResponse,
  { status, shared, headers, body }: Response,
): void {
  if (outgoing.headersSent || writableOf(outgoing).destroyed) return
  const all = [...shared, ...headers]
  if (body !== undefined) all.push('Content-Length', String(Buffer.byteLength(body)))
  if (!incoming.complete && !('stream' in incoming)) all.push('Connection', 'close')
  writeHead(outgoing, status, all)
  const content = incoming.method === 'HEAD' || body === undefined ? '' : body
  // One call of `end` for both types, which declare it differently.
  const end: (content: string | Buffer) => unknown = outgoing.end.bind(outgoing)
  end(content)
}

/** `headers`: names and values in turn. */
export function writeHead(outgoing: NodeResponse, status: number, headers: readonly string[]): void {
  if (!('stream' in outgoing)) return void outgoing.writeHead(status, [...headers])
  // Not as a list: the compatibility API of HTTP/2 keeps only the last value of a name.
  for (let index = 0; index < headers.length; index += 2)
    outgoing.appendHeader(headers[index] ?? '', headers[index + 1] ?? '')
  outgoing.writeHead(status)
}

/** The stream that takes the bytes of a response. */
export const writableOf = (outgoing: NodeResponse): Writable =>
  'stream' in outgoing ? outgoing.stream : outgoing

type Body = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The default limit for a body. */
const MAX_DRAINED = 1024 * 1024

/** Reads a body that is not needed; returns whether it is well-formed, and not too long. */
export const drain = (body: Body): Promise<boolean> => readUpTo(MAX_DRAINED, body)

/** Whether the body ends within the limit; its parts are passed to `take`. Rejects if the body is incomplete. */
async function readUpTo(
  limit: number,
  body: Body,
  take: (part: Uint8Array) => void = () => {},
): Promise<boolean> {
  let length = 0
  try {
    for await (const part of body) {
      length += part.length
      if (length > limit) return false
      take(part)
    }
  } catch (error) {
    throw authProblem('IncompleteBody', {}, { cause: error })
  }
  return true
}

/**
 * The whole body, or undefined if it exceeds the limit. Collected in one buffer: if a body arrives in parts of one byte, a
 * list of these parts would take a hundred times its memory.
 */
export async function collectUpTo(limit: number, body: Body): Promise<Buffer | undefined> {
  let content = Buffer.alloc(0)
  let length = 0
  const isWhole = await readUpTo(limit, body, (part) => {
    const end = length + part.length
    if (end > content.length) {
      const longer = Buffer.allocUnsafe(Math.min(Math.max(end, 2 * length), limit))
      content.copy(longer, 0, 0, length)
      content = longer
    }
    content.set(part, length)
    length = end
  })
  return isWhole ? content.subarray(0, length) : undefined
}
