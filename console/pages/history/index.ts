export { DeletedPage } from './deleted-page.tsx'
export { HistoryPage } from './history-page.tsx'
