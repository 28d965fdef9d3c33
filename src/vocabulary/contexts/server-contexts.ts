import { hasLongPaths } from '../access/followed.ts'
import { type Context, linkTerms, terms, vocabTerms } from '../json-ld.ts'
import type { Class, Model } from '../model.ts'
import {
  AS,
  CHANGED,
  DASH,
  DELETION,
  HYDRA,
  OWL,
  PREFIXES,
  RDF,
  RDFS,
  RESTORE,
  RESYNC,
  SCHEMA,
  SH,
  SUMMARY,
  XSD,
} from '../names.ts'
import { ASSERTION, collectionContext, frame, linkTerm, TEMPLATE, vocabIri } from './contexts.ts'

// The contexts of resources that every API has.

export const sessionContext = (base: string): Context => ({
  ...frame(base),
  user: { '@id': vocabIri(base, 'Session/user') },
  account: { '@id': vocabIri(base, 'Session/account'), '@type': '@id' },
  issuedAt: { '@id': vocabIri(base, 'Session/issuedAt'), '@type': `${XSD}dateTime` },
  expiresAt: { '@id': vocabIri(base, 'Session/expiresAt'), '@type': `${XSD}dateTime` },
  roles: { '@id': vocabIri(base, 'Session/roles'), '@container': '@set' },
})

/** The context of a change (live.md, The feed). Its object has the terms of its class and no others. */
export const eventContext = (model: Model, base: string): Context => ({
  ...frame(base),
  as: AS,
  ...terms('as', 'Create Update Delete'),
  ...(hasLongPaths(model) && { Resync: { '@id': vocabIri(base, RESYNC) } }),
  object: {
    '@id': 'as:object',
    '@type': '@id',
    '@context': [null, { ...frame(base), ...Object.fromEntries(model.classes.flatMap(ownIri)) }],
  },
  actor: { '@id': 'as:actor', '@type': '@id' },
  published: { '@id': 'as:published', '@type': `${XSD}dateTime` },
  etag: { '@id': vocabIri(base, 'etag') },
})

/** The term of a class from another vocabulary. */
const ownIri = ({ name, iri }: Class): [string, object][] =>
  iri === undefined ? [] : [[name, { '@id': iri }]]

/** The context of a page of changes. */
export const eventsContext = (model: Model, base: string): Context => ({
  ...frame(base),
  hydra: HYDRA,
  rdf: RDF,
  ...terms('hydra', 'Collection PartialCollectionView IriTemplate IriTemplateMapping'),
  member: { '@id': 'hydra:member', '@type': '@id', '@context': [null, eventContext(model, base)] },
  memberAssertion: { '@id': 'hydra:memberAssertion', '@context': ASSERTION },
  search: { '@id': 'hydra:search', '@context': TEMPLATE },
  view: { '@id': 'hydra:view', '@type': '@id', '@context': linkTerms('hydra', 'next') },
})

/** The context of a change in a history (history.md): that of an event, without its object. */
export const entryContext = (base: string): Context => ({
  ...frame(base),
  as: AS,
  ...terms('as', 'Create Update Delete'),
  actor: { '@id': 'as:actor', '@type': '@id' },
  published: { '@id': 'as:published', '@type': `${XSD}dateTime` },
  changed: { '@id': vocabIri(base, CHANGED), '@container': '@set' },
  restore: { '@id': vocabIri(base, RESTORE), '@type': '@id' },
})

/** The context of the history of a member. */
export const historyContext = (base: string): Context => ({
  ...frame(base),
  hydra: HYDRA,
  rdf: RDF,
  ...terms('hydra', 'Collection PartialCollectionView'),
  member: { '@id': 'hydra:member', '@type': '@id', '@context': [null, entryContext(base)] },
  memberAssertion: { '@id': 'hydra:memberAssertion', '@context': ASSERTION },
  view: { '@id': 'hydra:view', '@type': '@id', '@context': linkTerms('hydra', 'first next') },
})

/** RFC 9457 names the keys, `type` among them; Hydra gives them their meaning. */
export const errorContext = (base: string): Context => ({
  ...frame(base),
  hydra: HYDRA,
  Error: 'hydra:Error',
  ConstraintViolationList: vocabIri(base, 'ConstraintViolationList'),
  type: '@type',
  title: 'hydra:title',
  detail: 'hydra:description',
  description: 'hydra:description',
  status: 'hydra:statusCode',
  instance: { '@id': `${RDFS}seeAlso`, '@type': '@id' },
  violations: { '@id': vocabIri(base, 'ConstraintViolationList/violations') },
  propertyPath: vocabIri(base, 'propertyPath'),
  message: vocabIri(base, 'message'),
  code: vocabIri(base, 'code'),
  operation: vocabIri(base, 'operation'),
  parameter: vocabIri(base, 'parameter'),
  linkedFrom: { '@id': vocabIri(base, 'StillLinked/linkedFrom'), '@type': '@id' },
  hasFurtherLinks: vocabIri(base, 'StillLinked/hasFurtherLinks'),
})

