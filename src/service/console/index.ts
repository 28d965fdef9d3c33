/** The console as files, on a port of their own. */
export { NotBuiltError } from './files.ts'
export { startPageServer } from './server.ts'
