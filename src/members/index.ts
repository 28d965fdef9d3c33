/** The stored form of a member: text with links and keys, and its way from one API file to another. */
export { hiddenLinks, keepHidden, pairUp, writeMember } from './hidden.ts'
export { addressOf, shapesOf } from './shapes.ts'
export { fillHoles, listOf, readText, type Values } from './stored-text.ts'
