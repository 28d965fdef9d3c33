import type { ApiError, AskCredentials } from 'hydrant-client'
import { COMMAND_SETTINGS } from '../config/index.ts'
import type { Problem } from '../problem.ts'
import { oneLine } from '../types/index.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'
import { askForParaphrase } from './prompt.ts'

/** The address of a server, as an argument. An address with credentials is never repeated in a message. */
export function readAddress(source: string): string {
  const url = URL.parse(source)
  if (url === null || !/^https?:$/.test(url.protocol)) throw commandProblem('InvalidServerAddress')
  if (url.username !== '' || url.password !== '') throw commandProblem('CredentialsInAddress')
  url.search = ''
  url.hash = ''
  return url.href
}

/** Asks for the paraphrase of the user that --user names, if the server wants credentials. */
export function askerOf(call: Invocation): AskCredentials {
  const user = call.setting(COMMAND_SETTINGS.signInAs)
  return async ({ error }) => {
    // A wrong paraphrase is an error, without a second prompt: standard input may be a pipe.
    if (user === undefined || error !== undefined) return undefined
    return { id: user, paraphrase: await askForParaphrase(call, user, 'known') }
  }
}

/** Control characters in a server's message are removed: a terminal would interpret them. */
export function serverProblem({ kind, message, status, cause }: ApiError, address: string): Problem {
  const reason = oneLine(message)
  if (kind === 'unreachable')
    return commandProblem('ServerUnreachable', { address, systemCode: systemCodeOf(cause) })
  if (kind === 'malformed') return commandProblem('NotHydra', { address, reason })
  if (kind !== 'credentials') return commandProblem('RefusedByServer', { address, reason })
  return commandProblem(status === undefined ? 'CredentialsNeeded' : 'WrongCredentials', { address })
}

/** ECONNREFUSED, ENOTFOUND, or the code of a certificate that is not trusted. */
function systemCodeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined
}
