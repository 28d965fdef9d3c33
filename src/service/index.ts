/** A running service: gate, app and server, put together from its settings. */
export { type Service, type ServiceParts, startService } from './service.ts'
