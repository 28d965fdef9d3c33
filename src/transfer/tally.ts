import { HttpError, type Violation } from '../errors.ts'

/** What has become of the members so far. */
export interface Tally {
  added: number
  alreadyThere: number
  refused: number
}

/** Told of everything that is wrong with a member, in one line each. */
export type Report = (line: number, sentence: string) => void

export function refuse(tally: Tally, report: Report, line: number, error: HttpError): void {
  tally.refused++
  if (error.violations.length === 0) report(line, placed(error.message, line))
  for (const violation of error.violations) report(line, sentenceOf(violation))
}

const sentenceOf = ({ propertyPath, message }: Violation): string =>
  propertyPath === '' ? message : `${propertyPath}: ${message}`

/** Where JSON is broken is said from the beginning of the member, and read from the beginning of the file. */
const placed = (sentence: string, line: number): string =>
  sentence.replace(
    / line (\d+), column /,
    (_, within: string) => ` line ${line + Number(within) - 1}, column `,
  )

/** What is wrong with the data; anything else is thrown on. */
export function asRefusal(error: unknown): HttpError {
  if (error instanceof HttpError && error.status < 500) return error
  throw error
}
