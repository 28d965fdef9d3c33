import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '../errors.ts'
import { type AddressReader, DEFAULT_SERVER_LIMITS, type Response } from '../http/index.ts'
import type { GateRequest } from './gate.ts'

/** A request of `node:http` as the gate sees it. */
export const toGateRequest = (incoming: IncomingMessage, readAddress: AddressReader): GateRequest => ({
  rawHeaders: incoming.rawHeaders,
  get address() {
    const forwardedFor = incoming.headers['x-forwarded-for'] as string | undefined
    return readAddress(incoming.socket.remoteAddress ?? '', forwardedFor)
  },
  async drain() {
    const { headers, httpVersion } = incoming
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return true
    // A client that waits for `100 Continue` gets none before admission; what it has sent all the same must be good.
    // The expectation has no meaning in HTTP/1.0 (RFC 9110 §10.1.1).
    if (headers.expect !== undefined && httpVersion === '1.1' && !(await hasBegun(incoming))) return true
    return readUpTo(DEFAULT_SERVER_LIMITS.bodyBytes, bodyOf(incoming))
  },
})

async function hasBegun(incoming: IncomingMessage): Promise<boolean> {
  await new Promise(setImmediate)
  return incoming.complete || incoming.readableLength > 0
}

/** A body as an iterator that leaves the connection open, for the response, where it is not read to its end. */
export const bodyOf = (incoming: IncomingMessage): AsyncIterable<Buffer> =>
  incoming.iterator({ destroyOnReturn: false })

/** Whether the body ends within the limit; its parts are passed to `take`. Rejects when it never ends. */
export async function readUpTo(
  limit: number,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
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
    throw new HttpError(400, 'The request ended before its body did.', { cause: error })
  }
  return true
}

/** Answers a request of `node:http`. */
export function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, shared, headers, body }: Response,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  const all = [...shared, ...headers]
  if (body !== undefined) all.push('Content-Length', String(Buffer.byteLength(body)))
  if (!incoming.complete) all.push('Connection', 'close')
  outgoing.writeHead(status, all)
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}
