import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OpsParts {
  readonly host: string
  readonly port: number
  /** Why the service cannot be used right now; undefined when it can. */
  readonly lack: () => Promise<string | undefined>
  readonly metrics: () => Promise<Text>
}

export interface Text {
  readonly type: string
  readonly text: string
}

export interface RunningOps {
  readonly port: number
  close(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Whoever asks here is a program that asks once every few seconds. */
const LIMITS = {
  maxHeaderSize: 8 * 1_024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
}
const MOST_CONNECTIONS = 64

/** Health, readiness and metrics: not the API, and never on its port (authentication.md, The gate). */
export async function startOpsServer({ host, port, lack, metrics }: OpsParts): Promise<RunningOps> {
  // However many ask at once, the store is asked once.
  const findLack = together(lack)
  const collect = together(metrics)
  const pages: Readonly<Record<string, () => Promise<Answer>>> = {
    // That it answers is the answer.
    '/healthz': async () => ({ status: 200, text: 'ok\n' }),
    '/readyz': async () => {
      const found = await findLack()
      return found === undefined
        ? { status: 200, text: 'ready\n' }
        : { status: 503, text: `not ready: ${found}\n` }
    },
    '/metrics': async () => ({ status: 200, ...(await collect()) }),
  }

  async function answer({ method, url = '' }: IncomingMessage): Promise<Answer> {
    const path = url.split('?', 1)[0] as string
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page === undefined) return { status: 404, text: `There is ${Object.keys(pages).join(', ')}.\n` }
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, text: 'GET and HEAD are possible here.\n', headers: { Allow: 'GET, HEAD' } }
    }
    return page().catch(() => ({ status: 503, text: 'This could not be found out; try again.\n' }))
  }

  const server = createServer(LIMITS, async (request, response) => send(response, await answer(request)))
  server.maxConnections = MOST_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, { status, text, type, headers }: Answer): void {
  response.writeHead(status, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // A body is not read: what follows it on the connection is not worth looking for.
    ...(response.req.complete ? {} : { Connection: 'close' }),
    ...headers,
  })
  response.end(text)
}

/** Whoever asks while the question is being answered gets the same answer. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
}
