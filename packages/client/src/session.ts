import { ApiError } from './errors.ts'
import {
  type ApiResponse,
  type HeaderValues,
  interruptible,
  NONCE,
  pause,
  refusal,
  type Send,
  TOKEN,
} from './transport.ts'

export interface UserCredentials {
  readonly id: number | string
  readonly paraphrase: string
}

/** Undefined gives up. `error`: why the last attempt failed; `expired`: there was a token before. */
export type AskCredentials = (question: {
  readonly error: ApiError | undefined
  readonly expired: boolean
}) => Promise<UserCredentials | undefined> | UserCredentials | undefined

/** All requests wait for an exchange: one that is never answered must not hold them for as long as `fetch` waits. */
const LONGEST_STEP_MS = 30_000

/** A function may not wait for a person: the server gets a pause after each failure, three times the one before. */
const LONGEST_PAUSE_SECONDS = 30
/** After so many failures in a row, the same credentials are not sent again for the same request. */
const MOST_FAILURES = 5

/** Signs requests in, by the steps of seed.md. */
export interface ClientSession {
  /** Sends for the user who is signed in now, or will be first, with steps A, B and C as needed; never for another. */
  begin(): Send
  /** When the token was issued, in milliseconds since 1970, by this clock, after an exchange that is under way. */
  issuedAt(): Promise<number | undefined>
  /** Exchanges now; with these credentials from now on where some are given. */
  signIn(given?: UserCredentials): Promise<void>
  /** Ends the token, where its address is known, and forgets token and credentials; the next request may ask anew. */
  leave(locate: () => Promise<string | undefined>, signal?: AbortSignal): Promise<void>
}

