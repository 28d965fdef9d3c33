import { lookup } from 'node:dns/promises'
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { limitTime } from '../deadline.ts'
import { Problem } from '../problem.ts'
import { type Destination, type Lookup, resolveDestination } from './destination.ts'
import { deliveryProblem } from './problems.ts'

/** The time of an attempt, from the name of the receiver to the end of its response (library.md, Webhooks). */
const TIMEOUT_MS = 15_000

/** More of a response is not read. */
const MAX_RESPONSE_BYTES = 64 * 1_024

/** A receiver has no reason to send more preliminary responses (1xx), and each takes time of this process. */
const MAX_PRELIMINARY = 100

export interface SendDependencies {
  readonly lookup?: Lookup
  readonly timeoutMs?: number
  /** Aborted to end attempts before their time. */
  readonly signal?: AbortSignal | undefined
}

/** What an attempt sends, by POST. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const lookupAll: Lookup = (host) => lookup(host, { all: true, order: 'verbatim' })

// Agents of our own: the global ones take proxies from the environment (NODE_USE_ENV_PROXY), which would look names up
// themselves. A connection serves one attempt, so that each attempt goes to addresses that were just checked.
const httpAgent = new HttpAgent()
const httpsAgent = new HttpsAgent()

/** Sends to a receiver and returns the status of its response; the rest is discarded. Redirects are not followed. */
export async function send(
  destination: Destination,
  outgoing: WebhookRequest,
  { lookup: find = lookupAll, timeoutMs = TIMEOUT_MS, signal }: SendDependencies = {},
): Promise<number> {
  const { host } = destination
  const ended = new AbortController()
  let status: number | undefined
  async function attempt(): Promise<void> {
    const addresses = await resolveDestination(destination, find)
    ended.signal.throwIfAborted()
    const toChecked: LookupFunction = (_, { all }, callback) => {
      const [{ address, family } = { address: '', family: 0 }] = addresses
      if (all) callback(null, [...addresses])
      else callback(null, address, family)
    }
    const request = openRequest(destination, outgoing, { lookup: toChecked, signal: ended.signal })
    await readStatus(request, outgoing.body, (found) => {
      status = found
    })
  }
  try {
    const seconds = timeoutMs / 1_000
    const limited = limitTime(attempt(), timeoutMs, () =>
      deliveryProblem('ReceiverSilent', { host, seconds }),
    )
    await unlessAborted(limited, signal, () => deliveryProblem('DeliveryCutOff', { host }))
  } catch (error) {
    // The status says it all: what becomes of the connection after it does not matter.
    if (status === undefined) throw error instanceof Problem ? error : unreachable(host, error)
  } finally {
    ended.abort()
  }
  return status ?? 0
}

/** Rejects as soon as the signal is aborted. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined, onAbort: () => Problem) {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(onAbort())
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    return await Promise.race([answer, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Only the code: the rest of an error, such as its message, may repeat what is secret in the address. */
function unreachable(host: string, error: unknown): Problem {
  const { code = 'ECONNRESET' } = error as NodeJS.ErrnoException
  return deliveryProblem('ReceiverUnreachable', { host, systemCode: String(code) })
}

function openRequest(
  { url, host }: Destination,
  { headers, body }: WebhookRequest,
  options: { readonly lookup: LookupFunction; readonly signal: AbortSignal },
): ClientRequest {
  const common = {
    ...options,
    method: 'POST',
    hostname: host,
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, 'Content-Length': body.length },
  }
  if (url.protocol === 'http:') return requestHttp({ ...common, agent: httpAgent })
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing.
  return requestHttps({ ...common, agent: httpsAgent, rejectUnauthorized: true })
}

/** Resolves at the end of the response, or when enough of it was read. */
function readStatus(request: ClientRequest, body: Buffer, onStatus: (status: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    // Without a response, for example where the receiver switches to another protocol.
    request.on('close', () => reject(new Error('closed')))
    let preliminary = 0
    request.on('information', () => {
      preliminary++
      if (preliminary > MAX_PRELIMINARY) request.destroy()
    })
    request.on('response', (response) => {
      onStatus(response.statusCode ?? 0)
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_RESPONSE_BYTES) request.destroy()
      })
      response.on('error', reject)
      response.on('close', resolve)
    })
    request.end(body)
  })
}
