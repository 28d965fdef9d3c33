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
    return discardBody(incoming)
  },
})

async function hasBegun(incoming: IncomingMessage): Promise<boolean> {
  await new Promise(setImmediate)
  return incoming.complete || incoming.readableLength > 0
}

/** True when the body ended within the limit, false as soon as it is longer. Rejects when it never ends. */
function discardBody(incoming: IncomingMessage): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let length = 0
    const end = (act: () => void) => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose)
      act()
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= DEFAULT_SERVER_LIMITS.bodyBytes) return
      incoming.pause()
      end(() => resolve(false))
    }
    const onEnd = () => end(() => resolve(true))
    const onClose = () => end(() => reject(new HttpError(400, 'The request ended before its body did.')))
    incoming.on('data', onData).on('end', onEnd).on('close', onClose)
  })
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
