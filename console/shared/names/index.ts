export * from './naming.ts'
export * from './routes.ts'
