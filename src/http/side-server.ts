import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { type ListenParts, limitHandshakes, listen, trackSockets } from './server.ts'

export interface Answer {
  readonly status: number
  /** Undefined where the status has none. */
  readonly body: string | Buffer | undefined
  readonly headers: Readonly<Record<string, string>>
}

export type { ListenParts } from './server.ts'

export interface SideServerParts extends ListenParts {
  readonly mostConnections: number
  /** The handler of a path, as it was sent, without its query. */
  readonly find: (path: string) => ((request: IncomingMessage) => Answer | Promise<Answer>) | undefined
  /** The answer at every other path. */
  readonly unknown: string
  /** On every answer of its own; what `node:http` refuses by itself has none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests here are small. */
const LIMITS = {
  maxHeaderSize: 8 * 1_024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}
/** The timeout of a client that does not read its response. */
const IDLE_MS = 10_000

/** Serves metrics, or the console: on a port of its own, never on the API's (authentication.md, The gate). */
export async function startSideServer(parts: SideServerParts) {
  const { tls, find } = parts
  // Not by an import, which reads all exports of node:http, and with `WebSocket` loads undici and node:http2.
  const server =
    tls === undefined
      ? process.getBuiltinModule('node:http').createServer(LIMITS)
      : process.getBuiltinModule('node:https').createServer({ ...LIMITS, ...tls })
  server.maxConnections = parts.mostConnections
  server.timeout = IDLE_MS
  answerHalfClosed(server)
  if (tls !== undefined) limitHandshakes(server, LIMITS.headersTimeout)
  const sockets = trackSockets(server)
  server.on('request', async (request, response) =>
    send(response, await answer(request), parts.headers ?? {}),
  )

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method, url = '' } = request
    const found = find(url.split('?', 1)[0] as string)
    if (found === undefined) return textAnswer(404, parts.unknown)
    if (method === 'GET' || method === 'HEAD') return found(request)
    return textAnswer(405, 'GET and HEAD are possible here.\n', { Allow: 'GET, HEAD' })
  }

  const port = await listen(server, parts)
  // A connection that cannot be accepted later on must not end the API.
  server.on('error', () => {})
  return {
    port,
    /** Does not wait for running requests. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/**
 * RFC 9112 §9.6: a client that has sent its request, and then FIN, still waits for the answer. By default node:http ends
 * the connection at once; only `httpAllowHalfOpen`, which is not documented, prevents that.
 */
function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  // Without TLS, node:http sets this itself.
  server.on('secureConnection', (socket: Socket) => {
    socket.allowHalfOpen = true
  })
}

/** Plain text, not cached. */
export const textAnswer = (status: number, text: string, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: text,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
})

function send(response: ServerResponse, { status, body, headers }: Answer, always: Answer['headers']): void {
  response.writeHead(status, {
    'X-Content-Type-Options': 'nosniff',
    ...always,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    // Bodies are not read, so no request can follow one on the connection.
    ...(response.req.complete ? {} : { Connection: 'close' }),
    ...headers,
  })
  response.end(body)
}
