/** Flags and environment → a frozen `Config`, by one table of settings. */

export {
  COMMAND_SETTINGS,
  type Config,
  defaultBase,
  type Environment,
  leastBodyMemory,
  misspeltVariables,
  readConfig,
  readPageSizes,
  readSetting,
  userOfPort,
} from './config.ts'
export type { DatabaseAddressProblems, PortUser, SettingProblems } from './problems.ts'
export { flagOf, isSwitch, SETTINGS, type Setting, variableFor } from './settings.ts'
export { type Address, readId, readRoles, WITHOUT_ROLES } from './values.ts'
