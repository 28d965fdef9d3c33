/** The resources of an API, and how bodies become values and stored text becomes a representation. */

export { createAnyoneDispatch, type OpenDispatch } from './access/anyone.ts'
export { memoizeByRoles } from './access/role-rights.ts'
export type { Accounts } from './accounts/dependencies.ts'
export { createMirror } from './accounts/mirror.ts'
export { createRemoveGone } from './accounts/removed-users.ts'
export { describeApi } from './documentation.ts'
export { createFeed, type Feed } from './feed/feed.ts'
export { createEventIds, type EventIds } from './feed/ids.ts'
export {
  FOLLOWER_KEYS,
  type Follower,
  type FollowerCall,
  FollowerPaused,
  followersOf,
  type ProgramFollower,
} from './followers/follower.ts'
export { createExpandBody } from './input/expansion.ts'
export type { ExpandBody } from './input/expansion-thread.ts'
export { createIsOwnContext } from './input/identifiers.ts'
export { type Creator, createInput, type Input } from './input/input.ts'
export { toProcessor } from './input/json-ld.ts'
export { createOpenApi } from './openapi/document.ts'
export { unescapeFormula } from './output/csv/cell.ts'
export { type CsvFormat, createCsvFormat } from './output/csv/table.ts'
export { createMemberRepresentation } from './output/member.ts'
export { apiProblem, fault, type OnFault, readProblem } from './problems/index.ts'
export {
  type Caller,
  HOOK_NAMES,
  type HooksOfClass,
  limitHookDepth,
  type OperationCall,
  type Program,
  ProgramHooks,
} from './program/hooks.ts'
export { HttpError, violation } from './program/http-error.ts'
export { includePaths } from './query/include.ts'
export { isRepeatable, templateParameters } from './query/parameters.ts'
export { createErrorResponses, Respond } from './respond.ts'
export { createTransactions } from './transactions/transactions.ts'
export type { RunningTransaction, Transactions } from './transactions/types.ts'
export type { Dispatch, ResourceDependencies } from './types.ts'
