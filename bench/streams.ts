// Readers of the feed, on a thread of their own: what they take must not delay what the bench measures beside them.
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export interface StreamsParts {
  readonly port: number
  /** The header line of step C. */
  readonly authorized: string
  readonly count: number
  /** So many are looked at; the others are read and thrown away. */
  readonly lookedAt: number
}

const { port, authorized, count, lookedAt } = workerData as StreamsParts
const head = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${authorized}\r\n`
await Promise.all(Array.from({ length: count }, (_, index) => open(index < lookedAt)))
parentPort?.postMessage([])

/** Tells the milliseconds from the time that a change has to its arrival here. */
async function open(isLookedAt: boolean): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(head)
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (bytes) =>
      `${bytes}`.startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(`${bytes}`)),
    )
    socket.on('error', reject)
  })
  let rest = ''
  socket.on('data', (bytes) => {
    if (!isLookedAt) return
    const blocks = (rest + bytes.toString('latin1')).split('\n\n')
    rest = blocks.pop() ?? ''
    const times = blocks.flatMap((block) => /"published":"([^"]*)"/.exec(block)?.[1] ?? [])
    parentPort?.postMessage(times.map((published) => Date.now() - Date.parse(published)))
  })
}
