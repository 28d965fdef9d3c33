import type { Problem, ProblemData } from '../../../src/problem.ts'

/** A problem, and what a client reads. */
export type SentenceRow = readonly [problem: Problem, status: number, sentence: string]

/** A violation, and its message: the end of a sentence that begins with the property. */
export type ViolationRow = readonly [violation: ProblemData, message: string]

export const RETRY = { retryAfterSeconds: 2 }
