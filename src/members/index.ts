/** The stored form of a member: text with links and keys. */
export type { ConversionProblems } from './problems.ts'
export {
  addressOf,
  fillHoles,
  hiddenLinks,
  idOf,
  keepHidden,
  linksAt,
  linksOf,
  listOf,
  type MemberValues,
  ownOf,
  pairUp,
  readText,
  writeMember,
} from './stored-text.ts'