/** The context of what a removal would do. */
export const removalContext = (base: string): Context => ({
  ...frame(base),
  hydra: HYDRA,
  ...terms('hydra', 'Resource totalItems'),
  deleted: { '@id': vocabIri(base, 'deleted'), '@type': '@id', '@container': '@set' },
  changed: { '@id': vocabIri(base, 'changed'), '@type': '@id', '@container': '@set' },
})

/**
 * The context of summaries. Groups and figures have paths as their names, such as `author.name` and `published:year`, which
 * are no terms: each is one JSON literal, so that a name stays with its value in RDF, too.
 */
export const summariesContext = (base: string): Context => {
  const json = (name: string) => [name, { '@id': vocabIri(base, name), '@type': '@json' }]
  return {
    ...frame(base),
    hydra: HYDRA,
    rdf: RDF,
    ...terms('hydra', 'Collection PartialCollectionView IriTemplate IriTemplateMapping totalItems'),
    Summary: { '@id': vocabIri(base, SUMMARY) },
    member: { '@id': 'hydra:member', '@type': '@id' },
    ...Object.fromEntries(['group', 'sum', 'avg', 'min', 'max'].map(json)),
    members: { '@id': vocabIri(base, 'members'), '@type': '@id' },
    view: { '@id': 'hydra:view', '@type': '@id', '@context': linkTerms('hydra', 'first last next previous') },
    memberAssertion: { '@id': 'hydra:memberAssertion', '@context': ASSERTION },
    search: { '@id': 'hydra:search', '@context': TEMPLATE },
  }
}

/** The context of the results of a batch; errors have the terms of a problem document. */
export const batchContext = (base: string): Context => ({
  ...errorContext(base),
  operation: { '@id': vocabIri(base, 'OperationBatch/operation'), '@container': '@list' },
  location: { '@id': vocabIri(base, 'OperationBatch/location'), '@type': '@id' },
  etag: { '@id': vocabIri(base, 'OperationBatch/etag') },
  furtherViolations: { '@id': vocabIri(base, 'OperationBatch/furtherViolations') },
})

/** The context of members that were deleted, each with its deletion. `deletion`: the context of that. */
export const removedContext = (cls: Class, base: string, deletion: Context): Context => {
  const { member, ...rest } = collectionContext(cls, base)
  const { '@context': own, ...term } = member as Context & { readonly '@context': readonly [null, Context] }
  const ofMember = { ...own[1], ...linkTerm(cls, DELETION, base, { '@context': [null, deletion] }) }
  return { ...rest, member: { ...term, '@context': [null, ofMember] } }
}

/** The context of the documentation. */
export const documentationContext = (base: string): Context => ({
  ...frame(base),
  hydra: HYDRA,
  rdf: RDF,
  rdfs: RDFS,
  xsd: XSD,
  owl: OWL,
  schema: SCHEMA,
  ...terms('hydra', 'ApiDocumentation Class SupportedProperty Operation Link Collection Status'),
  ...terms('hydra', 'Error title description method required readable writable writeable'),
  ...terms('hydra', 'statusCode headerName possibleValue expectsHeader returnsHeader memberAssertion'),
  ...linkTerms('hydra', 'supportedClass supportedProperty supportedOperation possibleStatus entrypoint'),
  ...linkTerms('hydra', 'extension collection'),
  ...vocabTerms('hydra', 'property expects returns object subject'),
  label: 'rdfs:label',
  comment: 'rdfs:comment',
  ...vocabTerms('rdfs', 'domain range subClassOf'),
  // By the IRI that Hydra itself uses.
  domainIncludes: { '@id': `${PREFIXES.schema}domainIncludes`, '@type': '@vocab' },
  // The link to the single resource of a class.
  linkedBy: { '@reverse': 'rdfs:range' },
  // Reversed, so that nothing new is said about the documentation: each shape is defined by it.
  shapes: { '@reverse': 'rdfs:isDefinedBy', '@context': SHAPES },
  terms: { '@reverse': 'rdfs:isDefinedBy' },
  reverseOf: { '@id': vocabIri(base, 'reverseOf'), '@type': '@vocab' },
  // The cases of a search term.
  cases: { '@reverse': 'rdfs:subPropertyOf', '@type': '@id' },
  labelProperty: { '@id': vocabIri(base, 'labelProperty'), '@type': '@vocab', '@container': '@list' },
})

const SHAPES: Context = {
  sh: SH,
  ...linkTerms('sh', 'targetClass path datatype class node nodeKind property'),
  ...terms('sh', 'minCount maxCount minLength maxLength pattern uniqueLang'),
  ...terms('sh', 'minInclusive maxInclusive defaultValue'),
  in: { '@id': 'sh:in', '@container': '@list' },
  // SHACL has no terms for these.
  uniqueValueForClass: { '@id': `${DASH}uniqueValueForClass`, '@type': '@id' },
  singleLine: `${DASH}singleLine`,
}
