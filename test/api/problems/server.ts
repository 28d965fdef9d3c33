import { apiProblem, apiViolation } from '../../../src/api/problems/index.ts'
import { RETRY, type SentenceRow, type ViolationRow } from './table.ts'

export const SERVER_SENTENCES: readonly SentenceRow[] = [
  [
    apiProblem('ServerFault', { requestId: 'r1' }),
    500,
    'The server failed; its log has the reason under r1.',
  ],
  [
    apiProblem('HooksTooDeep', { max: 8 }),
    500,
    'Hooks have triggered each other through writes more than 8 deep; one of them triggers itself.',
  ],
  [
    apiProblem('TransactionOver'),
    500,
    'A transaction was used after its function had ended; await everything that the function does.',
  ],
  [
    apiProblem('TransactionTooLong'),
    413,
    'The members that this transaction writes are too large in total; write them in several transactions.',
  ],
  [
    apiProblem('HookTimeout', { hook: 'beforeWrite', className: 'Order', ...RETRY }),
    503,
    'The hook beforeWrite of Order has not answered in time; nothing was written. Try again.',
  ],
  [
    apiProblem('OperationTimeout', {
      ...{ operation: 'ship', className: 'Order', isTransaction: true, ...RETRY },
    }),
    503,
    'The operation ship of Order has not answered in time; nothing was written. Try again.',
  ],
  [
    apiProblem('OperationTimeout', {
      ...{ operation: 'ship', className: 'Order', isTransaction: false, ...RETRY },
    }),
    503,
    'The operation ship of Order has not answered in time; it may have been carried out in part. Check before you send it again.',
  ],
  [apiProblem('ApiFileChanging', RETRY), 503, 'A changed API file is being applied; try again.'],
  [
    apiProblem('BodyAlreadyRead'),
    500,
    'The body of this request was read before it came to Hydrant; mount Hydrant in front of what reads bodies.',
  ],
  [apiProblem('Rejected', { sentence: 'Not on Sundays.' }), 422, 'Not on Sundays.'],
]

export const SERVER_VIOLATION_SENTENCES: readonly ViolationRow[] = [
  [apiViolation('Rejected', 'lines', { sentence: 'an order has lines.' }), 'an order has lines.'],
]
