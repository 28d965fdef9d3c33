import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of a write: rights, preconditions, other members. */
export const WRITE_PROBLEMS = {} as const satisfies ProblemAnswers
