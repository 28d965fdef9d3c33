import { type Command, Option } from 'commander'
import { type Config, type Flags, readConfig, readSetting } from '../config/config.ts'
import { flagOf, SETTINGS, type Setting, type SettingName, setting, variableFor } from '../config/settings.ts'
import { readSwitch, UsageError } from '../config/values.ts'

const JSON_OUTPUT = setting('json', 'off', 'output for programs', readSwitch)

/** Gives a command the flag of a setting, with its default and its environment variable in the help. */
export function addSetting(command: Command, added: Setting<unknown>): Command {
  const { flag, help, shownDefault } = added
  command.addOption(new Option(`--${flag}`, `${help} (default: ${shownDefault}; ${variableFor(added)})`))
  if (isSwitch(added)) {
    command.addOption(new Option(`--no-${flag}`, `${help}: off`).hideHelp(added.default === 'off'))
  }
  return command
}

/** The flags of `serve`. */
export function addServeSettings(command: Command): Command {
  for (const added of Object.values<Setting<unknown>>(SETTINGS)) addSetting(command, added)
  return command
}

/** The flags of every command that looks at users and tokens. */
export const addDataSettings = (command: Command): Command => addJson(addSetting(command, SETTINGS.db))

export const addJson = (command: Command): Command => addSetting(command, JSON_OUTPUT)

/** What was typed, with the environment and the defaults for the rest. */
export function configOf(command: Command): Config {
  const flags: Record<string, string | boolean> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const flag = typed(command, SETTINGS[name])
    if (flag !== undefined) flags[name] = flag
  }
  return readConfig(flags as Flags)
}

/** Only this one: a mistake in a setting that a command does not have is no concern of it. */
export const settingOf = <T>(command: Command, wanted: Setting<T>): T | undefined =>
  readSetting(wanted, typed(command, wanted))

export const wantsJson = (command: Command): boolean => settingOf(command, JSON_OUTPUT) ?? false

/** A database in memory ends with the command: neither is there anything in it, nor would anything stay there. */
export function databaseOf(command: Command): string {
  const url = settingOf(command, SETTINGS.db) ?? SETTINGS.db.default
  if (url !== 'sqlite::memory:') return url
  throw new UsageError('--db: a database in memory belongs to its process alone; name a file, sqlite:<path>.')
}

/** commander makes up a default for `--no-…`; only what was typed counts. */
export function typed(command: Command, of: Setting<unknown>): string | boolean | undefined {
  const key = flagOf(of).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return command.getOptionValueSource(key) === 'cli' ? command.getOptionValue(key) : undefined
}

const isSwitch = ({ flag }: Setting<unknown>): boolean => !flag.includes(' ')
