export * from './curl.ts'
export * from './wire-panel.tsx'
