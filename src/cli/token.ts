import { COMMAND_SETTINGS } from '../config/index.ts'
import type { CommandEnd } from './command-definition.ts'
import type { Invocation } from './invocation.ts'
import { commandProblem } from './problems.ts'
import { askerOf, obtainToken, requireApi } from './server.ts'

/** `hydrant token --user <id>`: exchanges a paraphrase for a token, and prints that. */
export async function printToken(call: Invocation): Promise<CommandEnd | undefined> {
  if (call.setting(COMMAND_SETTINGS.signInAs) === undefined) return 'usage'
  const base = call.base()
  const token = await obtainToken(base, askerOf(call))
  if (token === undefined) {
    await requireApi(base)
    throw commandProblem('TokenNotNeeded', { address: base })
  }
  call.say({ token }, token)
  return undefined
}
