import type { Prepared } from './bare-server.ts'
import { load } from './load.ts'

export interface Account {
  readonly port: number
  readonly paraphrase: string
}

/** Steps A and B as user 1; the header line of step C. */
export async function signIn({ port, paraphrase }: Account): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/`
  const nonce = (await fetch(url)).headers.get('x-authentication') ?? ''
  const Authorization = `Basic ${Buffer.from(`1:${paraphrase}`).toString('base64')}`
  const exchanged = await fetch(url, { headers: { Authorization, 'X-Authentication': nonce } })
  return `X-Authorization: ${exchanged.headers.get('x-authorization') ?? ''}\r\n`
}

/** A GET as text; `headers` are whole lines. */
export const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: bench\r\n${headers}\r\n`

/** The response to a request, to be sent again by bare node:http: all headers but those that it adds by itself. */
export async function capture(port: number, text: string): Promise<Prepared> {
  let whole = ''
  const next = (previous: string) => {
    whole ||= previous
    return text
  }
  await load({ port, connections: 1, milliseconds: 50, expected: [200, 401], next })
  const end = whole.indexOf('\r\n\r\n')
  const headers = whole
    .slice(0, end)
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
    .filter(([name]) => !['Date', 'Connection', 'Keep-Alive'].includes(name))
  const body = Buffer.from(whole.slice(end + 4), 'latin1').toString('utf8')
  if (!whole.includes(`Content-Length: ${whole.length - end - 4}\r\n`))
    throw new Error('The response came in pieces; run again.')
  return { status: Number(whole.slice(9, 12)), headers: headers.flat(), body }
}
