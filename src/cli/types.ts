import { ApiError } from 'hydrant-client'
import { COMMAND_SETTINGS } from '../config/index.ts'
import { Problem } from '../problem.ts'
import { sayProblem } from '../service/problems/index.ts'
import { type DescribedApi, describeModel, describeServed, oneLine, writeTypes } from '../types/index.ts'
import { readApiFile } from './api-file.ts'
import type { Invocation } from './invocation.ts'
import { STANDARD_STREAM, withOutput } from './output.ts'
import { commandProblem } from './problems.ts'
import { askForParaphrase } from './prompt.ts'

/** `hydrant types <api-file or url>`: prints types for the client. */
export async function printTypes(call: Invocation, source: string): Promise<void> {
  const out = call.setting(COMMAND_SETTINGS.out) ?? STANDARD_STREAM
  const user = call.setting(COMMAND_SETTINGS.signInAs)
  const isAddress = /^https?:/i.test(source)
  const api = isAddress
    ? await describeServer(call, readAddress(source), user)
    : describeModel((await readApiFile(call, source)).model)
  await withOutput(call.io, out, (write) => write(writeTypes(api)))
  if (out !== STANDARD_STREAM) call.console.log(`The types were written to ${out}.`)
}

/** An address with credentials is never repeated in a message. */
function readAddress(source: string): string {
  const url = URL.parse(source)
  if (url === null) throw commandProblem('InvalidServerAddress')
  if (url.username !== '' || url.password !== '') throw commandProblem('CredentialsInAddress')
  url.search = ''
  url.hash = ''
  return url.href
}

async function describeServer(
  call: Invocation,
  address: string,
  user: number | undefined,
): Promise<DescribedApi> {
  try {
    const api = await describeServed(address, async ({ error }) => {
      // A wrong paraphrase is an error, without a second prompt: standard input may be a pipe.
      if (user === undefined || error !== undefined) return undefined
      return { id: user, paraphrase: await askForParaphrase(call, user, 'known') }
    })
    for (const { at, ...problem } of api.leftOut) {
      const path = at.path ?? ''
      const sentence = sayProblem({ at, ...problem })
      call.console.error(
        `hydrant: note: left out: ${oneLine(path === '' ? sentence : `${path}: ${sentence}`)}`,
      )
    }
    return api
  } catch (error) {
    if (error instanceof ApiError) throw serverProblem(error, address)
    if (error instanceof Problem || !(error instanceof Error)) throw error
    throw commandProblem('UnexpectedReply', { reason: oneLine(error.message) }, { cause: error })
  }
}

/** Control characters in a server's message are removed: a terminal would interpret them. */
function serverProblem({ kind, message, status, cause }: ApiError, address: string): Problem {
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
