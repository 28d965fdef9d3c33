import { METHODS } from 'node:http'
import { createRequire } from 'node:module'

/** A request as a parser has read it. */
export interface Message {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** What a parser has made of bytes: the requests that are complete, and whether it refuses what follows them. */
export interface Reading {
  readonly messages: readonly Message[]
  readonly isRefused: boolean
}

interface Parser {
  initialize(type: number, resource: object): void
  execute(bytes: Buffer): number | Error
  [event: number]: unknown
}

/**
 * The parser of Node.js without a socket around it. It has no public name: `node:http` would bring sockets, timers and
 * rules of its own along.
 */
const { HTTPParser } = createRequire(import.meta.url)('_http_common') as {
  HTTPParser: { new (): Parser } & Record<string, number>
}

/** The parser gives their numbers, and nothing gives the names of those. */
const methods = new Map<string, string>()
for (const name of METHODS) {
  const [message] = readByLlhttp([Buffer.from(`${name} / HTTP/1.1\r\nHost: x\r\n\r\n`)]).messages
  if (message !== undefined) methods.set(message.method, name)
}

/** What llhttp makes of the bytes, which come in these pieces. */
export function readByLlhttp(pieces: readonly Buffer[]): Reading {
  const messages: Message[] = []
  let headers: string[] = []
  let target = ''
  let current: Omit<Message, 'body'> | undefined
  let body = ''
  const parser = new HTTPParser()
  parser.initialize(HTTPParser.REQUEST as number, {})
  // Headers come in portions of 32.
  parser[HTTPParser.kOnHeaders as number] = (portion: string[], url: string) => {
    headers.push(...portion)
    target += url
  }
  parser[HTTPParser.kOnHeadersComplete as number] = (
    major: number,
    minor: number,
    rest: string[] | undefined,
    method: number,
    url: string | undefined,
  ) => {
    const rawHeaders = rest ?? headers
    current = {
      method: methods.get(String(method)) ?? String(method),
      target: url ?? target,
      version: `${major}.${minor}`,
      rawHeaders,
    }
    headers = []
    target = ''
    body = ''
    return 0
  }
  parser[HTTPParser.kOnBody as number] = (bytes: Buffer) => {
    body += bytes.toString('latin1')
  }
  parser[HTTPParser.kOnMessageComplete as number] = () => {
    // What has been gathered since then are trailers.
    headers = []
    target = ''
    if (current !== undefined) messages.push({ ...current, body })
    current = undefined
  }
  for (const piece of pieces) {
    if (typeof parser.execute(piece) !== 'number') return { messages, isRefused: true }
  }
  return { messages, isRefused: false }
}
