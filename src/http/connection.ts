import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpError } from '../errors.ts'
import type { ServerLimits } from './limits.ts'
import { type IsForeign, notWellFormed, rawResponse, readRequestLines, refusalOf } from './refusal.ts'
import { type AddressReader, awaitsContinue, hasBody, NodeRequest, type Request } from './request.ts'
import { errorResponse, type Response } from './response.ts'
import { limitUnsent } from './sockets.ts'

/** Who answers, and how what does not get that far is refused. */
export interface Served {
  readonly app: (request: Request) => Promise<Response>
  /** Headers of what is refused before the app sees it. */
  readonly noStoreHeaders: readonly string[]
  /** Told of what could not be answered. */
  readonly onFault: (error: unknown) => void
}

/** The requests on each connection: one at a time, in order, one response each. */
export interface Connections {
  /** Before the first request. */
  serve(served: Served): void
  connect(socket: Socket): void
  receive(incoming: IncomingMessage, outgoing: ServerResponse): void
  /** What node:http's parser could not read, or may not be read at all. */
  refuseRest(socket: Duplex, error: HttpError): void
  /** Ends connections on which nothing is in flight; the others end with their last response. */
  close(): void
  /** Resolves when nothing is being carried out any more, or at the end of the grace period. */
  finished(): Promise<void>
}

/**
 * A request and its response. `final`: the connection ends with it, and what was pipelined behind it must not be
 * carried out (RFC 9112 §9.6); node:http would.
 */
interface Pair {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  final: boolean
  /** Its first line names another protocol than HTTP. */
  readonly foreign: boolean
  /** Nothing is read from the connection for now: what a client pipelines waits in its own memory, not in ours. */
  held: boolean
  /** What came behind it is no HTTP, and is answered once. */
  broken: boolean
  /** Once it is being carried out. */
  request: NodeRequest | undefined
}

const SHORT = 64 * 1024

