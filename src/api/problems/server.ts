import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of the server, and those that code of a program reports. */
export const SERVER_PROBLEMS = {
  ServerFault: {
    status: 500,
    sentence: ({ requestId }: { requestId: string }) =>
      `The server failed; its log has the reason under ${requestId}.`,
    headers: ({ requestId }: { requestId: string }) => ['X-Request-Id', requestId],
    help: 'Report the X-Request-Id to the operator of the server: its log has the reason.',
  },
  ApiFileChanging: {
    status: 503,
    sentence: 'A changed API file is being applied; try again.',
    help: 'Send the request again after the time in Retry-After.',
  },
  Rejected: {
    status: 422,
    sentence: ({ sentence }: { sentence: string }) => sentence,
    help: 'The application refuses this by a rule of its own; the detail says which.',
  },
} as const satisfies ProblemAnswers
