// What the server and the app exchange: types alone.
import type { IncomingHttpHeaders } from 'node:http'

export type App = (request: Request) => Promise<Response | StreamedResponse>

/** A request as the app sees it. */
export interface Request {
  readonly method: string
  /** As received: origin-form, absolute-form or `*`. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, repeated headers included. */
  readonly rawHeaders: readonly string[]
  /** How many bytes its body has: 0 where there is none, undefined where that is not known before it has come. */
  readonly bodyLength: number | undefined
  /** The client's address, past trusted proxies. */
  readonly address: string
  /**
   * Reads the body to its end and discards it; false when it is longer than the limit. Does not wait for a client that
   * waits for `100 Continue`. Rejects when the message is malformed.
   */
  drain(): Promise<boolean>
  /** The whole body; 413 when it is longer than the limit, by default the server's. */
  readBody(limit?: number): Promise<Buffer>
}

/** The part of a request that the gate reads. */
export type GateRequest = Pick<Request, 'rawHeaders' | 'address' | 'drain'>

/** The client's address, given the peer's and the X-Forwarded-For header. */
export type AddressReader = (peer: string, forwardedFor: string | undefined) => string

/** The server adds Date, Content-Length and Connection. */
export interface Response {
  readonly status: number
  /** Headers that many responses have, names and values in turn: a list that is created at start, whose text is cached. */
  readonly shared: readonly string[]
  /** Those of this response. */
  readonly headers: readonly string[]
  /** Undefined for 204 and 304 only. HEAD is answered with the body of GET; the server leaves it out. */
  readonly body: string | Buffer | undefined
}

/** A response that is written part by part: without a length, and the last one on its connection. */
export interface StreamedResponse extends Omit<Response, 'body'> {
  readonly body: (writer: StreamWriter) => Promise<void>
}

/** Where the app writes a streamed response. The response ends when the function that writes it returns. */
export interface StreamWriter {
  /** Disconnects a client that has left too much unread: see `ready`. */
  write(part: StreamPart): void
  /** Resolves when more may be written; undefined where it may now. */
  ready(): Promise<void> | undefined
  /** Aborted when the client is gone or too slow, or the server closes. */
  readonly signal: AbortSignal
}

/** A part of a streamed response, encoded once for all streams that it is written to. */
export interface StreamPart {
  readonly content: Buffer
  /** As a chunk of HTTP/1.1 (RFC 9112 §7.1). */
  readonly chunk: Buffer
}
