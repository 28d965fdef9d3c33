import { connect } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Headers } from './client.ts'
import { parseResponses, type RawResponse } from './raw.ts'
import type { TestService } from './service.ts'

/** An event of a stream, as a browser would dispatch it. */
export interface StreamEvent {
  readonly type: string
  readonly id: string
  readonly data: Record<string, unknown>
}

/** A stream of changes on a socket of its own. */
export interface OpenStream {
  /** All that have come whole. */
  readonly events: StreamEvent[]
  readonly head: string
  /** The id of the last event; the one that it was opened with before the first. */
  readonly lastId: string | undefined
  /** What was answered instead of a stream. */
  readonly refused: RawResponse | undefined
  /** Whether the server has ended it by the last chunk. */
  readonly isWhole: boolean
  readonly closed: Promise<void>
  /** Until there are so many events, or `isSo`; rejects when the stream is over before. */
  until(isSo: number | ((events: readonly StreamEvent[]) => boolean)): Promise<StreamEvent[]>
  pause(): void
  resume(): void
  /** At once, wherever it is. */
  cut(): void
}

type Served = Pick<TestService, 'base' | 'port'>

/** `after`: how many bytes are taken before it cuts itself off. */
export function openStream(
  { base, port }: Served,
  query: string,
  headers: Headers,
  { after = Number.POSITIVE_INFINITY, from = '127.0.0.1' } = {},
): OpenStream {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const mount = new URL(base).pathname.replace(/\/$/, '')
  const all = Object.entries({ Host: 'test', Connection: 'close', Accept: 'text/event-stream', ...headers })
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`GET ${mount}/events${query} HTTP/1.1\r\n${lines}\r\n`)

  const events: StreamEvent[] = []
  const waiting = new Set<() => void>()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let taken = 0
  let head: string | undefined
  let bytes = Buffer.alloc(0)
  let text = ''
  const decoder = new StringDecoder('utf8')
  /** Of the present chunk. */
  let left = 0
  let isWhole = false
  let isOver = false
  let lastId: string | undefined = headers['Last-Event-ID']

  function read(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
      if (name !== '') fields.set(name, value)
    }
    const id = fields.get('id')
    if (id === undefined) return
    lastId = id
    events.push({ type: fields.get('event') ?? '', id, data: JSON.parse(fields.get('data') ?? 'null') })
  }

  /** RFC 9112 §7.1: chunks, as far as they have come, which may end within a character. */
  function take(more: Buffer): void {
    bytes = Buffer.concat([bytes, more])
    if (head === undefined) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return
      head = bytes.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200') || !head.includes('event-stream')) return
      bytes = bytes.subarray(end + 4)
    }
    if (!head.startsWith('HTTP/1.1 200')) return
    for (;;) {
      if (left === 0) {
        const line = bytes.indexOf('\r\n')
        if (line < 0) break
        left = Number.parseInt(bytes.toString('latin1', 0, line), 16)
        bytes = bytes.subarray(line + 2)
        if (left === 0) isWhole = true
        // With the end of its line.
        left += 2
      }
      const some = bytes.subarray(0, left)
      text += decoder.write(some.subarray(0, Math.max(0, left - 2)))
      left -= some.length
      bytes = bytes.subarray(some.length)
      if (left > 0) break
    }
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    blocks.forEach(read)
  }

  const tell = () => {
    for (const check of waiting) check()
  }
  socket.on('data', (more: Buffer) => {
    const isCut = taken + more.length >= after
    take(isCut ? more.subarray(0, after - taken) : more)
    taken += more.length
    if (isCut) socket.destroy()
    tell()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    isOver = true
    close()
    tell()
  })

  return {
    events,
    closed,
    get head() {
      return head ?? ''
    },
    get lastId() {
      return lastId
    },
    get isWhole() {
      return isWhole
    },
    get refused() {
      return head === undefined || head.includes('event-stream')
        ? undefined
        : parseResponses(bytes.toString('latin1'), false)[0]
    },
    until: (isSo) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (typeof isSo === 'number' ? events.length >= isSo : isSo(events)) resolve(events)
          else if (isOver)
            reject(new Error(`The stream is over after ${events.length} events: ${head ?? ''}`))
          else return
          waiting.delete(check)
        }
        waiting.add(check)
        check()
      }),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    cut: () => socket.destroy(),
  }
}
