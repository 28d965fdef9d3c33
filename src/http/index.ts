/** Requests and responses, from a socket to the app and back. */
export { BodyMemory } from './body-memory.ts'
export { DEFAULT_SERVER_LIMITS, MAX_HEAD_BYTES, type ServerLimits } from './limits.ts'
export { isFresh, MAX_ELEMENTS, readList } from './lists.ts'
export type * from './messages.ts'
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
export { HTTP_PROBLEMS, httpProblem } from './problems.ts'
export { createRateLimit } from './rate-limit.ts'
export {
  type AnswersTo,
  answerFor,
  commonHeaders,
  errorResponse,
  isPreflight,
  isStreamed,
  LD_JSON,
  noStoreHeaders,
  type ProblemAnswers,
  preflightResponse,
  statusBody,
  type WireProblem,
} from './response.ts'

export { createRouter, MAX_TARGET, type RouteMatch, type Routes, spelt, toOriginForm } from './router.ts'
export { encodePart, StallCheck } from './stream.ts'
