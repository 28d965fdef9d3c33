import type { ConformValues } from '../../conform/index.ts'
import type { Sentences } from '../../problem.ts'
import { show } from '../../text.ts'
import type { OfIri } from './documentation.ts'

interface OfVariable {
  readonly variable: string
}

interface WithStatus {
  readonly status: number
}

/** What `hydrant conform` finds in collections, members and errors: what is there, and what would be right. */
export const REPRESENTATIONS = {
  CollectionsNotListed: 'The entry point does not list its collections; add hydra:collection.',
  NotACollection:
    'The documentation or the entry point calls this a collection; give it the type hydra:Collection.',
  NoTotal: 'The collection does not say how many members it has; add hydra:totalItems.',
  TotalTooSmall: 'hydra:totalItems is less than the number of members that are shown; count all of them.',
  MembersNotShown: 'By hydra:totalItems there are members, but none is shown; list them with hydra:member.',
  MemberWithoutAddress: 'A member has no @id, so it cannot be fetched; give it one.',
  MemberWithoutType: 'A member does not say of which class it is; add @type.',
  MembersNotSaid:
    'Neither the collection nor its class says of which class the members are; add hydra:memberAssertion.',
  MemberClassNotDescribed:
    'The class of the member is not in the documentation; add it to hydra:supportedClass.',
  PropertyNotDocumented: ({ iri }: OfIri) =>
    `The member has ${iri}, but no class of it supports that; add it to hydra:supportedProperty.`,
  OtherDatatype: ({ iri, range }: OfIri & { range: string }) =>
    `A value of ${iri} is not of its range, ${range}; correct the value, or the range.`,
  ValueWithoutDatatype: ({ iri, range }: OfIri & { range: string }) =>
    `A value of ${iri} is a plain text to JSON-LD; give the term "@type": "${range}" in the context.`,
  FilteredIsTheSame:
    'With a filter, another hydra:totalItems is said of the same @id; give the filtered collection its own @id.',
  FilterWithoutEffect:
    'The search template has a filter that nothing should pass, but members are shown; apply it.',
  RestNotLinked:
    'The page shows only a part of the members, and nothing leads to the rest; add hydra:view with hydra:next.',
  ViewWithoutType: 'The view has no type; add hydra:PartialCollectionView.',
  PageNotThere: ({ status }: WithStatus) =>
    `hydra:next leads here, but ${status === 0 ? 'there is no answer' : `the answer (${status}) is no page`}; link to a page.`,
  PageOfOtherCollection:
    'The next page is of a collection with another @id; pages are views of one collection.',
  MemberTwice: 'The next page repeats a member of the page before; each member is on one page.',
  PageWithoutView: 'The page is not described; add hydra:view with the @id that was asked for.',
  NoWayBack: 'The page does not lead back; add hydra:previous.',
  PagingNotMapped: ({ variable }: OfVariable) =>
    `Clients cannot know that ${show(variable)} turns pages; map it to hydra:pageReference, hydra:pageIndex, hydra:offset or hydra:limit.`,
  NoTemplate: 'A search has no template; add hydra:template.',
  MalformedTemplate:
    'The template is not one of RFC 6570; names of variables have letters, digits, "_" and ".", and anything else percent-encoded.',
  MappingWithoutVariable: 'A mapping does not name its variable; add hydra:variable.',
  MappingWithoutProperty: ({ variable }: OfVariable) =>
    `Nothing says what the variable ${show(variable)} means; add hydra:property to its mapping.`,
  VariableNotInTemplate: ({ variable }: OfVariable) =>
    `The variable ${show(variable)} is mapped, but not in the template; name it alike in both.`,
  VariableNotMapped: ({ variable }: OfVariable) =>
    `The variable ${show(variable)} of the template has no mapping; add one.`,
  MappingNotDescribed: ({ iri }: OfIri) =>
    `A search mapping has the property ${iri}, which the documentation does not describe; describe it there.`,
  UnknownMemberServed: ({ status }: WithStatus) =>
    `There is no such member, but the answer is ${status}; answer with 404.`,
  UnknownParameterIgnored: 'A query parameter that does not exist is ignored; answer with 400 that names it.',
  ServerError: ({ status }: WithStatus) =>
    `A query parameter that does not exist is answered with ${status}; answer with 400 that names it.`,
  ErrorNotJson: 'The error is nothing that a program can read; answer with a problem document (RFC 9457).',
  ErrorNotProblem:
    'The error is not of the media type application/problem+json (RFC 9457); offer it by Accept.',
  ProblemWithoutContext:
    'The problem document has no Link to its context; send Link: <http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#context".',
  NotAnError: 'The error is not of the type hydra:Error; add "@type": "hydra:Error".',
  OtherStatus: ({ status, said }: WithStatus & { said: string }) =>
    `The problem document says status ${said}, but the response has ${status}; say the same in both.`,
  ProblemWithoutText: 'The problem document lacks a title or a detail; add both.',
  ProblemWithoutType: 'The problem document does not say which problem it is; give "type" an address.',
  ProblemNotDescribed: ({ iri }: OfIri) =>
    `The problem is of the type ${iri}, which the documentation does not describe; describe what to do about it.`,
} satisfies Partial<Sentences<ConformValues>>
