/** `hydrant-mcp`: a Hydra API as tools for language models, over the Model Context Protocol (docs/agents.md). */
import { createRequire } from 'node:module'
import { type BridgeEnvironment, readCredentials } from './credentials.ts'
import { BridgeProblem } from './problems.ts'

export type { BridgeEnvironment } from './credentials.ts'
export { BridgeProblem, type BridgeProblemCode, PROBLEM_CODES } from './problems.ts'

/** How the bridge is started, by its own command or by `hydrant mcp`. */
export interface BridgeStart {
  /** The address of an API. */
  readonly url: string
  readonly isReadOnly: boolean
  /** HYDRANT_USER, and HYDRANT_PARAPHRASE_FILE or HYDRANT_PARAPHRASE. */
  readonly environment: BridgeEnvironment
}

/** Serves the API on standard input and output; throws a `BridgeProblem` if it cannot start. */
export async function serveTools({ url, isReadOnly, environment }: BridgeStart): Promise<void> {
  const { version } = createRequire(import.meta.url)('hydrant-mcp/package.json')
  const settings = { base: readBase(url), credentials: readCredentials(environment), isReadOnly, version }
  // Loaded when all is well: the protocol takes most of the time of a start.
  const { serveBridge } = await import('./server.ts')
  await serveBridge(settings)
}

/** An address with credentials is never repeated in a message. */
function readBase(given: string): string {
  const url = URL.parse(given)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new BridgeProblem('address-invalid', {})
  if (url.username !== '' || url.password !== '') throw new BridgeProblem('credentials-in-address', {})
  url.search = ''
  url.hash = ''
  return url.href
}
