// The standard Request and Response, for Hono, Next and other servers that use them.
import type { AddressReader, GateRequest, Response as GateResponse } from '../http/index.ts'
import { drain } from './node-http.ts'
import { authProblem } from './problems.ts'

/** The client of a web request, which itself does not have the client's address. */
export interface WebClient {
  /** The address of the peer. Without it exchanges get 503, since they could not be throttled. */
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
 * The length of the body in bytes; undefined if it is not known. If a program has constructed the request, its
 * Content-Length may be wrong.
 */
export function webBodyLengthOf({ body, headers }: Request): number | undefined {
  if (body === null) return 0
  const declared = Number(headers.get('content-length'))
  return declared > 0 ? declared : undefined
}

/** Ends when the client disconnects: otherwise a body that waits for its next part would wait forever. */
export async function* webBodyOf({ body, signal }: Request): AsyncIterable<Uint8Array> {
  // There is no event if the signal is already aborted.
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
