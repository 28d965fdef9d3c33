import { ApiError, ConflictError, type Member } from 'hydrant-client'
import { BridgeProblem } from './problems.ts'
import { currentOf, type PlainResult } from './representation.ts'

/** The error of a tool: a sentence, as the API or the bridge has it, and what a program would need besides. */
export interface ToolError {
  readonly sentence: string
  readonly details: PlainResult
}

/** Errors of neither the API nor the bridge are faults of the bridge; the agent is told so, without their insides. */
export function describeError(error: unknown): ToolError {
  if (error instanceof BridgeProblem) {
    const { operation } = error as { readonly operation?: number }
    return {
      sentence: error.message,
      details: withoutNothing({ code: error.code, operation, ...error.details }),
    }
  }
  if (!(error instanceof ApiError))
    return { sentence: 'The bridge has failed unexpectedly.', details: { code: 'unexpected' } }
  const { code, status, violations, operation, parameter, linkedFrom, hasFurtherLinks, retryAfter } = error
  return {
    sentence: error.message,
    details: withoutNothing({
      code,
      status,
      violations,
      operation,
      parameter,
      linkedFrom,
      hasFurtherLinks: hasFurtherLinks || undefined,
      retryAfter,
      ...(error instanceof ConflictError && currentIn(error)),
    }),
  }
}

/** A member that was deleted meanwhile is null. */
const currentIn = ({ current }: ConflictError): PlainResult =>
  current === undefined ? { current: null } : currentOf(current as Member)

const withoutNothing = (details: PlainResult): PlainResult =>
  Object.fromEntries(
    Object.entries(details).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )
