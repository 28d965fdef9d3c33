import { type Command, Option } from 'commander'
import {
  type Config,
  DEFAULT_HINTS,
  type Flags,
  flagName,
  isSwitch,
  readConfig,
  SETTINGS,
  type SettingName,
  variableOf,
} from '../config.ts'

/** Gives a command the flags of these settings, each with its default and its environment variable in the help. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, help, default: standard } = SETTINGS[name]
    const text = `${help} (default: ${DEFAULT_HINTS[name] ?? standard}; ${variableOf(name)})`
    command.addOption(new Option(`--${flag}`, text))
    if (isSwitch(name))
      command.addOption(new Option(`--no-${flagName(name)}`, `the same, off`).hideHelp(standard === 'off'))
  }
  return command
}

/** What was typed, with the environment and the defaults for the rest. */
export function configOf(command: Command): Config {
  const flags: Record<string, string | boolean> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const key = flagName(name).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    // commander makes up a default for `--no-…`; only what was typed counts.
    if (command.getOptionValueSource(key) === 'cli') flags[name] = command.getOptionValue(key)
  }
  return readConfig(flags as Flags)
}
