// Adapters for requests that other servers have received: those of Node.js and its frameworks, and standard Request
// objects.
import { once } from 'node:events'
import { PassThrough, type Writable } from 'node:stream'
import { apiProblem } from '../api/index.ts'
import {
  bodyLengthOf,
  bodyOf,
  collectUpTo,
  type NodeRequest,
  type NodeResponse,
  send,
  toGateRequest,
  toWebGateRequest,
  toWebHeaders,
  toWebResponse,
  type WebClient,
  wasRead,
  webBodyLengthOf,
  webBodyOf,
  writableOf,
  writeHead,
} from '../auth/index.ts'
import {
  type AddressReader,
  type App,
  DEFAULT_SERVER_LIMITS,
  type Request as HydrantRequest,
  httpProblem,
  isStreamed,
  type ServerLimits,
  StallCheck,
  type StreamedResponse,
  type StreamWriter,
} from '../http/index.ts'

export interface RequestDependencies {
  readonly app: App
  readonly readAddress: AddressReader
  /** Aborted when the program closes. */
  readonly closing: AbortSignal
  readonly limits?: ServerLimits
}

/** Responds to one request. Rejects like `fetch` if its signal is aborted; its write may be carried out all the same. */
export async function handleWeb(
  request: Request,
  client: WebClient,
  dependencies: RequestDependencies,
): Promise<Response> {
  const { method, signal } = request
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const answered = await Promise.race([
      dependencies.app(readWeb(request, client, dependencies.readAddress)),
      aborted.promise,
    ])
    if (!isStreamed(answered)) return toWebResponse(answered, method)
    const { status, shared, headers } = answered
    return new Response(streamOf(answered, signal, dependencies), {
      status,
      headers: toWebHeaders([...shared, ...headers]),
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function readWeb(request: Request, client: WebClient, readAddress: AddressReader): HydrantRequest {
  const { pathname, search } = new URL(request.url)
  const seen = toWebGateRequest(request, client, readAddress)
  const isGone = wasRead(request)
  const bodyLength = webBodyLengthOf(request)
  return {
    method: request.method,
    target: pathname + search,
    headers: Object.fromEntries(request.headers),
    rawHeaders: seen.rawHeaders,
    bodyLength,
    get address() {
      return seen.address
    },
    drain: seen.drain,
    async readBody(limit) {
      // The program's mistake, which its author meets at the first try.
      if (isGone) throw apiProblem('BodyAlreadyRead')
      return readBody(webBodyOf(request), limit, bodyLength)
    },
  }
}

async function readBody(
  body: Parameters<typeof collectUpTo>[1],
  limit = most,
  declaredLength = 0,
): Promise<Buffer> {
  const content = declaredLength <= limit ? await collectUpTo(limit, body) : undefined
  if (content !== undefined) return content
  throw httpProblem('BodyTooLong', { maxBytes: limit })
}

const most = DEFAULT_SERVER_LIMITS.bodyBytes

/** A response stream: reading asks for more; cancelling ends it, and so does the signal of the request. */
function streamOf(
  { body }: StreamedResponse,
  signal: AbortSignal,
  dependencies: RequestDependencies,
): ReadableStream<Uint8Array> {
  const through = new PassThrough()
  const abort = () => through.destroy(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  through.once('close', () => signal.removeEventListener('abort', abort))
  // Not awaited: nothing would be read before it ends.
  body(writerTo(through, dependencies, new Error('The reader is too slow.'))).then(
    () => through.end(),
    (error: Error) => through.destroy(error),
  )
  const written: AsyncIterator<Buffer> = through.iterator()
  // Not Readable.toWeb: if a reader cancels while a part is on its way, it throws an error that nobody can catch.
  return new ReadableStream<Uint8Array>(
    {
      // The error is passed on at once: a reader that is too slow may never ask again.
      start: (controller) => void through.once('error', (error) => controller.error(error)),
      // Errors after the reader has cancelled are ignored.
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

export type NodeListener = (incoming: NodeRequest, outgoing: NodeResponse) => void

export function createListener(
  dependencies: RequestDependencies,
  onFault: (error: unknown) => void,
): NodeListener {
  const { app, readAddress } = dependencies
  async function answer(incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
    const response = await app(readIncoming(incoming, readAddress))
    if (!isStreamed(response)) return send(incoming, outgoing, response)
    writeHead(outgoing, response.status, [...response.shared, ...response.headers])
    if (!('stream' in outgoing)) outgoing.flushHeaders()
    await response.body(writerTo(writableOf(outgoing), dependencies))
    outgoing.end()
  }
  return (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      onFault(error)
      writableOf(outgoing).destroy()
    })
  }
}

function readIncoming(incoming: NodeRequest, readAddress: AddressReader): HydrantRequest {
  const { method = '', headers, rawHeaders, url = '' } = incoming
  // Express removes the path at which it has mounted the listener.
  const { originalUrl = url } = incoming as { readonly originalUrl?: string }
  const request = toGateRequest(incoming, readAddress)
  const bodyLength = bodyLengthOf(incoming)
  const isGone = incoming.readableDidRead && bodyLength !== 0
  return {
    ...{ method, target: originalUrl, headers, rawHeaders, bodyLength },
    get address() {
      return request.address
    },
    drain: request.drain,
    async readBody(limit) {
      // The program's mistake, which its author meets at the first try.
      if (isGone) throw apiProblem('BodyAlreadyRead')
      return readBody(bodyOf(incoming), limit, bodyLength)
    },
  }
}

/** Waits while the client reads, since unread data is in the server's memory. `tooSlow`: the error for a slow reader. */
function writerTo(
  outgoing: Writable,
  { closing, limits = DEFAULT_SERVER_LIMITS }: RequestDependencies,
  tooSlow?: Error,
): StreamWriter {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, closing])
  const stall = new StallCheck(limits)
  let written = 0
  // live.md, The feed: a reader that takes nothing for 30 s is disconnected. The program's server might wait forever.
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
      // Includes the framing of a chunk, which would otherwise count as taken.
      written += outgoing.writableLength - before
    },
    ready() {
      if (!outgoing.writableNeedDrain || signal.aborted) return undefined
      // Rejects if the client disconnects instead, which the signal reports too.
      return once(outgoing, 'drain', { signal }).then(
        () => {},
        () => {},
      )
    },
  }
}
