import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'
import {
  COMMAND_SETTINGS,
  defaultBase,
  type Environment,
  flagOf,
  readSetting,
  SETTINGS,
  type Setting,
} from '../config/index.ts'
import { commandProblem } from './problems.ts'

/** The streams and the environment of a command; `process` has them. */
export interface Io {
  readonly env: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

/** One call of a command. */
export interface Invocation {
  readonly io: Io
  /** Prints lines to `io`; a pipe that was closed does not end the process. */
  readonly console: Console
  /** The value of the flag, else of the environment, else the default. A setting that the command does not have is not read. */
  setting<T>(wanted: Setting<T>): T | undefined
  /** The flag as it was typed. */
  typed(setting: Setting<unknown>): string | boolean | undefined
  /** The database that --db names. */
  database(): string
  /** The value of --base-url, without a trailing slash. */
  base(): string
  /** Prints the result of a command, by `console.log` unless `print` is given: a value for programs, or a text for people. */
  say(value: unknown, text: string, print?: (line: string) => void): void
}

export const consoleOf = ({ stdout, stderr }: Io): Console => new Console({ stdout, stderr })

export function createInvocation(command: Command, io: Io): Invocation {
  const console = consoleOf(io)
  /** commander invents a default for `--no-…`; only typed flags count. */
  function typed(setting: Setting<unknown>): string | boolean | undefined {
    const key = flagOf(setting).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return command.getOptionValueSource(key) === 'cli' ? command.getOptionValue(key) : undefined
  }
  const setting = <T>(wanted: Setting<T>) => readSetting(wanted, typed(wanted), io.env)
  const takesJson = command.options.some(({ long }) => long === '--json')
  const json = takesJson && (setting(COMMAND_SETTINGS.json) ?? false)
  return {
    io,
    console,
    setting,
    typed,
    database() {
      const url = setting(SETTINGS.db) ?? SETTINGS.db.default
      if (url !== 'sqlite::memory:') return url
      // A database in memory is empty at the start of a command, and gone at its end.
      throw commandProblem('MemoryDatabase', {}, { at: { source: '--db' } })
    },
    base: () => setting(SETTINGS.baseUrl)?.base ?? defaultBase(8080, 'http'),
    say: (value, text, print = console.log) => print(json ? JSON.stringify(value) : text),
  }
}
