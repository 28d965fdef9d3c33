import type { ConformValues, UnreadableReason } from '../conform/index.ts'
import type { Sentences } from '../problem.ts'
import { didYouMean, show } from '../text.ts'

const unreadable = ({ reason, status }: { reason: UnreadableReason; status: number }): string =>
  ({
    'no-answer': 'there is no answer',
    status: `the answer is ${status}`,
    'not-json': 'the body is not JSON',
    'not-json-ld': 'the body is not valid JSON-LD',
    'no-context': 'its context is on another server, which is not asked, or nothing is there',
  })[reason]

interface OfVariable {
  readonly variable: string
}

interface OfIri {
  readonly iri: string
}

interface OfName {
  readonly name: string
}

interface WithStatus {
  readonly status: number
}

/** What `hydrant conform` finds: each sentence says what is there, and what would be right. */
export const CONFORM: Sentences<ConformValues> = {
  UnknownTerm: ({ name, near }) =>
    `Hydra has no term ${show(name)}${near === undefined ? '; use one of the vocabulary, or a name of your own namespace' : `; ${didYouMean(near, name)}`}`,
  ReplacedTerm: ({ name, now }: OfName & { now: string }) =>
    `hydra:${name} is of an older draft; use hydra:${now}, or both`,
  TextInsteadOfLink: ({ name }: OfName) =>
    `The value of hydra:${name} is a text to JSON-LD; give the term "@type": "@id" (or "@vocab") in the context`,
  NotABoolean: ({ name }: OfName) => `The value of hydra:${name} must be true or false, without quotes`,
  NotANumber: ({ name }: OfName) => `The value of hydra:${name} must be a whole number, without quotes`,
  NotAText: ({ name }: OfName) => `The value of hydra:${name} must be a text`,
  TermWithoutMeaning: ({ name }: OfName) =>
    `The key ${show(name)} has no meaning in the context, so clients that read RDF do not see it; define it in the context`,
  UndeclaredExtension:
    'The documentation has SHACL shapes, but does not say so; add hydra:extension with http://www.w3.org/ns/shacl#',
  MemberAssertionOfTwo:
    'A member assertion must have exactly two of hydra:subject, hydra:property and hydra:object',
  NotJsonLd: (values) => `The resource cannot be read: ${unreadable(values)}; answer with JSON-LD`,
  OtherMediaType: ({ mediaType }: { mediaType: string }) =>
    `The media type is ${mediaType === '' ? 'missing' : show(mediaType)}; send Content-Type: application/ld+json`,
  NoDocumentationLink:
    'The response does not lead to the documentation; send Link: <…>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
  NoDocumentationLinkHere: 'This response has no Link to the documentation; send it with every response',
  NoDocumentation: (values) => `The documentation cannot be read: ${unreadable(values)}; answer with JSON-LD`,
  NotApiDocumentation: 'The Link leads to no hydra:ApiDocumentation; give the documentation this type',
  DocumentationElsewhere:
    'The @id of the documentation is another address; use the one at which it is served',
  NoEntryPoint: 'The documentation does not name the entry point; add hydra:entrypoint',
  NoApiTitle: 'The API has no title; add hydra:title to the documentation',
  NoApiDescription: 'The API has no description; add hydra:description to the documentation',
  NoSupportedClass: 'The documentation describes no class; add hydra:supportedClass',
  ClassWithoutAddress: 'A supported class has no @id, so nothing can refer to it; give it one',
  ClassNotDescribed: 'The class is listed as supported, but not described; describe it in the documentation',
  ClassWithoutType: 'The supported class has no type; add hydra:Class',
  ClassWithoutTitle: 'The class has no title; add hydra:title',
  SeveralTitles:
    'Several titles or labels describe one thing; a property that several classes share has its titles on their supported properties',
  UnknownClass: ({ iri }: OfIri) =>
    `${iri} is used as a class, but the documentation does not describe it; add it to hydra:supportedClass`,
  OperationWithoutMethod: 'The operation has no method; add hydra:method, such as "GET"',
  UnknownMethod: ({ method }: { method: string }) =>
    `${show(method)} is not an HTTP method; methods are written in capital letters`,
  OperationWithoutType: 'The operation has no type; add hydra:Operation',
  OperationWithoutTitle: 'The operation has no title; add hydra:title',
  OperationWithoutReturns:
    'The operation does not say what it returns; add hydra:returns (owl:Nothing for nothing)',
  DeleteReturnsSomething: 'A DELETE that returns no body has hydra:returns owl:Nothing',
  OperationWithoutExpects: 'The operation takes a body, but does not say of which class; add hydra:expects',
  NoPossibleStatus: 'The operation does not say which statuses it can answer with; add hydra:possibleStatus',
  StatusWithoutCode: 'A possible status has no number; add hydra:statusCode',
  OperationOfPlainProperty: 'The property has operations, but is no link; give it the type hydra:Link',
  VersionNotExpected:
    'Members have an ETag, but the operation does not say that it takes If-Match; add hydra:expectsHeader',
  VersionNotReturned: 'Members have an ETag, but the operation does not say so; add hydra:returnsHeader',
  HeaderWithoutName: 'A header of the operation has no name; add hydra:headerName',
  SupportedWithoutProperty: 'A supported property does not name its property; add hydra:property',
  PropertyWithoutAddress: 'A property has no @id, so no member can have it; give it one',
  SupportedWithoutTitle: 'The supported property has no title; add hydra:title to it',
  PropertyNotDescribed: 'The property is supported, but not described; describe it in the documentation',
  PropertyWithoutRange: 'The property does not say what its values are; add rdfs:range',
  NotSaidWritable: 'Nothing says whether clients may write the property; add hydra:writable',
  NotSaidWriteable: 'Older clients read hydra:writeable; add it beside hydra:writable',
  NotSaidRequired: 'Nothing says whether the property is required; add hydra:required',
  SeveralDomains:
    'Several rdfs:domain mean that whatever has the property is of all these classes; use schema:domainIncludes',
  ForeignDomain:
    'The property is of another vocabulary, for which rdfs:domain claims too much; use schema:domainIncludes',
  LinkWithoutType: 'The values of the property are addresses; give it the type hydra:Link',
  LinkWithoutCollection:
    'Nothing says which collection the values of the link come from; add hydra:collection',
  CollectionWithoutMemberClass:
    'The link leads to a collection, but nothing says of what; add hydra:memberAssertion to the link or to the class of the collection',
  EntryPropertyNotCollection:
    'The property of the entry point leads to no collection, but some clients list every supported property there as one; link to it without documenting it there',
  EntryPropertyNotLink: 'The property of the entry point is no link; give it the type hydra:Link',
  EntryPointNotDescribed:
    'The @type of the entry point is no supported class; describe it in the documentation',
  OtherSubject:
    'The response says nothing about the address that was asked for; its @id must be this address',
  NoCollection:
    'The entry point leads to no collection; link to the collections, and list them with hydra:collection',
  CollectionsNotListed: 'The entry point does not list its collections; add hydra:collection',
  NotACollection:
    'The documentation or the entry point calls this a collection; give it the type hydra:Collection',
  NoTotal: 'The collection does not say how many members it has; add hydra:totalItems',
  TotalTooSmall: 'hydra:totalItems is less than the number of members that are shown; count all of them',
  MembersNotShown: 'By hydra:totalItems there are members, but none is shown; list them with hydra:member',
  MemberWithoutAddress: 'A member has no @id, so it cannot be fetched; give it one',
  MemberWithoutType: 'A member does not say of which class it is; add @type',
  MembersNotSaid:
    'Neither the collection nor its class says of which class the members are; add hydra:memberAssertion',
  MemberClassNotDescribed:
    'The class of the member is not in the documentation; add it to hydra:supportedClass',
  PropertyNotDocumented: ({ iri }: OfIri) =>
    `The member has ${iri}, but no class of it supports that; add it to hydra:supportedProperty`,
  OtherDatatype: ({ iri, range }: OfIri & { range: string }) =>
    `A value of ${iri} is not of its range, ${range}; correct the value, or the range`,
  ValueWithoutDatatype: ({ iri, range }: OfIri & { range: string }) =>
    `A value of ${iri} is a plain text to JSON-LD; give the term "@type": "${range}" in the context`,
  FilteredIsTheSame:
    'With a filter, another hydra:totalItems is said of the same @id; give the filtered collection its own @id',
  FilterWithoutEffect:
    'The search template has a filter that nothing should pass, but members are shown; apply it',
  RestNotLinked:
    'The page shows only a part of the members, and nothing leads to the rest; add hydra:view with hydra:next',
  ViewWithoutType: 'The view has no type; add hydra:PartialCollectionView',
  PageNotThere: ({ status }: WithStatus) =>
    `hydra:next leads here, but ${status === 0 ? 'there is no answer' : `the answer (${status}) is no page`}; link to a page`,
  PageOfOtherCollection:
    'The next page is of a collection with another @id; pages are views of one collection',
  MemberTwice: 'The next page repeats a member of the page before; each member is on one page',
  PageWithoutView: 'The page is not described; add hydra:view with the @id that was asked for',
  NoWayBack: 'The page does not lead back; add hydra:previous',
  PagingNotMapped: ({ variable }: OfVariable) =>
    `Clients cannot know that ${show(variable)} turns pages; map it to hydra:pageReference, hydra:pageIndex, hydra:offset or hydra:limit`,
  NoTemplate: 'A search has no template; add hydra:template',
  MalformedTemplate:
    'The template is not one of RFC 6570; names of variables have letters, digits, "_" and ".", and anything else percent-encoded',
  MappingWithoutVariable: 'A mapping does not name its variable; add hydra:variable',
  MappingWithoutProperty: ({ variable }: OfVariable) =>
    `Nothing says what the variable ${show(variable)} means; add hydra:property to its mapping`,
  VariableNotInTemplate: ({ variable }: OfVariable) =>
    `The variable ${show(variable)} is mapped, but not in the template; name it alike in both`,
  VariableNotMapped: ({ variable }: OfVariable) =>
    `The variable ${show(variable)} of the template has no mapping; add one`,
  MappingNotDescribed: ({ iri }: OfIri) =>
    `A search mapping has the property ${iri}, which the documentation does not describe; describe it there`,
  UnknownMemberServed: ({ status }: WithStatus) =>
    `There is no such member, but the answer is ${status}; answer with 404`,
  UnknownParameterIgnored: 'A query parameter that does not exist is ignored; answer with 400 that names it',
  ServerError: ({ status }: WithStatus) =>
    `A query parameter that does not exist is answered with ${status}; answer with 400 that names it`,
  ErrorNotJson: 'The error is nothing that a program can read; answer with a problem document (RFC 9457)',
  ErrorNotProblem:
    'The error is not of the media type application/problem+json (RFC 9457); offer it by Accept',
  ProblemWithoutContext:
    'The problem document has no Link to its context; send Link: <http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#context"',
  NotAnError: 'The error is not of the type hydra:Error; add "@type": "hydra:Error"',
  OtherStatus: ({ status, said }: WithStatus & { said: string }) =>
    `The problem document says status ${said}, but the response has ${status}; say the same in both`,
  ProblemWithoutText: 'The problem document lacks a title or a detail; add both',
  ProblemWithoutType: 'The problem document does not say which problem it is; give "type" an address',
  ProblemNotDescribed: ({ iri }: OfIri) =>
    `The problem is of the type ${iri}, which the documentation does not describe; describe what to do about it`,
}
