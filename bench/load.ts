import { connect, type Socket } from 'node:net'

/** What a run of requests saw. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds, ascending. */
  readonly latencies: readonly number[]
}

export interface Answer {
  readonly status: number
  /** The status line and the headers, each with its line end. */
  readonly head: string
  /** Where the next response of this connection is received, too: who keeps it takes a copy. */
  readonly body: Buffer
}

/** A request, and what its answer must be: another one ends the run, since its figures would be of something else. */
export interface Question {
  readonly text: string
  readonly statuses: readonly number[]
  readonly body?: Buffer
  /** Throws for a wrong answer. */
  readonly check?: (answer: Answer) => void
}

export interface LoadParts {
  readonly port: number
  readonly connections: number
  /** The address that each of them comes from; one for all without it. */
  readonly addresses?: readonly string[]
  readonly milliseconds: number
  /** From an answer to the next request of its connection. */
  readonly pauseMs?: number
  /** The next request of a connection, given its previous answer; the connection ends where there is none. */
  readonly next: (previous?: Answer) => Question | undefined
}

/** More than most responses, which are then received in one piece. */
const RECEIVED_BYTES = 64 * 1_024

/**
 * Keeps so many connections busy, one request at a time on each, and checks what comes back. It shares the processors with
 * the server, so a connection receives all its responses in the same memory.
 */
export async function load(parts: LoadParts): Promise<Load> {
  const { port, connections, addresses = ['127.0.0.1'], milliseconds, pauseMs = 0, next } = parts
  const latencies: number[] = []
  const started = performance.now()
  const deadline = started + milliseconds
  await Promise.all(Array.from({ length: connections }, (_, index) => converse(index, next())))
  const seconds = (performance.now() - started) / 1000
  return { requests: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) }

  /** Asks a question on a new connection, and what follows it on the same one. */
  async function converse(index: number, first: Question | undefined): Promise<void> {
    if (first === undefined) return
    const localAddress = addresses[index % addresses.length] as string
    let question = first
    let read = createReader()
    let sentAt = 0
    /** Whether the server may close the connection without an answer, as it may any that was idle (RFC 9112 §9.3.1). */
    let isKept = false
    let socket: Socket | undefined
    const send = () => {
      sentAt = performance.now()
      socket?.write(question.text, 'latin1')
    }
    const following = await new Promise<Question | undefined>((resolve, reject) => {
      const receive = (chunk: Buffer) => {
        isKept = false
        const answer = read(chunk)
        if (answer === undefined) return
        latencies.push(performance.now() - sentAt)
        requireExpected(question, answer)
        const then = performance.now() < deadline ? next(answer) : undefined
        if (then === undefined || isClosing(answer)) return resolve(then)
        isKept = true
        question = then
        read = createReader()
        if (pauseMs === 0) send()
        else setTimeout(send, pauseMs)
      }
      const buffer = Buffer.allocUnsafeSlow(RECEIVED_BYTES)
      const callback = (length: number) => {
        try {
          receive(buffer.subarray(0, length))
        } catch (error) {
          reject(error)
        }
        return true
      }
      const onread = { buffer, callback }
      socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, onread })
      socket.on('connect', send)
      const mayAskAgain = () => isKept && question.text.startsWith('GET ')
      socket.on('error', (error) => {
        if (!mayAskAgain()) reject(error)
      })
      socket.on('close', () => {
        if (mayAskAgain()) resolve(question)
        else reject(new Error(`The server closed a connection without an answer to\n${question.text}`))
      })
    }).finally(() => socket?.destroy())
    return converse(index, following)
  }
}

/** The answers to questions that are asked one after the other. */
export async function askAll(port: number, questions: readonly Question[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const next = () => {
    const question = questions[answers.length]
    const check = (answer: Answer) => void answers.push({ ...answer, body: Buffer.from(answer.body) })
    return question && { ...question, check }
  }
  await load({ port, connections: 1, milliseconds: Number.POSITIVE_INFINITY, next })
  return answers
}

export const ask = async (port: number, question: Question): Promise<Answer> =>
  (await askAll(port, [question]))[0] as Answer

/** Collects one response, whose bytes are put together once, when all are there. */
function createReader(): (chunk: Buffer) => Answer | undefined {
  const chunks: Buffer[] = []
  let received = 0
  let head = ''
  let total = Number.POSITIVE_INFINITY
  return (chunk) => {
    received += chunk.length
    if (head === '') {
      const start = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk])
      const end = start.indexOf('\r\n\r\n')
      if (end >= 0) {
        head = start.toString('latin1', 0, end + 2)
        total = end + 4 + (statusOf(head) === 304 ? 0 : Number(headerOf(head, 'content-length')))
      }
    }
    if (received < total) {
      chunks.push(Buffer.from(chunk))
      return undefined
    }
    if (received !== total) throw new Error(`These are not the bytes of one response: ${head}`)
    const whole = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk])
    return { status: statusOf(head), head, body: whole.subarray(head.length + 2) }
  }
}

function requireExpected({ text, statuses, body, check }: Question, answer: Answer): void {
  if (!statuses.includes(answer.status) || (body !== undefined && !body.equals(answer.body)))
    throw new Error(`Unexpected answer to\n${text}\n${answer.head}\n${answer.body.subarray(0, 500)}`)
  check?.(answer)
}

const statusOf = (head: string): number => Number(head.slice(9, 12))

const isClosing = ({ head }: Answer): boolean => /\r\nconnection: close\r\n/i.test(head)

const patterns = new Map<string, RegExp>()

export function headerOf(head: string, name: string): string | undefined {
  const known = patterns.get(name)
  const pattern = known ?? new RegExp(`\r\n${name}: ([^\r]*)`, 'i')
  if (known === undefined) patterns.set(name, pattern)
  return pattern.exec(head)?.[1]
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

export const median = (values: readonly number[]): number =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
