import { connect } from 'node:net'

/** What a run of requests saw. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds, ascending. */
  readonly latencies: readonly number[]
}

/** The next request of a connection, given the previous response (empty before the first). */
export type NextRequest = (previous: string) => string

export interface LoadParts {
  readonly port: number
  readonly connections: number
  /** The address that each of them comes from; one for all without it. */
  readonly addresses?: readonly string[]
  readonly milliseconds: number
  readonly next: NextRequest
  /** Statuses that may occur; any other ends the run, since its figures would be of something else. */
  readonly expected: readonly number[]
}

/** Keeps so many connections busy, one request at a time on each, and counts what comes back. */
export async function load(parts: LoadParts): Promise<Load> {
  const { port, connections, addresses = ['127.0.0.1'], milliseconds, next, expected } = parts
  const latencies: number[] = []
  const started = performance.now()
  const deadline = started + milliseconds
  await Promise.all(Array.from({ length: connections }, (_, index) => converse(index)))
  const seconds = (performance.now() - started) / 1000
  return { requests: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) }

  function converse(index: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const localAddress = addresses[index % addresses.length] as string
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
      let text = ''
      let missing = 0
      let sentAt = 0
      const ask = (previous: string) => {
        text = ''
        missing = 0
        sentAt = performance.now()
        socket.write(next(previous), 'latin1')
      }
      socket.on('connect', () => ask(''))
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk) => {
        const part = chunk.toString('latin1')
        if (missing > 0) missing -= part.length
        else {
          text += part
          const end = text.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
          missing = length - (text.length - end - 4)
        }
        if (missing > 0) return
        latencies.push(performance.now() - sentAt)
        const status = Number(text.slice(9, 12))
        if (!expected.includes(status)) reject(new Error(`Unexpected ${status}: ${text.slice(0, 500)}`))
        else if (performance.now() < deadline) ask(text)
        else socket.destroy()
      })
    })
  }
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
