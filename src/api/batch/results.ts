import type { Problem } from '../../problem.ts'
import { vocabIri } from '../../vocabulary/index.ts'
import { type ApiViolation, readProblem, sentenceFor } from '../problems/index.ts'

/** The outcome of an operation, as the client gets it. */
export interface OperationResult {
  readonly status: number
  readonly location?: string | undefined
  readonly etag?: string | undefined
  /** As in a problem document. */
  readonly type?: string
  readonly detail?: string
  readonly violations?: readonly ApiViolation[]
  /** The number of violations that are not listed. */
  readonly furtherViolations?: number
  /** As in a problem document. */
  readonly linkedFrom?: readonly string[]
  readonly hasFurtherLinks?: boolean
}

/** live.md, Many at once: limits for one operation, and for the whole response. */
const MAX_VIOLATIONS = 20
const MAX_BYTES = 1024 * 1024
/** Reserved for each operation: every status, address and ETag is sent, however long the other results are. */
const LEAST_BYTES = 512

/**
 * Collects the results of a lenient batch, within a budget: a thousand operations may have a million violations.
 * `around`: the size of the rest of the response, in bytes.
 */
export function createResults(operations: number, around: number, base: string) {
  const all: OperationResult[] = []
  let byteBudget = MAX_BYTES - around - LEAST_BYTES * operations

  /** Returns whether the budget allows it. */
  function take(result: OperationResult): boolean {
    const more = Buffer.byteLength(JSON.stringify(result)) + 1 - LEAST_BYTES
    if (more > 0 && more > byteBudget) return false
    byteBudget -= more
    return true
  }

  function add(result: OperationResult): void {
    take(result)
    all.push(result)
  }

  return {
    all,
    add,
    /** Returns the status. */
    fail(problem: Problem): number {
      const whole = listed(problem, base)
      if (take(whole)) all.push(whole)
      else add(counted(problem, base))
      return whole.status
    },
  }
}

function listed(problem: Problem, base: string): OperationResult {
  const read = readProblem(problem, MAX_VIOLATIONS)
  const { status, code, sentence, violations, furtherViolations, extension } = read
  return {
    ...{ status, type: vocabIri(base, code), detail: sentence },
    ...extension,
    ...(violations.length > 0 && { violations }),
    ...(furtherViolations > 0 && { furtherViolations }),
  }
}

/** The result without its violations, for when the budget does not allow more. */
function counted(problem: Problem, base: string): OperationResult {
  const { at, violations } = problem
  const { status, code } = readProblem(problem, 0)
  const detail = sentenceFor('DetailOmitted', { code, violations: violations.length }, { at })
  const furtherViolations = violations.length
  return {
    ...{ status, type: vocabIri(base, code), detail },
    ...(furtherViolations > 0 && { furtherViolations }),
  }
}
