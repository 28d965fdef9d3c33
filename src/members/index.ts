/** The stored form of a member: text with links and keys, and its way from one API file to another. */
export { shapesOf } from './conversion.ts'
export { keepHidden, pairUp } from './hidden.ts'
export {
  addressOf,
  fillHoles,
  hiddenLinks,
  linksAt,
  listOf,
  ownOf,
  readText,
  type Values,
  writeMember,
} from './stored-text.ts'
