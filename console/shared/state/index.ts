export * from './browser-memory.ts'
export * from './loading.ts'
export * from './memory.ts'
export * from './store.ts'
