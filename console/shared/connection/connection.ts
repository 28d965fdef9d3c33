import { type Client, createClient, type UserCredentials } from 'hydrant-client'
import { createMemory, createObservable, type Memory, type Observable } from '../state.ts'
import { isOfKind } from './error-sentence.ts'
import { createSignInPrompt, type SignInRequest } from './sign-in-prompt.ts'
import { readKeptToken, type SignedIn, watchSignedIn } from './signed-in.ts'
import { isPublicAnswer, latestOf, stepOf, type WireEntry, withoutParaphrases } from './wire-log.ts'

/** The connection to one API. Nothing of it outlives the page, except a token that the user asked to keep. */
export interface ApiConnection {
  readonly client: Client
  readonly base: string
  /** The address that was opened: the base, with or without a slash at its end. */
  readonly address: string
  readonly signInRequest: Observable<SignInRequest | undefined>
  readonly signedIn: Observable<SignedIn | undefined>
  /** Nobody is signed in, and the API shows what anyone may read. */
  readonly isPublic: Observable<boolean>
  readonly wire: Observable<readonly WireEntry[]>
  /** How many requests are under way that may change something. */
  readonly writes: Observable<number>
  readonly memory: Memory
  /** Signs in with credentials that were typed already, where the API would answer without them, too. */
  start(): Promise<void>
  /** Gets a new token, whether or not the old one has ended. */
  signInAgain(): Promise<void>
  /** Revokes the token and forgets it. The connection is not used any more: the next user gets another one. */
  signOut(): Promise<SignOutOutcome>
}

export interface SignOutOutcome {
  readonly revoked: boolean
  readonly endsAt: number | undefined
}

/** How long a sign-out waits for a server that does not answer. */
const SIGN_OUT_MS = 5_000

/** `first`: credentials for the first exchange; `stays`: whether their token is kept in this tab. */
export function connect(address: string, first?: UserCredentials, stays = false): ApiConnection {
  const kept = first ? undefined : readKeptToken(address.replace(/\/+$/, ''))
  const wire = createObservable<readonly WireEntry[]>([])
  const writes = createObservable(0)
  const isPublic = createObservable(false)
  let sent = 0
  const prompt = createSignInPrompt({
    first,
    id: first ? String(first.id) : (kept?.user ?? ''),
    stays: stays || kept !== undefined,
    exchange: () => client.signIn(),
  })
  const watch = watchSignedIn(kept, prompt, () => client)

  const client = createClient({
    base: address,
    token: kept?.token,
    async fetch(input, init) {
      if (init?.method !== 'GET') writes.set(writes.get() + 1)
      const response = await fetch(input, init)
      watch.readResponse(response)
      return isRefusedStream(init, response) ? withoutNonce() : response
    },
    // The user is told at once when to try again, and decides.
    patience: 1,
    credentials: prompt.credentials,
    observe(record) {
      sent += 1
      wire.set(latestOf([{ ...withoutParaphrases(record), number: sent }, ...wire.get()]))
      if (record.method !== 'GET') writes.set(writes.get() - 1)
      const { status = 500 } = record
      const isOpen = stepOf(record) === undefined && status < 300
      if (isOpen && !isPublicAnswer(record)) prompt.dismiss()
      watch.observe(record)
      isPublic.set(watch.signedIn.get() === undefined && (isPublic.get() || isPublicAnswer(record)))
    },
  })

  const { request: signInRequest } = prompt
  const { signedIn } = watch
  return {
    ...{ client, base: client.base, address, signInRequest, signedIn, isPublic, wire, writes },
    memory: createMemory(),
    start: async () => (first ? client.signIn() : undefined),
    async signInAgain() {
      await client.signIn().catch((error: unknown) => {
        if (!isOfKind(error, 'credentials')) throw error
      })
    },
    async signOut() {
      const before = signedIn.get()
      watch.close()
      prompt.close()
      if (!before) return { revoked: true, endsAt: undefined }
      return { revoked: await revoke(client), endsAt: before.endsAt }
    },
  }
}

/** A stream ends with its token. Nobody is asked to sign in for it, since no user has asked for the stream. */
function isRefusedStream(init: RequestInit | undefined, { status }: Response): boolean {
  const { accept, 'x-authorization': token } = Object.fromEntries(new Headers(init?.headers))
  return status === 401 && token !== undefined && Boolean(accept?.startsWith('text/event-stream'))
}

/** Without a nonce, the client does not try to sign in. */
const withoutNonce = (): Response => new Response(null, { status: 401 })

async function revoke(client: Client): Promise<boolean> {
  const signal = AbortSignal.timeout(SIGN_OUT_MS)
  try {
    await client.signOut({ signal })
    const { links } = await client.entryPoint({ signal })
    return links.session !== undefined
  } catch (error) {
    // A token that the API no longer knows need not be revoked.
    return isOfKind(error, 'credentials')
  }
}
