import type { DatabaseProblems, FileLoss } from '../database/index.ts'
import type { Response } from '../http/index.ts'
import {
  type AnswersTo,
  answerFor,
  errorResponse,
  type ProblemAnswers,
  statusBody,
} from '../http/response.ts'
import { type CodesOf, Problem, problemsOf, type Sentence, say } from '../problem.ts'
import type { Admission } from './admission.ts'

const RETRY = 'Send the request again after the time in Retry-After.'

const LOSSES: Readonly<Record<FileLoss, string>> = {
  replaced: 'The database file was replaced, removed or written over',
  upgraded: 'The database was upgraded by a newer version of Hydrant',
}

const WITHOUT_INDEX =
  'a search that no index answers (contains, ne, an exact count, or several filters at once)'

/** Problems of the database. They are here because the gate is the first to use the database. */
export const DATABASE_PROBLEMS: AnswersTo<DatabaseProblems> = {
  DatabaseLocked: {
    status: 503,
    sentence: 'The database is locked by another process; try again shortly.',
    help: RETRY,
  },
  DatabaseBusy: { status: 503, sentence: 'The database is busy; try again shortly.', help: RETRY },
  DatabaseUnreachable: {
    status: 503,
    sentence: 'The database cannot be reached right now; try again shortly.',
    help: RETRY,
  },
  DatabaseNotAnswering: {
    status: 503,
    sentence: ({ needsFreshNonce }) =>
      `The database does not answer; try again shortly${needsFreshNonce ? ', with a fresh nonce' : ''}.`,
    help: RETRY,
  },
  DatabaseClosing: { status: 503, sentence: 'The database is being closed.', help: RETRY },
  DiskFailed: {
    status: 503,
    sentence: 'The database cannot be read or written right now; nothing was changed.',
    help: RETRY,
  },
  DiskFull: {
    status: 507,
    sentence: 'The disk of the database is full; nothing was changed.',
    help: 'Tell the operator of the server that the disk of its database is full.',
  },
  DatabaseReplaced: {
    status: 503,
    sentence: ({ loss }) => `${LOSSES[loss]} while this server was running; restart it to go on.`,
    help: 'Tell the operator of the server to restart it.',
  },
  MigratedElsewhere: {
    status: 503,
    sentence:
      'Another process has opened the database with another API file since this server started; restart it with that file.',
    help: 'Tell the operator of the server to restart it with the API file of the others.',
  },
  KeysPending: {
    status: 503,
    sentence: ({ property, percent }) =>
      `The values of "${property}" are still being indexed (${percent} %), so it cannot be asked for yet.`,
    help: 'Ask again after the time in Retry-After, or without this parameter.',
  },
  OutcomeUnknown: {
    status: 503,
    sentence:
      'The database did not answer in time; this may have been carried out; look before you send it again.',
    help: 'Look whether the change was made before you send the request again.',
  },
  TooManySearches: {
    status: 503,
    sentence: `Too many others wait for ${WITHOUT_INDEX}; try again shortly, or ask for fewer members by one indexed filter.`,
    help: 'Send the request again after the time in Retry-After, or filter by one indexed property.',
  },
  SearchTooLong: {
    status: 503,
    sentence: ({ maxMs }) =>
      `This is ${WITHOUT_INDEX}, and it was not done within ${maxMs / 1_000} s; ` +
      'add a filter that few members match (=, a range, startsWith or a link), or leave out what has no index.',
    help: 'Add a filter that few members match, or leave out what no index answers.',
  },
  SearchFailed: {
    status: 503,
    sentence: 'The search was ended by a fault in the database; try again shortly.',
    help: RETRY,
  },
}

/** Problems of a request before it is admitted, apart from its form. */
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
      `Too many wrong passphrases from this address; try again in ${retryAfterSeconds} s.`,
    help: 'Wait for the time in Retry-After before the next exchange.',
  },
  NotChecked: {
    status: 500,
    sentence: 'The request could not be checked.',
    help: 'Look into the log of the program that checks the requests.',
  },
  NoClientAddress: {
    status: 503,
    sentence:
      'Without the address of the client nobody can sign in here; the program must pass it to handle.',
    help: 'A bug of the program that serves the API: report it to its developers.',
  },
  TooManyExchanges: {
    status: 503,
    sentence: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many exchanges are waiting; try again in ${retryAfterSeconds} s. Requests with a token are served as usual.`,
    help: 'Try the exchange again after the time in Retry-After.',
  },
  ...DATABASE_PROBLEMS,
} as const satisfies ProblemAnswers

export const authProblem = problemsOf<CodesOf<typeof AUTH_PROBLEMS>>()

/** Fails closed: a problem that is not in the table is not revealed. */
export const authErrorResponse = (problem: Problem, shared: readonly string[]): Response =>
  errorResponse(answerFor(problem, AUTH_PROBLEMS) ?? AUTH_PROBLEMS.NotChecked, shared)

/** The error for the author of a program: its message is the sentence, and `code` identifies the problem. */
export function toAuthorError(error: unknown, more: Readonly<Record<string, Sentence<never>>> = {}): unknown {
  if (!(error instanceof Problem)) return error
  const { code } = error
  const sentence = more[code] ?? (AUTH_PROBLEMS as ProblemAnswers)[code]?.sentence
  if (sentence === undefined) return error
  return Object.assign(new Error(say(sentence, error), { cause: error }), { code })
}

export type Unauthenticated = Exclude<Admission, { verdict: 'admitted' }>

/**
 * The responses to requests that are not admitted: steps A and B of seed.md, and 429 and 503 while under attack. All have
 * the form and media type of seed.md, whatever Accept says.
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
