import type { Setting } from '../config/index.ts'
import type { Invocation } from './invocation.ts'

/** A command, as help shows it. Its code is loaded when it is called, so that --help stays quick. */
export type CommandDefinition = {
  /** Its name and its arguments, as commander takes them. */
  readonly usage: string
  readonly description: string
  readonly settings?: readonly Setting<unknown>[]
  readonly about?: string
  readonly examples: readonly string[]
  /** Whether its flags come first, and all that follows them is for another program. */
  readonly passesOn?: true
  /** Whether it runs until it is stopped, and its output is a log and not its result. */
  readonly isServer?: true
} & (
  | { readonly load: () => Promise<CommandHandler> }
  /** `load`: for a group that is a command itself if none of its commands is named. */
  | { readonly commands: readonly CommandDefinition[]; readonly load?: () => Promise<CommandHandler> }
)

/** How a command that does not throw ends: with an exit status other than 0, or by printing its usage. */
export type CommandEnd = number | 'usage'

/** Arguments come in the order of the usage; an argument in brackets may be missing. */
type CommandHandler = (call: Invocation, ...args: string[]) => Promise<void> | Promise<CommandEnd | undefined>
