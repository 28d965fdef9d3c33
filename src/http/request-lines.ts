import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Whether the request, whose headers have just come, names another protocol than HTTP in its first line. */
export type IsForeign = (incoming: IncomingMessage) => boolean

/** The others that the parser of Node.js reads: it takes `GET / RTSP/1.0` for HTTP/1.0, and does not tell. */
const FOREIGN = /^\S+ +\S+ +(?:RTSP|ICE)\//
/** The parser has given up on headers of this size. */
const LONGEST = 64 * 1024

/**
 * Reads the first lines along with the parser, from message to message: the bytes are the only place where the protocol
 * stands. The end of a body in chunks is known with the next packet; what is pipelined behind it is not looked at.
 */
export function readRequestLines(socket: Socket): IsForeign {
  /** From the beginning of a message, until its headers have come. */
  let head = ''
  /** Bytes of a body that have yet to come. */
  let body = 0
  let chunked: IncomingMessage | undefined
  socket.prependListener('data', (chunk: Buffer) => {
    if (chunked?.complete) chunked = undefined
    const start = Math.min(body, chunk.length)
    body -= start
    if (chunked !== undefined || start === chunk.length) return
    // RFC 9112 §2.2: empty lines before a request are no part of it.
    if (head === '') head = chunk.toString('latin1', start).trimStart()
    else if (head.length < LONGEST) head += chunk.toString('latin1', start)
  })
  return (incoming) => {
    const isForeign = FOREIGN.test(head)
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = incoming.headers
    const end = head.indexOf('\r\n\r\n') + 4 + Number(length)
    body = Math.max(0, end - head.length)
    chunked = encoding === undefined ? undefined : incoming
    head = chunked === undefined ? head.slice(end).trimStart() : ''
    return isForeign
  }
}
