export { MemberPage } from './member-page.tsx'
export { NamedLinks, ValueList } from './property-values.tsx'
export { firstLinks } from './representation.ts'
