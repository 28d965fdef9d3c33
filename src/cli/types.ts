import { ApiError } from 'hydrant-client'
import { COMMAND_SETTINGS, UsageError } from '../config/index.ts'
import { type DescribedApi, describeModel, describeServed, oneLine, writeTypes } from '../types/index.ts'
import { readApiFile } from './api-file.ts'
import type { Invocation } from './invocation.ts'
import { STANDARD_STREAM, withOutput } from './output.ts'
import { askForParaphrase } from './prompt.ts'

/** `hydrant types <api-file or url>`: the type argument of the client. */
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

/** What has credentials in it is not repeated. */
function readAddress(source: string): string {
  const url = URL.parse(source)
  if (url === null)
    throw new UsageError('that is not an address; give one such as http://localhost:8080/api.')
  if (url.username !== '' || url.password !== '')
    throw new UsageError('there are no credentials in an address; give the id with --user, and no more.')
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
    for (const note of api.notes) call.console.error(`hydrant: note: left out: ${oneLine(note)}`)
    return api
  } catch (error) {
    // What a server says is not for the terminal to carry out.
    if (error instanceof ApiError) throw new Error(oneLine(explain(error, address)))
    if (error instanceof Error) error.message = oneLine(error.message)
    throw error
  }
}

function explain({ kind, message, status, cause }: ApiError, address: string): string {
  if (kind === 'unreachable')
    return `${address} does not answer${reasonOf(cause)}; start the server, or correct the address.`
  if (kind === 'malformed') return `${address} is not a Hydra API: ${message}`
  if (kind !== 'credentials') return `${address}: ${message}`
  if (status === undefined) return `${address} wants credentials; say whose with --user <id>.`
  return `${address}: the id or the paraphrase is wrong.`
}

/** In the words of the system: ECONNREFUSED, ENOTFOUND, a certificate that nobody vouches for. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined
  return code === undefined ? '' : ` (${code})`
}
