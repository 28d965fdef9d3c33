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
  ownOf,
  pairUp,
  readText,
  type Values,
  writeMember,
} from './stored-text.ts'
