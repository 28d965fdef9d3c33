import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of a batch of operations. */
export const BATCH_PROBLEMS = {} as const satisfies ProblemAnswers
