import { type Command, CommanderError } from 'commander'
import { UsageError } from '../config/values.ts'

/** Makes commander throw what it would print, as one line that names the help to read. */
export function throwUsageErrors(command: Command): void {
  command.exitOverride((error) => {
    throw isHelp(error) ? error : new UsageError(explain(command, error))
  })
  for (const child of command.commands) throwUsageErrors(child)
}

/** Help or the version was printed: because it was asked for (exit code 0), or because nothing was. */
export const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

function explain(command: Command, error: CommanderError): string {
  const name = fullName(command)
  return `${problem(command, error)}; "${name} --help" shows ${command.commands.length > 0 ? 'what there is' : 'how to use it'}.`
}

function problem(command: Command, error: CommanderError): string {
  const text = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, ' (did you mean $1?)')
  switch (error.code) {
    case 'commander.excessArguments': {
      // commander repeats the arguments: one of them may be a paraphrase, which is never an argument.
      const takes = command.registeredArguments.map((argument) =>
        argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
      )
      return `too many arguments: "${fullName(command)}" takes ${takes.length === 0 ? 'none' : `${takes.join(' ')} and nothing else`}`
    }
    case 'commander.unknownOption':
      // `--secret=…`: the name alone.
      return text.replace(/=[\s\S]*'/, "'")
    default:
      return text
  }
}

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
