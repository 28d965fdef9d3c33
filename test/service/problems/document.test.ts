import { describe } from 'node:test'
import { DOCUMENT } from '../../../src/service/problems/document.ts'
import { testSentences } from '../../support/sentences.ts'

const LONG = `its property "${'x'.repeat(120)}…" is not an absolute IRI; write one such as http://example.org/vocab#title`

describe('sentences about the long form of an API file', () => {
  testSentences(DOCUMENT, [
    ['DocumentTooLong', { maxMebibytes: 16 }, 'an ApiDocumentation can have at most 16 MiB; make it smaller'],
    ['NotADocument', {}, 'this must be a JSON object with "@context" and "@type": "ApiDocumentation"'],
    [
      'InvalidJsonLd',
      { reason: '@id value must be a string.' },
      'this is not JSON-LD: @id value must be a string.',
    ],
    ['UnprocessableJsonLd', {}, 'this is JSON-LD that cannot be processed; make its "@context" simpler'],
    [
      'ForeignContext',
      { address: 'https://example.org/context.jsonld' },
      'the context "https://example.org/context.jsonld" is not known here, and no context is ever fetched; write its terms out in "@context"',
    ],
    ['SeveralDocumentations', { count: 2 }, 'there are 2 ApiDocumentations in this file; keep one of them'],
    [
      'NoDocumentation',
      {},
      'this is not a Hydra ApiDocumentation: it must have a node of the type http://www.w3.org/ns/hydra/core#ApiDocumentation with "supportedClass"',
    ],
    [
      'NoServedClass',
      {},
      'there is no class whose members could be served; describe at least one in "supportedClass", with properties and with operations or a collection',
    ],
    [
      'UnnamableClass',
      {},
      'no class can have this name; give it a title or an IRI that ends in letters and digits, such as Book',
    ],
    [
      'RelativeClassIri',
      { iri: 'Book' },
      'its IRI "Book" is not absolute; write one such as http://example.org/vocab#Book',
    ],
    [
      'RelativePropertyIri',
      { iri: 'title' },
      'its property "title" is not an absolute IRI; write one such as http://example.org/vocab#title',
    ],
    ['RelativePropertyIri', { iri: 'x'.repeat(130) }, LONG],
    [
      'UnknownMemberClass',
      { of: 'property' },
      'nothing says which class its collection holds; add a "memberAssertion" with "property": "rdf:type" and the class as "object"',
    ],
    [
      'UnknownMemberClass',
      { of: 'class' },
      'nothing says which class this collection holds; add a "memberAssertion" with "property": "rdf:type" and the class as "object"',
    ],
    ['SeveralRanges', { count: 2 }, 'it has 2 ranges, and can have one; keep one of them'],
    [
      'UnknownRange',
      { iri: 'http://a/Boook', name: 'Boook', known: ['Book'] },
      'the range "http://a/Boook" is not known; did you mean Book?',
    ],
    [
      'UnknownRange',
      { iri: 'http://a/strin', name: 'strin', known: ['string'] },
      'the range "http://a/strin" is not known; did you mean xsd:string?',
    ],
    [
      'UnknownRange',
      { iri: 'http://a/x', name: 'x', known: [] },
      'the range "http://a/x" is not known; it must be a class of this document, or one of xsd:string, xsd:boolean, xsd:integer, xsd:nonNegativeInteger, xsd:positiveInteger, xsd:decimal, xsd:double, xsd:float, xsd:date, xsd:dateTime, xsd:time, xsd:duration, xsd:anyURI, rdf:langString',
    ],
    ['PatternWithFlags', {}, 'a pattern with flags cannot be checked here; write it without "sh:flags"'],
    ['SeveralDefaults', {}, 'it has several defaults, but one value at most; keep one of them'],
  ])
})
