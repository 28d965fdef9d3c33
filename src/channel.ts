import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** A request to a thread, as plain data. */
export interface ThreadRequest {
  readonly id: number
}

export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: { readonly message: string } }

/** What carries requests out: another thread, with a connection of its own, or this one. */
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

/** The URL of a module that is given without its ending: in TypeScript here, in JavaScript where it is published. */
export const moduleUrl = (href: string): string => href + extname(import.meta.filename)

/** `file`: the thread's, without its ending; `data`: what it starts with. */
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
  /** The error of the requests that a thread which has failed had not replied to. */
  readonly unanswered: (cause: unknown) => unknown
  /** The error of a request that comes after `close`, or has not been sent before. */
  readonly closed?: () => Error
  /** The error for a failure that a thread has sent, where that is not the error itself. */
  readonly errorOf?: (failure: never) => unknown
  /** Called before any reply is passed on. */
  readonly onReply?: () => void
}

/** Sends requests to a thread, and keeps the process alive until it has replied. */
export interface Channel<Request extends ThreadRequest> {
  isIdle(): boolean
  ask(request: Omit<Request, 'id'>): Promise<unknown>
  /** Takes no more requests, and waits for the replies to those that were sent. */
  drain(): Promise<void>
  /** Ends a thread that takes too long: what it has not replied to gets an error, and the next request starts another. */
  endThread(): Promise<unknown> | undefined
  /** Ends the thread. What it has not replied to gets an error. */
  close(): Promise<void>
}

export function createChannel<Request extends ThreadRequest>(
  options: ChannelOptions<Request>,
): Channel<Request> {
  const { start, unanswered, errorOf = (error: unknown) => error, onReply = () => {} } = options
  const closed = options.closed ?? (() => new Error('The channel is closed.'))
  let thread: Thread<Request> | undefined
  let unsent: PendingRequest<Request>[] = []
  const sent = new Map<number, PendingRequest<Request>>()
  let lastId = 0
  let isClosed = false
  let onIdle = () => {}

  /** All requests of one turn of the event loop are one message. */
  function send(): void {
    if (unsent.length === 0) return
    const batch = unsent
    unsent = []
    for (const pending of batch) sent.set(pending.request.id, pending)
    try {
      thread ??= start(receive, end)
      thread.send(batch.map(({ request }) => request))
    } catch (cause) {
      end(cause)
    }
  }

  function receive(replies: readonly ThreadReply[]): void {
    onReply()
    for (const reply of replies) {
      const pending = sent.get(reply.id)
      sent.delete(reply.id)
      if ('failure' in reply) pending?.reject(errorOf(reply.failure as never))
      else pending?.resolve(reply.value)
    }
    if (sent.size === 0) rest()
  }

  function end(cause: unknown): void {
    thread = undefined
    onReply()
    for (const { reject } of sent.values()) reject(unanswered(cause))
    sent.clear()
    rest()
  }

  function rest(): void {
    thread?.unref()
    if (isIdle()) onIdle()
  }

  const isIdle = (): boolean => unsent.length === 0 && sent.size === 0

  return {
    isIdle,
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw closed()
        if (unsent.length === 0) setImmediate(send)
        lastId += 1
        unsent.push({ request: { ...request, id: lastId } as Request, resolve, reject })
      }),
    async drain() {
      isClosed = true
      if (isIdle()) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
    endThread: () => thread?.close(),
    async close() {
      isClosed = true
      for (const { reject } of unsent.splice(0)) reject(closed())
      await thread?.close()
    },
  }
}
