import { describe } from 'node:test'
import { DOCUMENTATION } from '../../../src/cli/conform/documentation.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about the vocabulary and the documentation of an API', () => {
  testSentences(DOCUMENTATION, [
    [
      'UnknownTerm',
      { name: 'totalitems', near: 'totalItems' },
      'Hydra has no term "totalitems"; did you mean "totalItems"?',
    ],
    [
      'UnknownTerm',
      { name: 'colour', near: undefined },
      'Hydra has no term "colour"; use one of the vocabulary, or a name of your own namespace.',
    ],
    [
      'ReplacedTerm',
      { name: 'manages', now: 'memberAssertion' },
      'hydra:manages is of an older draft; use hydra:memberAssertion, or both.',
    ],
    [
      'TextInsteadOfLink',
      { name: 'entrypoint' },
      'The value of hydra:entrypoint is a text to JSON-LD; give the term "@type": "@id" (or "@vocab") in the context.',
    ],
    [
      'NotABoolean',
      { name: 'required' },
      'The value of hydra:required must be true or false, without quotes.',
    ],
    [
      'NotANumber',
      { name: 'totalItems' },
      'The value of hydra:totalItems must be a whole number, without quotes.',
    ],
    ['NotAText', { name: 'title' }, 'The value of hydra:title must be a text.'],
    [
      'TermWithoutMeaning',
      { name: 'colour' },
      'The key "colour" has no meaning in the context, so clients that read RDF do not see it; define it in the context.',
    ],
    [
      'UndeclaredExtension',
      {},
      'The documentation has SHACL shapes, but does not say so; add hydra:extension with http://www.w3.org/ns/shacl#.',
    ],
    [
      'MemberAssertionOfTwo',
      {},
      'A member assertion must have exactly two of hydra:subject, hydra:property and hydra:object.',
    ],
    [
      'NotJsonLd',
      { reason: 'not-json', status: 200 },
      'The resource cannot be read: the body is not JSON; answer with JSON-LD.',
    ],
    [
      'NotJsonLd',
      { reason: 'web-page', status: 200 },
      'The resource cannot be read: the body is a web page; answer with JSON-LD.',
    ],
    [
      'NotJsonLd',
      { reason: 'web-page', status: 200, api: { address: 'http://localhost:8080/api', isNamed: true } },
      'The resource cannot be read: the body is a web page; answer with JSON-LD, or give the address of the API, which is http://localhost:8080/api.',
    ],
    [
      'NotJsonLd',
      { reason: 'web-page', status: 200, api: { address: 'http://localhost:8081/api', isNamed: false } },
      'The resource cannot be read: the body is a web page; answer with JSON-LD, or give the address of the API, which is probably http://localhost:8081/api.',
    ],
    [
      'NotJsonLd',
      { reason: 'no-answer', status: 0 },
      'The resource cannot be read: there is no answer; answer with JSON-LD.',
    ],
    [
      'OtherMediaType',
      { mediaType: 'text/html' },
      'The media type is "text/html"; send Content-Type: application/ld+json.',
    ],
    [
      'OtherMediaType',
      { mediaType: '' },
      'The media type is missing; send Content-Type: application/ld+json.',
    ],
    [
      'NoDocumentationLink',
      {},
      'The response does not lead to the documentation; send Link: <…>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation".',
    ],
    [
      'NoDocumentationLinkHere',
      {},
      'This response has no Link to the documentation; send it with every response.',
    ],
    [
      'NoDocumentation',
      { reason: 'status', status: 500 },
      'The documentation cannot be read: the answer is 500; answer with JSON-LD.',
    ],
    [
      'NoDocumentation',
      { reason: 'not-json-ld', status: 200 },
      'The documentation cannot be read: the body is not valid JSON-LD; answer with JSON-LD.',
    ],
    [
      'NoDocumentation',
      { reason: 'no-context', status: 200 },
      'The documentation cannot be read: its context is on another server, which is not asked, or nothing is there; answer with JSON-LD.',
    ],
    [
      'NotApiDocumentation',
      {},
      'The Link leads to no hydra:ApiDocumentation; give the documentation this type.',
    ],
    [
      'DocumentationElsewhere',
      {},
      'The @id of the documentation is another address; use the one at which it is served.',
    ],
    ['NoEntryPoint', {}, 'The documentation does not name the entry point; add hydra:entrypoint.'],
    ['NoApiTitle', {}, 'The API has no title; add hydra:title to the documentation.'],
    ['NoApiDescription', {}, 'The API has no description; add hydra:description to the documentation.'],
    ['NoSupportedClass', {}, 'The documentation describes no class; add hydra:supportedClass.'],
    ['ClassWithoutAddress', {}, 'A supported class has no @id, so nothing can refer to it; give it one.'],
    [
      'ClassNotDescribed',
      {},
      'The class is listed as supported, but not described; describe it in the documentation.',
    ],
    ['ClassWithoutType', {}, 'The supported class has no type; add hydra:Class.'],
    ['ClassWithoutTitle', {}, 'The class has no title; add hydra:title.'],
    [
      'SeveralTitles',
      {},
      'Several titles or labels describe one thing; a property that several classes share has its titles on their supported properties.',
    ],
    [
      'UnknownClass',
      { iri: 'http://h/v#B' },
      'http://h/v#B is used as a class, but the documentation does not describe it; add it to hydra:supportedClass.',
    ],
    ['OperationWithoutMethod', {}, 'The operation has no method; add hydra:method, such as "GET".'],
    [
      'UnknownMethod',
      { method: 'get' },
      '"get" is not an HTTP method; methods are written in capital letters.',
    ],
    ['OperationWithoutType', {}, 'The operation has no type; add hydra:Operation.'],
    ['OperationWithoutTitle', {}, 'The operation has no title; add hydra:title.'],
    [
      'OperationWithoutReturns',
      {},
      'The operation does not say what it returns; add hydra:returns (owl:Nothing for nothing).',
    ],
    ['DeleteReturnsSomething', {}, 'A DELETE that returns no body has hydra:returns owl:Nothing.'],
    [
      'OperationWithoutExpects',
      {},
      'The operation takes a body, but does not say of which class; add hydra:expects.',
    ],
    [
      'NoPossibleStatus',
      {},
      'The operation does not say which statuses it can answer with; add hydra:possibleStatus.',
    ],
    ['StatusWithoutCode', {}, 'A possible status has no number; add hydra:statusCode.'],
    [
      'OperationOfPlainProperty',
      {},
      'The property has operations, but is no link; give it the type hydra:Link.',
    ],
    [
      'VersionNotExpected',
      {},
      'Members have an ETag, but the operation does not say that it takes If-Match; add hydra:expectsHeader.',
    ],
    [
      'VersionNotReturned',
      {},
      'Members have an ETag, but the operation does not say so; add hydra:returnsHeader.',
    ],
    ['HeaderWithoutName', {}, 'A header of the operation has no name; add hydra:headerName.'],
    ['SupportedWithoutProperty', {}, 'A supported property does not name its property; add hydra:property.'],
    ['PropertyWithoutAddress', {}, 'A property has no @id, so no member can have it; give it one.'],
    ['SupportedWithoutTitle', {}, 'The supported property has no title; add hydra:title to it.'],
    [
      'PropertyNotDescribed',
      {},
      'The property is supported, but not described; describe it in the documentation.',
    ],
    ['PropertyWithoutRange', {}, 'The property does not say what its values are; add rdfs:range.'],
    ['NotSaidWritable', {}, 'Nothing says whether clients may write the property; add hydra:writable.'],
    ['NotSaidWriteable', {}, 'Older clients read hydra:writeable; add it beside hydra:writable.'],
    ['NotSaidRequired', {}, 'Nothing says whether the property is required; add hydra:required.'],
    [
      'SeveralDomains',
      {},
      'Several rdfs:domain mean that whatever has the property is of all these classes; use schema:domainIncludes.',
    ],
    [
      'ForeignDomain',
      {},
      'The property is of another vocabulary, for which rdfs:domain claims too much; use schema:domainIncludes.',
    ],
    ['LinkWithoutType', {}, 'The values of the property are addresses; give it the type hydra:Link.'],
    [
      'LinkWithoutCollection',
      {},
      'Nothing says which collection the values of the link come from; add hydra:collection.',
    ],
    [
      'CollectionWithoutMemberClass',
      {},
      'The link leads to a collection, but nothing says of what; add hydra:memberAssertion to the link or to the class of the collection.',
    ],
    [
      'EntryPropertyNotCollection',
      {},
      'The property of the entry point leads to no collection, but some clients list every supported property there as one; link to it without documenting it there.',
    ],
    ['EntryPropertyNotLink', {}, 'The property of the entry point is no link; give it the type hydra:Link.'],
    [
      'EntryPointNotDescribed',
      {},
      'The @type of the entry point is no supported class; describe it in the documentation.',
    ],
    [
      'OtherSubject',
      {},
      'The response says nothing about the address that was asked for; its @id must be this address.',
    ],
    [
      'NoCollection',
      {},
      'The entry point leads to no collection; link to the collections, and list them with hydra:collection.',
    ],
  ])
})
