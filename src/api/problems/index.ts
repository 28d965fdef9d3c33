import { randomUUID } from 'node:crypto'
import { AUTH_PROBLEMS } from '../../auth/index.ts'
import { HttpError, type OnFault } from '../../errors.ts'
import { answerFor, type ProblemAnswers, type WireProblem } from '../../http/index.ts'
import { type CodesOf, Problem, type ProblemData, type ProblemPlace, problemsOf } from '../../problem.ts'
import { BATCH_PROBLEMS } from './batch.ts'
import { FEED_PROBLEMS } from './feed.ts'
import { JSON_PROBLEMS } from './json.ts'
import { QUERY_PROBLEMS } from './query.ts'
import { REQUEST_PROBLEMS } from './request.ts'
import { SERVER_PROBLEMS } from './server.ts'
import { VALUE_PROBLEMS, violationSentence } from './values.ts'
import { WRITE_PROBLEMS } from './write.ts'

/** Every problem that a response can have: its status and its sentence. */
const API_PROBLEMS = {
  ...AUTH_PROBLEMS,
  ...REQUEST_PROBLEMS,
  ...JSON_PROBLEMS,
  ...QUERY_PROBLEMS,
  ...VALUE_PROBLEMS,
  ...WRITE_PROBLEMS,
  ...BATCH_PROBLEMS,
  ...FEED_PROBLEMS,
  ...SERVER_PROBLEMS,
} as const satisfies ProblemAnswers

export const apiProblem = problemsOf<CodesOf<typeof API_PROBLEMS>>()

/** A problem as a client reads it (hypermedia.md, Writing). */
export interface ApiProblem extends WireProblem {
  readonly code: string
  readonly at: ProblemPlace
  readonly violations: readonly ApiViolation[]
}

export interface ApiViolation {
  readonly propertyPath: string
  readonly message: string
  readonly code: string
}

/** The one place where a problem gets its status and its sentence. */
export function readProblem(problem: Problem | HttpError): ApiProblem {
  if (problem instanceof HttpError) return readHttpError(problem)
  const { code, at } = problem
  const violations = problem.violations.map(readViolation)
  const answer = answerFor(problem, API_PROBLEMS)
  if (answer === undefined)
    throw new Error(`There is no sentence for the problem ${code}.`, { cause: problem })
  const sentence = violations.length > 0 ? violations.map(sentenceOf).join(' ') : answer.sentence
  return placed({ ...answer, sentence, code, at, violations })
}

/** For code of a program, and for what does not throw problems yet. */
export function toHttpError(problem: Problem | HttpError): HttpError {
  if (problem instanceof HttpError) return problem
  const { status, sentence, headers = [], violations } = readProblem(problem)
  return new HttpError(status, sentence, { headers, violations, cause: problem })
}

/** What code of a program reports. */
function readHttpError({ status, message: sentence, headers, violations }: HttpError): ApiProblem {
  const code = violations.length > 0 ? 'ValidationFailed' : 'Rejected'
  const withCode = violations.map((one) => ({ ...one, code: 'Rejected' }))
  return { status, sentence, headers, code, at: {}, violations: withCode }
}

export const readViolation = (violation: ProblemData): ApiViolation => ({
  propertyPath: violation.at.property ?? '',
  message: violationSentence(violation),
  code: violation.code,
})

const sentenceOf = ({ propertyPath, message }: ApiViolation): string =>
  propertyPath === '' ? message : `${propertyPath}: ${message}`

/** The sentence begins with the place; the paths of violations begin with the operation. */
function placed(problem: ApiProblem): ApiProblem {
  const { operation, parameter } = problem.at
  const sentence = parameter === undefined ? problem.sentence : `${parameter}: ${problem.sentence}`
  if (operation === undefined) return { ...problem, sentence }
  const where = `operation[${operation}]`
  const violations = problem.violations.map((one) => ({
    ...one,
    propertyPath: one.propertyPath === '' ? where : `${where}/${one.propertyPath}`,
  }))
  return { ...problem, sentence: `${where}: ${sentence}`, violations }
}

/** The codes with title and what to do, for the documentation. */
export const PROBLEM_TYPES = Object.entries(API_PROBLEMS as ProblemAnswers).map(
  ([code, { status, help }]) => ({
    code,
    status,
    title: titleOf(code),
    help,
  }),
)

/** `BodyTooLong` → `Body too long`. */
export function titleOf(code: string): string {
  const words = code.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether it is meant for the client. */
export const isProblem = (thrown: unknown): thrown is Problem | HttpError =>
  thrown instanceof Problem || thrown instanceof HttpError

/** The response to an unexpected error: the client gets the id under which `onFault` logs it. */
export function fault(error: unknown, onFault: OnFault): Problem {
  const requestId = randomUUID()
  onFault(error, requestId)
  return apiProblem('ServerFault', { requestId })
}
