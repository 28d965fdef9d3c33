import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** A request to a thread, as plain data. */
export interface ThreadRequest {
  readonly id: number
}

export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: { readonly message: string } }

/** Carries out requests: another thread, with its own connection, or this one. */
export interface Thread<Request extends ThreadRequest> {
  /** The process stays alive until `unref`. */
  send(requests: readonly Request[]): void
  unref(): void
  close(): Promise<unknown>
}

/** `onEnd`: called once, when the thread was closed or has failed; requests without a reply get none. */
export type StartThread<Request extends ThreadRequest> = (
  onReplies: (replies: readonly ThreadReply[]) => void,
  onEnd: (cause: unknown) => void,
) => Thread<Request>

/** The URL of a module that is given without its extension: `.ts` in the repository, `.js` in the published package. */
export const moduleUrl = (href: string): string => href + extname(import.meta.filename)

/** `file`: the module of the thread, without its extension; `data`: its worker data. */
export const onThread =
  (file: URL, data: unknown, resourceLimits: ResourceLimits = {}): StartThread<ThreadRequest> =>
  (onReplies, onEnd) => {
    // Without the flags of this process: a worker refuses some of them, such as --eval.
    const worker = new Worker(new URL(moduleUrl(file.href)), {
      workerData: data,
      execArgv: [],
      resourceLimits,
    })
    let cause: unknown
    worker.on('message', onReplies)
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => onEnd(cause))
    return {
      send(requests) {
        worker.ref()
        worker.postMessage(requests)
      },
      unref: () => worker.unref(),
      close: () => worker.terminate(),
    }
  }

interface PendingRequest<Request> {
  readonly request: Request
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface ChannelOptions<Request extends ThreadRequest> {
  /** Called at the first request, and at the next one after the thread has failed. */
  readonly start: StartThread<Request>
  /** The error of requests that a failed thread had not replied to. */
  readonly unanswered: (cause: unknown) => unknown
  /** The error of a request that comes after `close`, or was not sent before it. */
  readonly closed?: () => Error
  /** Turns a failure that a thread has sent into an error; without it, the failure is the error. */
  readonly errorOf?: (failure: never) => unknown
  /** Called before any reply is passed on. */
  readonly onReply?: () => void
}

/** The other thread begins with these while this one still reads requests of the same turn. */
const MOST_IN_MESSAGE = 16

/** Sends requests to a thread, and keeps the process alive until it has replied. */
export interface Channel<Request extends ThreadRequest> {
  isIdle(): boolean
  ask(request: Omit<Request, 'id'>): Promise<unknown>
  /** Takes no more requests, and waits for the replies to requests that were sent. */
  drain(): Promise<void>
  /** Ends a thread that takes too long: its pending requests get an error, and the next request starts another thread. */
  endThread(): Promise<unknown> | undefined
  /** Ends the thread. Its pending requests get an error. */
  close(): Promise<void>
}

export const createChannel = <Request extends ThreadRequest>(
  options: ChannelOptions<Request>,
): Channel<Request> => new ThreadChannel(options)

class ThreadChannel<Request extends ThreadRequest> implements Channel<Request> {
  readonly #options: ChannelOptions<Request>
  #thread: Thread<Request> | undefined
  #unsent: PendingRequest<Request>[] = []
  readonly #sent = new Map<number, PendingRequest<Request>>()
  #lastId = 0
  #isClosed = false
  #onIdle = () => {}

  constructor(options: ChannelOptions<Request>) {
    this.#options = options
  }

  isIdle(): boolean {
    return this.#unsent.length === 0 && this.#sent.size === 0
  }

  ask(request: Omit<Request, 'id'>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#closed()
      if (this.#unsent.length === 0) setImmediate(() => this.#send())
      this.#lastId += 1
      this.#unsent.push({ request: { ...request, id: this.#lastId } as Request, resolve, reject })
      if (this.#unsent.length === MOST_IN_MESSAGE) this.#send()
    })
  }

  async drain(): Promise<void> {
    this.#isClosed = true
    if (this.isIdle()) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  endThread(): Promise<unknown> | undefined {
    return this.#thread?.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#unsent.splice(0)) reject(this.#closed())
    await this.#thread?.close()
  }

  #closed(): Error {
    return this.#options.closed?.() ?? new Error('The channel is closed.')
  }

  /** The requests of one turn of the event loop are one message, or a few. */
  #send(): void {
    if (this.#unsent.length === 0) return
    const batch = this.#unsent
    this.#unsent = []
    for (const pending of batch) this.#sent.set(pending.request.id, pending)
    try {
      this.#thread ??= this.#options.start(
        (replies) => this.#receive(replies),
        (cause) => this.#end(cause),
      )
      this.#thread.send(batch.map(({ request }) => request))
    } catch (cause) {
      this.#end(cause)
    }
  }

  #receive(replies: readonly ThreadReply[]): void {
    const { onReply, errorOf } = this.#options
    onReply?.()
    for (const reply of replies) {
      const pending = this.#sent.get(reply.id)
      this.#sent.delete(reply.id)
      if (!('failure' in reply)) pending?.resolve(reply.value)
      else pending?.reject(errorOf === undefined ? reply.failure : errorOf(reply.failure as never))
    }
    if (this.#sent.size === 0) this.#rest()
  }

  #end(cause: unknown): void {
    const { onReply, unanswered } = this.#options
    this.#thread = undefined
    onReply?.()
    for (const { reject } of this.#sent.values()) reject(unanswered(cause))
    this.#sent.clear()
    this.#rest()
  }

  #rest(): void {
    this.#thread?.unref()
    if (this.isIdle()) this.#onIdle()
  }
}
