import type { App, StreamWriter } from '../../src/http/index.ts'

/** An app whose every answer is this stream. */
export const stream =
  (body: (writer: StreamWriter) => Promise<void>): App =>
  async () => ({ status: 200, shared: ['Content-Type', 'text/event-stream'], headers: [], body })

/** A stream on which nothing happens until the test writes. */
export function quiet(): { app: App; writer: Promise<StreamWriter>; ended: Promise<void> } {
  const writer = Promise.withResolvers<StreamWriter>()
  const ended = Promise.withResolvers<void>()
  const app = stream(async (given) => {
    writer.resolve(given)
    if (!given.signal.aborted) await new Promise((resolve) => given.signal.addEventListener('abort', resolve))
    ended.resolve()
  })
  return { app, writer: writer.promise, ended: ended.promise }
}
