/** The gate, which decides which requests pass, and its parts. */

export type { Admission, Gate, GateMode, Principal } from './admission.ts'
export { type Clock, createClock } from './clock.ts'
export { hashParaphrase, hashQueueSize } from './credentials.ts'
export { lowerHashPriority } from './hashing.ts'
export {
  bodyLengthOf,
  bodyOf,
  collectUpTo,
  type NodeRequest,
  type NodeResponse,
  send,
  toGateRequest,
  writableOf,
  writeHead,
} from './node-http.ts'
export { openGate, startSweeper } from './open-gate.ts'
export type { CheckOwnParaphrase, HashNew } from './own-paraphrase.ts'
export { createGateAnswers } from './problems.ts'
export {
  CREDENTIAL_SENTENCES,
  type CredentialProblems,
  makeParaphrase,
  nameKey,
  readName,
  readParaphrase,
  sayCredentialProblem,
} from './rules.ts'
export type * from './store/index.ts'
export { createAddressReader, throttleKey } from './throttle.ts'
export {
  toWebGateRequest,
  toWebHeaders,
  toWebResponse,
  type WebClient,
  wasRead,
  webBodyLengthOf,
  webBodyOf,
} from './web.ts'
