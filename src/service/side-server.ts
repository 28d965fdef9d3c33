import { noStoreHeaders, type Request, type Response, type ServerLimits } from '../http/index.ts'
import { type ListenOptions, type RunningServer, startServer } from '../http/server.ts'

export type SideAnswer = Omit<Response, 'shared'>

export interface SideServerOptions extends ListenOptions {
  readonly mostConnections: number
  /** The handler of a path, as it was sent, without its query. */
  readonly find: (path: string) => ((request: Request) => Promise<SideAnswer>) | undefined
  /** The response at every other path. */
  readonly unknown: string
  /** Headers of every response. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests here are small, and closing hardly waits for them. */
const LIMITS: Partial<ServerLimits> = {
  headersMs: 5_000,
  requestMs: 5_000,
  idleMs: 5_000,
  stallMs: 10_000,
  graceMs: 100,
}

/** Serves metrics, or the console, on its own port, never on the API's (authentication.md, The gate). */
export function startSideServer({
  find,
  unknown,
  headers,
  mostConnections,
  ...listening
}: SideServerOptions): Promise<RunningServer<unknown>> {
  const shared = Object.entries({ 'X-Content-Type-Options': 'nosniff', ...headers }).flat()

  async function answer(request: Request): Promise<SideAnswer> {
    const { method, target } = request
    const found = find(target.split('?', 1)[0] as string)
    if (found === undefined) return textAnswer(404, unknown)
    if (method === 'GET' || method === 'HEAD') return found(request)
    return textAnswer(405, 'GET and HEAD are possible here.\n', ['Allow', 'GET, HEAD'])
  }

  return startServer({
    ...listening,
    readAddress: (peer) => peer,
    limits: { ...LIMITS, connections: mostConnections },
    createApp: () => ({
      app: async (request) => ({ shared, ...(await answer(request)) }),
      noStoreHeaders: noStoreHeaders(shared),
      onFault() {},
    }),
  })
}

/** Plain text, not cached. */
export const textAnswer = (
  status: number,
  body: string,
  headers: readonly string[] = [],
  type = 'text/plain; charset=utf-8',
): SideAnswer => ({ status, body, headers: ['Content-Type', type, 'Cache-Control', 'no-store', ...headers] })
