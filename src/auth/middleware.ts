// hydrant/auth: the two-step procedure for a service that exists already.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError } from '../errors.ts'
import {
  commonHeaders,
  errorResponse,
  isPreflight,
  noStoreHeaders,
  preflightResponse,
} from '../http/index.ts'
import type { AuthStore, FailureLimits } from '../store/index.ts'
import { openStore } from '../store/open.ts'
import { type Admission, createGateAnswers, type GateRequest, type Principal } from './gate.ts'
import { send, toGateRequest } from './node-http.ts'
import { openGate } from './open-gate.ts'
import { createAddressReader, DEFAULT_LIMITS, LONGEST_TOKEN_MS } from './throttle.ts'
import { createClock } from './token.ts'

export type { Token } from '../store/index.ts'
export { hashParaphrase, readParaphrase } from './credentials.ts'
export type { Admission, GateRequest, Principal } from './gate.ts'

/** What an existing service gets: the two-step procedure, and nothing else of Hydrant. */
export interface Protection {
  /** The gate as a plain function. */
  admit(request: GateRequest): Promise<Admission>
  /** For `app.use(…)` of Express and its like. An admitted request goes on, with `request.principal` set. */
  readonly middleware: Middleware
  /** For `createServer(…)` of node:http. */
  protect(listener: Listener): (request: IncomingMessage, response: ServerResponse) => void
  /** Users and tokens; `hydrant user` and `hydrant token` work on the same database. */
  readonly store: AuthStore
  close(): Promise<void>
}

export type Admitted<Incoming extends IncomingMessage = IncomingMessage> = Incoming & {
  principal?: Principal
}

export type Listener = (request: Admitted, response: ServerResponse) => void

export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

export interface ProtectionOptions {
  /** Where users, tokens and spent nonces live: `sqlite:<path>`, or `postgres://…` for several hosts. */
  readonly db: string
  /** The public base URL; `{base}/vocab` is named in the Link header of steps A and B. */
  readonly base: string
  /** False: credentials with every request. */
  readonly tokens?: boolean
  readonly tokenTtlMs?: number
  readonly nonceTtlMs?: number
  readonly limits?: FailureLimits
  /** Addresses or ranges whose X-Forwarded-For is believed. */
  readonly trustProxy?: readonly string[]
  /** Told when a request could not be checked (it was answered with 500 or 503) or a sweep failed. */
  readonly onError?: (error: unknown) => void
}

const NONCE_TTL_MS = 5 * 60_000
const LONGEST_NONCE_MS = 24 * 60 * 60_000
const NOT_CHECKED = new HttpError(500, 'The request could not be checked.')

export async function openProtection(options: ProtectionOptions): Promise<Protection> {
  const { db, base, tokens = true, limits = DEFAULT_LIMITS, onError = () => {} } = options
  const { tokenTtlMs = LONGEST_TOKEN_MS, nonceTtlMs = NONCE_TTL_MS } = options
  requireText('db', db)
  requireText('base', base)
  if (/[^!-~]/.test(base))
    throw new TypeError(
      'base stands in headers, which are ASCII: percent-encode it, and write its host in punycode.',
    )
  requireDuration('tokenTtlMs', tokenTtlMs, LONGEST_TOKEN_MS)
  requireDuration('nonceTtlMs', nonceTtlMs, LONGEST_NONCE_MS)
  const readAddress = createAddressReader(options.trustProxy ?? [])
  const store = await openStore(db)
  const gate = await openGate({
    mode: tokens ? 'token' : 'nonce',
    store: store.auth,
    clock: createClock(),
    secrets: undefined,
    tokenTtlMs,
    nonceTtlMs,
    limits,
    onWrongClock: (sentence, byMs) => onError(new Error(`${sentence} (by ${byMs} ms)`)),
    onError,
  }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const common = commonHeaders(base.replace(/\/+$/, ''))
  const noStore = noStoreHeaders(common)
  const answer = createGateAnswers(noStore)
  const preflight = preflightResponse(common)

  /** Undefined when the request has been answered. */
  async function admit(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Admitted | undefined> {
    if (isPreflight({ method: incoming.method ?? '', headers: incoming.headers })) {
      send(incoming, outgoing, preflight)
      return undefined
    }
    const admission = await gate.admit(toGateRequest(incoming, readAddress))
    if (admission.verdict !== 'admitted') {
      send(incoming, outgoing, answer(admission))
      return undefined
    }
    if (admission.nonce !== undefined) outgoing.setHeader('X-Authentication', admission.nonce)
    return Object.assign(incoming, { principal: admission.principal as Principal })
  }

  const middleware: Middleware = (incoming, outgoing, next) => {
    admit(incoming, outgoing)
      .catch((error: unknown) => {
        // Fail closed: what could not be checked does not pass.
        onError(error)
        const known = error instanceof HttpError ? error : NOT_CHECKED
        send(incoming, outgoing, errorResponse(known, noStore))
      })
      .then((admitted) => {
        if (admitted !== undefined) next()
      })
  }

  return {
    admit: gate.admit,
    middleware,
    protect: (listener) => (incoming, outgoing) =>
      middleware(incoming, outgoing, () => listener(incoming as Admitted, outgoing)),
    store: store.auth,
    async close() {
      await gate.close()
      await store.close()
    },
  }
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`openProtection needs ${name}, a string.`)
}

function requireDuration(name: string, value: number, longest: number): void {
  if (!(value > 0 && value <= longest))
    throw new RangeError(`${name} must be between 1 and ${longest} milliseconds; it is ${value}.`)
}
