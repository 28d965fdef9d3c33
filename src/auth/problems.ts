import type { Response } from '../http/index.ts'
import { answerFor, errorResponse, type ProblemAnswers, statusBody } from '../http/response.ts'
import { type CodesOf, type Problem, problemsOf } from '../problem.ts'
import type { Admission } from './admission.ts'

/** What can be wrong with a request until it is admitted, beside its form. */
export const AUTH_PROBLEMS = {
  IncompleteBody: {
    status: 400,
    sentence: 'The request ended before its body did.',
    help: 'Send the whole body.',
  },
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

export type Unauthenticated = Exclude<Admission, { verdict: 'admitted' }>

/**
 * The answers to requests that are not admitted: steps A and B of seed.md, and 429 and 503 while under attack. All have
 * the seed's form and type, whatever Accept says.
 */
export function createGateAnswers(
  noStoreHeaders: readonly string[],
): (admission: Unauthenticated) => Response {
  const challenge = [...noStoreHeaders, 'WWW-Authenticate', 'Basic realm="Login required"']
  const { status, sentence } = AUTH_PROBLEMS.Unauthenticated
  const challengeBody = statusBody(status, sentence)
  const exchangeBody = statusBody(200, 'User token generated')
  const shared = noStoreHeaders

  return (admission) => {
    switch (admission.verdict) {
      case 'challenged': {
        const headers = ['X-Authentication', admission.nonce]
        return { status, shared: challenge, headers, body: challengeBody }
      }
      case 'exchanged': {
        const headers = ['X-Authorization', admission.token]
        return { status: 200, shared, headers, body: exchangeBody }
      }
      case 'throttled': {
        const { retryAfterSeconds } = admission
        return authErrorResponse(authProblem('TooManyAttempts', { retryAfterSeconds }), shared)
      }
      case 'busy':
        return authErrorResponse(BUSY, shared)
    }
  }
}

const BUSY = authProblem('TooManyExchanges', { retryAfterSeconds: 2 })
