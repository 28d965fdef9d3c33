// Readers of the feed, in processes of their own: what they take must not delay the reads that the bench measures beside
// them. Most streams are the crowd's, and are read twice a second, at different times; a few are read as soon as something
// comes, by the process that also writes.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { nextCreate } from './workloads.ts'

export interface StreamsParts {
  readonly port: number
  /** The header line of step C. */
  readonly authorized: string
  /** Its processor would be another machine's: it gives way to the server. */
  readonly isCrowd: boolean
  readonly changesPerSecond: number
}

/** Opens so many streams more, or writes for so long. */
export type Task = { readonly streams: number } | { readonly milliseconds: number }

/** Milliseconds from the time that a change has to its arrival here. */
export type Delays = number[]

const READ_EVERY_MS = 500
const GROUPS = 250

const [parts] = (await once(process, 'message')) as [StreamsParts]
const { port, authorized, isCrowd, changesPerSecond } = parts
if (isCrowd) setPriority(constants.priority.PRIORITY_LOW)
const head = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${authorized}\r\n`
/** Shared by the streams that are only read: the memory of so many clients must not cost the server its processor. */
const buffer = Buffer.alloc(64 * 1_024)
const sockets: Socket[] = []
const next = nextCreate(parts)
let delays: Delays = []
let turn = 0
if (isCrowd)
  setInterval(() => {
    turn += 1
    for (let index = turn % GROUPS; index < sockets.length; index += GROUPS) sockets[index]?.resume()
  }, READ_EVERY_MS / GROUPS)
process.on('message', async (task: Task) => {
  if ('milliseconds' in task) return process.send?.(await write(task.milliseconds))
  sockets.push(...(await Promise.all(Array.from({ length: task.streams }, open))))
  process.send?.('ready')
})

async function open(): Promise<Socket> {
  const start = Promise.withResolvers<string>()
  const callback = (length: number) => {
    start.resolve(buffer.toString('latin1', 0, length))
    return false
  }
  const where = { port, host: '127.0.0.1' }
  const socket = connect(isCrowd ? { ...where, onread: { buffer, callback } } : where)
  if (!isCrowd) socket.once('data', (bytes) => start.resolve(`${bytes}`))
  socket.write(head)
  const answer = await start.promise
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer)
  if (!isCrowd) lookAt(socket)
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

/** Ends when each change is acknowledged and has reached the streams that are looked at. */
async function write(milliseconds: number): Promise<Delays> {
  delays = []
  const changes = Math.max(1, (milliseconds / 1_000) * changesPerSecond)
  const started = performance.now()
  const writer = connect({ port, host: '127.0.0.1', noDelay: true })
  let acknowledged = 0
  writer.on('data', (bytes) => {
    const statuses = bytes.toString('latin1').match(/HTTP\/1\.1 \d+/g) ?? []
    if (statuses.some((status) => !status.endsWith('201'))) throw new Error(`${bytes}`)
    acknowledged += statuses.length
  })
  for (let index = 0; index < changes; index += 1) {
    await sleep(Math.max(0, started + (index * 1_000) / changesPerSecond - performance.now()))
    writer.write(next().text)
  }
  const expected = changes * sockets.length
  while (acknowledged < changes || delays.length < expected) await sleep(10)
  writer.destroy()
  return delays
}
