/** Flags and environment → a frozen `Config`, by one table of settings. */

export {
  COMMAND_SETTINGS,
  type Config,
  defaultBase,
  type Environment,
  leastBodyMemory,
  misspeltVariables,
  otherOnPort,
  readConfig,
  readPageSizes,
  readSetting,
} from './config.ts'
export { flagOf, isSwitch, SETTINGS, type Setting, variableFor } from './settings.ts'
export { type Address, readId, readRoles, UsageError, WITHOUT_ROLES } from './values.ts'
