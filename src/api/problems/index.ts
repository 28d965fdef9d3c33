import { randomUUID } from 'node:crypto'
import { AUTH_PROBLEMS } from '../../auth/problems.ts'
import { answerFor, HTTP_PROBLEMS, type ProblemAnswers, type WireProblem } from '../../http/index.ts'
import {
  type CodesOf,
  Problem,
  type ProblemData,
  type ProblemPlace,
  problemsOf,
  type Sentence,
  say,
  violationsOf,
} from '../../problem.ts'
import { amount } from '../../text.ts'
import type { ProblemType } from '../../vocabulary/index.ts'
import type { HttpError } from '../program/http-error.ts'
import { ACCOUNT_PROBLEMS, ACCOUNT_VIOLATIONS } from './accounts.ts'
import { BATCH_PROBLEMS, BATCH_VIOLATIONS } from './batch.ts'
import { FEED_PROBLEMS } from './feed.ts'
import { HISTORY_PROBLEMS } from './history.ts'
import { JSON_PROBLEMS } from './json.ts'
import { QUERY_PROBLEMS } from './query.ts'
import { REQUEST_PROBLEMS } from './request.ts'
import { SERVER_PROBLEMS } from './server.ts'
import { SUMMARY_PROBLEMS } from './summary.ts'
import { VALUE_PROBLEMS, VIOLATIONS } from './values.ts'
import { WRITE_PROBLEMS } from './write.ts'

export { validationFailed } from '../input/problems.ts'

/** Every problem that a response can have: its status and its sentence. */
const API_PROBLEMS = {
  ...HTTP_PROBLEMS,
  ...AUTH_PROBLEMS,
  ...REQUEST_PROBLEMS,
  ...JSON_PROBLEMS,
  ...QUERY_PROBLEMS,
  ...SUMMARY_PROBLEMS,
  ...VALUE_PROBLEMS,
  ...WRITE_PROBLEMS,
  ...BATCH_PROBLEMS,
  ...FEED_PROBLEMS,
  ...HISTORY_PROBLEMS,
  ...SERVER_PROBLEMS,
  ...ACCOUNT_PROBLEMS,
} as const satisfies ProblemAnswers

/** Problems at a property of a body: the end of a sentence that begins with the property. */
const ALL_VIOLATIONS = { ...VIOLATIONS, ...BATCH_VIOLATIONS, ...ACCOUNT_VIOLATIONS }

export const VIOLATION_CODES: readonly string[] = Object.keys(ALL_VIOLATIONS)

type ApiProblems = CodesOf<typeof API_PROBLEMS>

export const apiProblem = problemsOf<ApiProblems>()

/** A problem of a query parameter: `throw parameterProblem('DuplicateOrder', 'sort', { property })`. */
export const parameterProblem = <Code extends keyof ApiProblems & string>(
  code: Code,
  parameter: string,
  values: ApiProblems[Code],
): Problem => new Problem(code, values, { at: { parameter } })

export const apiViolation = violationsOf<CodesOf<typeof ALL_VIOLATIONS>>()

/** A problem as a client reads it (hypermedia.md, Writing). */
export interface ApiProblem extends WireProblem {
  readonly code: string
  readonly at: ProblemPlace
  readonly violations: readonly ApiViolation[]
  /** The number of violations that are not listed. */
  readonly furtherViolations: number
}

export interface ApiViolation {
  readonly propertyPath: string
  readonly message: string
  readonly code: string
}

/** The one place where a problem gets its status and its sentence. */
export function readProblem(problem: Problem, maxViolations = Number.POSITIVE_INFINITY): ApiProblem {
  const { code, at } = problem
  const answer = isFromProgram(problem) ? problem.values : answerFor(problem, API_PROBLEMS)
  if (answer === undefined)
    throw new Error(`There is no sentence for the problem ${code}.`, { cause: problem })
  const violations = problem.violations.slice(0, maxViolations).map(readViolation)
  const furtherViolations = problem.violations.length - violations.length
  const sentences = violations.map(sentenceOf)
  if (furtherViolations > 0) sentences.push(`And ${amount(furtherViolations)} more.`)
  const sentence = sentences.length > 0 ? sentences.join(' ') : answer.sentence
  return placed({ ...answer, sentence, code, at, violations, furtherViolations })
}

/** Only the sentence, for a problem that is not the response. */
export const sentenceFor = (...problem: Parameters<typeof apiProblem>): string =>
  readProblem(apiProblem(...problem)).sentence

function readViolation(violation: ProblemData): ApiViolation {
  const { code, at, values } = violation
  const table: Readonly<Record<string, Sentence<never>>> = ALL_VIOLATIONS
  const { sentence = table[code] ?? answerFor(violation, API_PROBLEMS)?.sentence } = values as ProgramSentence
  if (sentence === undefined) throw new Error(`There is no sentence for the violation ${code}.`)
  return { propertyPath: at.property ?? '', message: say(sentence, violation), code }
}

export const sentenceOf = ({ propertyPath, message }: Omit<ApiViolation, 'code'>): string =>
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

/** A problem of a program's code, with its own sentence. */
interface ProgramSentence {
  readonly sentence?: string
}

const isFromProgram = (problem: Problem): problem is Problem & { values: WireProblem } =>
  'status' in problem.values

/** An HttpError of a program as a problem. It keeps the API's code if `members` has thrown it. */
export function fromProgram(error: HttpError): Problem {
  // The error may come from another copy of this package, even an older one.
  const { status, message: sentence, headers = [], violations = [], code } = error
  const usual = violations.length > 0 ? 'ValidationFailed' : 'Rejected'
  const values: WireProblem = { status, sentence, headers }
  return new Problem(code !== undefined && Object.hasOwn(API_PROBLEMS, code) ? code : usual, values, {
    cause: error,
    violations: violations.map((one) => ({
      code: one.code ?? 'Rejected',
      at: { property: one.propertyPath },
      values: { sentence: one.message },
    })),
  })
}

/** Words of codes that are not written in lower case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  Api: 'API',
  Csv: 'CSV',
  Etag: 'ETag',
  Etags: 'ETags',
  Http: 'HTTP',
  Iri: 'IRI',
  Json: 'JSON',
  JsonLd: 'JSON-LD',
  Rdf: 'RDF',
  Url: 'URL',
  Utf8: 'UTF-8',
}

/** `BodyNotUtf8` → `Body not UTF-8`. */
export function titleOf(code: string): string {
  const words = code.match(/JsonLd|[A-Z][^A-Z]*/g) ?? []
  return words.map((word, index) => SPELLINGS[word] ?? (index === 0 ? word : word.toLowerCase())).join(' ')
}

/** The codes with their titles and remedies, for the documentation. */
export const PROBLEM_TYPES: readonly ProblemType[] = Object.entries(API_PROBLEMS as ProblemAnswers).map(
  ([code, { status, help }]) => ({
    code,
    status,
    title: titleOf(code),
    help,
  }),
)

/** Called for an unexpected error, for a log. */
export type OnFault = (error: unknown, requestId: string) => void

/** The response to an unexpected error: the client gets the id under which `onFault` logs it. */
export function fault(error: unknown, onFault: OnFault): Problem {
  const requestId = randomUUID()
  onFault(error, requestId)
  return apiProblem('ServerFault', { requestId })
}