/** Steps A and B are done at `address`, and everything else of the API lies below `base`. */
export function createSession(
  address: string,
  base: string,
  credentials: UserCredentials | AskCredentials | undefined,
  send: Send,
  token: string | null = null,
): ClientSession {
  const isAsking = typeof credentials === 'function'
  let ask = isAsking ? credentials : offer(credentials)
  let issuedAt = Date.now()
  /** While tokens are off every request is an exchange; each answer brings the nonce for the next one. */
  let signing: UserCredentials | undefined
  let nonces: (string | null)[] = []
  /** The exchange that is under way. */
  let exchanging: Promise<void> | undefined
  /** The latest exchange, under way or over. */
  let latest: Promise<void> | undefined
  /** Exchanges that failed, one after the other. */
  let failures = 0
  let failedAt = 0
  /** Aborts requests of a user who has signed out. */
  let leaving = new AbortController()

  /** Step B; without headers, step A on purpose. */
  const sendStep = (headers: HeaderValues, signal?: AbortSignal) =>
    send('GET', address, headers, signal, undefined, LONGEST_STEP_MS)
  const challenge = async () => (await sendStep({})).headers.get(NONCE)

  const accept = (claimed: UserCredentials, { headers }: ApiResponse): void => {
    token = headers.get(TOKEN)
    failures = 0
    issuedAt = Date.now()
    signing = token ? undefined : claimed
    nonces = [headers.get(NONCE)]
  }

  const exchangeOnce = async (
    by: AskCredentials,
    challenged: string | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    let nonce = challenged ?? (await challenge())
    let error: ApiError | undefined
    let before: UserCredentials | undefined
    // An open API sends no nonce.
    while (nonce && !signal.aborted) {
      const claimed = await by({ error, expired: !!token })
      if (!claimed) throw error ?? new ApiError('credentials', 'Credentials are needed.')
      if (
        error &&
        failures >= MOST_FAILURES &&
        `${before?.id}:${before?.paraphrase}` === `${claimed.id}:${claimed.paraphrase}`
      )
        throw error
      before = claimed
      const seconds = Math.min(LONGEST_PAUSE_SECONDS, 0.1 * 3 ** failures) - (Date.now() - failedAt) / 1_000
      if (failures && seconds > 0) await pause(seconds, signal)
      // A nonce lives for minutes, and a person takes their time.
      if (isAsking) nonce = await challenge()
      const answer = await sendStep(basic(claimed, nonce), signal).catch((failure: ApiError) => {
        error = failure
      })
      if (answer && !signal.aborted) {
        if (answer.status < 300) return accept(claimed, answer)
        error = refusal(answer, answer.status === 401 ? 'The id or the paraphrase is wrong.' : '')
      }
      failures += 1
      failedAt = Date.now()
    }
  }

  const exchange = (by: AskCredentials, nonce?: string): Promise<void> => {
    const { signal } = leaving
    const mine = interruptible(exchangeOnce(by, nonce, signal), signal).finally(() => {
      if (exchanging === mine) exchanging = undefined
    })
    exchanging = latest = mine
    return mine
  }

  const forget = (): void => {
    leaving.abort()
    leaving = new AbortController()
    if (!isAsking) ask = offer()
    token = null
    failures = 0
    signing = exchanging = undefined
  }

  return {
    begin:
      ({ signal: left } = leaving) =>
      async (method, url, headers, signal, body) => {
        // What lies outside of the API gets none of its secrets.
        if (!isBelow(base, url)) {
          const answer = await send(method, url, headers, signal, body)
          if (answer.status !== 401) return answer
          throw refusal(answer, `${url} wants credentials, and gets none: it is not below ${base}.`)
        }
        for (let isExchanged = false, nonce: string | null | undefined; ; ) {
          left.throwIfAborted()
          if (exchanging) await interruptible(exchanging, signal)
          const before = latest
          const signer = signing
          const fresh = nonce
          const secrets = token ? { [TOKEN]: token } : basic(signer, fresh ?? nonces.pop())
          const answer = await send(method, url, { ...headers, ...secrets }, signal, body)
          nonce = answer.headers.get(NONCE)
          // Tokens were switched on meanwhile: this was step B, and the operation was not carried out.
          const isIssued = signer && answer.headers.get(TOKEN)
          if (!isIssued && (answer.status !== 401 || !nonce || (isExchanged && !signer))) {
            if (signer) nonces.push(nonce)
            return answer
          }
          left.throwIfAborted()
          if (isIssued) accept(signer, answer)
          else if (signer) {
            // There was no nonce, or it was too old; a fresh one tells whether the paraphrase is still right.
            if (fresh) signing = undefined
          } else {
            isExchanged = true
            // However many requests find out at once that there is no live token: one exchange, or one failure.
            await interruptible(
              (latest === before ? exchange(ask, nonce as string) : latest) as Promise<void>,
              signal,
            )
            nonce = undefined
          }
        }
      },

    async issuedAt() {
      await exchanging?.catch(() => {})
      return token ? issuedAt : undefined
    },

    signIn(chosen) {
      if (!chosen) return exchanging ?? exchange(ask)
      forget()
      const once = offer(chosen)
      if (!isAsking) ask = once
      return exchange(once)
    },

    async leave(locate, signal) {
      const { signal: left } = leaving
      const mine = token
      try {
        const url = mine && (await locate())
        if (!url || !isBelow(base, url)) return
        // One that has ended already is not exchanged for another, only to end that.
        const answer = await send('DELETE', url, { [TOKEN]: `${mine}` }, signal)
        if (!/^2|401|404/.test(`${answer.status}`)) throw refusal(answer)
      } finally {
        // A user who has signed in meanwhile stays.
        if (!left.aborted) forget()
      }
    },
  }
}

/** Credentials that are given, not asked for: once refused, they are not sent again and again. */
const offer = (credentials?: UserCredentials): AskCredentials => {
  let refused: ApiError | undefined
  return ({ error = refused }) => {
    if (!error) return credentials
    if (error.status === 401) refused = error
    throw error
  }
}

/** Step B, RFC 7617 §2.1: UTF-8. Without credentials or a nonce, step A. */
const basic = (
  credentials: UserCredentials | undefined,
  nonce: string | null | undefined,
): Record<string, string> => {
  if (!credentials || !nonce) return {}
  const bytes = new TextEncoder().encode(`${credentials.id}:${credentials.paraphrase}`)
  return { [NONCE]: nonce, authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Whether the URL is the base, or goes on after it with a path, a query or a fragment. */
const isBelow = (base: string, url: string): boolean => /^([/?#]|$)/.test(usual(url).replace(usual(base), ''))

/** RFC 3986 §6.2.2.1: percent-encodings are equal regardless of case. */
const usual = (iri: string): string => iri.replace(/%\w\w/g, (octet) => octet.toUpperCase())
