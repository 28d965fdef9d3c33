/** The vocabulary of an API file: classes, properties and operations, and everything that is computed from them at start. */

export {
  hasRules,
  isForAnyone,
  isListedByOwner,
  isTied,
  listedByLinks,
  MEMBER_OPERATIONS,
  permittedOperations,
  type Right,
  type Rights,
  rightsOf,
  rightTo,
  type Ties,
  whoMay,
  withOperations,
} from './access/access.ts'
export { type AccountStep, accountSteps } from './access/account-paths.ts'
export { followedLinks, followedPaths, hasLongPaths } from './access/followed.ts'
export { permittedModel, queriedModel } from './access/permitted-model.ts'
export {
  isRuled,
  type PropertyRight,
  rightToProperty,
  withPermittedProperties,
} from './access/property-rights.ts'
export { ofData, withAccounts, withoutAccounts } from './accounts.ts'
export { RESERVED_CLASSES, RESERVED_PATHS } from './conflicts.ts'
export * from './contexts/contexts.ts'
export * from './contexts/server-contexts.ts'
export {
  DATATYPES,
  type Datatype,
  DECIMAL,
  datatypeOf,
  isDatatypeName,
  LANGUAGE_TAG,
  type Literal,
  prefixed,
  usualSpelling,
  type ValueReading,
} from './datatypes.ts'
export * from './defaults.ts'
export {
  createDocumentation,
  type ProblemType,
  type SearchProperties,
  type ServedDocumentation,
} from './documentation/documentation.ts'
export type * from './file-problems.ts'
export type { Note } from './findings.ts'
export * from './index-keys.ts'
export {
  type Context,
  type Dropped,
  type ExpandedNode,
  expand,
  findBundledContext,
  LinkedDataError,
  type LinkedDataProblems,
} from './json-ld.ts'
export { valueOfKey } from './key-values.ts'
export * from './keys.ts'
export { decimalKey } from './lexical-forms.ts'
export * from './model.ts'
export * from './names.ts'
export { type DeclaredOperation, memberControls, memberOperationIri } from './operations.ts'
export { compilePattern, findPatternProblem } from './patterns.ts'
export { type ConstraintProblems, type JsonKind, type ValueProblems, valueProblem } from './problems.ts'
export { compileValidator, isAllowedNumber, MAX_VALUES } from './validation.ts'
