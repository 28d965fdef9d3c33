import { HYDRA } from '../vocabulary/index.ts'

/** What the values of a term are (the `rdfs:range` of the Hydra Core Vocabulary). */
export type TermKind = 'class' | 'value' | 'link' | 'flag' | 'number' | 'text' | 'header'

const termsOfKind = (kind: TermKind, names: string): [string, TermKind][] =>
  names.split(' ').map((name) => [name, kind])

/** The Hydra Core Vocabulary, with the terms of older drafts that clients still read. */
export const TERMS: ReadonlyMap<string, TermKind> = new Map([
  ...termsOfKind('class', 'ApiDocumentation BaseUriSource Class Collection Error HeaderSpecification'),
  ...termsOfKind('class', 'IriTemplate IriTemplateMapping Link Operation PartialCollectionView Resource'),
  ...termsOfKind('class', 'Status SupportedProperty TemplatedLink VariableRepresentation'),
  ...termsOfKind('value', 'BasicRepresentation ExplicitRepresentation LinkContext Rfc3986 Rfc6570Template'),
  ...termsOfKind('value', 'freetextQuery limit offset pageIndex pageReference'),
  ...termsOfKind(
    'link',
    'apiDocumentation collection entrypoint expects extension first last mapping member',
  ),
  ...termsOfKind('link', 'memberAssertion next object operation possibleStatus previous property'),
  ...termsOfKind('link', 'resolveRelativeUsing returns search subject supportedClass supportedOperation'),
  ...termsOfKind('link', 'supportedProperty variableRepresentation view'),
  ...termsOfKind('flag', 'closedSet readable required writable'),
  ...termsOfKind('number', 'statusCode totalItems'),
  ...termsOfKind('text', 'description headerName method template title variable'),
  ...termsOfKind('header', 'expectsHeader possibleValue returnsHeader'),
])

/** Terms of older drafts, with those that have replaced them. */
export const REPLACED: ReadonlyMap<string, string> = new Map([
  ['manages', 'memberAssertion'],
  ['writeable', 'writable'],
  ['readonly', 'writable'],
  ['writeonly', 'readable'],
  ['PagedCollection', 'PartialCollectionView'],
  ['firstPage', 'first'],
  ['lastPage', 'last'],
  ['nextPage', 'next'],
  ['previousPage', 'previous'],
  ['itemsPerPage', 'limit'],
  ['statusCodes', 'possibleStatus'],
  ['StatusCodeDescription', 'Status'],
  ['CreateResourceOperation', 'Operation'],
  ['ReplaceResourceOperation', 'Operation'],
  ['DeleteResourceOperation', 'Operation'],
  ['resolveRelativeTo', 'resolveRelativeUsing'],
])

/** `http://www.w3.org/ns/hydra/core#member` → `member`; undefined for other vocabularies. */
export const hydraName = (iri: string): string | undefined =>
  iri.startsWith(HYDRA) ? iri.slice(HYDRA.length) : undefined
