// The web's own Request and Response: Hono, Next and other servers that are built on them.
import type { AddressReader, GateRequest, Response as GateResponse } from '../http/index.ts'
import { drain } from './node-http.ts'
import { authProblem } from './problems.ts'

/** Who has sent a web request, which does not know the address of its client. */
export interface WebClient {
  /** The address of the peer. Without one exchanges are 503, since nobody could be throttled. */
  readonly address?: string | undefined
}

/** A web request as the gate sees it. */
export function toWebGateRequest(
  request: Request,
  { address }: WebClient,
  readAddress: AddressReader,
): GateRequest {
  const forwardedFor = request.headers.get('x-forwarded-for') ?? undefined
  return {
    rawHeaders: [...request.headers].flat(),
    get address() {
      if (address !== undefined) return readAddress(address, forwardedFor)
      throw authProblem('NoClientAddress', { retryAfterSeconds: 60 })
    },
    drain: async () => wasRead(request) || drain(webBodyOf(request)),
  }
}

/** Whether something else has read the body, or is about to. */
export const wasRead = ({ body, bodyUsed }: Request): boolean => bodyUsed || body?.locked === true

/**
 * How many bytes the body has; undefined where that is not known. A request that a program has made may have a body that
 * its Content-Length denies.
 */
export function webBodyLengthOf({ body, headers }: Request): number | undefined {
  if (body === null) return 0
  const declared = Number(headers.get('content-length'))
  return declared > 0 ? declared : undefined
}

/** Ends when the client goes: a body that waits for its next part would otherwise wait for ever. */
export async function* webBodyOf({ body, signal }: Request): AsyncIterable<Uint8Array> {
  // No event follows where it is aborted already.
  signal.throwIfAborted()
  const reader = body?.getReader()
  if (reader === undefined) return
  const cancel = () => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    reader.releaseLock()
  }
}

/** A response of ours as a web response. */
export function toWebResponse({ status, shared, headers, body }: GateResponse, method: string): Response {
  const content = method === 'HEAD' ? null : (body ?? null)
  const sent = toWebHeaders([...shared, ...headers])
  if (body !== undefined) sent.set('Content-Length', String(Buffer.byteLength(body)))
  return new Response(content as string | null, { status, headers: sent })
}

/** `list`: names and values in turn. */
export function toWebHeaders(list: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < list.length; index += 2)
    headers.append(list[index] ?? '', list[index + 1] ?? '')
  headers.set('Date', new Date().toUTCString())
  return headers
}
