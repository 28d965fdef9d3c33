export const HYDRA = 'http://www.w3.org/ns/hydra/core#'
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const XSD = 'http://www.w3.org/2001/XMLSchema#'
export const OWL = 'http://www.w3.org/2002/07/owl#'
export const SCHEMA = 'https://schema.org/'
export const SH = 'http://www.w3.org/ns/shacl#'
export const DASH = 'http://datashapes.org/dash#'

/** RFC 3987 §2.2, as far as it matters: a scheme, and none of the characters that must be percent-encoded. */
export function isAbsoluteIri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\p{Cc}\p{Cs}\p{Z}<>"{}|\\^`]+$/u.test(text)
}
