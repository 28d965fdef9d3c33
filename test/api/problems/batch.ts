import { apiProblem, apiViolation } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow, type ViolationRow } from './table.ts'

export const BATCH_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('BatchTooLong'),
    413,
    'The members that this batch writes are too large in total; send several batches.',
  ],
  [
    apiProblem('BatchTooMuchWork'),
    413,
    'The operations of this batch are too much work for one request; send those that were not carried out in smaller batches, with bodies in the terms of this API.',
  ],
  [
    apiProblem('DetailOmitted', { code: 'ValidationFailed', violations: 1_200 }),
    422,
    'The response is too large to list the violations of this operation (1,200); send it alone.',
  ],
  [
    apiProblem('DetailOmitted', { code: 'StillLinked', violations: 0 }),
    422,
    'The response is too large to say more about this operation than the code of its problem, StillLinked; send it alone.',
  ],
  [
    apiProblem('TooManyBatches', RETRY),
    503,
    'Your other batches are still being prepared; try again when they have been answered.',
  ],
  [
    apiProblem('OperationNotTried', RETRY),
    503,
    'This operation was not tried, because an earlier one got 503; try again shortly.',
  ],
]

export const BATCH_VIOLATION_SENTENCES: readonly ViolationRow[] = [
  [
    apiViolation('TooManyOperations', 'operation', { max: 1_000 }),
    'may have at most 1,000 operations; send several batches.',
  ],
  [apiViolation('OperationsNotAList', 'operation'), 'must be a list of operations.'],
  [apiViolation('OperationNotAnObject', ''), 'must be an object with a method and a target.'],
  [
    apiViolation('UnknownKey', 'metod', { key: 'metod', known: ['method'] }),
    'is an unknown key; did you mean "method"?',
  ],
  [
    apiViolation('UnknownKey', 'x', { key: 'x', known: ['method', 'target'] }),
    'is an unknown key; possible: method, target.',
  ],
  [apiViolation('InvalidMethod', 'method', { methods: ['POST', 'PUT'] }), 'must be one of POST, PUT.'],
  [
    apiViolation('InvalidOperationTarget', 'target'),
    'must be the path of a collection, a member or a single resource, relative to the base URL or absolute below it.',
  ],
  [
    apiViolation('RepeatedTarget', 'target'),
    'is also the target of an earlier operation, and the class has hooks; send one after the other.',
  ],
  [
    apiViolation('NameWithoutMember', 'id'),
    'is a name for a new member, which this method does not create; leave it out.',
  ],
  [
    apiViolation('InvalidName', 'id'),
    'must be a name such as "_:ann", to link to the member in later operations.',
  ],
  [apiViolation('NameTaken', 'id', { name: '_:a' }), '_:a is already the name of another member.'],
  [apiViolation('InvalidOperationEtag', 'ifMatch'), 'must be an ETag with its double quotes, or "*".'],
  [apiViolation('IdTaken', '@id', { id: 'a' }), 'a exists already.'],
]
