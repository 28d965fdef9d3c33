/** Requests and responses, from a socket to the app and back. */
export { DEFAULT_SERVER_LIMITS, MAX_HEAD_BYTES, type ServerLimits } from './limits.ts'
export {
  CODINGS,
  type Coding,
  chooseCoding,
  createCodingFor,
  createCompress,
  isCompressed,
  names,
  negotiate,
} from './negotiate.ts'
export type { AddressReader, Request } from './request.ts'
export {
  commonHeaders,
  errorResponse,
  isFresh,
  isPreflight,
  isStreamed,
  LD_JSON,
  noStoreHeaders,
  preflightResponse,
  type Response,
  type StreamedResponse,
  statusBody,
} from './response.ts'
export { createRouter, type Routes, toOriginForm } from './router.ts'
export { startServer } from './server.ts'
export { encodePart, type StreamPart, type StreamWriter } from './stream.ts'
