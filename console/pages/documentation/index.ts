export { DocumentationPage } from './documentation-page.tsx'
