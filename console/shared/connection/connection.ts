import {
  ApiError,
  type Client,
  type Credentials,
  createClient,
  type WireRecord,
} from '../../../src/client/index.ts'
import { createStore, type Store } from '../store.ts'
import { isTokenRefused, latestOf, stepOf, type WireEntry } from '../wire/log.ts'

/** Everything about one API that the page knows. Nothing of it outlives the page: the token stays in memory. */
export interface Connection {
  readonly client: Client
  readonly base: string
  /** Of the entry point, as it was given: the base, or that with a slash. */
  readonly address: string
  /** Somebody has to sign in: requests wait for the answer. */
  readonly question: Store<Question | undefined>
  /** Undefined while nobody is, and where the API asks nobody. */
  readonly signedIn: Store<SignedIn | undefined>
  /** What went over the wire, the latest first. */
  readonly wire: Store<readonly WireEntry[]>
  /** Asks for a new token, whether or not the old one has ended. */
  signInAgain(): Promise<void>
  /** Revokes the token and forgets it, for good: who signs in next has another connection. */
  signOut(): Promise<Farewell>
}

export interface Question {
  /** Why the last attempt failed. */
  readonly error: unknown
  /** There was a token before: what is on the page stays where it is. */
  readonly expired: boolean
  /** Whom the last answer named. */
  readonly id: string
  /** It has been answered, and the exchange is under way: the same question may come again with an error. */
  readonly busy: boolean
  /** Milliseconds since 1970. */
  readonly askedAt: number
  answer(credentials: Credentials): void
  /** What waits fails. */
  giveUp(): void
}

export interface SignedIn {
  readonly user: string
  /**
   * Milliseconds since 1970, by this machine's clock: a token lives as long here as it does there, however far the two
   * clocks are apart. Undefined where tokens are off.
   */
  readonly endsAt: number | undefined
}

/** How a sign-out went. */
export interface Farewell {
  readonly revoked: boolean
  /** When a token that could not be revoked ends by itself, at the latest. */
  readonly endsAt: number | undefined
}

/** Whoever signs out does not wait for a server that is away. */
const SIGN_OUT_MS = 5_000

/** `first`: credentials that were typed already; they answer the first question, once. */
export function connect(address: string, first?: Credentials): Connection {
  const question = createStore<Question | undefined>(undefined)
  const signedIn = createStore<SignedIn | undefined>(undefined)
  const wire = createStore<readonly WireEntry[]>([])
  let typed = first
  let id = first ? String(first.id) : ''
  /** When the exchange began that brought the token. */
  let since = 0
  let sent = 0
  /** Asked for nothing any more: by whoever cancels while an exchange is under way, and after signing out. */
  let givenUp = false
  let left = false

  const client = createClient({
    base: address,
    // A person is told at once when to try again, and decides.
    patience: 1,
    credentials({ error, expired }) {
      if (left || givenUp) return undefined
      const again = typed
      typed = undefined
      if (again) {
        followExchange()
        return again
      }
      return new Promise<Credentials | undefined>((resolve) => ask(error, expired, resolve))
    },
    observe(record) {
      sent += 1
      wire.set(latestOf([{ ...record, number: sent }, ...wire.get()]))
      const step = stepOf(record)
      const { status = 500 } = record
      // The API asks nobody.
      if (typed && step === undefined && status < 300) forgetTyped()
      if (step === 'credentials' || (step === 'exchange' && status < 300)) admitted(record)
      // One that was sent before the latest exchange says nothing of its token.
      if (isTokenRefused(record) && record.startedAt >= since) tokenEnded()
    },
  })
  if (first) question.set(busyQuestion(undefined, false))

  return { client, base: client.base, address, question, signedIn, wire, signInAgain, signOut }

  function forgetTyped(): void {
    typed = undefined
    question.set(undefined)
  }

  function ask(error: unknown, expired: boolean, resolve: (given: Credentials | undefined) => void): void {
    const asked: Question = {
      error,
      expired,
      id,
      busy: false,
      askedAt: Date.now(),
      answer(given) {
        id = String(given.id)
        question.set(busyQuestion(error, expired))
        resolve(given)
        followExchange()
      },
      giveUp() {
        question.set(undefined)
        resolve(undefined)
      },
    }
    question.set(asked)
  }

  function busyQuestion(error: unknown, expired: boolean): Question {
    return {
      error,
      expired,
      id,
      busy: true,
      askedAt: Date.now(),
      answer() {},
      giveUp() {
        givenUp = true
        question.set(undefined)
      },
    }
  }

  /** The question stays until it is known whether it comes again. The client joins an exchange that is under way. */
  function followExchange(): void {
    queueMicrotask(() => {
      client
        .signIn()
        // Whoever waits for the exchange hears of its failure.
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
    // The client has it as soon as it has read this answer.
    if (responseHeaders['x-authorization'] !== undefined) setTimeout(readToken)
  }

  /** How long it lives is known best by who issued it. */
  async function readToken(): Promise<void> {
    const began = since
    const token = await client.session().catch(() => undefined)
    if (!token || left || began !== since) return
    const lifetime = token.expiresAt.getTime() - token.issuedAt.getTime()
    signedIn.set({ user: String(token.user ?? id), endsAt: began + lifetime })
  }

  function tokenEnded(): void {
    const now = signedIn.get()
    if (now) signedIn.set({ ...now, endsAt: Math.min(Date.now(), now.endsAt ?? Number.POSITIVE_INFINITY) })
  }

  async function signInAgain(): Promise<void> {
    await client.signIn().catch((error: unknown) => {
      if (!isUnanswered(error)) throw error
    })
  }

  async function signOut(): Promise<Farewell> {
    const before = signedIn.get()
    const endsAt = before?.endsAt
    left = true
    typed = undefined
    question.get()?.giveUp()
    if (!before) return { revoked: true, endsAt }
    const signal = AbortSignal.timeout(SIGN_OUT_MS)
    try {
      await client.signOut({ signal })
      const { links } = await client.entryPoint({ signal })
      return { revoked: links.session !== undefined, endsAt }
    } catch (error) {
      // A token that the API does not know any more needs no revoking.
      return { revoked: isUnanswered(error), endsAt }
    }
  }
}

/** The API asked who it is, and nobody said. */
const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.code === 'credentials'
