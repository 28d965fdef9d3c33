/** A running service: gate, app and server, put together from its settings. */
export { openDatabase } from './database.ts'
export { createLog, type Log, type LogFormat } from './log.ts'
export { explainPort, hostInUrl, openConsole, openOps } from './ports.ts'
export {
  type EmbeddedService,
  openService,
  type Service,
  type ServiceParts,
  startService,
} from './service.ts'
export {
  importProgram,
  loadModel,
  logMigratedElsewhere,
  logReachability,
  migrateAndOpen,
  type Program,
  requireValidHooks,
} from './startup.ts'
