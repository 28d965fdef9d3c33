import { type AskCredentials, offer, requireComplete, type UserCredentials } from './credentials.ts'
import { ApiError } from './errors.ts'
import { refusal } from './refusal.ts'
import {
  type ApiResponse,
  type HeaderValues,
  interruptible,
  NONCE,
  type OutgoingRequest,
  pause,
  type Send,
  TOKEN,
} from './transport.ts'

/** All requests wait for an exchange, so it has a deadline of its own: `fetch` might wait for minutes. */
const STEP_DEADLINE_MS = 30_000

/** A function may return credentials at once, so the pause after each failed exchange is three times the one before. */
const LONGEST_PAUSE_SECONDS = 30
/** After this many failures in a row, a request does not send the same credentials again. */
const MOST_FAILURES = 5

/** The API does not say which of the two is wrong (authentication.md). */
const WRONG = { code: 'credentials-wrong', sentence: 'The user or the passphrase is wrong.' }

interface SessionOptions {
  /** The address for steps A and B. */
  readonly address: string
  /** Secrets are sent only to addresses below it. */
  readonly base: string
  readonly credentials?: UserCredentials | AskCredentials | undefined
  readonly token?: string | undefined
  readonly send: Send
}

/** Signs requests in, by the steps of seed.md: A is the challenge, B the exchange, C a request with the token. */
export class ClientSession {
  readonly #address: string
  readonly #base: string
  readonly #send: Send
  /** Asks a person. */
  readonly #ask: AskCredentials | undefined
  /** Credentials that need not be asked for. */
  #offer: AskCredentials | undefined
  #token: string | null | undefined
  /** When the token was issued, by this machine's clock. */
  #issuedAt = Date.now()
  /** While tokens are switched off, every request is a step B, with the nonce of an earlier response. */
  #signer: UserCredentials | undefined
  #nonces: (string | null)[] = []
  /** The running exchange. */
  #exchanging: Promise<void> | undefined
  /** The latest exchange, running or settled. */
  #latest: Promise<void> | undefined
  /** How many exchanges in a row have failed. */
  #failures = 0
  #failedAt = 0
  /** Aborts the requests of a user who signs out. */
  #leaving = new AbortController()

  constructor({ address, base, credentials, token, send }: SessionOptions) {
    this.#address = address
    this.#base = base
    this.#send = send
    this.#token = token
    if (typeof credentials === 'function') this.#ask = credentials
    else this.#offer = credentials && offer(credentials)
  }

