import { connect, type Socket } from 'node:net'
import { parseResponses, type RawResponse } from './raw.ts'

/** Who may sign in on every test service. */
export const USER = 7
export const PARAPHRASE = 'correct horse battery'

export type Headers = Readonly<Record<string, string>>

export interface TestResponse extends RawResponse {
  json(): Record<string, unknown>
}

/** Speaks HTTP over a socket of its own, so that a test sees what was really sent. */
export interface TestClient {
  /** `path` is below the base: `/books`. Or an absolute target. */
  send(method: string, path: string, headers?: Headers, body?: string): Promise<TestResponse>
  /** Step A: a fresh nonce. */
  nonce(): Promise<string>
  /** Steps A and B: a fresh token. */
  exchange(userId?: number, paraphrase?: string): Promise<string>
  /** A fresh token, without a hash where the store is at hand and no paraphrase is given (see service.ts). */
  signIn(userId?: number, paraphrase?: string): Promise<string>
}

export const basic = (user: number | string, paraphrase: string): string =>
  `Basic ${Buffer.from(`${user}:${paraphrase}`).toString('base64')}`

/** The headers of step B. */
export const stepB = (
  nonce: string,
  user: number | string = USER,
  paraphrase: string = PARAPHRASE,
): Headers => ({
  'X-Authentication': nonce,
  Authorization: basic(user, paraphrase),
})

/** `from`: one of the many addresses of this machine, 127.0.0.1 unless another one is named. */
export function startClient(
  { base, port }: { readonly base: string; readonly port: number },
  from = '127.0.0.1',
): TestClient {
  const mount = new URL(base).pathname.replace(/\/$/, '')

  async function send(
    method: string,
    path: string,
    headers: Headers = {},
    body?: string,
  ): Promise<TestResponse> {
    const all = Object.entries({
      Host: 'test',
      Connection: 'close',
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    })
    const target = path.startsWith('http:') ? path : mount + path
    const head = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    const text = await converse(port, from, head + (body ?? ''))
    const [response] = parseResponses(text, method === 'HEAD')
    if (response === undefined) throw new Error(`No response to ${method} ${path}`)
    return { ...response, json: () => JSON.parse(response.body) }
  }

  async function nonce(): Promise<string> {
    return (await send('GET', '/session')).headers['x-authentication'] ?? ''
  }

  async function exchange(userId: number = USER, paraphrase: string = PARAPHRASE): Promise<string> {
    const { status, headers } = await send('GET', '/', stepB(await nonce(), userId, paraphrase))
    const token = headers['x-authorization']
    if (token === undefined) throw new Error(`The exchange was answered with ${status}`)
    return token
  }

  return { send, nonce, exchange, signIn: exchange }
}

/** Until the server closes, as `Connection: close` asks it to. */
function converse(port: number, localAddress: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(text))
    socket.write(request)
  })
}
