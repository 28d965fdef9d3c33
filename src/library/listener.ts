// node:http, and all that stands on it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../app.ts'
import { nodeKnock, send } from '../auth/index.ts'
import { HttpError } from '../errors.ts'
import {
  type AddressReader,
  DEFAULT_SERVER_LIMITS,
  isStreamed,
  type Outlet,
  type Request,
} from '../http/index.ts'

export interface ListenerParts {
  readonly app: App
  readonly readAddress: AddressReader
  readonly closing: AbortSignal
  readonly onFault: (error: unknown) => void
}

export type NodeListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

export function createListener({ app, readAddress, closing, onFault }: ListenerParts): NodeListener {
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const response = await app(readIncoming(incoming, readAddress))
    if (!isStreamed(response)) return send(incoming, outgoing, response)
    outgoing.writeHead(response.status, [...response.shared, ...response.headers])
    outgoing.flushHeaders()
    await response.body(outletOf(outgoing, closing))
    outgoing.end()
  }
  return (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      onFault(error)
      outgoing.destroy()
    })
  }
}

function readIncoming(incoming: IncomingMessage, readAddress: AddressReader): Request {
  const { method = '', headers, rawHeaders, url = '' } = incoming
  // Express takes the path away at which it has mounted the listener.
  const { originalUrl = url } = incoming as { readonly originalUrl?: string }
  const knock = nodeKnock(incoming, readAddress)
  return {
    ...{ method, target: originalUrl, headers, rawHeaders },
    get address() {
      return knock.address
    },
    drain: knock.drain,
    async readBody(limit = DEFAULT_SERVER_LIMITS.bodyBytes) {
      const tooLong = new HttpError(413, `The body is longer than ${limit} bytes, which is the limit.`)
      if (Number(headers['content-length'] ?? 0) > limit) throw tooLong
      const parts: Buffer[] = []
      let length = 0
      const ended = new HttpError(400, 'The request ended before its body did.')
      try {
        for await (const part of incoming.iterator({ destroyOnReturn: false })) {
          length += part.length
          if (length > limit) throw tooLong
          parts.push(part)
        }
      } catch (error) {
        throw error === tooLong ? error : ended
      }
      return Buffer.concat(parts, length)
    },
  }
}

/** What a client has not read waits in the memory of the server: its writer waits with it. */
function outletOf(outgoing: ServerResponse, closing: AbortSignal): Outlet {
  const gone = new AbortController()
  const over = AbortSignal.any([gone.signal, closing])
  outgoing.once('close', () => gone.abort())
  return {
    over,
    write({ content }) {
      if (over.aborted) return
      if (outgoing.writableLength > DEFAULT_SERVER_LIMITS.streamBytes) outgoing.destroy()
      else outgoing.write(content)
    },
    ready() {
      if (!outgoing.writableNeedDrain || over.aborted) return undefined
      return new Promise<void>((resolve) => {
        const done = () => {
          outgoing.off('drain', done)
          over.removeEventListener('abort', done)
          resolve()
        }
        outgoing.once('drain', done)
        over.addEventListener('abort', done)
      })
    },
  }
}
