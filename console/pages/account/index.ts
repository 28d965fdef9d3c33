export { AccountActions } from './account-actions.tsx'
export { AccountPage } from './account-page.tsx'
