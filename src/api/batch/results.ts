import { HttpError, sentenceOf, type Violation } from '../../errors.ts'
import { atOperation } from './operations.ts'

/** The outcome of an operation, as the client gets it. */
export interface Result {
  readonly status: number
  readonly location?: string | undefined
  readonly etag?: string | undefined
  readonly detail?: string
  readonly violations?: readonly Violation[]
  /** How many more there are, where not all are listed. */
  readonly furtherViolations?: number
}

/** live.md, Many at once: of an operation, and of the whole answer. */
const MAX_VIOLATIONS = 20
const MAX_BYTES = 1024 * 1024
/** Kept free for each operation: every status, address and ETag is told, whatever there is to say of other operations. */
const LEAST_BYTES = 512
const LONGEST_SENTENCE = 200

/**
 * Collects the results of a lenient batch: a thousand operations may have a million violations. `around`: how many bytes
 * the rest of the answer has.
 */
export function createResults(operations: number, around: number) {
  const all: Result[] = []
  let room = MAX_BYTES - around - LEAST_BYTES * operations

  /** Returns whether there is room for it. */
  function take(result: Result): boolean {
    const more = Buffer.byteLength(JSON.stringify(result)) + 1 - LEAST_BYTES
    if (more > 0 && more > room) return false
    room -= more
    return true
  }

  function add(result: Result): void {
    take(result)
    all.push(result)
  }

  return {
    all,
    add,
    fail(error: HttpError, index: number): void {
      const whole = listed(error, index)
      if (take(whole)) all.push(whole)
      else add(counted(error, index))
    },
  }
}

function listed(error: HttpError, index: number): Result {
  const { status, violations } = error
  const first = violations.slice(0, MAX_VIOLATIONS)
  const rest = violations.length - first.length
  const sentences = () => `${first.map(sentenceOf).join(' ')} And ${inWords(rest)} more.`
  const message = rest === 0 ? error.message : sentences()
  const told = atOperation(new HttpError(status, message, { violations: first }), index)
  return {
    ...{ status, detail: told.message },
    ...(first.length > 0 && { violations: told.violations }),
    ...(rest > 0 && { furtherViolations: rest }),
  }
}

const inWords = (count: number): string => count.toLocaleString('en')

/** Where there is no room for more. */
function counted({ status, message, violations }: HttpError, index: number): Result {
  const count = violations.length
  const told =
    count > 0
      ? `This answer has no room for its violations (${inWords(count)}); send it alone.`
      : message.slice(0, LONGEST_SENTENCE)
  const { message: detail } = atOperation(new HttpError(status, told), index)
  return { status, detail, ...(count > 0 && { furtherViolations: count }) }
}
