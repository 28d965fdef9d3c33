/** A running service: gate, app and server, built from its settings. */
export { openDatabase } from './database.ts'
export { fitConnections } from './descriptors.ts'
export { createLog, type Log } from './log.ts'
export type { MemberActions } from './members.ts'
export { explainPort, hostInUrl, openConsole, openOps } from './ports.ts'
export { importProgram, requireValidHooks, requireValidProgram, surviveRejections } from './program.ts'
export {
  type EmbeddedService,
  openService,
  type Service,
  type ServiceDependencies,
  startService,
} from './service.ts'
export {
  loadModel,
  logMigratedElsewhere,
  logReachability,
  migrateAndOpen,
} from './startup.ts'
