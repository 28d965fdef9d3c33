/** The stored form of a member: text with links and keys, and its way from one API file to another. */
export { shapesOf } from './conversion.ts'
export {
  addressOf,
  fillHoles,
  hiddenLinks,
  idOf,
  keepHidden,
  linksAt,
  listOf,
  ownOf,
  pairUp,
  readText,
  type Values,
  writeMember,
} from './stored-text.ts'
