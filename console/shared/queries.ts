/** The query in the address of a resource. */
export const queryOf = (address: string): string => /\?([^#]*)/.exec(address)?.[1] ?? ''

/** The values of `aria-sort`, keyed by the values of a parameter that sorts. */
export const SORTED = { asc: 'ascending', desc: 'descending' } as const

export type SortDirection = keyof typeof SORTED

/** The parameters of summaries that are no filters (asking.md, Summaries), apart from orders. */
export const SUMMARY_PARAMETERS = ['group', 'sum', 'avg', 'min', 'max', 'page', 'itemsPerPage', 'sort']
