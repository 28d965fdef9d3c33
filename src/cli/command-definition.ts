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
} & ({ readonly load: () => Promise<CommandHandler> } | { readonly commands: readonly CommandDefinition[] })

/** Arguments come in the order of the usage; an argument in brackets may be missing. */
type CommandHandler = (call: Invocation, ...args: string[]) => Promise<void>
