export * from './address-form.tsx'
export * from './start-pages.tsx'
