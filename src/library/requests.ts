// Requests that other servers have received: of node:http and what is built on it, and the web's Request and Response.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, type Writable } from 'node:stream'
import { bodyOf, readUpTo, send, toGateRequest } from '../auth/index.ts'
import { bodyTooLong, unavailable } from '../errors.ts'
import {
  type AddressReader,
  type App,
  DEFAULT_SERVER_LIMITS,
  type Request as HydrantRequest,
  isStreamed,
  type ServerLimits,
  StallCheck,
  type StreamedResponse,
  type StreamWriter,
} from '../http/index.ts'

export interface RequestParts {
  readonly app: App
  readonly readAddress: AddressReader
  /** Aborted when the program closes. */
  readonly closing: AbortSignal
  readonly limits?: ServerLimits
}

/** Answers one request. `peer`: its address; without one exchanges are 503, since nobody could be throttled. */
export async function handleWeb(
  request: Request,
  peer: string | undefined,
  parts: RequestParts,
): Promise<Response> {
  const answered = await parts.app(readWeb(request, peer, parts.readAddress))
  const { status, shared, headers, body } = answered
  const sent = new Headers()
  const all = [...shared, ...headers]
  for (let index = 0; index < all.length; index += 2) sent.append(all[index] ?? '', all[index + 1] ?? '')
  sent.set('Date', new Date().toUTCString())
  if (isStreamed(answered)) return new Response(streamOf(answered, parts), { status, headers: sent })
  if (body !== undefined) sent.set('Content-Length', String(Buffer.byteLength(body as string)))
  const content = request.method === 'HEAD' ? undefined : (body as string | undefined)
  return new Response(content, { status, headers: sent })
}

function readWeb(request: Request, peer: string | undefined, readAddress: AddressReader): HydrantRequest {
  const { pathname, search } = new URL(request.url)
  const headers: Record<string, string> = Object.fromEntries(request.headers)
  const body = request.body ?? []
  return {
    method: request.method,
    target: pathname + search,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    get address() {
      if (peer !== undefined) return readAddress(peer, headers['x-forwarded-for'])
      throw unavailable(
        'Without the address of the client nobody can sign in here; see handle in library.md.',
        60,
      )
    },
    drain: () => readUpTo(most, body),
    readBody: (limit) => readBody(body, limit),
  }
}

async function readBody(
  body: Parameters<typeof readUpTo>[1],
  limit = most,
  declaredLength = 0,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const isWhole = declaredLength <= limit && (await readUpTo(limit, body, (part) => parts.push(part)))
  if (isWhole) return Buffer.concat(parts)
  throw bodyTooLong(limit)
}

const most = DEFAULT_SERVER_LIMITS.bodyBytes

/** A response stream: reading asks for more, and cancelling ends it. */
function streamOf({ body }: StreamedResponse, parts: RequestParts): ReadableStream<Uint8Array> {
  const through = new PassThrough()
  // Not awaited: nothing would be read before it ends.
  body(writerTo(through, parts, new Error('The reader is too slow.'))).then(
    () => through.end(),
    (error: Error) => through.destroy(error),
  )
  const written: AsyncIterator<Buffer> = through.iterator()
  // Not Readable.toWeb: where a reader cancels while a part is on its way, that throws where nobody can catch it.
  return new ReadableStream<Uint8Array>(
    {
      // At once: a reader that is too slow may never ask again.
      start: (controller) => void through.once('error', (error) => controller.error(error)),
      // What this throws once the reader has cancelled is ignored.
      async pull(controller) {
        const { value, done } = await written.next()
        if (done) controller.close()
        // A copy, since the reader may change it and other streams send the same bytes.
        else controller.enqueue(Uint8Array.from(value))
      },
      cancel: () => void through.destroy(),
    },
    { highWaterMark: 0 },
  )
}

export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export function createListener(parts: RequestParts, onFault: (error: unknown) => void): NodeListener {
  const { app, readAddress } = parts
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const response = await app(readIncoming(incoming, readAddress))
    if (!isStreamed(response)) return send(incoming, outgoing, response)
    outgoing.writeHead(response.status, [...response.shared, ...response.headers])
    outgoing.flushHeaders()
    await response.body(writerTo(outgoing, parts))
    outgoing.end()
  }
  return (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      onFault(error)
      outgoing.destroy()
    })
  }
}

function readIncoming(incoming: IncomingMessage, readAddress: AddressReader): HydrantRequest {
  const { method = '', headers, rawHeaders, url = '' } = incoming
  // Express removes the path at which it has mounted the listener.
  const { originalUrl = url } = incoming as { readonly originalUrl?: string }
  const request = toGateRequest(incoming, readAddress)
  return {
    ...{ method, target: originalUrl, headers, rawHeaders },
    get address() {
      return request.address
    },
    drain: request.drain,
    readBody: (limit) => readBody(bodyOf(incoming), limit, Number(headers['content-length'] ?? 0)),
  }
}

/** Waits while the client reads, since what is unread is in the memory of the server. `tooSlow`: what its reader is told. */
function writerTo(
  outgoing: Writable,
  { closing, limits = DEFAULT_SERVER_LIMITS }: RequestParts,
  tooSlow?: Error,
): StreamWriter {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, closing])
  const stall = new StallCheck(limits)
  let written = 0
  // live.md, The feed: a reader that takes nothing for 30 s is cut off. The server around us may wait for ever.
  const checking = setInterval(
    () => {
      if (stall.isStalled(performance.now(), written, outgoing.writableLength)) outgoing.destroy(tooSlow)
    },
    Math.min(1_000, limits.stallMs / 2),
  ).unref()
  outgoing.once('close', () => {
    clearInterval(checking)
    gone.abort()
  })
  return {
    signal,
    write({ content }) {
      if (signal.aborted) return
      if (outgoing.writableLength > limits.streamBytes) return void outgoing.destroy(tooSlow)
      const before = outgoing.writableLength
      outgoing.write(content)
      // With the frame of a chunk, which would otherwise count as taken.
      written += outgoing.writableLength - before
    },
    ready() {
      if (!outgoing.writableNeedDrain || signal.aborted) return undefined
      // Rejected where the client goes instead, as the signal says too.
      return once(outgoing, 'drain', { signal }).then(
        () => {},
        () => {},
      )
    },
  }
}
