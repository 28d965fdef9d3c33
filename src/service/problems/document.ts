import type { Sentences } from '../../problem.ts'
import { nearest, show } from '../../text.ts'
import {
  DATATYPE_NAMES,
  type DocumentProblems,
  HYDRA,
  isDatatypeName,
  type LinkedDataProblems,
  prefixed,
} from '../../vocabulary/index.ts'

/** Never longer than a line: a document may call anything by any name. */
export const inOneLine = (text: string) => show(text, 120)

const SAY_WHICH = 'add a "memberAssertion" with "property": "rdf:type" and the class as "object"'

/** Sentences about the long form of an API file, a Hydra ApiDocumentation. */
export const DOCUMENT: Sentences<DocumentProblems & LinkedDataProblems> = {
  DocumentTooLong: ({ maxMebibytes }) =>
    `an ApiDocumentation can have at most ${maxMebibytes} MiB; make it smaller`,
  NotADocument: 'this must be a JSON object with "@context" and "@type": "ApiDocumentation"',
  InvalidJsonLd: ({ reason }) => `this is not JSON-LD: ${reason}`,
  UnprocessableJsonLd: 'this is JSON-LD that cannot be processed; make its "@context" simpler',
  ForeignContext: ({ address }) =>
    `the context ${JSON.stringify(address)} is not known here, and no context is ever fetched; write its terms out in "@context"`,
  SeveralDocumentations: ({ count }) => `there are ${count} ApiDocumentations in this file; keep one of them`,
  NoDocumentation: `this is not a Hydra ApiDocumentation: it must have a node of the type ${HYDRA}ApiDocumentation with "supportedClass"`,
  NoServedClass:
    'there is no class whose members could be served; describe at least one in "supportedClass", with properties and with operations or a collection',
  UnnamableClass:
    'no class can have this name; give it a title or an IRI that ends in letters and digits, such as Book',
  RelativeClassIri: ({ iri }) =>
    `its IRI ${inOneLine(iri)} is not absolute; write one such as http://example.org/vocab#Book`,
  RelativePropertyIri: ({ iri }) =>
    `its property ${inOneLine(iri)} is not an absolute IRI; write one such as http://example.org/vocab#title`,
  UnknownMemberClass: ({ of }) =>
    `nothing says which class ${of === 'property' ? 'its' : 'this'} collection holds; ${SAY_WHICH}`,
  SeveralRanges: ({ count }) => `it has ${count} ranges, and can have one; keep one of them`,
  UnknownRange: ({ iri, name, known }) =>
    `the range ${inOneLine(iri)} is not known; ${rangeHint(name, known)}`,
  PatternWithFlags: 'a pattern with flags cannot be checked here; write it without "sh:flags"',
  SeveralDefaults: 'it has several defaults, but one value at most; keep one of them',
}

function rangeHint(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  if (meant !== undefined) return `did you mean ${isDatatypeName(meant) ? prefixed(meant) : meant}?`
  return `it must be a class of this document, or one of ${DATATYPE_NAMES.map(prefixed).join(', ')}`
}
