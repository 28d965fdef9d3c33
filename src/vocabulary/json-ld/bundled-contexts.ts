import { type Context, linkTerms, terms, vocabTerms } from '../contexts.ts'
import { HYDRA, OWL, RDF, RDFS, XSD } from '../namespaces.ts'

/** The contexts that a document may name by address, terms of older drafts included: none is ever fetched. */
const HYDRA_CONTEXT: Context = {
  hydra: HYDRA,
  rdf: RDF,
  rdfs: RDFS,
  xsd: XSD,
  owl: OWL,
  vs: 'http://www.w3.org/2003/06/sw-vocab-status/ns#',
  dc: 'http://purl.org/dc/terms/',
  cc: 'http://creativecommons.org/ns#',
  schema: 'http://schema.org/',
  ...terms('hydra', 'ApiDocumentation BasicRepresentation Class Collection Error ExplicitRepresentation'),
  ...terms('hydra', 'HeaderSpecification IriTemplate IriTemplateMapping Link MediaType Operation'),
  ...terms('hydra', 'PartialCollectionView Resource Rfc6570Template Status SupportedProperty TemplatedLink'),
  ...terms('hydra', 'VariableRepresentation closeMatch collection description expectsHeader freetextQuery'),
  ...terms('hydra', 'headerName limit manages mapping memberAssertion method offset operation pageIndex'),
  ...terms('hydra', 'pageReference possibleValue readable required returnsHeader search statusCode template'),
  ...terms('hydra', 'title totalItems variable writable writeable'),
  // Of drafts before 2015.
  ...terms('hydra', 'CreateResourceOperation DeleteResourceOperation ReplaceResourceOperation'),
  ...terms('hydra', 'PagedCollection readonly writeonly'),
  ...linkTerms('hydra', 'apiDocumentation entrypoint extension first last member next possibleStatus'),
  ...linkTerms('hydra', 'previous supportedOperation supportedProperty view'),
  ...vocabTerms('hydra', 'expects object property resolveRelativeTo returns subject supportedClass'),
  ...vocabTerms('hydra', 'variableRepresentation'),
  ...vocabTerms('rdfs', 'domain range subClassOf subPropertyOf'),
  ...terms('rdfs', 'comment label'),
  ...linkTerms('rdfs', 'isDefinedBy seeAlso'),
  ...vocabTerms('schema', 'domainIncludes rangeIncludes'),
}

/** schema.org serves one context of more than 2,000 terms, which does little more than this. */
const SCHEMA_CONTEXT: Context = {
  '@vocab': 'http://schema.org/',
  schema: 'http://schema.org/',
  id: '@id',
  type: '@type',
}

const CONTEXTS = new Map<string, Context>([
  ['www.w3.org/ns/hydra/context.jsonld', HYDRA_CONTEXT],
  ['www.w3.org/ns/hydra/core', HYDRA_CONTEXT],
  ['www.w3.org/ns/hydra/core.jsonld', HYDRA_CONTEXT],
  ['purl.org/hydra/core/context.jsonld', HYDRA_CONTEXT],
  ['schema.org', SCHEMA_CONTEXT],
  ['schema.org/docs/jsonldcontext.json', SCHEMA_CONTEXT],
  ['schema.org/docs/jsonldcontext.jsonld', SCHEMA_CONTEXT],
])

/** By its address, whatever its scheme, with or without a fragment or a slash at the end; undefined for any other. */
export function findBundledContext(address: string): object | undefined {
  const [, hostAndPath = ''] = /^https?:\/\/([^?#]*?)\/?(?:#.*)?$/i.exec(address) ?? []
  return CONTEXTS.get(hostAndPath)
}
