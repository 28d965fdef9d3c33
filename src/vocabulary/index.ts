/** What an API file says: classes, properties and operations, and all that is computed from them at start. */
export { ApiFileError, readApiFile, readWithNotes } from './api-file.ts'
export { RESERVED_PATHS } from './conflicts.ts'
export {
  type Context,
  classIri,
  collectionContext,
  contextAddress,
  documentationContext,
  entryPointContext,
  entryPointPaths,
  errorContext,
  mappingProperty,
  memberContext,
  memberType,
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
export { findBundledContext } from './json-ld/bundled-contexts.ts'
export {
  type Dropped,
  type ExpandedNode,
  type ExpandOptions,
  type Expansion,
  expand,
  LinkedDataError,
} from './json-ld/processor.ts'
export {
  BEHIND_DIGESTS,
  compareKeys,
  headOf,
  type Indexed,
  indexKey,
  isSearched,
  KEYS_VERSION,
  type Key,
  type KeyShape,
  type Keys,
  keyOf,
  keyShapes,
  keysOf,
  least,
} from './keys.ts'
export { readApiDocumentation } from './long-form/long-form.ts'
export {
  type Class,
  type CollectionClass,
  type Constraints,
  embeddedNames,
  hasCollection,
  isSingle,
  type Model,
  type Property,
  pathOf,
  type Range,
  storedClasses,
  type WriteMethod,
} from './model.ts'
export { addressIn, isPropertyName, pathTo } from './names.ts'
export { HYDRA, OWL, RDF, RDFS, SCHEMA, SH, XSD } from './namespaces.ts'
export { compileValidator, MAX_VALUES } from './validation.ts'
