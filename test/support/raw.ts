import { connect, type Socket } from 'node:net'

/** One response as it came over the wire. Header names in lower case; repeated headers as a list joined by newlines. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly headerNames: readonly string[]
  readonly body: string
}

export interface RawExchange {
  /** Every response on the connection, in order; an interim 100 included. */
  readonly responses: readonly RawResponse[]
  /** Whether the server closed the connection within the time. */
  readonly closed: boolean
  /** All that came, as latin1 text. */
  readonly text: string
  /** Bytes that could be sent before the connection ended. */
  readonly sent: number
}

/** Waits until more has come: a time would not do, since what is sent behind it may overtake the server's reading. */
export const RESPONSE = Symbol('response')

/** Text to send, or what to wait for: milliseconds, or a response. */
export type Part = string | Buffer | number | typeof RESPONSE

/** A busy machine may take its time for the first byte. */
const FIRST_BYTE_MS = 10_000

/**
 * Sends bytes as they are, where a client library would tidy them up, and reads until the server closes or nothing
 * more has come for `quietMs`.
 */
export async function sendRaw(
  port: number,
  parts: readonly Part[],
  quietMs = 250,
  host = '127.0.0.1',
): Promise<RawExchange> {
  const socket = connect(port, host)
  let text = ''
  let closed = false
  const ended = new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, Math.max(quietMs, FIRST_BYTE_MS) + total(parts))
    const wait = () => {
      const before = text
      // In a process that stood still, the time is up before what has come meanwhile is read.
      timer = setTimeout(() => setImmediate(() => text === before && resolve()), quietMs)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(timer)
      wait()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      closed = true
      clearTimeout(timer)
      resolve()
    })
    socket.on('end', () => {
      closed = true
    })
  })
  // A response that is waited for may never come.
  await Promise.race([ended, writeAll(socket, parts)])
  await ended
  const sent = socket.bytesWritten
  socket.destroy()
  return { responses: parseResponses(text), closed, text, sent }
}

/** All that comes until the server has sent its FIN. Rejects where the connection is reset. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += chunk.toString('latin1')
  return text
}

/** All that comes until the connection is closed, however that comes about. */
export function readToClose(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {}).on('close', () => resolve(text))
    socket.resume()
  })
}

const total = (parts: readonly Part[]): number =>
  parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0)

async function writeAll(socket: Socket, parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (socket.destroyed) return
    if (typeof part === 'number') await new Promise((resolve) => setTimeout(resolve, part))
    else if (part === RESPONSE) await eventOf(socket, 'data')
    else if (!socket.write(part)) await eventOf(socket, 'drain')
  }
}

/** Comes back when the connection is closed, too. */
function eventOf(socket: Socket, event: 'data' | 'drain'): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off(event, done).off('close', done)
      resolve()
    }
    socket.on(event, done).on('close', done)
  })
}

/** By Content-Length: every response has one, or no body at all. `headless`: to HEAD, a length without a body. */
export function parseResponses(text: string, headless = false): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`Not a response: ${JSON.stringify(rest.slice(0, 200))}`)
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${statusLine} `)?.[1])
    const headers: Record<string, string> = {}
    const headerNames: string[] = []
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon).toLowerCase()
      const value = line.slice(colon + 1).trim()
      headerNames.push(line.slice(0, colon))
      headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`
    }
    const length =
      headless || status === 204 || status === 304 || status === 100
        ? 0
        : Number(headers['content-length'] ?? 0)
    const bytes = rest.slice(end + 4, end + 4 + length)
    responses.push({ status, headers, headerNames, body: Buffer.from(bytes, 'latin1').toString('utf8') })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
