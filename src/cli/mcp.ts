import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { COMMAND_SETTINGS, type Environment } from '../config/index.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'

const PACKAGE = 'hydrant-mcp'

/** The part of hydrant-mcp that this command uses. It is not a dependency: only those who need it install it. */
interface BridgePackage {
  serveTools(start: {
    readonly url: string
    readonly isReadOnly: boolean
    readonly environment: Environment
  }): Promise<void>
}

/** `hydrant mcp <url>`: tools for agents, until the host closes standard input. */
export async function serveAgents(call: Invocation, url: string): Promise<void> {
  const isReadOnly = call.setting(COMMAND_SETTINGS.readOnly) ?? false
  const { serveTools }: BridgePackage = await import(findPackage())
  try {
    await serveTools({ url, isReadOnly, environment: call.io.env })
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'BridgeProblem') throw error
    throw commandProblem('BridgeRefused', { reason: error.message })
  }
}

/** Looked up beside hydrant only: a package in the working folder may be anybody's, and would get the credentials. */
function findPackage(): string {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(PACKAGE)).href
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw commandProblem('BridgeNotInstalled')
  }
}
