import type { Client, WireRecord } from 'hydrant-client'
import { createObservable, keep, type Observable, recall, tabMemory } from '../state.ts'
import type { SignInPrompt } from './sign-in-prompt.ts'
import { isTokenRefused, stepOf } from './wire-log.ts'

export interface SignedIn {
  readonly user: string
  /** Milliseconds since 1970 by this machine's clock, however wrong the server's is. Undefined if tokens are off. */
  readonly endsAt: number | undefined
}

/** Finds out who is signed in, and until when, from the requests that the client sends. */
export interface SignedInWatch {
  readonly signedIn: Observable<SignedIn | undefined>
  /** The client tells nobody the token that it was issued, so it is read from the response. */
  readonly readResponse: (response: Response) => void
  readonly observe: (record: WireRecord) => void
  /** Forgets the token that was kept. */
  readonly close: () => void
}

export function watchSignedIn(
  kept: KeptToken | undefined,
  prompt: Pick<SignInPrompt, 'userId' | 'keepsToken'>,
  client: () => Pick<Client, 'base' | 'session'>,
): SignedInWatch {
  const signedIn = createObservable<SignedIn | undefined>(kept)
  let issued: string | null = null
  /** When the exchange of the present token began. */
  let since = 0
  let isClosed = false

  function admit({ startedAt, responseHeaders }: WireRecord): void {
    since = startedAt
    const user = prompt.userId()
    if (signedIn.get()?.user !== user) signedIn.set({ user, endsAt: undefined })
    // Later, when the client has read the token.
    if (responseHeaders['x-authorization'] !== undefined) setTimeout(readSession)
  }

  async function readSession(): Promise<void> {
    const began = since
    const { base } = client()
    const token = await client()
      .session()
      .catch(() => undefined)
    if (!token || isClosed || began !== since) return
    const lifetime = token.expiresAt.getTime() - token.issuedAt.getTime()
    const now = { user: String(token.user ?? prompt.userId()), endsAt: began + lifetime }
    signedIn.set(now)
    keepToken(prompt.keepsToken() && issued ? { ...now, base, token: issued } : undefined)
  }

  function endToken(): void {
    keepToken(undefined)
    const now = signedIn.get()
    if (now) signedIn.set({ ...now, endsAt: Math.min(Date.now(), now.endsAt ?? Number.POSITIVE_INFINITY) })
  }

  return {
    signedIn,
    readResponse({ headers }) {
      issued = headers.get('x-authorization') ?? issued
    },
    observe(record) {
      const step = stepOf(record)
      const { status = 500, startedAt } = record
      if (step === 'credentials' || (step === 'exchange' && status < 300)) admit(record)
      // A request from before the latest exchange had an older token.
      if (isTokenRefused(record) && startedAt >= since) endToken()
    },
    close() {
      isClosed = true
      keepToken(undefined)
    },
  }
}

/** A token that the user asked to keep in this tab. The paraphrase is never kept. */
export interface KeptToken extends SignedIn {
  /** The API that issued the token: it is sent to no other. */
  readonly base: string
  readonly token: string
  readonly endsAt: number
}

const KEY = 'hydrant-token'

/** Undefined if there is none for this API, or it has ended. */
export function readKeptToken(base: string, memory = tabMemory(), now = Date.now()): KeptToken | undefined {
  const kept = recall(memory, KEY) as KeptToken | null | undefined
  return kept?.base === base && kept.endsAt > now ? kept : undefined
}

export const keepToken = (kept: KeptToken | undefined, memory = tabMemory()): void =>
  keep(memory, KEY, kept && JSON.stringify(kept))
