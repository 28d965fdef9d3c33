// hydrant/auth: Hydrant's authentication for a service that exists already.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isPostgres, requireSqlitePath } from '../database/index.ts'
import type { AddressReader, GateRequest, Response as GateResponse } from '../http/index.ts'
import { commonHeaders, isPreflight, noStoreHeaders, preflightResponse } from '../http/response.ts'
import { Problem } from '../problem.ts'
import { requireRuntime } from '../runtime.ts'
import type { Admission, Principal } from './admission.ts'
import { createClock } from './clock.ts'
import { type NodeRequest, type NodeResponse, send, toGateRequest } from './node-http.ts'
import { openGate } from './open-gate.ts'
import { authErrorResponse, authProblem, createGateAnswers, toAuthorError } from './problems.ts'
import { readName as checkName, readParaphrase as checkParaphrase, sayCredentialProblem } from './rules.ts'
import type { AuthStore, FailureLimits, OpenAuthStore } from './store/index.ts'
import { createAddressReader, DEFAULT_LIMITS, LONGEST_TOKEN_MS } from './throttle.ts'
import type { WebClient } from './web.ts'

export type { GateRequest } from '../http/index.ts'
export type { Admission, Principal } from './admission.ts'
export { hashParaphrase } from './credentials.ts'
export type { NodeRequest, NodeResponse } from './node-http.ts'
export type { Token } from './store/index.ts'
export type { WebClient } from './web.ts'

/** The paraphrase as it is hashed, or a sentence that says why the text cannot be one. */
export function readParaphrase(text: string): { readonly paraphrase: string } | { readonly problem: string } {
  const read = checkParaphrase(text)
  return 'problem' in read ? { problem: sayCredentialProblem(read.problem) } : read
}

/** The name as it is stored, or a sentence that says why the text cannot be one. */
export function readName(text: string): { readonly name: string } | { readonly problem: string } {
  const read = checkName(text)
  return 'problem' in read ? { problem: sayCredentialProblem(read.problem) } : read
}

/** Hydrant's authentication for an existing service, without the rest of Hydrant. */
export interface Protection {
  /** The gate as a plain function. */
  admit(request: GateRequest): Promise<Admission>
  /**
   * For `app.use(…)` of Express and similar frameworks. An admitted request is passed on, with `request.principal` set.
   */
  readonly middleware: Middleware
  /** For `createServer(…)` of node:http, and of node:http2. */
  protect<Incoming extends NodeRequest = IncomingMessage, Outgoing extends NodeResponse = ServerResponse>(
    listener: (request: Admitted<Incoming>, response: Outgoing) => void,
  ): (request: Incoming, response: Outgoing) => void
  /**
   * For the standard `Request` and `Response`. `respond` is called only for an admitted request.
   *
   * ```ts
   * const response = await protection.handle(request, { address: '192.0.2.7' }, ({ userId }) => new Response(`Hello, ${userId}`))
   * ```
   */
  handle(
    request: Request,
    client: WebClient,
    respond: (principal: Principal) => Response | Promise<Response>,
  ): Promise<Response>
  /** Users and tokens; `hydrant user` and `hydrant token` work on the same database. */
  readonly store: AuthStore
  close(): Promise<void>
}

/** A request that has passed. In an Express handler: `(request as Admitted<Request>).principal`. */
export type Admitted<Incoming extends NodeRequest = IncomingMessage> = Incoming & {
  readonly principal: Principal
}

export type Middleware = (
  request: NodeRequest,
  response: NodeResponse,
  next: (error?: unknown) => void,
) => void

export interface ProtectionOptions {
  /** The database of users, tokens and spent nonces: `sqlite:<path>`, or `postgres://…` for several hosts. */
  readonly db: string
  /** The public base URL; `{base}/vocab` is named in the Link header of steps A and B. */
  readonly base: string
  /** If false, every request needs credentials. */
  readonly tokens?: boolean
  readonly tokenTtlMs?: number
  readonly nonceTtlMs?: number
  readonly limits?: FailureLimits
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy?: readonly string[]
  /** Called if a request could not be checked (the response was 500 or 503), or if a sweep failed. */
  readonly onError?: (error: unknown) => void
}

const NONCE_TTL_MS = 5 * 60_000
const LONGEST_NONCE_MS = 24 * 60 * 60_000

export async function openProtection(options: ProtectionOptions): Promise<Protection> {
  requireRuntime()
  try {
    return await open(options)
  } catch (error) {
    const { ADDRESS_SENTENCES, OPENING_SENTENCES } = await import('../database/sentences.ts')
    throw toAuthorError(error, { ...ADDRESS_SENTENCES, ...OPENING_SENTENCES })
  }
}

