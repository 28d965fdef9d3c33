// The parameters of summaries (asking.md, Summaries), beside the filters of the collection.

export const FIGURES = ['sum', 'avg', 'min', 'max'] as const

export type FigureName = (typeof FIGURES)[number]

export const POSITION = ['page', 'itemsPerPage'] as const

/** Parameters win over properties of the same name. */
export const SUMMARY_PARAMETERS = ['group', ...FIGURES, 'sort', ...POSITION] as const

/** "None, one or, repeated, two paths". */
export const MAX_GROUPS = 2
export const MAX_FIGURES = 10
