import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { UsageError } from '../config/values.ts'
import { addBackup } from './backup.ts'
import { addCheck } from './check.ts'
import { addCopy } from './copy.ts'
import { addExport } from './export.ts'
import { addImport } from './import.ts'
import { addInit } from './init.ts'
import { example } from './output.ts'
import { addServe } from './serve.ts'
import { addToken } from './token.ts'
import { addTypes } from './types.ts'
import { isHelp, throwUsageErrors } from './usage.ts'
import { addUser } from './user.ts'
import { addVocab } from './vocab.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs one command and says how it ended, as an exit status. */
export async function run(args: readonly string[]): Promise<number> {
  const [first, ...others] = args
  try {
    // commander's own `help` knows commands, but not the commands below them.
    await createProgram().parseAsync(first === 'help' ? [...others, '--help'] : args, { from: 'user' })
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
    .addHelpText('after', example('hydrant serve', 'hydrant serve library.yaml', 'hydrant user add 1'))
    // What is wrong is said once, by `explain`.
    .configureOutput({ outputError: () => {} })
  addServe(program)
  addInit(program)
  addCheck(program)
  addVocab(program)
  addTypes(program)
  addImport(program)
  addExport(program)
  addUser(program)
  addToken(program)
  addCopy(program)
  addBackup(program)
  throwUsageErrors(program)
  return program
}

function explain(error: unknown): number {
  if (isHelp(error)) return error.exitCode === 0 ? DONE : WRONG_USAGE
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  // Every line of an API file's problems begins with its place, which editors and terminals make clickable.
  // By its name: the class comes with all that reads API files, which most commands do not load.
  console.error(name === 'ApiFileError' ? message : `hydrant: ${message}`)
  return error instanceof UsageError ? WRONG_USAGE : FAILED
}
