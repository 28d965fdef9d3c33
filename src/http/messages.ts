// The types of the requests and responses that the server and the app exchange.
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
  /** The length of the body in bytes: 0 if there is none, undefined if it is not known before the body has arrived. */
  readonly bodyLength: number | undefined
  /** The client's address, behind trusted proxies. */
  readonly address: string
  /**
   * Reads the body to its end and discards it; returns false if it exceeds the limit. Does not wait for a client that
   * waits for `100 Continue`. Rejects if the message is malformed.
   */
  drain(): Promise<boolean>
  /** The whole body; throws 413 if it exceeds the limit, by default the server's. */
  readBody(limit?: number): Promise<Buffer>
}

/** The part of a request that the gate reads. */
export type GateRequest = Pick<Request, 'rawHeaders' | 'address' | 'drain'>

/** The client's address, given the peer's and the X-Forwarded-For header. */
export type AddressReader = (peer: string, forwardedFor: string | undefined) => string

/** The server adds Date, Content-Length and Connection. */
export interface Response {
  readonly status: number
  /** Headers that many responses share, names and values in turn: a list that is created at start, and whose text is cached. */
  readonly shared: readonly string[]
  /** The other headers of this response. */
  readonly headers: readonly string[]
  /** Undefined only for 204 and 304. For HEAD the app returns the body of GET, and the server leaves it out. */
  readonly body: string | Buffer | undefined
}

/** A response that is written part by part. It has no length, and is the last one on its connection. */
export interface StreamedResponse extends Omit<Response, 'body'> {
  readonly body: (writer: StreamWriter) => Promise<void>
}

/** Takes the parts of a streamed response. The response ends when the function that writes it returns. */
export interface StreamWriter {
  /** Disconnects a client that has left too much unread: see `ready`. */
  write(part: StreamPart): void
  /** Resolves when more may be written; undefined if it may be written now. */
  ready(): Promise<void> | undefined
  /** Aborted when the client has disconnected or is too slow, or when the server closes. */
  readonly signal: AbortSignal
}

/** A part of a streamed response, encoded once for all streams that it is written to. */
export interface StreamPart {
  readonly content: Buffer
  /** As a chunk of HTTP/1.1 (RFC 9112 §7.1). */
  readonly chunk: Buffer
}
