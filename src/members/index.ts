/** Members: their stored form, text with links and keys, and the store that keeps them. */

export type { Change, ChangeLog, ChangePage, ChangeRange, FollowedTarget, LogLimits } from './changes.ts'
export * from './class-schema.ts'
export { writeScaled } from './exact-sum.ts'
export type {
  FollowerClaim,
  FollowerProgress,
  FollowerStore,
  FollowerSummary,
  FollowerWait,
} from './followers.ts'
export { MAX_WAITING } from './followers.ts'
export { keepHidden, withHiddenLinkIds, withoutHiddenLinks } from './hidden-values.ts'
export type * from './history.ts'
export type * from './member.ts'
export {
  isDone,
  isWrite,
  keyOfMember,
  linkName,
  MAX_LINKS_READ,
  nameOfStep,
  storeViolations,
} from './member.ts'
export * from './member-store.ts'
export type { CompatibleKind, FileChange, IncompatibleKind } from './migration/change-kinds.ts'
export type { FileChangeProblems } from './migration/file-changes.ts'
export type * from './migration/migration.ts'
export {
  IncompatibleMembersError,
  MAX_REPORTED,
  NotMigratedError,
} from './migration/migration.ts'
export type { RenamingProblems } from './migration/plan.ts'
export type { ConversionProblems } from './problems.ts'
export { classesRead, namesIn, WrittenMembers } from './read-check.ts'
export * from './selection.ts'
export {
  addressOf,
  hiddenLinks,
  idOf,
  insertBaseUrl,
  type LinkAt,
  linksAt,
  linksOf,
  listOf,
  type MemberValues,
  ownOf,
  pairUp,
  readText,
  requestBodyOf,
  type TextChanges,
  withLinkIds,
  withoutLinks,
  writeMember,
} from './stored-text.ts'
export * from './summary.ts'
export { ALL_FIELDS, createFindCuts, type FieldTree, type FindCuts, joinFields } from './text-cuts.ts'
export { createScanValues, type ScanValues, type WantedValues } from './value-texts.ts'
