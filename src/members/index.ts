/** Members: their stored form, text with links and keys, and the store that keeps them. */

export type { Change, ChangeLog, ChangePage, ChangeRange, History } from './changes.ts'
export * from './class-shape.ts'
export type * from './member.ts'
export { isDone, keyOfMember, linkName, nameOfWritten, refusal } from './member.ts'
export * from './member-store.ts'
export type * from './migration/migration.ts'
export {
  calledNow,
  IncompatibleMembersError,
  incompatibleLines,
  MAX_REPORTED,
  NotMigratedError,
} from './migration/migration.ts'
export type { RenamingProblems } from './migration/plan.ts'
export * from './selection.ts'
export {
  addressOf,
  hiddenLinks,
  idOf,
  insertBaseUrl,
  keepHidden,
  linksAt,
  linksOf,
  listOf,
  ownOf,
  pairUp,
  readText,
  type Values,
  writeMember,
} from './stored-text.ts'
