import { readFileSync } from 'node:fs'
import type { UserCredentials } from 'hydrant-client'
import { BridgeProblem } from './problems.ts'

/** The variables of the environment that the bridge reads; empty ones count as missing. */
export type BridgeEnvironment = Readonly<Record<string, string | undefined>>

/**
 * agents.md: credentials come from the environment, never from arguments, which other users of the machine can read,
 * nor from the conversation. Without any, the bridge reads what anyone may read.
 */
export function readCredentials(environment: BridgeEnvironment): UserCredentials | undefined {
  const id = environment.HYDRANT_USER
  const file = environment.HYDRANT_PARAPHRASE_FILE
  const given = environment.HYDRANT_PARAPHRASE
  if (file && given) throw new BridgeProblem('two-paraphrases', {})
  const paraphrase = file ? readParaphrase(file) : given
  if (!id && !paraphrase) return undefined
  if (!id) throw new BridgeProblem('user-missing', {})
  if (!paraphrase) throw new BridgeProblem('paraphrase-missing', {})
  return { id, paraphrase }
}

/** The first line of the file. */
function readParaphrase(file: string): string {
  const [line = ''] = readText(file).split(/\r?\n/, 1)
  if (line === '') throw new BridgeProblem('paraphrase-file-empty', { file })
  return line
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const systemCode = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new BridgeProblem('paraphrase-file-unreadable', { file, systemCode })
  }
}
