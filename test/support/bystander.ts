import { connect, type Socket } from 'node:net'

/** A client that asks for something small again and again, and how long it has to wait for it beside others. */
export interface Bystander {
  /** The longest wait, in milliseconds, from when the bytes are sent until the server has answered and closed. */
  waitBeside(bytes: Buffer): Promise<number>
  close(): void
}

/** `request`: one whose answer has no body. */
export function startBystander(port: number, request: string): Bystander {
  let onAnswer = () => {}
  let socket = open()

  function open(): Socket {
    let text = ''
    const opened = connect(port, '127.0.0.1')
    opened.on('error', () => {})
    // A server that stands still for long takes whoever waits for too slow, and hangs up.
    opened.on('close', () => onAnswer())
    opened.on('data', (chunk) => {
      text = (text + chunk.toString('latin1')).slice(-4)
      if (text === '\r\n\r\n') onAnswer()
    })
    return opened
  }

  async function ask(): Promise<number> {
    if (socket.destroyed) socket = open()
    const start = performance.now()
    const answered = new Promise<void>((resolve) => {
      onAnswer = resolve
    })
    socket.write(request)
    await answered
    return performance.now() - start
  }

  return {
    async waitBeside(bytes) {
      let isOver = false
      const over = exchange(port, bytes).then(() => {
        isOver = true
      })
      let worst = 0
      while (!isOver) worst = Math.max(worst, await ask())
      await over
      return worst
    },
    close: () => socket.destroy(),
  }
}

/** Sends the bytes, and waits for the end of the connection, which they ask for. */
const exchange = (port: number, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.resume()
    socket.write(bytes)
  })
