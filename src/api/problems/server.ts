import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of the server, and of a program's code. */
export const SERVER_PROBLEMS = {
  ServerFault: {
    status: 500,
    sentence: ({ requestId }: { requestId: string }) =>
      `The server failed; its log has the reason under ${requestId}.`,
    headers: ({ requestId }: { requestId: string }) => ['X-Request-Id', requestId],
    help: 'Report the X-Request-Id to the operator of the server: its log has the reason.',
  },
  TooManyRequests: {
    status: 429,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many requests without signing in have come from this address; try again in ${retryAfterSeconds} s, or sign in.`,
    help: 'Send the request again after the time in Retry-After, or sign in.',
  },
  HooksTooDeep: {
    status: 500,
    sentence: ({ max }: { max: number }) =>
      `Hooks have triggered each other through writes more than ${max} deep; one of them triggers itself.`,
    help: 'A bug of the application: report it to its developers.',
  },
  TransactionOver: {
    status: 500,
    sentence: 'A transaction was used after its function had ended; await everything that the function does.',
    help: 'A bug of the application: report it to its developers.',
  },
  TransactionTooLong: {
    status: 413,
    sentence:
      'The members that this transaction writes are too large in total; write them in several transactions.',
    help: 'Ask for less at once.',
  },
  HookTimeout: {
    status: 503,
    sentence: ({ hook, className }: { hook: string; className: string; retryAfterSeconds: number }) =>
      `The hook ${hook} of ${className} has not answered in time; nothing was written. Try again.`,
    help: 'Send the request again after the time in Retry-After.',
  },
  OperationTimeout: {
    status: 503,
    sentence: ({
      operation,
      className,
      isTransaction,
    }: {
      operation: string
      className: string
      isTransaction: boolean
      retryAfterSeconds: number
    }) =>
      `The operation ${operation} of ${className} has not answered in time; ${isTransaction ? 'nothing was written. Try again.' : 'it may have been carried out in part. Check before you send it again.'}`,
    help: 'Check whether the operation was carried out before you send it again.',
  },
  ApiFileChanging: {
    status: 503,
    sentence: 'A changed API file is being applied; try again.',
    help: 'Send the request again after the time in Retry-After.',
  },
  BodyAlreadyRead: {
    status: 500,
    sentence:
      'The body of this request was read before it came to Hydrant; mount Hydrant in front of what reads bodies.',
    help: 'A mistake of the program that serves the API: report it to its developers.',
  },
  Rejected: {
    status: 422,
    sentence: ({ sentence }: { sentence: string }) => sentence,
    help: 'The application refuses this by a rule of its own; the detail says which.',
  },
} as const satisfies ProblemAnswers
