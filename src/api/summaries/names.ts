/** asking.md, Summaries: "none, one or, repeated, two paths". */
export const MAX_GROUPS = 2
export const MAX_FIGURES = 10

/** The figures of a group of members, apart from their count. */
export const FIGURES = ['sum', 'avg', 'min', 'max'] as const

export type FigureName = (typeof FIGURES)[number]

export const POSITION = ['page', 'itemsPerPage'] as const

/** The parameters that only summaries have, then those that they have beside the filters. */
export const SUMMARY_PARAMETERS = ['group', ...FIGURES, 'sort', ...POSITION] as const
