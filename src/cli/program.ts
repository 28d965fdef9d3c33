import { readFileSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'
import { isSwitch, type Setting, variableFor } from '../config/index.ts'
import type { Problem } from '../problem.ts'
import { nearest, quoted } from '../text.ts'
import type { CommandDefinition } from './command-definition.ts'
import { COMMANDS } from './commands.ts'
import { consoleOf, createInvocation, type Io } from './invocation.ts'
import { commandProblem, describeFailure } from './problems.ts'

const DONE = 0
const FAILED = 1
const WRONG_USAGE = 2

/** Runs one command and returns its exit status. `onServer`: called if the command is carried out and is a server. */
export async function run(
  args: readonly string[],
  io: Io = process,
  onServer: () => void = () => {},
): Promise<number> {
  const [first, ...words] = args
  // commander's own `help` knows commands, but not subcommands; and its `--help` hides an unknown command.
  const given = first === 'help' ? readHelp(words) : args.some(isHelpFlag) ? readHelp(args) : args
  const end: ProgramEnd = { status: DONE, onServer }
  try {
    await createProgram(io, given[0], end).parseAsync(given, { from: 'user' })
    return end.status
  } catch (error) {
    if (isHelp(error)) return error.exitCode === 0 ? DONE : WRONG_USAGE
    const { text, isUsage } = await describeFailure(error)
    consoleOf(io).error(text)
    return isUsage ? WRONG_USAGE : FAILED
  }
}

/** The exit status of a command that has not failed, but may have one of its own. */
interface ProgramEnd {
  status: number
  readonly onServer: () => void
}

/** A call for the help of the command that the words name. An unknown command is called as it is, which is refused. */
function readHelp(words: readonly string[]): readonly string[] {
  let commands: readonly CommandDefinition[] = COMMANDS
  for (const word of words.filter((word) => !word.startsWith('-'))) {
    const found = findCommand(commands, word)
    if (found === undefined) return words.filter((other) => !isHelpFlag(other))
    // The remaining words are arguments of this command.
    if (!('commands' in found)) break
    commands = found.commands
  }
  return [...words, '--help']
}

const isHelpFlag = (word: string): boolean => word === '--help' || word === '-h'

const findCommand = (
  commands: readonly CommandDefinition[],
  name: string | undefined,
): CommandDefinition | undefined => commands.find(({ usage }) => usage.split(' ', 1)[0] === name)

/**
 * `first`: if it names a command, the others are left out, because creating their flags takes longer than loading the
 * command.
 */
function createProgram(io: Io, first: string | undefined, end: ProgramEnd): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const program = new Command('hydrant')
    .description('An API with an admin page, users, permissions and live changes, from one YAML file.')
    .version(version)
    .addHelpText('after', exampleText(['hydrant serve', 'hydrant serve library.yaml', 'hydrant user add 1']))
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // `run` prints the error, once.
      outputError: () => {},
    })
  throwUsageErrors(program)
  const called = findCommand(COMMANDS, first)
  const definitions = called === undefined ? COMMANDS : [called]
  // Otherwise commander looks for the flags of a command in all that follows it.
  if (definitions.some((one) => one.passesOn || isGroupWithAction(one))) program.enablePositionalOptions()
  for (const definition of definitions) addCommand(program, definition, io, end)
  return program
}

function addCommand(parent: Command, definition: CommandDefinition, io: Io, end: ProgramEnd): void {
  const { usage, description, settings = [], about = '', examples } = definition
  const command = parent.command(usage).description(description)
  for (const setting of settings) addFlag(command, setting)
  if (about !== '') command.addHelpText('after', about)
  command.addHelpText('after', exampleText(examples))
  throwUsageErrors(command)
  const below = 'commands' in definition ? definition.commands : []
  for (const one of below) addCommand(command, one, io, end)
  if (definition.load === undefined) return
  if (definition.passesOn) command.passThroughOptions().allowUnknownOption()
  // A flag after the name of a command below this one is a flag of that.
  if (isGroupWithAction(definition)) command.enablePositionalOptions().allowExcessArguments()
  const { load } = definition
  command.action(async (...given) => {
    const [unknown] = below.length > 0 ? command.args : []
    if (unknown !== undefined) throw unknownCommand(command, unknown)
    if (definition.isServer) end.onServer()
    const work = await load()
    // commander passes the arguments (the last may be a list), then the options and the command.
    const ended = await work(createInvocation(command, io), ...given.slice(0, -2).flat())
    if (ended === 'usage') command.help({ error: true })
    else end.status = ended ?? DONE
  })
}

