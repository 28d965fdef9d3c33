import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '../errors.ts'
import type { AddressReader, Request } from './request.ts'

/** `Expect: 100-continue` is the one expectation that is met; it has no meaning in HTTP/1.0 (RFC 9110 §10.1.1). */
const awaitsContinue = (incoming: IncomingMessage): boolean =>
  incoming.headers.expect !== undefined && incoming.httpVersion === '1.1'

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** A request of `node:http`, for a service that borrows the gate. */
export class NodeRequest implements Request {
  private readonly incoming: IncomingMessage
  private readonly outgoing: ServerResponse
  private readonly bodyLimit: number
  private readonly readAddress: AddressReader
  private aborted = false
  private giveUp = () => {}

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    readAddress: AddressReader,
    bodyLimit: number,
  ) {
    this.incoming = incoming
    this.outgoing = outgoing
    this.bodyLimit = bodyLimit
    this.readAddress = readAddress
  }

  get method(): string {
    return this.incoming.method as string
  }

  get target(): string {
    return this.incoming.url as string
  }

  get headers(): IncomingHttpHeaders {
    return this.incoming.headers
  }

  get address(): string {
    const forwardedFor = this.incoming.headers['x-forwarded-for'] as string | undefined
    return this.readAddress(this.incoming.socket.remoteAddress ?? '', forwardedFor)
  }

  get rawHeaders(): readonly string[] {
    return this.incoming.rawHeaders
  }

  async drain(): Promise<boolean> {
    if (!hasBody(this.incoming)) return true
    // A client that waits for `100 Continue` gets none before admission; what it has sent all the same must be good.
    if (awaitsContinue(this.incoming) && !(await this.hasBegun())) return true
    return this.consume(() => {})
  }

  /** The rest of the message is no HTTP: a reader need not wait for it, and node:http does not say so. */
  abort(): void {
    this.aborted = true
    this.giveUp()
  }

  private async hasBegun(): Promise<boolean> {
    await new Promise(setImmediate)
    return this.aborted || this.incoming.complete || this.incoming.readableLength > 0
  }

  async readBody(): Promise<Buffer> {
    if (!hasBody(this.incoming)) return Buffer.alloc(0)
    if (Number(this.incoming.headers['content-length'] ?? 0) > this.bodyLimit) throw this.tooLong()
    if (awaitsContinue(this.incoming)) this.outgoing.writeContinue()
    const chunks: Buffer[] = []
    if (!(await this.consume((chunk) => chunks.push(chunk)))) throw this.tooLong()
    return Buffer.concat(chunks)
  }

  /** True when the body ended within the limit, false as soon as it is longer. Rejects when it never ends. */
  private consume(take: (chunk: Buffer) => void): Promise<boolean> {
    const incoming = this.incoming
    return new Promise((resolve, reject) => {
      let length = 0
      const end = (act: () => void) => {
        incoming.off('data', onData).off('end', onEnd).off('close', onClose)
        act()
      }
      const onData = (chunk: Buffer) => {
        length += chunk.length
        if (length <= this.bodyLimit) return take(chunk)
        incoming.pause()
        end(() => resolve(false))
      }
      const onEnd = () => end(() => resolve(true))
      const onClose = () => end(() => reject(new HttpError(400, 'The request ended before its body did.')))
      this.giveUp = onClose
      if (this.aborted) onClose()
      else incoming.on('data', onData).on('end', onEnd).on('close', onClose)
    })
  }

  private tooLong(): HttpError {
    return new HttpError(413, `The body is longer than ${this.bodyLimit} bytes, which is the limit.`)
  }
}
