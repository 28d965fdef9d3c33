import type { Headers } from '../support/client.ts'
import type { TestService } from '../support/service.ts'

// Requests in parts, which are sent over a raw socket: a client library would tidy them up.

export const GET = 'GET /api/authors HTTP/1.1'
export const POST = 'POST /api/authors HTTP/1.1'
export const HOST = 'Host: test'
export const JSON_TYPE = 'Content-Type: application/json'
export const CHUNKED = 'Transfer-Encoding: chunked'
/** What is added where a request with it is let through: 14 bytes. */
export const AUTHOR = '{"name":"Ada"}'

/** Lines of a request and the empty line after them. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`

export const linesOf = (headers: Headers): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

/** A service with a token, as headers and as a line, and with the number of authors. */
export async function signedIn(service: TestService) {
  const token = { 'X-Authorization': await service.client.signIn() }
  const [who] = linesOf(token) as [string]
  const count = async () => (await service.client.send('GET', '/authors', token)).json().totalItems
  return { ...service, token, who, count }
}
