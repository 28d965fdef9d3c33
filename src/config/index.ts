/** Flags and environment → a frozen `Config`, by one table of settings. */

export { leastBodyMemory, userOfPort } from './combined-settings.ts'
export { COMMAND_SETTINGS } from './command-settings.ts'
export { type Config, defaultBase, misspeltVariables, readConfig, readPageSizes } from './config.ts'
export { readDatabase } from './database.ts'
export type { DatabaseAddressProblems, PortUser, SettingProblems } from './problems.ts'
export { type Environment, type Flags, readSetting } from './setting-reader.ts'
export { flagOf, isSwitch, SETTINGS, type Setting, variableFor } from './settings.ts'
export { type Address, readId, readRoles, readUserName, WITHOUT_ROLES } from './values.ts'
