import type { ProblemAnswers } from '../../http/index.ts'
import { amount, suggestion } from '../../text.ts'

/** Problems of a batch of operations. */
export const BATCH_PROBLEMS = {
  BatchTooLong: {
    status: 413,
    sentence: 'The members that this batch writes are too large in total; send several batches.',
    help: 'Send several batches.',
  },
  BatchTooMuchWork: {
    status: 413,
    sentence:
      'The operations of this batch are too much work for one request; send those that were not carried out in ' +
      'smaller batches, with bodies in the terms of this API.',
    help: 'Send the operations that were not carried out in smaller batches, with bodies in the terms of this API.',
  },
  DetailOmitted: {
    status: 422,
    sentence: ({ code, violations }: { code: string; violations: number }) =>
      violations > 0
        ? `The response is too large to list the violations of this operation (${amount(violations)}); send it alone.`
        : `The response is too large to say more about this operation than the code of its problem, ${code}; send it alone.`,
    help: 'Send the operation alone.',
  },
  TooManyBatches: {
    status: 503,
    sentence: 'Your other batches are still being prepared; try again when they have been answered.',
    help: 'Send one batch after the other.',
  },
  OperationNotTried: {
    status: 503,
    sentence: 'This operation was not tried, because an earlier one got 503; try again shortly.',
    help: 'Send the operation again after a while.',
  },
} as const satisfies ProblemAnswers

/** Problems at the keys of an operation of a batch. */
export const BATCH_VIOLATIONS = {
  TooManyOperations: ({ max }: { max: number }) =>
    `may have at most ${amount(max)} operations; send several batches.`,
  OperationsNotAList: 'must be a list of operations.',
  OperationNotAnObject: 'must be an object with a method and a target.',
  UnknownKey: ({ key, known }: { key: string; known: readonly string[] }) =>
    `is an unknown key; ${suggestion(key, known, '.')}`,
  InvalidMethod: ({ methods }: { methods: readonly string[] }) => `must be one of ${methods.join(', ')}.`,
  InvalidOperationTarget:
    'must be the path of a collection, a member or a single resource, relative to the base URL or absolute below it.',
  RepeatedTarget:
    'is also the target of an earlier operation, and the class has hooks; send one after the other.',
  NameWithoutMember: 'is a name for a new member, which this method does not create; leave it out.',
  InvalidName: 'must be a name such as "_:ann", to link to the member in later operations.',
  NameTaken: ({ name }: { name: string }) => `${name} is already the name of another member.`,
  InvalidOperationEtag: 'must be an ETag with its double quotes, or "*".',
  IdTaken: ({ id }: { id: string }) => `${id} exists already.`,
} as const
