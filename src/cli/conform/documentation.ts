import type { ApiPlace, ConformValues, UnreadableReason } from '../../conform/index.ts'
import type { Sentences } from '../../problem.ts'
import { didYouMean, show } from '../../text.ts'

const unreadable = ({ reason, status }: { reason: UnreadableReason; status: number }): string =>
  ({
    'no-answer': 'there is no answer',
    status: `the answer is ${status}`,
    'not-json': 'the body is not JSON',
    'web-page': 'the body is a web page',
    'not-json-ld': 'the body is not valid JSON-LD',
    'no-context': 'its context is on another server, which is not asked, or nothing is there',
  })[reason]

const placeOf = ({ address, isNamed }: ApiPlace): string => (isNamed ? address : `probably ${address}`)

/** Values of sentences. */
export interface OfIri {
  readonly iri: string
}

interface OfName {
  readonly name: string
}

/** What `hydrant conform` finds in the vocabulary and the documentation: what is there, and what would be right. */
export const DOCUMENTATION = {
  UnknownTerm: ({ name, near }) =>
    `Hydra has no term ${show(name)}${near === undefined ? '; use one of the vocabulary, or a name of your own namespace.' : `; ${didYouMean(near, name)}`}`,
  ReplacedTerm: ({ name, now }: OfName & { now: string }) =>
    `hydra:${name} is of an older draft; use hydra:${now}, or both.`,
  TextInsteadOfLink: ({ name }: OfName) =>
    `The value of hydra:${name} is a text to JSON-LD; give the term "@type": "@id" (or "@vocab") in the context.`,
  NotABoolean: ({ name }: OfName) => `The value of hydra:${name} must be true or false, without quotes.`,
  NotANumber: ({ name }: OfName) => `The value of hydra:${name} must be a whole number, without quotes.`,
  NotAText: ({ name }: OfName) => `The value of hydra:${name} must be a text.`,
  TermWithoutMeaning: ({ name }: OfName) =>
    `The key ${show(name)} has no meaning in the context, so clients that read RDF do not see it; define it in the context.`,
  UndeclaredExtension:
    'The documentation has SHACL shapes, but does not say so; add hydra:extension with http://www.w3.org/ns/shacl#.',
  MemberAssertionOfTwo:
    'A member assertion must have exactly two of hydra:subject, hydra:property and hydra:object.',
  NotJsonLd: ({ api, ...values }) =>
    `The resource cannot be read: ${unreadable(values)}; answer with JSON-LD${api === undefined ? '' : `, or give the address of the API, which is ${placeOf(api)}`}.`,
  OtherMediaType: ({ mediaType }: { mediaType: string }) =>
    `The media type is ${mediaType === '' ? 'missing' : show(mediaType)}; send Content-Type: application/ld+json.`,
  NoDocumentationLink:
    'The response does not lead to the documentation; send Link: <…>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation".',
  NoDocumentationLinkHere: 'This response has no Link to the documentation; send it with every response.',
  NoDocumentation: (values) =>
    `The documentation cannot be read: ${unreadable(values)}; answer with JSON-LD.`,
  NotApiDocumentation: 'The Link leads to no hydra:ApiDocumentation; give the documentation this type.',
  DocumentationElsewhere:
    'The @id of the documentation is another address; use the one at which it is served.',
  NoEntryPoint: 'The documentation does not name the entry point; add hydra:entrypoint.',
  NoApiTitle: 'The API has no title; add hydra:title to the documentation.',
  NoApiDescription: 'The API has no description; add hydra:description to the documentation.',
  NoSupportedClass: 'The documentation describes no class; add hydra:supportedClass.',
  ClassWithoutAddress: 'A supported class has no @id, so nothing can refer to it; give it one.',
  ClassNotDescribed: 'The class is listed as supported, but not described; describe it in the documentation.',
  ClassWithoutType: 'The supported class has no type; add hydra:Class.',
  ClassWithoutTitle: 'The class has no title; add hydra:title.',
  SeveralTitles:
    'Several titles or labels describe one thing; a property that several classes share has its titles on their supported properties.',
  UnknownClass: ({ iri }: OfIri) =>
    `${iri} is used as a class, but the documentation does not describe it; add it to hydra:supportedClass.`,
  OperationWithoutMethod: 'The operation has no method; add hydra:method, such as "GET".',
  UnknownMethod: ({ method }: { method: string }) =>
    `${show(method)} is not an HTTP method; methods are written in capital letters.`,
  OperationWithoutType: 'The operation has no type; add hydra:Operation.',
  OperationWithoutTitle: 'The operation has no title; add hydra:title.',
  OperationWithoutReturns:
    'The operation does not say what it returns; add hydra:returns (owl:Nothing for nothing).',
  DeleteReturnsSomething: 'A DELETE that returns no body has hydra:returns owl:Nothing.',
  OperationWithoutExpects: 'The operation takes a body, but does not say of which class; add hydra:expects.',
  NoPossibleStatus: 'The operation does not say which statuses it can answer with; add hydra:possibleStatus.',
  StatusWithoutCode: 'A possible status has no number; add hydra:statusCode.',
  OperationOfPlainProperty: 'The property has operations, but is no link; give it the type hydra:Link.',
  VersionNotExpected:
    'Members have an ETag, but the operation does not say that it takes If-Match; add hydra:expectsHeader.',
  VersionNotReturned: 'Members have an ETag, but the operation does not say so; add hydra:returnsHeader.',
  HeaderWithoutName: 'A header of the operation has no name; add hydra:headerName.',
  SupportedWithoutProperty: 'A supported property does not name its property; add hydra:property.',
  PropertyWithoutAddress: 'A property has no @id, so no member can have it; give it one.',
  SupportedWithoutTitle: 'The supported property has no title; add hydra:title to it.',
  PropertyNotDescribed: 'The property is supported, but not described; describe it in the documentation.',
  PropertyWithoutRange: 'The property does not say what its values are; add rdfs:range.',
  NotSaidWritable: 'Nothing says whether clients may write the property; add hydra:writable.',
  NotSaidWriteable: 'Older clients read hydra:writeable; add it beside hydra:writable.',
  NotSaidRequired: 'Nothing says whether the property is required; add hydra:required.',
  SeveralDomains:
    'Several rdfs:domain mean that whatever has the property is of all these classes; use schema:domainIncludes.',
  ForeignDomain:
    'The property is of another vocabulary, for which rdfs:domain claims too much; use schema:domainIncludes.',
  LinkWithoutType: 'The values of the property are addresses; give it the type hydra:Link.',
  LinkWithoutCollection:
    'Nothing says which collection the values of the link come from; add hydra:collection.',
  CollectionWithoutMemberClass:
    'The link leads to a collection, but nothing says of what; add hydra:memberAssertion to the link or to the class of the collection.',
  EntryPropertyNotCollection:
    'The property of the entry point leads to no collection, but some clients list every supported property there as one; link to it without documenting it there.',
  EntryPropertyNotLink: 'The property of the entry point is no link; give it the type hydra:Link.',
  EntryPointNotDescribed:
    'The @type of the entry point is no supported class; describe it in the documentation.',
  OtherSubject:
    'The response says nothing about the address that was asked for; its @id must be this address.',
  NoCollection:
    'The entry point leads to no collection; link to the collections, and list them with hydra:collection.',
} satisfies Partial<Sentences<ConformValues>>
