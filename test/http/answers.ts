import type { App } from '../../src/http/index.ts'
import { parseResponses } from '../support/raw.ts'

export const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
export const LAST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
export const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n'
export const CHUNKED =
  'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n'
/** More than the buffers between two sockets hold. */
export const LARGE = 'x'.repeat(32 * 1024 * 1024)

export const answer = (body: string) => ({ status: 200, shared: [], headers: [], body })
/** Says what was sent, to `take` as well. Like the real one, it answers where no body comes. */
export const echoTo =
  (take: (body: string) => void): App =>
  async (request) => {
    try {
      const body = (await request.readBody()).toString()
      take(body)
      return answer(body)
    } catch {
      return answer('nobody reads this')
    }
  }
export const echo = echoTo(() => {})
export const large: App = async () => answer(LARGE)
export const never: App = () => new Promise(() => {})

export const statuses = (text: string): number[] => parseResponses(text).map(({ status }) => status)
