// Readers of the feed and a writer, in a process of their own: what they take must not delay the reads that the bench
// measures beside them. Most streams are read four times a second, at different times; a few as soon as something comes.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextCreate } from './workloads.ts'

export interface StreamsParts {
  readonly port: number
  /** The header line of step C. */
  readonly authorized: string
  readonly count: number
  /** So many are read at once, and looked at. */
  readonly lookedAt: number
  readonly changesPerSecond: number
}

/** Milliseconds from the time that a change has to its arrival here. */
export type Delays = number[]

const READ_EVERY_MS = 250
const GROUPS = 50

const [parts] = (await once(process, 'message')) as [StreamsParts]
const { port, authorized, count, lookedAt, changesPerSecond } = parts
const head = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${authorized}\r\n`
const sockets = await Promise.all(Array.from({ length: count }, open))
const next = nextCreate(parts)
let delays: Delays = []
sockets.forEach((socket, index) => {
  if (index < lookedAt) lookAt(socket)
  else socket.on('data', () => socket.pause())
})
let turn = 0
setInterval(() => {
  turn += 1
  for (let index = turn % GROUPS; index < count; index += GROUPS) sockets[index]?.resume()
}, READ_EVERY_MS / GROUPS)
process.on('message', async (milliseconds: number) => process.send?.(await write(milliseconds)))
process.send?.('ready')

async function open(): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(head)
  const [bytes] = (await once(socket, 'data')) as [Buffer]
  if (!`${bytes}`.startsWith('HTTP/1.1 200')) throw new Error(`${bytes}`)
  return socket
}

function lookAt(socket: Socket): void {
  let rest = ''
  socket.on('data', (bytes) => {
    const blocks = (rest + bytes.toString('latin1')).split('\n\n')
    rest = blocks.pop() ?? ''
    const times = blocks.flatMap((block) => /"published":"([^"]*)"/.exec(block)?.[1] ?? [])
    delays.push(...times.map((published) => Date.now() - Date.parse(published)))
  })
}

/** Ends when each change has reached the streams that are looked at. */
async function write(milliseconds: number): Promise<Delays> {
  delays = []
  const changes = Math.max(1, (milliseconds / 1_000) * changesPerSecond)
  const started = performance.now()
  const answers: Promise<void>[] = []
  for (let index = 0; index < changes; index += 1) {
    await sleep(Math.max(0, started + (index * 1_000) / changesPerSecond - performance.now()))
    answers.push(post(next().text))
  }
  await Promise.all(answers)
  while (delays.length < answers.length * lookedAt) await sleep(10)
  return delays
}

async function post(text: string): Promise<void> {
  const [, token = ''] = authorized.trim().split(': ')
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  const headers = { 'X-Authorization': token, 'Content-Type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}/api/books`, { method: 'POST', headers, body })
  if (answer.status !== 201) throw new Error(await answer.text())
  await answer.arrayBuffer()
}
