import { describe } from 'node:test'
import { REPRESENTATIONS } from '../../../src/cli/conform/representations.ts'
import { testSentences } from '../../support/sentences.ts'

describe('sentences about the collections, members and errors of an API', () => {
  testSentences(REPRESENTATIONS, [
    ['CollectionsNotListed', {}, 'The entry point does not list its collections; add hydra:collection.'],
    [
      'NotACollection',
      {},
      'The documentation or the entry point calls this a collection; give it the type hydra:Collection.',
    ],
    ['NoTotal', {}, 'The collection does not say how many members it has; add hydra:totalItems.'],
    [
      'TotalTooSmall',
      {},
      'hydra:totalItems is less than the number of members that are shown; count all of them.',
    ],
    [
      'MembersNotShown',
      {},
      'By hydra:totalItems there are members, but none is shown; list them with hydra:member.',
    ],
    ['MemberWithoutAddress', {}, 'A member has no @id, so it cannot be fetched; give it one.'],
    ['MemberWithoutType', {}, 'A member does not say of which class it is; add @type.'],
    [
      'MembersNotSaid',
      {},
      'Neither the collection nor its class says of which class the members are; add hydra:memberAssertion.',
    ],
    [
      'MemberClassNotDescribed',
      {},
      'The class of the member is not in the documentation; add it to hydra:supportedClass.',
    ],
    [
      'PropertyNotDocumented',
      { iri: 'http://h/v#p' },
      'The member has http://h/v#p, but no class of it supports that; add it to hydra:supportedProperty.',
    ],
    [
      'OtherDatatype',
      { iri: 'http://h/v#p', range: 'http://h/v#r' },
      'A value of http://h/v#p is not of its range, http://h/v#r; correct the value, or the range.',
    ],
    [
      'ValueWithoutDatatype',
      { iri: 'http://h/v#p', range: 'http://h/v#r' },
      'A value of http://h/v#p is a plain text to JSON-LD; give the term "@type": "http://h/v#r" in the context.',
    ],
    [
      'FilteredIsTheSame',
      {},
      'With a filter, another hydra:totalItems is said of the same @id; give the filtered collection its own @id.',
    ],
    [
      'FilterWithoutEffect',
      {},
      'The search template has a filter that nothing should pass, but members are shown; apply it.',
    ],
    [
      'RestNotLinked',
      {},
      'The page shows only a part of the members, and nothing leads to the rest; add hydra:view with hydra:next.',
    ],
    ['ViewWithoutType', {}, 'The view has no type; add hydra:PartialCollectionView.'],
    [
      'PageNotThere',
      { status: 404 },
      'hydra:next leads here, but the answer (404) is no page; link to a page.',
    ],
    ['PageNotThere', { status: 0 }, 'hydra:next leads here, but there is no answer; link to a page.'],
    [
      'PageOfOtherCollection',
      {},
      'The next page is of a collection with another @id; pages are views of one collection.',
    ],
    ['MemberTwice', {}, 'The next page repeats a member of the page before; each member is on one page.'],
    ['PageWithoutView', {}, 'The page is not described; add hydra:view with the @id that was asked for.'],
    ['NoWayBack', {}, 'The page does not lead back; add hydra:previous.'],
    [
      'PagingNotMapped',
      { variable: 'after' },
      'Clients cannot know that "after" turns pages; map it to hydra:pageReference, hydra:pageIndex, hydra:offset or hydra:limit.',
    ],
    ['NoTemplate', {}, 'A search has no template; add hydra:template.'],
    [
      'MalformedTemplate',
      {},
      'The template is not one of RFC 6570; names of variables have letters, digits, "_" and ".", and anything else percent-encoded.',
    ],
    ['MappingWithoutVariable', {}, 'A mapping does not name its variable; add hydra:variable.'],
    [
      'MappingWithoutProperty',
      { variable: 'q' },
      'Nothing says what the variable "q" means; add hydra:property to its mapping.',
    ],
    [
      'VariableNotInTemplate',
      { variable: 'q' },
      'The variable "q" is mapped, but not in the template; name it alike in both.',
    ],
    ['VariableNotMapped', { variable: 'q' }, 'The variable "q" of the template has no mapping; add one.'],
    [
      'MappingNotDescribed',
      { iri: 'http://h/v#p' },
      'A search mapping has the property http://h/v#p, which the documentation does not describe; describe it there.',
    ],
    [
      'UnknownMemberServed',
      { status: 200 },
      'There is no such member, but the answer is 200; answer with 404.',
    ],
    [
      'UnknownParameterIgnored',
      {},
      'A query parameter that does not exist is ignored; answer with 400 that names it.',
    ],
    [
      'ServerError',
      { status: 500 },
      'A query parameter that does not exist is answered with 500; answer with 400 that names it.',
    ],
    [
      'ErrorNotJson',
      {},
      'The error is nothing that a program can read; answer with a problem document (RFC 9457).',
    ],
    [
      'ErrorNotProblem',
      {},
      'The error is not of the media type application/problem+json (RFC 9457); offer it by Accept.',
    ],
    [
      'ProblemWithoutContext',
      {},
      'The problem document has no Link to its context; send Link: <http://www.w3.org/ns/hydra/error>; rel="http://www.w3.org/ns/json-ld#context".',
    ],
    ['NotAnError', {}, 'The error is not of the type hydra:Error; add "@type": "hydra:Error".'],
    [
      'OtherStatus',
      { status: 404, said: '400' },
      'The problem document says status 400, but the response has 404; say the same in both.',
    ],
    ['ProblemWithoutText', {}, 'The problem document lacks a title or a detail; add both.'],
    [
      'ProblemWithoutType',
      {},
      'The problem document does not say which problem it is; give "type" an address.',
    ],
    [
      'ProblemNotDescribed',
      { iri: 'http://h/v#Lost' },
      'The problem is of the type http://h/v#Lost, which the documentation does not describe; describe what to do about it.',
    ],
  ])
})
