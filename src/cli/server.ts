import { ApiError, type AskCredentials, createClient } from 'hydrant-client'
import { createBoundedFetch } from '../bounded-fetch.ts'
import { COMMAND_SETTINGS } from '../config/index.ts'
import type { Problem } from '../problem.ts'
import { oneLine } from '../types/index.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'
import { askForParaphrase, readParaphraseFile } from './prompt.ts'

/** The address of a server, as an argument. An address with credentials is never repeated in a message. */
export function readAddress(source: string): string {
  const url = URL.parse(source)
  if (url === null || !/^https?:$/.test(url.protocol)) throw commandProblem('InvalidServerAddress')
  if (url.username !== '' || url.password !== '') throw commandProblem('CredentialsInAddress')
  url.search = ''
  url.hash = ''
  return url.href
}

/** Asks for the paraphrase of the user that --user names, if the server wants credentials, or reads it from a file. */
export function askerOf(call: Invocation, ask = askForParaphrase): AskCredentials {
  const user = call.setting(COMMAND_SETTINGS.signInAs)
  const file = call.setting(COMMAND_SETTINGS.paraphraseFile)
  return async ({ error }) => {
    // A wrong paraphrase is an error, without a second prompt: standard input may be a pipe.
    if (user === undefined || error !== undefined) return undefined
    const paraphrase = await (file === undefined ? ask(call, user, 'known') : readParaphraseFile(file))
    return { id: user, paraphrase }
  }
}

/** More time and more bytes than any server needs to issue a token. */
const boundedFetch = createBoundedFetch({ timeoutMs: 30_000, maxBytes: 1_024 * 1_024 })

/**
 * A token for the API at `base`: the one that was `kept`, if it is still valid, or a new one. Undefined for an API that
 * wants no credentials.
 */
export async function obtainToken(
  base: string,
  ask: AskCredentials,
  kept?: string,
): Promise<string | undefined> {
  let token = kept
  let isAsked = false
  const client = createClient({
    base,
    token: kept,
    // No retries: a person at a terminal can try again.
    patience: 0,
    credentials(question) {
      isAsked = true
      return ask(question)
    },
    async fetch(input, init) {
      const response = await boundedFetch(input, init)
      token = response.headers.get('x-authorization') ?? token
      return response
    },
  })
  try {
    await (kept === undefined ? client.signIn() : client.request('GET', `${base}/session`))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Without tokens there is no session.
    if (error.kind !== 'not-found') throw serverProblem(error, base)
  }
  if (isAsked && (token === undefined || token === kept)) throw commandProblem('NoTokens', { address: base })
  return token
}

/** Throws if there is no API: whatever sends no challenge looks like one that wants no credentials, a web page too. */
export async function requireApi(base: string): Promise<void> {
  const client = createClient({ base, patience: 0, fetch: boundedFetch })
  await client.entryPoint().catch((error: unknown) => {
    throw error instanceof ApiError ? serverProblem(error, base) : error
  })
}

/** Control characters in a server's message are removed: a terminal would interpret them. */
export function serverProblem({ kind, code, message, status, cause }: ApiError, address: string): Problem {
  const reason = oneLine(message)
  if (kind === 'unreachable')
    return commandProblem('ServerUnreachable', { address, systemCode: systemCodeOf(cause) })
  // This sentence names the address itself, and where the API is.
  if (code === 'web-page') return commandProblem('UnexpectedReply', { reason })
  if (kind === 'malformed') return commandProblem('NotHydra', { address, reason })
  if (kind !== 'credentials') return commandProblem('RefusedByServer', { address, reason })
  return commandProblem(status === undefined ? 'CredentialsNeeded' : 'WrongCredentials', { address })
}

/** ECONNREFUSED, ENOTFOUND, or the code of a certificate that is not trusted. */
function systemCodeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined
}
