import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { Webhook as Verifier } from 'standardwebhooks'
import type { Ended } from './folders.ts'

/** A request that a receiver has got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The name that the client has asked for, with TLS. */
  readonly serverName: string | undefined
}

export interface Receiver {
  readonly port: number
  /** Its address; `url('/other')` for another path. */
  url(path?: string): string
  /** All requests, the last one last. */
  readonly received: Received[]
  /** How many connections were opened. */
  connections(): number
  close(): Promise<void>
}

/** A response: a status (0 for none, ever), or code that writes one. */
type Respond = (request: Received) => number | RequestListener

interface ReceiverOptions {
  readonly port?: number
  readonly tls?: SecureContextOptions
}

/** A server on loopback that records what it gets. Without `respond` it accepts everything with 204. */
export async function startReceiver(
  t: Ended,
  respond: Respond = () => 204,
  { port = 0, tls }: ReceiverOptions = {},
): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '', headers, socket } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { servername: serverName } = socket as { servername?: string }
    const got = { method, path: url, headers, body: Buffer.concat(chunks).toString(), serverName }
    received.push(got)
    const answer = respond(got)
    if (typeof answer !== 'number') answer(request, response)
    else if (answer > 0) response.writeHead(answer).end()
  }
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', () => {
    connections += 1
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: actual } = server.address() as AddressInfo
  async function close(): Promise<void> {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.after(close)
  return {
    port: actual,
    url: (path = '/hook') => `http://127.0.0.1:${actual}${path}`,
    ...{ received, connections: () => connections, close },
  }
}

/** The event in a request; throws unless its signature is that of the secret. */
export const verify = (secret: string, { body, headers }: Received): Record<string, unknown> =>
  new Verifier(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