export function createConnections(limits: ServerLimits, readAddress: AddressReader): Connections {
  /** The latest request of each connection, none before the first: a parser error belongs to it, or comes after it. */
  const latest = new Map<Duplex, Pair | undefined>()
  const requestLines = new WeakMap<Socket, IsForeign>()
  const noteUnsent = limitUnsent(limits.unsentBytes)
  let served: Served | undefined
  let closing = false
  let running = 0
  let onceIdle = () => {}

  return {
    serve(given) {
      served = given
    },
    connect(socket) {
      latest.set(socket, undefined)
      requestLines.set(socket, readRequestLines(socket))
      // node:http resumes by itself whenever a body is read or thrown away.
      socket.on('resume', () => {
        if (latest.get(socket)?.held) socket.pause()
      })
      socket.once('close', () => latest.delete(socket))
    },
    receive,
    refuseRest,
    close,
    finished,
  }

  function receive(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket, headers } = incoming
    const before = latest.get(socket)
    if (before?.final) {
      hold(before)
      return
    }
    // The parser loses what came in one packet with a request to upgrade, and would take what follows for a request.
    const pair = {
      incoming,
      outgoing,
      final: headers.upgrade !== undefined,
      foreign: requestLines.get(socket)?.(incoming) ?? false,
      held: false,
      broken: false,
      request: undefined,
    }
    latest.set(socket, pair)
    if (before === undefined || before.outgoing.writableFinished) begin(pair)
    else queue(pair, before)
  }

  /**
   * RFC 9112 §9.3.2: only safe requests may be carried out side by side. One after the other also keeps the
   * responses to a whole packet of requests from being in memory at once.
   */
  function queue(pair: Pair, before: Pair): void {
    const { socket } = pair.incoming
    hold(pair)
    before.outgoing.once('close', () => {
      if (before.final || socket.destroyed) return
      pair.held = pair.broken
      if (!pair.held && latest.get(socket) === pair) socket.resume()
      // Unless a parser error has been answered for it meanwhile.
      if (!pair.outgoing.headersSent) begin(pair)
    })
  }

  function hold(pair: Pair): void {
    pair.held = true
    pair.incoming.socket.pause()
  }

  function begin(pair: Pair): void {
    const { incoming } = pair
    const refusal = pair.foreign ? notWellFormed() : refusalOf(incoming)
    if (refusal !== undefined) {
      refuse(pair, refusal)
      return
    }
    // A small body comes in the packet of its headers but is parsed after this event: wait for it, since an
    // answer to a request that is not complete costs the connection.
    if (hasBody(incoming) && !awaitsContinue(incoming)) setImmediate(handle, pair)
    else handle(pair)
  }

  async function handle(pair: Pair): Promise<void> {
    const { incoming, outgoing } = pair
    // The rest of the message has turned out to be no HTTP, and has been answered.
    if (outgoing.headersSent) return
    running += 1
    try {
      pair.request = new NodeRequest(incoming, outgoing, readAddress, limits.bodyBytes)
      send(pair, await (served as Served).app(pair.request))
    } catch (error) {
      // The app answers its own faults. What is left cannot be answered, and must not end the process.
      served?.onFault(error)
      incoming.socket.destroy()
    } finally {
      running -= 1
      if (running === 0) onceIdle()
    }
  }

  function send(pair: Pair, response: Response, close = isLast(pair)): void {
    const { incoming, outgoing } = pair
    // A parser error has been answered in the meantime, or the client is gone.
    if (outgoing.headersSent || outgoing.destroyed) return
    const { status, body } = response
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    const unfinished = !incoming.complete
    pair.final ||= unfinished || close
    const added = body === undefined ? [] : ['Content-Length', String(length)]
    if (pair.final) added.push('Connection', 'close')
    outgoing.writeHead(status, response.headers.concat(added))
    const text = incoming.method === 'HEAD' ? undefined : body
    // Shorter ones are with the operating system at once, as good as always.
    if (length > SHORT && text !== undefined) noteUnsent(outgoing, length)
    // As many bytes as characters is ASCII: sent as Latin-1 it needs no encoding, and a third of the room.
    if (!unfinished) outgoing.end(text, text?.length === length ? 'latin1' : 'utf8')
    else linger(pair, text)
  }

  /** While the server closes, all that has been received on a connection is still answered. */
  function isLast(pair: Pair): boolean {
    return closing && latest.get(pair.incoming.socket) === pair
  }

  /** Closing at once would reset the connection and take the response, unread, away from the client. */
  function linger({ incoming, outgoing }: Pair, text: string | undefined): void {
    if (text === undefined) outgoing.flushHeaders()
    else outgoing.write(text)
    const cut = () => incoming.socket.destroy()
    const timer = setTimeout(cut, limits.lingerMs)
    let left = limits.lingerBytes
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) cut()
    })
    incoming.on('end', () => outgoing.end())
    incoming.on('close', () => clearTimeout(timer))
    incoming.resume()
  }

  function refuse(pair: Pair, error: HttpError): void {
    send(pair, errorResponse(error, (served as Served).noStoreHeaders), true)
  }

  /** At most one response per request, in their order: what came before the error is answered first. */
  function refuseRest(socket: Duplex, error: HttpError): void {
    const pending = latest.get(socket)
    if (!latest.has(socket)) {
      // There was no TLS handshake, and so there is no way to answer.
      socket.destroy()
    } else if (pending === undefined || pending.outgoing.writableFinished) {
      refuseRaw(socket, error)
    } else if (pending.incoming.complete) {
      // The parser is dead, and would complain of every packet anew.
      if (pending.broken) return
      pending.broken = true
      hold(pending)
      pending.outgoing.once('close', () => refuseRaw(socket, error))
    } else {
      if (!pending.outgoing.headersSent) refuse(pending, error)
      pending.request?.abort()
      // The parser is dead: nothing more of this message will come to linger for.
      pending.outgoing.end()
    }
  }

  function refuseRaw(socket: Duplex, error: HttpError): void {
    // The last response is on its way, and the connection ends with it: more of the same bad data came meanwhile.
    if (socket.writableEnded) return
    if (!socket.writable) {
      socket.destroy()
      return
    }
    socket.end(rawResponse(errorResponse(error, (served as Served).noStoreHeaders)), () => socket.destroy())
  }

  /** What is in flight is finished and closes by itself: its response says so, or has been handed over already. */
  function close(): void {
    closing = true
    for (const [socket, pair] of latest) {
      const end = () => (socket as Socket).destroySoon()
      if (pair === undefined || pair.outgoing.writableFinished) end()
      else if (pair.outgoing.headersSent) pair.outgoing.once('finish', end)
    }
  }

  /** Requests whose client is gone are still being carried out, and need the store. */
  function finished(): Promise<void> {
    if (running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limits.graceMs)
      onceIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
