/** What an API file says: classes, properties and operations, and all that is computed from them at start. */
export {
  ALL_RIGHTS,
  MEMBER_OPERATIONS,
  offeredOperations,
  permittedModel,
  type Right,
  type Rights,
  refusalOf,
  rightsOf,
  rightTo,
  whoMay,
  withOperations,
} from './access.ts'
export { ApiFileError, readApiFile, readApiObject, readWithNotes } from './api-file.ts'
export { RESERVED_PATHS } from './conflicts.ts'
export {
  batchContext,
  type Context,
  classIri,
  collectionContext,
  contextAddress,
  documentationContext,
  entryPointContext,
  entryPointPaths,
  errorContext,
  eventContext,
  eventsContext,
  hidesLink,
  type Included,
  mappingProperty,
  memberContext,
  memberType,
  OPERATION_IRI,
  propertyIri,
  sessionContext,
  storedType,
  vocabIri,
} from './contexts.ts'
export {
  DATATYPES,
  type Datatype,
  type DatatypeName,
  DECIMAL,
  datatypeOf,
  type Literal,
  type Reading,
} from './datatypes.ts'
export { createDocumentation } from './documentation.ts'
export type { Problem } from './findings.ts'
export * from './json-ld.ts'
// A door of its own for the store.
export * from './keys.ts'
export { readApiDocumentation } from './long-form/long-form.ts'
export {
  type AccessRules,
  type Class,
  type CollectionClass,
  type Constraints,
  embeddedNames,
  hasCollection,
  hasWrites,
  isSingle,
  type Model,
  OPERATIONS,
  type Operation,
  type OwnOperation,
  type Property,
  pathOf,
  type Range,
  storedClasses,
  type Who,
  type WriteMethod,
} from './model.ts'
export {
  addressIn,
  HYDRA,
  isClassName,
  isCollectionName,
  isPropertyName,
  OWL,
  pathTo,
  plural,
  RDF,
  RDFS,
  SCHEMA,
  SH,
  whyNoPropertyName,
  XSD,
} from './names.ts'
export { memberOffer, memberOperationIri } from './operations.ts'
export { type DeclaredOperation, type DeclaredOperations, withOwnOperations } from './own-operations.ts'
export { API_FILE_SCHEMA } from './short-form/keys.ts'
export { compileValidator, MAX_VALUES } from './validation.ts'