  /** Sends for the user who is signed in now, or signs in first; never for a user who signs in later. */
  begin(): Send {
    const { signal } = this.#leaving
    return (request) =>
      isBelow(this.#base, request.url) ? this.#sendSigned(request, signal) : this.#sendOutside(request)
  }

  /** Milliseconds since 1970; undefined without a token. Waits for a running exchange. */
  async issuedAt(): Promise<number | undefined> {
    await this.#exchanging?.catch(() => {})
    return this.#token ? this.#issuedAt : undefined
  }

  /** Exchanges now. If credentials are given, they replace the earlier ones. */
  async signIn(credentials?: UserCredentials): Promise<void> {
    if (!credentials) return this.#exchanging ?? this.#exchange()
    const offered = offer(credentials)
    this.#forget()
    this.#offer = offered
    return this.#exchange(undefined, offered)
  }

  /** The user's credentials have changed; the token is still valid. */
  replace(credentials: UserCredentials): void {
    this.#offer = offer(credentials)
  }

  /** Revokes the token, if its address is known, and forgets token and credentials. */
  async leave(locate: () => Promise<string | undefined>, signal?: AbortSignal): Promise<void> {
    const { signal: left } = this.#leaving
    const token = this.#token
    try {
      const url = token && (await locate())
      if (!url || !isBelow(this.#base, url)) return
      // Not through `begin`, which would exchange an expired token for a new one, only to revoke that.
      const response = await this.#send({ method: 'DELETE', url, headers: { [TOKEN]: token }, signal })
      const { status } = response
      if (status >= 300 && status !== 401 && status !== 404) throw refusal(response)
    } finally {
      // Another user may have signed in meanwhile, and stays.
      if (!left.aborted) this.#forget()
    }
  }

  async #sendOutside(request: OutgoingRequest): Promise<ApiResponse> {
    const response = await this.#send(request)
    if (response.status !== 401) return response
    const sentence = `${request.url} is not below ${this.#base} and gets no credentials; the base must be the address that the API uses in its links.`
    throw refusal(response, { code: 'outside-base', sentence })
  }

  /** Repeats the request after each step that turns out to be needed. `left`: aborted when the user signs out. */
  async #sendSigned(request: OutgoingRequest, left: AbortSignal): Promise<ApiResponse> {
    const { signal } = request
    for (let isExchanged = false, nonce: string | null | undefined; ; ) {
      left.throwIfAborted()
      if (this.#exchanging) await interruptible(this.#exchanging, signal)
      const before = this.#latest
      const signer = this.#signer
      const freshNonce = nonce
      const secrets = this.#token ? { [TOKEN]: this.#token } : basic(signer, freshNonce ?? this.#nonces.pop())
      // A function is asked only when it has to be.
      const send = (signer ?? this.#offer) ? this.#sendOrChallenge : this.#send
      const response = await send({ ...request, headers: { ...request.headers, ...secrets } })
      nonce = response.headers.get(NONCE)
      // Tokens were switched on meanwhile: this was step B, and the request itself was not carried out.
      const isIssued = signer && response.headers.get(TOKEN)
      const isChallenged = response.status === 401 && nonce && (signer || !isExchanged)
      if (!isIssued && !isChallenged) {
        if (signer) this.#nonces.push(nonce)
        return response
      }
      left.throwIfAborted()
      if (isIssued) this.#accept(signer, response)
      else if (signer) {
        // The nonce was missing or too old. If even a fresh one is refused, the paraphrase is no longer right.
        if (freshNonce) this.#signer = undefined
      } else {
        isExchanged = true
        // Many requests may notice at once that there is no valid token: they share one exchange, or its failure.
        const exchange = this.#latest === before ? this.#exchange(nonce) : this.#latest
        await interruptible(exchange as Promise<void>, signal)
        nonce = undefined
      }
    }
  }

  #exchange(nonce?: string | null, ask = this.#ask ?? this.#offer): Promise<void> {
    const { signal } = this.#leaving
    const exchange = interruptible(this.#exchangeUntilAccepted(ask, nonce, signal), signal).finally(() => {
      if (this.#exchanging === exchange) this.#exchanging = undefined
    })
    this.#exchanging = exchange
    this.#latest = exchange
    return exchange
  }

  async #exchangeUntilAccepted(
    ask: AskCredentials | undefined,
    challenged: string | null | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    let nonce = challenged ?? (await this.#challenge())
    let error: ApiError | undefined
    let before: string | undefined
    // An open API sends no nonce.
    while (nonce && !signal.aborted) {
      const credentials = await ask?.({ error, expired: !!this.#token })
      if (!credentials)
        throw error ?? new ApiError('credentials', 'Credentials are needed.', { code: 'credentials-missing' })
      const given = textOf(requireComplete(credentials))
      if (error && this.#failures >= MOST_FAILURES && given === before) throw error
      before = given
      await this.#pauseAfterFailures(signal)
      // A nonce is valid for minutes, and a person may have taken longer.
      if (this.#ask) nonce = await this.#challenge()
      error = await this.#tryExchange(credentials, nonce, signal)
      if (!error || signal.aborted) return
      this.#failures += 1
      this.#failedAt = Date.now()
    }
  }

  /** Returns the reason of a failure. */
  async #tryExchange(
    credentials: UserCredentials,
    nonce: string | null,
    signal: AbortSignal,
  ): Promise<ApiError | undefined> {
    try {
      const response = await this.#sendStep(basic(credentials, nonce), signal)
      if (response.status < 300) {
        if (!signal.aborted) this.#accept(credentials, response)
        return undefined
      }
      return refusal(response, response.status === 401 ? WRONG : {})
    } catch (error) {
      return error as ApiError
    }
  }

  async #pauseAfterFailures(signal: AbortSignal): Promise<void> {
    const pauseSeconds = Math.min(LONGEST_PAUSE_SECONDS, 0.1 * 3 ** this.#failures)
    const left = pauseSeconds - (Date.now() - this.#failedAt) / 1_000
    if (left > 0) await pause(left, signal)
  }

  /** Sends a request for its challenge alone (step A). */
  async #challenge(): Promise<string | null> {
    return (await this.#sendStep({})).headers.get(NONCE)
  }

  /** What anyone may read is not what a user is shown: the session has the challenge instead (people.md, Anyone). */
  readonly #sendOrChallenge: Send = async (request) => {
    const response = await this.#send(request)
    const isPublic = !request.headers[TOKEN] && /x-auth/i.test(`${response.headers.get('vary')}`)
    return isPublic ? this.#send({ ...request, url: `${this.#base}/session` }) : response
  }

  #sendStep(headers: HeaderValues, signal?: AbortSignal): Promise<ApiResponse> {
    return this.#sendOrChallenge({
      method: 'GET',
      url: this.#address,
      headers,
      signal,
      deadlineMs: STEP_DEADLINE_MS,
    })
  }

  #accept(credentials: UserCredentials, { headers }: ApiResponse): void {
    this.#token = headers.get(TOKEN)
    this.#failures = 0
    this.#issuedAt = Date.now()
    this.#signer = this.#token ? undefined : credentials
    this.#nonces = [headers.get(NONCE)]
  }

  #forget(): void {
    this.#leaving.abort()
    this.#leaving = new AbortController()
    this.#offer = undefined
    this.#token = null
    this.#failures = 0
    this.#signer = undefined
    this.#exchanging = undefined
  }
}

/** The headers of step B (RFC 7617 §2.1: UTF-8). Without credentials or a nonce there are none, which is step A. */
const basic = (credentials: UserCredentials | undefined, nonce: string | null | undefined): HeaderValues => {
  if (!credentials || !nonce) return {}
  const bytes = new TextEncoder().encode(textOf(credentials))
  return { [NONCE]: nonce, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

const textOf = ({ id, paraphrase }: UserCredentials): string => `${id}:${paraphrase}`

/** Whether the URL is the base, or continues it with a path, a query or a fragment. */
const isBelow = (base: string, url: string): boolean =>
  /^([/?#]|$)/.test(normalize(url).replace(normalize(base), ''))

/** RFC 3986 §6.2.2.1: percent-encodings are equal regardless of case. */
const normalize = (iri: string): string => iri.replace(/%\w\w/g, (octet) => octet.toUpperCase())
