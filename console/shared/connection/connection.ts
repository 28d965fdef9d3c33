import { type Client, createClient, type UserCredentials, type WireRecord } from 'hydrant-client'
import { createMemory, createStore, keep, type Memory, recall, type Store, tabMemory } from '../state.ts'
import { isOfKind } from './error-sentence.ts'
import { isTokenRefused, latestOf, stepOf, type WireEntry } from './wire-log.ts'

/** The connection to one API. Nothing of it outlives the page, except a token that the user asked to keep. */
export interface Connection {
  readonly client: Client
  readonly base: string
  /** The address that was opened: the base, with or without a slash at its end. */
  readonly address: string
  /** Who signs in? Requests wait for the answer. */
  readonly question: Store<Question | undefined>
  readonly signedIn: Store<SignedIn | undefined>
  readonly wire: Store<readonly WireEntry[]>
  /** How many requests are under way that may change something. */
  readonly writes: Store<number>
  readonly memory: Memory
  /** Gets a new token, whether or not the old one has ended. */
  signInAgain(): Promise<void>
  /** Revokes the token and forgets it, for good: the next user has another connection. */
  signOut(): Promise<SignOutOutcome>
}

export interface Question {
  readonly error: unknown
  /** There was a token before: the page stays as it is. */
  readonly expired: boolean
  readonly id: string
  /** The exchange is under way: the same question may come again with an error. */
  readonly busy: boolean
  readonly askedAt: number
  /** Whether the token is kept in this tab. */
  readonly stays: boolean
  answer(credentials: UserCredentials, stays?: boolean): void
  giveUp(): void
}

export interface SignedIn {
  readonly user: string
  /** Milliseconds since 1970 by this machine's clock, however far the server's is off. Undefined where tokens are off. */
  readonly endsAt: number | undefined
}

export interface SignOutOutcome {
  readonly revoked: boolean
  readonly endsAt: number | undefined
}

/** A sign-out does not wait longer for a server that is away. */
const SIGN_OUT_MS = 5_000

