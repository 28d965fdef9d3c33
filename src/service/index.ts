/** A running service: gate, app and server, put together from its settings. */
export { openDatabase } from './database.ts'
export { createLog, type Log, type LogFormat } from './log.ts'
export {
  importProgram,
  logMigratedElsewhere,
  logReach,
  openMembers,
  type Program,
  readServed,
  requireFitting,
} from './opening.ts'
export { explainPort, hostInUrl, openConsole, openOps, type RunningConsole } from './ports.ts'
export { type OwnService, openService, type Service, type ServiceParts, startService } from './service.ts'
