import type { Response } from '../http/index.ts'
import { answerFor, errorResponse, HTTP_PROBLEMS, type ProblemAnswers } from '../http/problems.ts'
import { type CodesOf, type Problem, problemsOf } from '../problem.ts'

/** What can be wrong with a request until it is admitted. */
export const AUTH_PROBLEMS = {
  ...HTTP_PROBLEMS,
  Unauthenticated: {
    status: 401,
    sentence: 'Need credentials to authenticate',
    help: 'Exchange the nonce of this response and your credentials for a token, and send that.',
  },
  TooManyAttempts: {
    status: 429,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong paraphrases from this address; try again in ${retryAfterSeconds} s.`,
    help: 'Wait for the time in Retry-After before the next exchange.',
  },
  NotChecked: {
    status: 500,
    sentence: 'The request could not be checked.',
    help: 'Look into the log of the program that checks the requests.',
  },
  TooManyExchanges: {
    status: 503,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many exchanges are waiting; try again in ${retryAfterSeconds} s. Requests with a token are served as usual.`,
    help: 'Try the exchange again after the time in Retry-After.',
  },
} as const satisfies ProblemAnswers

export const authProblem = problemsOf<CodesOf<typeof AUTH_PROBLEMS>>()

/** Fails closed: a problem that is not in the table is not told. */
export const authErrorResponse = (problem: Problem, shared: readonly string[]): Response =>
  errorResponse(answerFor(problem, AUTH_PROBLEMS) ?? AUTH_PROBLEMS.NotChecked, shared)