/** `first`: credentials that answer the first question, once; `stays`: their token is kept in this tab. */
export function connect(address: string, first?: UserCredentials, stays = false): Connection {
  const question = createStore<Question | undefined>(undefined)
  const kept = first ? undefined : readKeptToken(address.replace(/\/+$/, ''))
  const signedIn = createStore<SignedIn | undefined>(kept)
  const wire = createStore<readonly WireEntry[]>([])
  const writes = createStore(0)
  let typed = first
  let id = first ? String(first.id) : (kept?.user ?? '')
  let isKept = stays || kept !== undefined
  let issued: string | null = null
  /** When the exchange of the present token began. */
  let since = 0
  let sent = 0
  /** The user has cancelled during an exchange. */
  let givenUp = false
  let left = false

  const client = createClient({
    base: address,
    token: kept?.token,
    // The client itself tells nobody the token that it was issued.
    async fetch(input, init) {
      if (init?.method !== 'GET') writes.set(writes.get() + 1)
      const response = await fetch(input, init)
      issued = response.headers.get('x-authorization') ?? issued
      // A stream ends with its token. Without a nonce nobody is asked to sign in: the user has not asked for it.
      const { accept, 'x-authorization': token } = Object.fromEntries(new Headers(init?.headers))
      const isStream = accept?.startsWith('text/event-stream')
      return isStream && token && response.status === 401 ? new Response(null, { status: 401 }) : response
    },
    // The user is told at once when to try again, and decides.
    patience: 1,
    credentials({ error, expired }) {
      if (left || givenUp) return undefined
      const again = typed
      typed = undefined
      if (again) {
        followExchange()
        return again
      }
      return new Promise<UserCredentials | undefined>((resolve) => ask(error, expired, resolve))
    },
    observe(record) {
      sent += 1
      wire.set(latestOf([{ ...record, number: sent }, ...wire.get()]))
      if (record.method !== 'GET') writes.set(writes.get() - 1)
      const step = stepOf(record)
      const { status = 500 } = record
      // The API is open.
      if (typed && step === undefined && status < 300) {
        typed = undefined
        question.set(undefined)
      }
      if (step === 'credentials' || (step === 'exchange' && status < 300)) admitted(record)
      // A request from before the latest exchange says nothing of its token.
      if (isTokenRefused(record) && record.startedAt >= since) tokenEnded()
    },
  })
  if (first) ask(undefined, false)

  const { base } = client
  const memory = createMemory()
  return { client, base, address, question, signedIn, wire, writes, memory, signInAgain, signOut }

  /** Without `resolve` it has been answered, and the exchange is under way. */
  function ask(
    error: unknown,
    expired: boolean,
    resolve?: (given: UserCredentials | undefined) => void,
  ): void {
    const answer = (given: UserCredentials, stays = false) => {
      if (!resolve) return
      id = String(given.id)
      isKept = stays
      ask(error, expired)
      resolve(given)
      followExchange()
    }
    const giveUp = () => {
      question.set(undefined)
      if (resolve) resolve(undefined)
      else givenUp = true
    }
    question.set({ error, expired, id, askedAt: Date.now(), stays: isKept, busy: !resolve, answer, giveUp })
  }

  /** The question stays until the exchange has ended: `signIn` joins the one that is under way. */
  function followExchange(): void {
    queueMicrotask(() => {
      client
        .signIn()
        // The waiting requests report the failure.
        .catch(() => {})
        .then(() => {
          givenUp = false
          if (question.get()?.busy) question.set(undefined)
        })
    })
  }

  function admitted({ startedAt, responseHeaders }: WireRecord): void {
    since = startedAt
    if (signedIn.get()?.user !== id) signedIn.set({ user: id, endsAt: undefined })
    // Later, when the client has read the token.
    if (responseHeaders['x-authorization'] !== undefined) setTimeout(readToken)
  }

  async function readToken(): Promise<void> {
    const began = since
    const token = await client.session().catch(() => undefined)
    if (!token || left || began !== since) return
    const lifetime = token.expiresAt.getTime() - token.issuedAt.getTime()
    const now = { user: String(token.user ?? id), endsAt: began + lifetime }
    signedIn.set(now)
    keepToken(isKept && issued ? { ...now, base, token: issued } : undefined)
  }

  function tokenEnded(): void {
    keepToken(undefined)
    const now = signedIn.get()
    if (now) signedIn.set({ ...now, endsAt: Math.min(Date.now(), now.endsAt ?? Number.POSITIVE_INFINITY) })
  }

  async function signInAgain(): Promise<void> {
    await client.signIn().catch((error: unknown) => {
      if (!isOfKind(error, 'credentials')) throw error
    })
  }

  async function signOut(): Promise<SignOutOutcome> {
    const before = signedIn.get()
    const endsAt = before?.endsAt
    left = true
    typed = undefined
    keepToken(undefined)
    question.get()?.giveUp()
    if (!before) return { revoked: true, endsAt }
    const signal = AbortSignal.timeout(SIGN_OUT_MS)
    try {
      await client.signOut({ signal })
      const { links } = await client.entryPoint({ signal })
      return { revoked: links.session !== undefined, endsAt }
    } catch (error) {
      // A token that the API does not know any more needs no revoking.
      return { revoked: isOfKind(error, 'credentials'), endsAt }
    }
  }
}

/** A token that the user asked to keep in this tab. The paraphrase is never kept. */
export interface KeptToken extends SignedIn {
  /** The API that issued it: no other gets it. */
  readonly base: string
  readonly token: string
  readonly endsAt: number
}

const KEY = 'hydrant-token'

/** Undefined where there is none for this API, or it has ended. */
export function readKeptToken(base: string, memory = tabMemory(), now = Date.now()): KeptToken | undefined {
  const kept = recall(memory, KEY) as KeptToken | null | undefined
  return kept?.base === base && kept.endsAt > now ? kept : undefined
}

export const keepToken = (kept: KeptToken | undefined, memory = tabMemory()): void =>
  keep(memory, KEY, kept && JSON.stringify(kept))
