/** Requests and responses, from a socket to the app and back. */
export { collectUpTo, readUpTo } from './body.ts'
export { type BodyMemory, createBodyMemory, MEMORY_PER_BYTE } from './body-memory.ts'
export { DEFAULT_SERVER_LIMITS, MAX_HEAD_BYTES, type ServerLimits } from './limits.ts'
export { MAX_ELEMENTS, readList } from './lists.ts'
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
export {
  type AnswersTo,
  answerFor,
  errorResponse,
  HTTP_PROBLEMS,
  httpProblem,
  type ProblemAnswer,
  type ProblemAnswers,
  statusBody,
  type WireProblem,
} from './problems.ts'
export {
  commonHeaders,
  isFresh,
  isPreflight,
  isStreamed,
  LD_JSON,
  noStoreHeaders,
  preflightResponse,
} from './response.ts'

export { createRouter, MAX_TARGET, type RouteMatch, type Routes, spelt, toOriginForm } from './router.ts'
export { encodePart, StallCheck } from './stream.ts'
