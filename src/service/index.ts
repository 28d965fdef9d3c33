/** A running service: gate, app and server, put together from its settings. */
export type { Log } from './api.ts'
export { openDatabase } from './database.ts'
export { createLog, type LogFormat } from './log.ts'
export type { MemberPage, Members, MembersOf } from './members.ts'
export { logMigratedElsewhere, logReach, openMembers, readServed } from './opening.ts'
export { explainPort, hostInUrl, openConsole, openOps, type RunningConsole } from './ports.ts'
export { importProgram, type Program, requireFitting } from './program.ts'
export { type OwnService, openService, type Service, type ServiceParts, startService } from './service.ts'
