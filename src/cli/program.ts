import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { UsageError } from '../config.ts'
import { addServe } from './serve.ts'
import { addToken } from './token.ts'
import { addUser } from './user.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs one command and says how it ended, as an exit status. */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram()
  try {
    await program.parseAsync(args, { from: 'user' })
    return DONE
  } catch (error) {
    return explain(error)
  }
}

function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const program = new Command('hydrant')
    .description('One API file in, a complete hypermedia API out, protected by nonce, credentials and token.')
    .version(version)
    .showHelpAfterError('(hydrant --help shows what there is)')
  addServe(program)
  addUser(program)
  addToken(program)
  throwInsteadOfExiting(program)
  return program
}

function throwInsteadOfExiting(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExiting(child)
}

function explain(error: unknown): number {
  // commander has said what is wrong, or has printed the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE
  console.error(`hydrant: ${error instanceof Error ? error.message : String(error)}`)
  return error instanceof UsageError ? WRONG_USAGE : FAILED
}
