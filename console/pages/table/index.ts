export { Chips } from './filter-chips.tsx'
export { topicsOf } from './filter-topics.ts'
export { readQuery } from './query.ts'
export { TablePage } from './table-page.tsx'
