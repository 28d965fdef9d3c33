import type { ProblemAnswers } from '../../http/index.ts'
import type { Sentences } from '../../problem.ts'

/** Problems of the values of a member. */
export const VALUE_PROBLEMS = {
  ValidationFailed: {
    status: 422,
    sentence: 'The values are not those of a member.',
    help: 'Correct each property that "violations" names, as its message says.',
  },
} as const satisfies ProblemAnswers

/** What can be wrong at a property: the end of a sentence that begins with it. */
export const VIOLATIONS: Sentences<object> = {}