async function open(options: ProtectionOptions): Promise<Protection> {
  const { db, base, tokens = true, limits = DEFAULT_LIMITS } = options
  const onError = (error: unknown) => options.onError?.(toAuthorError(error))
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
  const { store, close } = await openAuthStore(db)
  const gate = await openGate({
    mode: tokens ? 'token' : 'nonce',
    store,
    clock: createClock(),
    secrets: undefined,
    tokenTtlMs,
    nonceTtlMs,
    limits,
    onWrongClock: (sentence, byMs) => onError(new Error(`${sentence} (by ${byMs} ms)`)),
    onError,
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    ...createEntrances({ admit: gate.admit, base: base.replace(/\/+$/, ''), readAddress, onError }),
    store,
    async close() {
      await gate.close()
      await close()
    },
  }
}

/** Opens users, tokens and nonces, without the members that a Hydrant server may keep in the same database. */
async function openAuthStore(url: string): Promise<OpenAuthStore> {
  if (isPostgres(url)) return (await import('./store/postgres/store.ts')).openAuthStore(url)
  return (await import('./store/sqlite/store.ts')).openAuthStore(requireSqlitePath(url))
}

interface EntranceDependencies extends Pick<Protection, 'admit'> {
  readonly base: string
  readonly readAddress: AddressReader
  readonly onError: (error: unknown) => void
}

/** The gate for servers of Node.js, and for standard `Request` objects. */
function createEntrances(
  dependencies: EntranceDependencies,
): Pick<Protection, 'admit' | 'middleware' | 'protect' | 'handle'> {
  const { admit, base, readAddress, onError } = dependencies
  const common = commonHeaders(base)
  const noStore = noStoreHeaders(common)
  const answer = createGateAnswers(noStore)
  const preflight = preflightResponse(common)

  async function check(about: Parameters<typeof isPreflight>[0], request: GateRequest): Promise<Checked> {
    if (isPreflight(about)) return { response: preflight }
    try {
      const admission = await admit(request)
      if (admission.verdict !== 'admitted') return { response: answer(admission) }
      return { principal: admission.principal as Principal, nonce: admission.nonce }
    } catch (error) {
      // Fail closed: a request that could not be checked does not pass.
      onError(error)
      return { response: responseTo(error, noStore) }
    }
  }

  const middleware: Middleware = async (incoming, outgoing, next) => {
    const { method = '', headers } = incoming
    const checked = await check({ method, headers }, toGateRequest(incoming, readAddress))
    if ('response' in checked) return send(incoming, outgoing, checked.response)
    if (checked.nonce !== undefined) outgoing.setHeader('X-Authentication', checked.nonce)
    Object.assign(incoming, { principal: checked.principal })
    next()
  }

  return {
    admit: (request) =>
      admit(request).catch((error: unknown) => {
        throw toAuthorError(error)
      }),
    middleware,
    protect: (listener) => (incoming, outgoing) =>
      middleware(incoming, outgoing, () => listener(incoming as Admitted<typeof incoming>, outgoing)),
    async handle(request, client, respond) {
      // Loaded by its first request, since most services use node:http.
      const { toWebGateRequest, toWebResponse } = await import('./web.ts')
      const about = { method: request.method, headers: Object.fromEntries(request.headers) }
      const checked = await check(about, toWebGateRequest(request, client, readAddress))
      if ('response' in checked) return toWebResponse(checked.response, request.method)
      const response = await respond(checked.principal)
      return checked.nonce === undefined ? response : withNonce(response, checked.nonce)
    },
  }
}

/** The verdict on a request: a response, or the principal to continue with. */
type Checked =
  | { readonly response: GateResponse }
  | { readonly principal: Principal; readonly nonce: string | undefined }

/** Copies a response whose headers cannot be changed, as those from `fetch` and `Response.redirect`. */
function withNonce(response: Response, nonce: string): Response {
  try {
    response.headers.set('X-Authentication', nonce)
    return response
  } catch {
    const copy = new Response(response.body, response)
    copy.headers.set('X-Authentication', nonce)
    return copy
  }
}

const NOT_CHECKED = authProblem('NotChecked')

const responseTo = (error: unknown, noStore: readonly string[]): GateResponse =>
  authErrorResponse(error instanceof Problem ? error : NOT_CHECKED, noStore)

function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`openProtection needs ${name}, a string.`)
}

function requireDuration(name: string, value: number, longest: number): void {
  if (!(value > 0 && value <= longest))
    throw new RangeError(`${name} must be between 1 and ${longest} milliseconds; it is ${value}.`)
}
