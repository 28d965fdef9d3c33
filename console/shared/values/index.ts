export * from './kinds.ts'
export * from './value-text.ts'
