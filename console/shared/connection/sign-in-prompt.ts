import type { AskCredentials, UserCredentials } from 'hydrant-client'
import { createObservable, type Observable } from '../state.ts'

/** A request to the user to sign in. The requests that need credentials wait until it is answered. */
export interface SignInRequest {
  /** Why the last attempt failed. */
  readonly error: unknown
  /** There was a token before, so the page stays as it is. */
  readonly expired: boolean
  /** The user's name or id that was typed last. */
  readonly id: string
  /** The exchange is under way; if it fails, the request comes back with an error. */
  readonly busy: boolean
  readonly askedAt: number
  /** Whether the token is kept in this tab. */
  readonly stays: boolean
  answer(credentials: UserCredentials, stays?: boolean): void
  cancel(): void
}

/** Gets credentials from the user, on behalf of the client. */
export interface SignInPrompt {
  readonly request: Observable<SignInRequest | undefined>
  readonly userId: () => string
  /** Whether the user wants the token to be kept in this tab. */
  readonly keepsToken: () => boolean
  readonly credentials: AskCredentials
  /** The API was readable without credentials: those that were typed are not needed. */
  readonly dismiss: () => void
  /** Nobody is asked from now on. */
  readonly close: () => void
}

interface SignInPromptOptions {
  /** Credentials for the first exchange, which were typed already. */
  readonly first: UserCredentials | undefined
  readonly id: string
  readonly stays: boolean
  /** Resolves when the exchange that is under way has ended. */
  readonly exchange: () => Promise<void>
}

export function createSignInPrompt(options: SignInPromptOptions): SignInPrompt {
  const request = createObservable<SignInRequest | undefined>(undefined)
  let { first: typed, id, stays } = options
  let isClosed = false
  let isCancelled = false

  /** Without `resolve` the user has answered, and the exchange is under way. */
  function ask(error: unknown, expired: boolean, resolve?: (given?: UserCredentials) => void): void {
    const answer = (given: UserCredentials, staysNow = false) => {
      if (!resolve) return
      id = String(given.id)
      stays = staysNow
      ask(error, expired)
      resolve(given)
      followExchange()
    }
    const cancel = () => {
      request.set(undefined)
      if (resolve) resolve(undefined)
      else isCancelled = true
    }
    request.set({ error, expired, id, askedAt: Date.now(), stays, busy: !resolve, answer, cancel })
  }

  /** The form stays until the exchange has ended. */
  function followExchange(): void {
    queueMicrotask(async () => {
      // The waiting requests report the failure.
      await options.exchange().catch(() => {})
      isCancelled = false
      if (request.get()?.busy) request.set(undefined)
    })
  }

  if (typed) ask(undefined, false)
  return {
    request,
    userId: () => id,
    keepsToken: () => stays,
    credentials({ error, expired }) {
      if (isClosed || isCancelled) return undefined
      if (!typed) return new Promise((resolve) => ask(error, expired, resolve))
      const given = typed
      typed = undefined
      followExchange()
      return given
    },
    dismiss() {
      if (!typed) return
      typed = undefined
      request.set(undefined)
    },
    close() {
      isClosed = true
      typed = undefined
      request.get()?.cancel()
    },
  }
}
