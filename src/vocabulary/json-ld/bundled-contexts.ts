import { HYDRA, OWL, RDF, RDFS, XSD } from '../namespaces.ts'

/**
 * The contexts that a document may name by address: none is ever fetched (hypermedia.md, The API file). Written from
 * the terms of the Hydra Core Vocabulary, those of older drafts included.
 */

type Context = { readonly [term: string]: unknown }

/** Their values are literals, or nodes that are written out. */
const VALUES = [
  'ApiDocumentation BasicRepresentation Class Collection Error ExplicitRepresentation',
  'HeaderSpecification IriTemplate IriTemplateMapping Link MediaType Operation PartialCollectionView',
  'Resource Rfc6570Template Status SupportedProperty TemplatedLink VariableRepresentation closeMatch',
  'collection description expectsHeader freetextQuery headerName limit manages mapping',
  'memberAssertion method offset operation pageIndex pageReference possibleValue readable required',
  'returnsHeader search statusCode template title totalItems variable writable writeable',
  // Of drafts before 2015.
  'CreateResourceOperation DeleteResourceOperation PagedCollection ReplaceResourceOperation readonly writeonly',
].flatMap((names) => names.split(' '))

/** Their values are addresses. */
const LINKS = [
  'apiDocumentation entrypoint extension first last member next possibleStatus previous',
  'supportedOperation supportedProperty view',
].flatMap((names) => names.split(' '))

/** Their values are names of classes and properties. */
const NAMES = [
  'expects object property resolveRelativeTo returns subject supportedClass variableRepresentation',
].flatMap((names) => names.split(' '))

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
  ...terms(VALUES, (name) => `hydra:${name}`),
  ...terms(LINKS, (name) => ({ '@id': `hydra:${name}`, '@type': '@id' })),
  ...terms(NAMES, (name) => ({ '@id': `hydra:${name}`, '@type': '@vocab' })),
  ...terms(['domain', 'range', 'subClassOf', 'subPropertyOf'], (name) => ({
    '@id': `rdfs:${name}`,
    '@type': '@vocab',
  })),
  comment: 'rdfs:comment',
  label: 'rdfs:label',
  isDefinedBy: { '@id': 'rdfs:isDefinedBy', '@type': '@id' },
  seeAlso: { '@id': 'rdfs:seeAlso', '@type': '@id' },
  domainIncludes: { '@id': 'schema:domainIncludes', '@type': '@vocab' },
  rangeIncludes: { '@id': 'schema:rangeIncludes', '@type': '@vocab' },
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

function terms(names: readonly string[], define: (name: string) => unknown): Context {
  return Object.fromEntries(names.map((name) => [name, define(name)]))
}
