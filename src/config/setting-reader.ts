import { Problem, problemAt } from '../problem.ts'
import { settingProblem } from './problems.ts'
import { flagOf, SETTINGS, type Setting, type SettingName, variableFor } from './settings.ts'

type SettingValue<Name extends SettingName> = ReturnType<(typeof SETTINGS)[Name]['read']>

/** The values of flags, by setting; absent if no flag was given. */
export type Flags = { readonly [Name in SettingName]?: string | boolean | undefined }

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings of a server by name. */
export interface SettingsReader {
  /** The flag or the variable that sets a setting; undefined if its default applies. */
  source(name: SettingName): string | undefined
  /** The place of a problem with a setting. */
  at(name: SettingName): { readonly at: { readonly source: string } }
  find<Name extends SettingName>(name: Name): SettingValue<Name> | undefined
  /** For settings whose default is a value. */
  read<Name extends SettingName>(name: Name): SettingValue<Name>
}

export function createSettingsReader(flags: Flags, environment: Environment): SettingsReader {
  const source = (name: SettingName) => sourceOf(SETTINGS[name], flags[name], environment)
  const find = <Name extends SettingName>(name: Name) =>
    readSetting<unknown>(SETTINGS[name], flags[name], environment) as SettingValue<Name> | undefined
  return {
    source,
    at: (name) => ({ at: { source: source(name) ?? '' } }),
    find,
    read: <Name extends SettingName>(name: Name) => find(name) as SettingValue<Name>,
  }
}

/** One setting: the value of its flag, else of the environment, else its default. Undefined if that is empty. */
export function readSetting<T>(
  setting: Setting<T>,
  flag: string | boolean | undefined,
  environment: Environment,
): T | undefined {
  const source = sourceOf(setting, flag, environment)
  const given = typeof flag === 'boolean' ? (flag ? 'on' : 'off') : flag
  const text = given ?? (valueIn(environment, setting) || setting.default || '')
  if (text === '' && flag === undefined) return undefined
  if (text === '') throw settingProblem('MissingValue', { source: source ?? '' })
  try {
    return setting.read(text)
  } catch (error) {
    if (!(error instanceof Problem) || source === undefined) throw error
    throw problemAt(error, { source })
  }
}

/** The flag or the variable that a value comes from; undefined for a default. An empty variable counts as unset. */
export function sourceOf(
  setting: Setting<unknown>,
  flag: string | boolean | undefined,
  environment: Environment,
): string | undefined {
  if (flag !== undefined) return `--${flagOf(setting)}`
  return valueIn(environment, setting) ? variableFor(setting) : undefined
}

function valueIn(environment: Environment, setting: Setting<unknown>): string | undefined {
  const text = environment[variableFor(setting)]
  return text !== undefined && setting.isForOther?.(text) ? undefined : text
}
