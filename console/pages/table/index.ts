export { Chips } from './filter-chips.tsx'
export { topicsOf } from './filter-topics.ts'
export { queryOf, readQuery, SORTED, type SortDirection, SUMMARY_PARAMETERS } from './query.ts'
export { TablePage } from './table-page.tsx'
