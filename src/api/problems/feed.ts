import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of the feed of changes. */
export const FEED_PROBLEMS = {} as const satisfies ProblemAnswers
