import type { ProblemAnswers } from '../../http/index.ts'

/** Problems of a query: filters, orders, paging, includes. */
export const QUERY_PROBLEMS = {} as const satisfies ProblemAnswers