const isGroupWithAction = (definition: CommandDefinition): boolean =>
  'commands' in definition && definition.load !== undefined

/** The problem of a group with an action, for which commander would not look for the name of a command. */
function unknownCommand(group: Command, name: string): Problem {
  const meant = nearest(
    name,
    group.commands.map((one) => one.name()),
  )
  const reason = `unknown command '${name}'${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
  return commandProblem('UnknownCall', { command: fullName(group), isGroup: true, reason })
}

/** The flag of a setting, with its default and its environment variable in the help. */
function addFlag(command: Command, setting: Setting<unknown>): void {
  const { flag, help, shownDefault = setting.default ?? 'none' } = setting
  const option = new Option(`--${flag}`, `${help} (default: ${shownDefault}; ${variableFor(setting)})`)
  if (setting.repeats) option.argParser((text, before) => (before ? `${before},${text}` : text))
  command.addOption(option)
  if (isSwitch(setting)) {
    command.addOption(new Option(`--no-${flag}`, `${help}: off`).hideHelp(setting.default === 'off'))
  }
}

/** The end of a command's help. */
const exampleText = (lines: readonly string[]): string =>
  `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${line}`).join('\n')}`

/** Makes commander throw its errors instead of printing them, as one line that names the help to read. */
function throwUsageErrors(command: Command): void {
  command.exitOverride((error) => {
    throw isHelp(error) ? error : usageProblem(command, error)
  })
}

/** Help or the version was printed: on request (exit code 0), or because there was no command. */
const isHelp = (error: unknown): error is CommanderError =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')

/** The problem for an error of commander, which has a code, but names flags and suggestions only in its message. */
function usageProblem(command: Command, error: CommanderError): Problem {
  const called = { command: fullName(command), isGroup: command.commands.length > 0 }
  const text = error.message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.*)\?\)$/, ' (did you mean $1?)')
  if (error.code === 'commander.excessArguments') {
    // commander repeats the arguments: one of them may be a paraphrase, which is never an argument.
    const takes = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    )
    return commandProblem('TooManyArguments', { ...called, takes })
  }
  const [first] = command.registeredArguments
  const [given = ''] = command.args
  if (error.code === 'commander.missingArgument' && first?.name() === 'api-file' && isData(given)) {
    // An address may contain a password.
    return commandProblem('ApiFileFirst', {
      ...called,
      data: given.includes('://') ? '<data>' : quoted(given),
    })
  }
  if (error.code !== 'commander.unknownOption')
    return commandProblem('UnknownCall', { ...called, reason: text })
  // For `--secret=…`, only the name.
  const flag = text.split("'", 2)[1]?.split('=', 1)[0] ?? ''
  const known = ['--help', '--version', ...command.options.map(({ long }) => long)]
  if (!known.includes(flag))
    return commandProblem('UnknownCall', { ...called, reason: text.replace(/=[\s\S]*'/, "'") })
  // commander knows a switch only by its bare name, and would suggest the very flag that was typed.
  const on = flag.replace('--no-', '--')
  const off = on.replace('--', '--no-')
  return commandProblem('FlagWithoutValue', {
    ...called,
    flag,
    on,
    off: known.includes(off) ? off : undefined,
  })
}

/** Whether an argument cannot be an API file. Data in .json and .jsonld can, by its name. */
const isData = (given: string): boolean => given !== '' && !/\.(?:ya?ml|json|jsonld)$/i.test(given)

const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
