import { OWL } from '../../vocabulary/index.ts'
import type { DocumentNode } from '../../vocabulary/long-form/graph.ts'
import type { ApiFacts } from '../facts.ts'
import { withParents } from '../reading.ts'
import { places, rule } from '../rule.ts'

const methodOf = (operation: DocumentNode): string => operation.text('hydra:method') ?? ''

const returnsNothing = (operation: DocumentNode): boolean =>
  operation.nodes('hydra:returns').some(({ id }) => id === `${OWL}Nothing`)

/** RFC 9110 §9.1: a token. Those that are registered have only capital letters and hyphens. */
const isMethod = (text: string): boolean => /^[A-Z][A-Z-]*$/.test(text)

const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH'])
const CHANGES_MEMBER = new Set(['PUT', 'PATCH', 'DELETE'])

const lacking = (facts: ApiFacts, isLacking: (operation: DocumentNode) => boolean): string[] =>
  facts.operations.filter(({ operation }) => isLacking(operation)).map(({ at }) => at)

/** The names of the headers of an operation, in lower case. */
const headersOf = (operation: DocumentNode, term: string): string[] => [
  ...operation.literals(term).map(({ value }) => String(value).toLowerCase()),
  ...operation.nodes(term).map((node) => (node.text('hydra:headerName') ?? '').toLowerCase()),
]

/** The classes of members that were served with an ETag. */
function versionedClasses({ collections, documentation }: ApiFacts): Set<string> {
  const found = collections.flatMap(({ member }) =>
    member?.headers.etag === undefined ? [] : [...(member.graph.get(member.url)?.types ?? [])],
  )
  return new Set(found.flatMap((type) => [...withParents(type, documentation?.graph)]))
}

export const OPERATION_RULES = {
  OperationWithoutMethod: places('wrong', 'hydra:method', (facts) =>
    lacking(facts, (operation) => !operation.has('hydra:method')),
  ),
  UnknownMethod: rule<{ method: string }>('wrong', 'hydra:method', function* ({ operations }) {
    for (const { operation, at } of operations) {
      const method = methodOf(operation)
      if (method !== '' && !isMethod(method)) yield { at, values: { method } }
    }
  }),
  OperationWithoutType: places('practice', 'hydra:Operation', (facts) =>
    lacking(facts, (operation) => !operation.isA('hydra:Operation')),
  ),
  OperationWithoutTitle: places('missing', 'hydra:title', (facts) =>
    lacking(facts, (operation) => !operation.has('hydra:title')),
  ),
  OperationWithoutReturns: places('missing', 'hydra:returns', (facts) =>
    lacking(facts, (operation) => !operation.has('hydra:returns')),
  ),
  DeleteReturnsSomething: places('practice', 'hydra:returns', (facts) =>
    lacking(
      facts,
      (operation) =>
        methodOf(operation) === 'DELETE' && operation.has('hydra:returns') && !returnsNothing(operation),
    ),
  ),
  OperationWithoutExpects: places('missing', 'hydra:expects', (facts) =>
    lacking(
      facts,
      (operation) =>
        TAKES_BODY.has(methodOf(operation)) && !operation.has('hydra:expects', 'hydra:expectsHeader'),
    ),
  ),
  NoPossibleStatus: places('missing', 'hydra:possibleStatus', (facts) =>
    lacking(facts, (operation) => !operation.has('hydra:possibleStatus')),
  ),
  StatusWithoutCode: places('wrong', 'hydra:statusCode', function* ({ documentation, placeOf }) {
    for (const node of documentation?.graph.values() ?? [])
      for (const status of node.nodes('hydra:possibleStatus'))
        if (!status.has('hydra:statusCode')) yield placeOf(status)
  }),
  OperationOfPlainProperty: places('missing', 'hydra:Link', ({ properties }) =>
    properties
      .filter(
        ({ property }) =>
          property?.has('hydra:supportedOperation') && !property.isA('hydra:Link', 'hydra:TemplatedLink'),
      )
      .map(({ at }) => at),
  ),
  VersionNotExpected: places('practice', 'hydra:expectsHeader', (facts) => {
    const versioned = versionedClasses(facts)
    return facts.operations
      .filter(({ owner, operation }) => versioned.has(owner.id) && CHANGES_MEMBER.has(methodOf(operation)))
      .filter(({ operation }) => !headersOf(operation, 'hydra:expectsHeader').includes('if-match'))
      .map(({ at }) => at)
  }),
  VersionNotReturned: places('practice', 'hydra:returnsHeader', (facts) => {
    const versioned = versionedClasses(facts)
    return facts.operations
      .filter(({ owner, operation }) => versioned.has(owner.id) && methodOf(operation) === 'GET')
      .filter(({ operation }) => !headersOf(operation, 'hydra:returnsHeader').includes('etag'))
      .map(({ at }) => at)
  }),
  HeaderWithoutName: places('wrong', 'hydra:headerName', (facts) =>
    lacking(facts, (operation) =>
      operation
        .nodes('hydra:expectsHeader', 'hydra:returnsHeader')
        .some((header) => !header.has('hydra:headerName')),
    ),
  ),
}
